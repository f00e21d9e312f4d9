"""Whether two passages tell the same sentences of two named things: of two towns, products, branches, persons or
editions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from typing import Final
from urllib.parse import unquote, urlsplit

from attrs import define

from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import Span
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.conflicts.words import FUNCTION, PLACE_PREFIXES, TOWARDS_A_NAME
from contentgen_core.policies.text.facts import fold_name

MOST_SENTENCES: Final = 24
"""Sentences of a passage in which names are looked for."""
ALIKE_FROM: Final = 3
"""Words, values aside, of a sentence that two passages have to share to be leaflets of one kind."""
SAME_SPELLING: Final = 0.8
"""The share of letters in common from which on two words are one name in two spellings."""
LONG_WORD, TITLED_FROM = 4, 4
"""Of so many words with so many letters all have a capital where a title is written in title case."""
BEFORE_A_GERMAN_PLACE: Final = frozenset({"in", "aus", "bei", "nach", "von"})
SPELLED_FROM: Final = 5
"""The fewest letters of a name that may have two spellings."""

_WORD: Final = re.compile(r"[^\W_]+")
_FILE_END: Final = re.compile(r"\.[a-z0-9]{1,5}$", re.IGNORECASE)
_AN_ID: Final = re.compile(r"\d{5,}|(?=\w*\d)(?=\w*[a-z])\w{8,}", re.IGNORECASE)
_DIGEST: Final = re.compile(r"[0-9a-f-]{16,}", re.IGNORECASE)
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


@define(slots=False, eq=False)
class Naming:
    """The names of a passage's subject: in its title, its heading, the name of its file, and its sentences. Parsed on
    first use."""

    passage: Passage
    sentences: Sequence[Span]

    @cached_property
    def title(self) -> tuple[str, ...]:
        return _words(self.passage.document.title)

    @cached_property
    def heading(self) -> tuple[str, ...]:
        return _words(self.passage.heading)

    @cached_property
    def file(self) -> tuple[str, ...]:
        """The words of the last part of the document's address or key, without ids."""
        document = self.passage.document
        path = urlsplit(document.url or document.source_key).path.rstrip("/")
        name = _FILE_END.sub("", unquote(path).rsplit("/", 1)[-1])
        if _DIGEST.fullmatch(name):
            return ()
        return tuple(word for word in _words(name) if not _AN_ID.fullmatch(word))

    @cached_property
    def told(self) -> tuple[tuple[str, ...], ...]:
        """The words of each sentence, in order."""
        return tuple(_words(span.of(self.passage.text)) for span in self.sentences[:MOST_SENTENCES])

    @cached_property
    def known(self) -> frozenset[str]:
        """All words of the passage and of its title and headings."""
        every = (*self.title, *self.heading, *self.file, *(word for words in self.told for word in words))
        return frozenset(form for word in every for form in _forms(word))

    def knows(self, word: str) -> bool:
        """Whether the passage has a word, perhaps in another spelling."""
        forms = _forms(word)
        if not self.known.isdisjoint(forms):
            return True
        return word.isalpha() and any(_is_spelling(form, other) for form in forms for other in self.known)


def on_different_things(one: Naming, of_one: Span, other: Naming, of_other: Span) -> bool:
    """Return whether two sentences are on two things that what stands around them names.

    `of_one`, `of_other`: the sentences, whose own names count for nothing here: they are compared as words."""
    language = one.passage.document.language
    ours, theirs = list(_around(one, of_one)), list(_around(other, of_other))
    alike = _share_a_sentence(ours, theirs)
    for name in ("title", "heading"):
        left, right = getattr(one, name), getattr(other, name)
        if _rival(one, left, other, right, language, alike=alike) or _has_a_prefix(left, right):
            return True
    if alike and set(map(str.casefold, one.file)) & set(map(str.casefold, other.file)):
        apart = _unknown_words(one.file, other), _unknown_words(other.file, one)
        if all(apart):
            return True
    return any(_tell_the_same_of_two(a, b, one, other, language) for a in ours for b in theirs)


