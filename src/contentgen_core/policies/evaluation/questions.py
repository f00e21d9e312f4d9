"""Make questions whose answer is known: the document they are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import log
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.evaluation.chance import choose
from contentgen_core.policies.evaluation.statements import is_statement
from contentgen_core.policies.text.file_titles import real_title

LEAST_SENTENCES: Final = 3
"""Of a passage that one is taken out of."""
WORDS_ASKED: Final = 4
TITLE_WORDS: Final = 3


class Asked(StrEnum):
    """How a question was made. `sentence`: a sentence removed from its passage, so that the rest has to be found by its
    subject (the inverse cloze task of Lee et al. 2019); `words`: the rarest words of a passage; `title`: words of a
    document's title in another order, without the rarest one of many."""

    SENTENCE = "sentence"
    WORDS = "words"
    TITLE = "title"


@frozen
class Question:
    """`documents`: any of them is an answer. `title`: of the document that it was made from."""

    asked: Asked
    text: str
    documents: frozenset[DocumentId]
    key: str
    title: str


@frozen
class Questions:
    """`passages`: those that a sentence was taken out of, to be searched in the place of the ones of the same ref."""

    asked: tuple[Question, ...]
    passages: dict[SourceRef, Passage]


def questions(documents: Sequence[Sequence[Passage]], count: int, seed: int, analysis: TextAnalysis) -> Questions:
    """Return at most `count` questions of each kind, each of another document as far as there are so many."""
    asked: list[Question] = []
    without: dict[SourceRef, Passage] = {}
    candidates = [passage for passages in documents for passage in passages]
    for passage in _spread(candidates, seed, Asked.SENTENCE):
        if len(without) == count:
            break
        taken = _taken_out(passage, analysis)
        if taken is not None:
            text, rest = taken
            without[rest.ref] = rest
            asked.append(_make_question(rest, Asked.SENTENCE, text))
    having = Counter(term for passage in candidates for term in set(passage.terms))
    by_words = (
        _rarest_words(passage, having, len(candidates), analysis) for passage in _spread(candidates, seed, Asked.WORDS)
    )
    asked += [question for question, _ in zip(filter(None, by_words), range(count), strict=False)]
    asked += _title_questions(documents, count, seed, analysis)
    return Questions(tuple(asked), without)


def _spread(passages: Sequence[Passage], seed: int, asked: Asked) -> Iterator[Passage]:
    """Yield all passages, one of each document before a second one of any."""
    met = Counter[DocumentId]()
    rounds: dict[int, list[Passage]] = {}
    for passage in choose(passages, len(passages), seed, lambda p: f"{asked} {p.document.source_key} {p.chunk_index}"):
        rounds.setdefault(met[passage.document.id], []).append(passage)
        met[passage.document.id] += 1
    for each in rounds.values():
        yield from each


def _taken_out(passage: Passage, analysis: TextAnalysis) -> tuple[str, Passage] | None:
    """A sentence of a passage's middle, and the passage without it."""
    language = passage.document.language
    spans = analysis.sentences(passage.text, language)
    if len(spans) < LEAST_SENTENCES:
        return None
    middle = len(spans) // 2
    for span in sorted(spans[1:], key=lambda one: abs(spans.index(one) - middle)):
        text = " ".join(span.of(passage.text).split())
        if is_statement(text, language, analysis):
            rest = f"{passage.text[: span.start].rstrip()} {passage.text[span.end :].lstrip()}".strip()
            return text, evolve(passage, text=rest, terms=analysis.terms(rest, language))
    return None


def _rarest_words(passage: Passage, having: Counter[str], of: int, analysis: TextAnalysis) -> Question | None:
    tokens = [t for t in analysis.tokens(passage.text, passage.document.language) if not t.stop and t.term in having]
    words = {token.term: token.text for token in tokens}
    rarity = {term: log(of / having[term]) + min(len(words[term]), 12) / 100 for term in words}
    rarest = sorted(sorted(words, key=lambda term: (-rarity[term], term))[:WORDS_ASKED])
    if len(rarest) < WORDS_ASKED:
        return None
    text = " ".join(words[term] for term in rarest)
    return _make_question(passage, Asked.WORDS, text)


def _make_question(passage: Passage, asked: Asked, text: str) -> Question:
    document = passage.document
    key = f"{document.source_key} {passage.chunk_index}"
    return Question(asked, text, frozenset({document.id}), key, document.title or document.source_key)


def _title_questions(
    documents: Sequence[Sequence[Passage]], count: int, seed: int, analysis: TextAnalysis
) -> Iterator[Question]:
    titled: dict[str, set[DocumentId]] = {}
    languages: dict[str, Language] = {}
    for document in (passages[0].document for passages in documents if passages):
        title = " ".join(real_title(document.title).split())
        titled.setdefault(title, set()).add(document.id)
        languages[title] = document.language
    words = {title: _content_words(title, languages[title], analysis) for title in titled}
    having = Counter(term for each in words.values() for term in each)
    usable = [title for title, each in words.items() if len(each) >= TITLE_WORDS and len(titled[title]) == 1]
    for title in choose(usable, count, seed, lambda one: one):
        terms = words[title]
        if len(terms) > TITLE_WORDS:
            rarest = min(terms, key=lambda term: (having[term], term))
            terms = {term: word for term, word in terms.items() if term != rarest}
        text = " ".join(reversed(terms.values()))
        yield Question(Asked.TITLE, text, frozenset(titled[title]), title, title)


def _content_words(title: str, language: Language, analysis: TextAnalysis) -> dict[str, str]:
    return {token.term: token.text for token in analysis.tokens(title, language) if not token.stop}
