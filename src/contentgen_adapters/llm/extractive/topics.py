"""Topic suggestions, relevance of a topic to a niche, and summaries, all by counting terms."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import frozen

from contentgen_adapters.llm.extractive.headings import own_heading, self_contained_heading, subject
from contentgen_adapters.llm.extractive.selection import similarity
from contentgen_adapters.llm.phrases import fold, phrases
from contentgen_adapters.llm.wording import shorten
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.topic_gap import TopicGap
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.niche_fit import TopicFit
from contentgen_core.ports.content_model import NicheBrief, TopicJudgement, TopicSuggestion

MAX_PASSAGES: Final = 500
MAX_TOPIC: Final = 200
MIN_TOPIC: Final = 10
"""What the operations that check a topic ask for at least, in characters."""
CUT_FROM: Final = 40
"""The fewest characters of a title that is taken for a cut sentence where its text begins with it."""
SAME_TOPIC: Final = 0.5
NEAR_DUPLICATE_TERMS: Final = 4
HELD: Final = 0.6
VALID_FROM: Final = 0.45
MAX_SUMMARISED: Final = 200_000
_KB_WEIGHT: Final = 0.9
_SHARED_BEGINNING: Final = 5


@frozen
class _Candidate:
    topic: str
    terms: frozenset[str]
    is_title: bool


def suggestions(
    analysis: TextAnalysis, passages: Sequence[Passage], avoid: Sequence[str], language: Language, count: int
) -> tuple[TopicSuggestion, ...]:
    """Titles and headings of passages as topics, best first.

    The score, in 0..1, grows with the number of documents and passages that have most of a topic's terms (by idf), and
    is slightly higher for titles. A topic that shares most terms with one of `avoid`, or with a better one, is dropped.
    `count`: at most.
    """
    passages = _in_language(passages, language)[:MAX_PASSAGES]
    bags = [(p.document.id, _bag(p, analysis)) for p in passages]
    frequency = Counter(term for _, bag in bags for term in bag)
    idf = {term: math.log(1 + len(bags) / count) for term, count in frequency.items()}
    avoided = [frozenset(analysis.terms(topic, language)) for topic in avoid]
    scored: list[tuple[float, int, int, _Candidate]] = []
    for candidate in _candidates(passages, language, analysis):
        if any(_alike(candidate.terms, other) for other in avoided):
            continue
        held = [document for document, bag in bags if _weighted_share(candidate.terms, bag, idf) >= HELD]
        documents = len(set(held))
        scored.append((_support_score(documents, len(held), candidate.is_title), documents, len(held), candidate))
    scored.sort(key=lambda s: (-s[0], s[3].topic))
    words = phrases(language)
    chosen: list[tuple[TopicSuggestion, frozenset[str]]] = []
    for score, documents, held_passages, candidate in scored:
        if len(chosen) < count and not any(_alike(candidate.terms, terms) for _, terms in chosen):
            reason = words.suggest_reason.format(documents=documents, passages=held_passages)
            chosen.append((TopicSuggestion(candidate.topic, reason, score), candidate.terms))
    return tuple(suggestion for suggestion, _ in chosen)


def suggest_gaps(gaps: Sequence[TopicGap], language: Language) -> tuple[TopicSuggestion, ...]:
    """The gaps as topics, in their order, each with its kind as the reason."""
    reasons = phrases(language).gap_reasons
    return tuple(
        TopicSuggestion(gap.topic, reasons[gap.kind].format(documents=gap.documents), gap.coverage.score / 100)
        for gap in gaps
    )


def _weighted_share(terms: frozenset[str], bag: frozenset[str], idf: dict[str, float]) -> float:
    unseen = max(idf.values(), default=1.0)
    return sum(idf[t] for t in terms if t in bag) / (sum(idf.get(t, unseen) for t in terms) or 1.0)


def _support_score(documents: int, passages: int, is_title: bool) -> float:
    return round((1.0 if is_title else 0.9) * (1 - math.exp(-(0.25 * documents + 0.08 * passages))), 3)


def _candidates(passages: Sequence[Passage], language: Language, analysis: TextAnalysis) -> list[_Candidate]:
    words = phrases(language)
    texts: dict[str, tuple[str, bool]] = {}
    for passage in passages:
        for text in (passage.document.title, _with_subject(passage, words.colon, analysis, language)):
            topic = shorten(" ".join(text.split()), MAX_TOPIC)
            is_fragment = len(topic) < MIN_TOPIC or _is_cut_from(topic, passage.text)
            if not is_fragment and not re.search(r"https?:|[{}<>$]", topic):
                texts.setdefault(fold(topic), (topic, text == passage.document.title))
    made = [_Candidate(topic, frozenset(analysis.terms(topic, language)), title) for topic, title in texts.values()]
    return [candidate for candidate in made if len(candidate.terms) >= 2]


def _is_cut_from(title: str, text: str) -> bool:
    """Whether a title is only the beginning of the text, cut within a word or longer than any title."""
    begun, text = fold(title.rstrip("… ")), fold(" ".join(text[: 2 * MAX_TOPIC].split()))
    return text.startswith(begun) and (len(begun) >= CUT_FROM or text[len(begun) : len(begun) + 1].isalnum())


def _with_subject(passage: Passage, colon: str, analysis: TextAnalysis, language: Language) -> str:
    """A heading as a topic: by itself if it names its document's subject, else after that subject."""
    heading, about = own_heading(passage), subject(passage)
    if not heading:
        return about
    if set(analysis.terms(heading, language)) & set(analysis.terms(about, language)):
        return self_contained_heading(passage, phrases(language))
    return f"{about}{colon}{heading}"


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if not one or not other:
        return False
    return similarity(one, other) >= SAME_TOPIC or len(one & other) >= NEAR_DUPLICATE_TERMS


