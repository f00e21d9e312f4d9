"""Sentences of a knowledge base for the grounding check: true ones, and false ones that one change made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.evaluation.alterations import (
    months_altered,
    negate,
    numbers_altered,
    remove_asides,
    replace_name,
)
from contentgen_core.policies.evaluation.chance import choose
from contentgen_core.policies.evaluation.inventions import inventions
from contentgen_core.policies.text.facts import names

FEWEST_WORDS: Final = 6
MOST_WORDS: Final = 60
_UNUSABLE: Final = re.compile(r"https?:|www\.|[\[\]#|]")
_ENDS: Final = ".!。．।؟？…"
_WORD: Final = re.compile(r"\w+")


class Kind(StrEnum):
    """`true`: what its passage says, in other words or order. The others are false: a figure, the month of a date or a
    name changed, a verb negated, another predicate said of the subject, or true of another document than it cites."""

    TRUE = "true"
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"
    PREDICATE = "predicate"
    OTHER = "other"


FALSE: Final = (Kind.NUMBER, Kind.DATE, Kind.NAME, Kind.NEGATION, Kind.PREDICATE, Kind.OTHER)


@frozen
class Statement:
    """A sentence and the passage that it cites. `of`: the sentence that it was made from."""

    kind: Kind
    text: str
    passage: Passage
    of: str


@frozen
class _Sentence:
    text: str
    following: str
    passage: Passage
    key: str


def is_statement(text: str, language: Language, analysis: TextAnalysis) -> bool:
    """Whether a sentence can stand by itself: of some length, ended, without addresses or markup."""
    return (
        not text[0].islower()
        and text[-1] in _ENDS
        and not _UNUSABLE.search(text)
        and FEWEST_WORDS <= len(analysis.tokens(text, language)) <= MOST_WORDS
    )


def statements(
    documents: Sequence[Sequence[Passage]], count: int, seed: int, analysis: TextAnalysis
) -> list[Statement]:
    """Return at most `count` true statements and at most as many false ones, shared among the kinds. Takes some
    milliseconds a passage."""
    sentences = [s for passages in documents for passage in passages for s in _sentences(passage, analysis)]
    found: list[Statement] = []
    for kind in Kind:
        most = count if kind is Kind.TRUE else -(-count // len(FALSE))
        found += _first(_statements_of_kind(kind, _shuffle(sentences, seed, kind), analysis), most)
    return found


def _shuffle(sentences: Sequence[_Sentence], seed: int, kind: Kind) -> list[_Sentence]:
    return choose(sentences, len(sentences), seed, lambda sentence: f"{kind} {sentence.key}")


def _first(made: Iterator[Statement], most: int) -> list[Statement]:
    """Return the first `most` statements, one for each text and passage."""
    found: dict[tuple[str, object], Statement] = {}
    for statement in made:
        if len(found) == most:
            break
        found.setdefault((statement.text, statement.passage.ref), statement)
    return list(found.values())


def _statements_of_kind(kind: Kind, sentences: Sequence[_Sentence], analysis: TextAnalysis) -> Iterator[Statement]:
    for place, sentence in enumerate(sentences):
        other = sentences[place - 1]
        text, passage = _make_text(kind, sentence, other, analysis), sentence.passage
        if kind is Kind.OTHER:
            passage = other.passage
        if text is not None:
            yield Statement(kind, text, passage, sentence.text)


def _make_text(kind: Kind, sentence: _Sentence, other: _Sentence, analysis: TextAnalysis) -> str | None:
    """Return the text of a statement of this kind; None where the sentence is not suitable."""
    text, passage = sentence.text, sentence.passage
    language = passage.document.language
    apart = other.passage.document.id != passage.document.id
    match kind:
        case Kind.TRUE:
            bare = remove_asides(text)
            joined = f"{text[:-1]}; {sentence.following}" if sentence.following else text
            return bare if bare != text else joined
        case Kind.NUMBER:
            return next((made for made in numbers_altered(text, language) if _is_new(made, passage)), None)
        case Kind.DATE:
            return next((made for made in months_altered(text, language) if _is_new(made, passage)), None)
        case Kind.NEGATION:
            return negate(text, language)
        case Kind.PREDICATE:
            return next((made for made in inventions(text, language, analysis) if _is_new(made, passage)), None)
        case Kind.NAME:
            own, others = (_names(each, analysis) for each in (sentence, other))
            return replace_name(text, own, others, passage.with_titles()) if apart else None
        case Kind.OTHER:
            return text if apart and not _holds(other.passage, text) else None


def _is_new(text: str, passage: Passage) -> bool:
    """Whether the passage lacks a word of the sentence: what was changed in it does not stand elsewhere."""
    return not set(_WORD.findall(text)) <= set(_WORD.findall(passage.with_titles()))


def _holds(passage: Passage, text: str) -> bool:
    return " ".join(text.split()) in " ".join(passage.text.split())


def _names(sentence: _Sentence, analysis: TextAnalysis) -> list[str]:
    language = sentence.passage.document.language
    found = names(sentence.text, analysis.tokens(sentence.text, language), language)
    return [name.text for name in found if not any(c.isdigit() for c in name.text)]


def _sentences(passage: Passage, analysis: TextAnalysis) -> Iterator[_Sentence]:
    language = passage.document.language
    texts = [" ".join(span.of(passage.text).split()) for span in analysis.sentences(passage.text, language)]
    usable = [is_statement(text, language, analysis) for text in texts]
    for place, text in enumerate(texts):
        if usable[place]:
            following = texts[place + 1] if any(usable[place + 1 : place + 2]) else ""
            key = f"{passage.document.source_key} {passage.chunk_index} {place}"
            yield _Sentence(text, following, passage, key)