def _around(naming: Naming, compared: Span) -> Iterator[tuple[str, ...]]:
    return (words for span, words in zip(naming.sentences, naming.told, strict=False) if span != compared)


def _share_a_sentence(ours: Iterable[Sequence[str]], theirs: Iterable[Sequence[str]]) -> bool:
    """Return whether both have a sentence that is the same but for its numbers."""
    plain = [{_without_numbers(words) for words in side} for side in (ours, theirs)]
    return any(len(words) >= ALIKE_FROM for words in plain[0] & plain[1])


def _without_numbers(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.casefold() for word in words if not word[0].isdigit())


def _rival(
    one: Naming, ours: Sequence[str], other: Naming, theirs: Sequence[str], language: Language, *, alike: bool
) -> bool:
    """Return whether each of two titles has what the other's passage has nowhere, and at least one of them a name."""
    left, right = _unknown_words(ours, other), _unknown_words(theirs, one)
    if not left or not right:
        return False
    if alike:
        return all(any(_is_written_as_a_name(word) for word in side) for side in (left, right))
    return any(
        any(word in side and _is_surely_a_name(word, n, title, language) for n, word in enumerate(title))
        for title, side in ((ours, left), (theirs, right))
    )


def _unknown_words(words: Sequence[str], other: Naming) -> list[str]:
    language = other.passage.document.language
    return [word for word in words if word.casefold() not in FUNCTION[language] and not other.knows(word)]


def _is_written_as_a_name(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _is_surely_a_name(word: str, place: int, title: Sequence[str], language: Language) -> bool:
    """A capital tells nothing of the first word, nor where each word of a long title has one, nor of a German noun that
    is not behind a preposition as the names of places are."""
    if any(c.isdigit() for c in word):
        return True
    long = [w for w in title if len(w) >= LONG_WORD]
    titled = len(long) >= TITLED_FROM and all(w[0].isupper() for w in long)
    if place == 0 or not word[0].isupper() or titled:
        return False
    return language is not Language.DE or title[place - 1].casefold() in BEFORE_A_GERMAN_PLACE


def _has_a_prefix(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether a place of one title is part of the other's: York, and New York."""
    short, long = sorted(([w.casefold() for w in side] for side in (ours, theirs)), key=len)
    added = [n for n, word in enumerate(long[:-1]) if word in PLACE_PREFIXES and long[n + 1] in short]
    return len(added) == 1 and long[added[0]] not in short


def _tell_the_same_of_two(
    ours: Sequence[str], theirs: Sequence[str], one: Naming, other: Naming, language: Language
) -> bool:
    """Return whether two sentences are the same but for a name that is not told of something else."""
    if abs(len(ours) - len(theirs)) > ALIKE_FROM or len(set(ours) & set(theirs)) < ALIKE_FROM:
        return False
    named = False
    for kind, start, end, first, last in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        left, right = ours[start:end], theirs[first:last]
        if not left or not right:
            return False
        label = start > 0 and ours[start - 1][0].isupper()
        if all(word[0].isdigit() for word in (*left, *right)) and not label:
            continue  # a value
        if not all(_is_written_as_a_name(word) for word in (*left, *right)):
            return False
        if start > 0 and ours[start - 1].casefold() in TOWARDS_A_NAME[language]:
            continue  # what the sentence tells of its subject
        named = named or bool(_unknown_words(left, other) and _unknown_words(right, one))
    return named


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text))


def _forms(word: str) -> tuple[str, ...]:
    """A word as names are compared: without accents, or with umlauts as two letters."""
    return tuple({fold_name(word), fold_name(word.translate(_UMLAUTS))})


def _is_spelling(one: str, other: str) -> bool:
    """Return whether two words are one name in two spellings, or one of them a form of the other."""
    short, long = sorted((one, other), key=len)
    if len(short) < SPELLED_FROM or short[0] != long[0] or len(long) - len(short) > 2:
        return False
    return long.startswith(short) or SequenceMatcher(None, one, other).ratio() > SAME_SPELLING