def judgement(
    analysis: TextAnalysis,
    niche: NicheBrief,
    topic: str,
    passages: Sequence[RankedPassage],
    language: Language,
    fit: TopicFit | None = None,
) -> TopicJudgement:
    """Judge whether a topic belongs to a niche.

    Use its fit in meaning where that is known. Else combine, as independent evidence, the share of its terms in the
    niche's own description (a term with the same beginning counts half) and the share in the nearest passage.
    `confidence` is that of the verdict.
    """
    terms = list(dict.fromkeys(analysis.terms(topic, language)))
    if not terms and fit is None:
        return TopicJudgement(False, 0.5, phrases(language).judge_none)
    named = {t for text in (niche.name, niche.description, *niche.keywords) for t in analysis.terms(text, language)}
    matches = {t: _match(t, named) for t in terms}
    by_niche = min(1.0, sum(matches.values()) / max(1, min(len(terms), 2)))
    by_kb, held = max(
        ((_term_share(analysis, topic, r.passage)) for r in passages), key=lambda h: h[0], default=(0.0, [])
    )
    by_words = 1 - (1 - by_niche) * (1 - _KB_WEIGHT * by_kb)
    belongs, least = (fit.probability, fit.least) if fit else (by_words, VALID_FROM)
    words = phrases(language)
    shared = _original_words(analysis, topic, language, {t for t, m in matches.items() if m >= (1.0 if fit else 0.5)})
    if belongs < least:
        return TopicJudgement(False, round(1 - belongs, 3), words.judge_none)
    reason = words.judge_near.format(terms=", ".join(held))
    if shared:
        reason = words.judge_shared.format(terms=", ".join(shared))
    elif fit and not (fit.covered and held):
        reason = words.judge_meant.format(terms=fit.nearest)
    return TopicJudgement(True, round(max(0.5, belongs), 3), reason)


def _match(term: str, named: Iterable[str]) -> float:
    """1 for the same term, 0.5 for one with the same beginning (`cyberattack`, `cybersecurity`), else 0."""
    if term in named:
        return 1.0
    beginning = term[:_SHARED_BEGINNING]
    long_enough = len(beginning) == _SHARED_BEGINNING
    return 0.5 if long_enough and any(other.startswith(beginning) for other in named) else 0.0


def _term_share(analysis: TextAnalysis, topic: str, passage: Passage) -> tuple[float, list[str]]:
    language = passage.document.language
    terms = frozenset(analysis.terms(topic, language))
    found = terms & _bag(passage, analysis)
    return len(found) / max(1, len(terms)), _original_words(analysis, topic, language, found)


def _original_words(analysis: TextAnalysis, text: str, language: Language, terms: Iterable[str]) -> list[str]:
    wanted = set(terms)
    return list(dict.fromkeys(t.text for t in analysis.tokens(text, language) if t.term in wanted and not t.stop))


def _bag(passage: Passage, analysis: TextAnalysis) -> frozenset[str]:
    language = passage.document.language
    body = passage.terms or analysis.terms(passage.text, language)
    head = passage.head_terms or analysis.terms(f"{passage.document.title} . {passage.heading}", language)
    return frozenset((*body, *head))


def _in_language(passages: Sequence[Passage], language: Language) -> list[Passage]:
    return [p for p in passages if p.document.language is language] or list(passages)


def summary(analysis: TextAnalysis, text: str, language: Language, max_words: int) -> str:
    """The sentences with the most frequent terms, in their order, of at most `max_words` in all; early sentences are
    preferred. The cut beginning of the text where no sentence is short enough."""
    text = text[:MAX_SUMMARISED]
    spans = analysis.sentences(text, language)
    read = [(span.of(text), analysis.tokens(span.of(text), language)) for span in spans]
    frequency = Counter(t.term for _, tokens in read for t in tokens if not t.stop)
    words = phrases(language)

    def weight(index: int) -> float:
        sentence, tokens = read[index]
        terms = {t.term for t in tokens if not t.stop}
        central = sum(math.log(1 + frequency[t]) for t in terms) / (3 + len(tokens))
        return central + 0.5 / (1 + index) - 0.5 * words.points_back(sentence)

    kept: list[int] = []
    left = max_words
    for index in sorted(range(len(read)), key=weight, reverse=True):
        size = len(read[index][1])
        if 0 < size <= left:
            kept.append(index)
            left -= size
    if kept:
        return " ".join(" ".join(read[i][0].split()) for i in sorted(kept))
    tokens = analysis.tokens(text, language)[:max_words]
    return " ".join(text[: tokens[-1].end].split()) + "…" if tokens else ""
