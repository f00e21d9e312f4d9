"""The evidence for a topic in a ranking: the features of the coverage score, and what explains them.

No scored feature falls with more evidence. They compare across topics and languages because each is relative to what
this topic could reach at best, to chance, or to what is usual in the view; counts above a fixed cosine, and raw BM25,
depend on the language."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import CoverageEvidence, TermFinding
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Origin, Passage, RankedPassage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.coverage.meaning import Meaning
from contentgen_core.policies.coverage.topic_match import PassageMatch, TopicMatch, match_topic
from contentgen_core.policies.retrieval.bm25 import NO_STATISTICS
from contentgen_core.policies.retrieval.ranking import TopicQuery
from contentgen_core.policies.text.title_words import importance

# A passage is on the topic from this share of the topic's information on (see `TopicMatch`).
ON_TOPIC: Final = 0.55
# For the score, membership rises from 0 at the first share to 1 at the second: with a hard bound, a statistic that
# moves a little with each document could remove a whole source.
ON_TOPIC_FROM: Final = 0.45
ON_TOPIC_WHOLLY: Final = 0.65
# Where meaning is compared, a passage's share of the topic's information counts so much beside how much nearer than
# usual it is, and their sum is what membership rises with, and what is shown as on the topic.
SHARE_BESIDE_MEANING: Final = 0.3
NEAR_FROM: Final = 0.6
NEAR_WHOLLY: Final = 0.9
NEAR: Final = 0.75
# Where meaning is compared, topics of at most so many words of a subject are judged as short; from the second number on
# as long, and so is a question, which one passage answers: neighbours stand out as much when that one is missing.
SHORT_TOPIC_WORDS: Final = 2
LONG_TOPIC_WORDS: Final = 5
QUESTION_MARKS: Final = frozenset("?？؟\u037e")
# Documents whose best passages are compared for diversity.
MAX_COMPARED: Final = 8
# The most documents that are named for a term.
MAX_NAMED_DOCUMENTS: Final = 3


def coverage_evidence(
    query: TopicQuery,
    ranked: Sequence[RankedPassage],
    statistics: Mapping[Language, TermStatistics],
    meaning: Meaning | None = None,
    own: Collection[SourceRef] = (),
) -> CoverageEvidence:
    """The evidence of a ranking for a topic. The topic is matched in each language of the view: the language in which
    most of it is found gives the findings by term; passages on the topic count in every language. Passages of origin
    `ai` and copies are no evidence.

    `ranked`: everything a search found, best first. `statistics`: the off-topic statistics, by language. `meaning`:
    None where the embedder models none. `own`: passages that are known to be on the thing that the topic names."""
    ranked = _independent(ranked)
    readings = [
        match_topic(terms, query.words, _passages_in(ranked, language), statistics.get(language, NO_STATISTICS))
        for language, terms in query.terms.items()
        if terms
    ]
    if not readings:
        return CoverageEvidence()
    best = max(readings, key=_share_of_best_three)
    words = min(sum(importance(word) == 1.0 for word in reading.words.values()) for reading in readings)
    if QUESTION_MARKS.intersection(query.text.rstrip()[-2:]):  # a quotation mark may follow
        words = max(words, LONG_TOPIC_WORDS)
    judged = [_judge(match, meaning, words, own) for reading in readings for match in reading.matches]
    on_topic = [passage.match for passage in judged if passage.on_topic]
    memberships = [(passage.match.passage.document.id, passage.membership) for passage in judged]
    known = [r.ref for r in ranked if meaning is not None and r.ref in meaning.nearness]
    years = sorted(p.document.fetched_at.year for p in _passages(on_topic) if p.document.fetched_at)
    return CoverageEvidence(
        saturation=max((match.saturation for reading in readings for match in reading.matches), default=0.0),
        information=max(reading.information() for reading in readings),
        missing=min(len(reading.missing()) for reading in readings),
        breadth=_breadth(memberships),
        depth=sum(membership for _, membership in memberships),
        nearness=max(meaning.nearness[ref] for ref in known) if meaning is not None and known else None,
        prominence=_prominence(meaning, known, judged, own),
        subject_words=words,
        term_share=_share_of_best_three(best),
        documents=len({p.document.id for p in _passages(on_topic)}),
        passages=len(on_topic),
        sites=len({urlsplit(p.document.url).hostname for p in _passages(on_topic) if p.document.url}),
        newest=years[-1] if years else None,
        oldest=years[0] if years else None,
        diversity=_diversity(on_topic),
        agreement=_agreement(ranked),
        terms=tuple(best.words.values()),
        missing_terms=best.missing(),
        found=_findings(best),
        on_topic=frozenset(match.passage.ref for match in on_topic),
    )


def shortness(subject_words: int) -> float:
    """Return how far a topic of so many subject words is judged by meaning, in 0..1, where meaning is compared."""
    return min(1.0, max(0.0, (LONG_TOPIC_WORDS - subject_words) / (LONG_TOPIC_WORDS - SHORT_TOPIC_WORDS)))


@frozen
class _Judged:
    """`membership`: how far the passage is on the topic, in 0..1, for the score; `on_topic`: whether it is, to show."""

    match: PassageMatch
    membership: float
    on_topic: bool


def _judge(match: PassageMatch, meaning: Meaning | None, words: int, own: Collection[SourceRef]) -> _Judged:
    by_words = _fraction_between(match.share, ON_TOPIC_FROM, ON_TOPIC_WHOLLY)
    short = shortness(words) if meaning is not None and match.passage.document.language in meaning.languages else 0.0
    if meaning is None or not short or (match.passage.ref in own and by_words > 0):
        return _Judged(match, by_words, match.share >= ON_TOPIC)
    near = meaning.above_background(match.passage.ref) + SHARE_BESIDE_MEANING * match.share
    membership = short * _fraction_between(near, NEAR_FROM, NEAR_WHOLLY) + (1 - short) * by_words
    return _Judged(match, membership, near >= NEAR if short > 0.5 else match.share >= ON_TOPIC)


def _prominence(
    meaning: Meaning | None, known: Sequence[SourceRef], judged: Sequence[_Judged], own: Collection[SourceRef]
) -> float:
    """Return how much nearer than usual the nearest passage is. Where it is on the named thing, at least as much as for
    a passage wholly on the topic: models of meaning know few names."""
    if meaning is None:
        return 0.0
    nearest = max((meaning.above_background(ref) for ref in known), default=0.0)
    sure = max((each.membership for each in judged if each.match.passage.ref in own), default=0.0)
    return max(nearest, NEAR_WHOLLY * sure)


def _passages_in(ranked: Sequence[RankedPassage], language: Language) -> list[Passage]:
    return [r.passage for r in ranked if r.passage.document.language == language]


def _passages(matches: Iterable[PassageMatch]) -> list[Passage]:
    return [match.passage for match in matches]


def _independent(ranked: Sequence[RankedPassage]) -> list[RankedPassage]:
    """The first passage of each content, without what a model wrote: a knowledge base cannot confirm itself."""
    first: dict[str, RankedPassage] = {}
    for passage in ranked:
        if passage.passage.document.origin is not Origin.AI:
            first.setdefault(passage.passage.content_hash, passage)
    return list(first.values())


def _fraction_between(value: float, low: float, high: float) -> float:
    """Return the position of a value between low and high, in 0..1."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


def _breadth(memberships: Iterable[tuple[DocumentId, float]]) -> float:
    best: dict[DocumentId, float] = {}
    for document, membership in memberships:
        best[document] = max(membership, best.get(document, 0.0))
    # in order of size, so that another order of passages adds up to the very same float
    return sum(sorted(best.values()))


def _share_of_best_three(reading: TopicMatch) -> float:
    """The share of the topic's information that three documents hold together, chosen greedily."""
    documents: dict[DocumentId, frozenset[str]] = {}
    for match in reading.matches:
        id = match.passage.document.id
        documents[id] = documents.get(id, frozenset()) | match.terms
    together = frozenset[str]()
    for _ in range(3):
        together = max((together | terms for terms in documents.values()), key=reading.share, default=together)
    return reading.share(together)


def _findings(reading: TopicMatch) -> tuple[TermFinding, ...]:
    """Return the places of each of the topic's terms; `reading.matches` is best first, so the documents are too."""
    found = []
    for term, word in reading.words.items():
        having = [match.passage for match in reading.matches if term in match.terms]
        titles = {p.document.id: p.document.title for p in having}
        found.append(
            TermFinding(
                word=word,
                passages=len(having),
                documents=len(titles),
                in_headings=any(term in p.head_terms for p in having),
                titles=tuple(titles.values())[:MAX_NAMED_DOCUMENTS],
            )
        )
    return tuple(found)


def _diversity(on_topic: Sequence[PassageMatch]) -> float:
    """Return how little the best passages of different documents repeat each other, 0..1: 1 less the mean Jaccard
    similarity of their words. 0 for a single document. Shown, not scored: it can fall when evidence is added."""
    first: dict[DocumentId, frozenset[str]] = {}
    for passage in _passages(on_topic):
        first.setdefault(passage.document.id, frozenset(passage.terms))
    pairs = list(combinations(list(first.values())[:MAX_COMPARED], 2))
    return 1 - fmean(len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs) if pairs else 0.0


def _agreement(ranked: Sequence[RankedPassage], depth: int = 5) -> float:
    """The overlap of the `depth` first passages by words with the `depth` first by the index, in 0..1. Shown, not
    scored: it can fall when evidence is added."""
    by_words = sorted(ranked, key=lambda r: (-r.rerank_score, str(r.ref)))[:depth]
    by_index = sorted(ranked, key=lambda r: (-r.original_score, str(r.ref)))[:depth]
    return len({r.ref for r in by_words} & {r.ref for r in by_index}) / len(by_words) if by_words else 0.0
