"""Names in titles, headings, labels and a topic, told from other words with a capital by how the passages write them;
and where texts have them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from attrs import frozen

from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.subject_words import ARTICLES, NOT_NAMES
from contentgen_core.policies.text.facts import fold_name

Subject = tuple[str, ...]
"""The folded words of a name."""

SHORTEST_NAME: Final = 3
"""Letters of a word that can be a name."""
SHORTEST_CODE: Final = 2
"""Characters of a word with a digit that can stand for a name of several words."""
LONGEST_NUMBER: Final = 3
"""Characters of a number in a name; longer ones are years."""
STEM: Final = 5
"""First letters by which words are taken for forms of one."""
LONGEST_ENDING: Final = 2
"""Letters that inflection may add to a name."""
LONGEST_LABEL: Final = 60
"""Characters of a cell or line that names what others are on."""
FIRST_WORDS: Final = 6
"""Of a sentence, among which a code shows that it begins with a name."""
MAX_NAMES: Final = 200
"""Of an article; those of titles and the topic come first. Names are compared with each other."""
REMEMBERED_TEXTS: Final = 1_000
"""Kept, since the same passages come again from article to article."""

SENTENCE_END: Final = re.compile(r"(?<=[.!?…])[\"»”’)\]]*\s+(?=[\"«“(\[]?[^\W\d_a-z])|(?<=[。！？])")
_WORD: Final = re.compile(r"(?<![^\W_])[^\W\d_]{1,2}[-\u2010\u2011]\d+[^\W_]*|[^\W_]+")
"""A letter or two with a hyphen and a number is one word: `X-2` is `X2`."""
_HYPHENS: Final = str.maketrans("", "", "-\u2010\u2011")
_INSIDE: Final = re.compile(r"(?:[^.!?…:;|\n]|^)[^\n.!?…:;|*•]$")
"""What stands before a word inside a sentence."""
_VALUE: Final = re.compile(r":\s([^;:|.]{2,60})(?=;|$)")
_LETTERS_ALONE: Final = frozenset("AIO")
"""Words of one letter, which are no part of a name (`Once A Year`)."""


@frozen
class Word:
    """A word of a text: as written, folded, and where it begins and ends."""

    text: str
    folded: str
    start: int
    end: int


def words_of(text: str) -> list[Word]:
    return [Word(m[0], _fold(m[0]), m.start(), m.end()) for m in _WORD.finditer(text)]


def _fold(word: str) -> str:
    return fold_name(word.translate(_HYPHENS))


def spans(text: str, separator: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The stretches of a text between separators, without those of white space."""
    start = 0
    for match in separator.finditer(text):
        if text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def name_same_thing(one: Subject, other: Subject) -> bool:
    """Whether two names are of one thing, or of a thing and its part."""
    return set(one) <= set(other) or set(other) <= set(one)


def is_numbered(name: Subject) -> bool:
    """Whether a name has a number or a code, as those of products do."""
    return any(has_digit(word) for word in name)


def find_names(
    topic: str, titles: Collection[str], headings: Iterable[str], passages: Sequence[Passage]
) -> list[Subject]:
    """The names of a topic, of the titles and headings of passages and of the labels in their texts, the longest
    first. Where the topic asks for something numbered, also those with which sentences begin."""
    written = _Written(passages)
    texts = {topic, *headings, *(label for passage in passages for label in _labels(passage.text))}
    if _asks_for_a_product(topic):
        texts |= {start for passage in passages for start in _beginnings(passage.text)}
    first = {name for title in (topic, *titles) for name in written.names(title, is_title=title in titles)}
    first.update(_contrasted_words(topic, titles))
    others = {name for text in texts for name in written.names(text, is_title=False)} - first
    found = first.union(sorted(others)[: max(0, MAX_NAMES - len(first))])
    numbered = {name for name in found if is_numbered(name)}
    # Products come in several, "Top 10" alone.
    lone = {name for name in numbered if len(numbered) == 1 and not written.has(name)}
    return sorted(found - lone, key=lambda name: (-len(name), name))


def _contrasted_words(topic: str, titles: Iterable[str]) -> Iterator[Subject]:
    """Yield the words of a topic in which otherwise equal titles differ (`Nachtbusse in Gifhorn`, `Nachtbusse in
    Stendal`): the things it compares, also in German, which capitalises every noun."""
    asked = {word.folded for word in words_of(topic) if word.text[:1].isupper()} - NOT_NAMES
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for title in titles:
        words = words_of(title)
        folded_words = tuple(word.folded for word in words)
        for at, word in enumerate(words):
            if word.folded in asked and word.text[:1].isupper() and len(word.text) >= SHORTEST_NAME:
                found[(*folded_words[:at], "", *folded_words[at + 1 :])].add(word.folded)
    yield from ((word,) for alike in found.values() if len(alike) > 1 for word in alike)


class Naming:
    """Finds names in texts.

    `names`: the longest first."""

    def __init__(self, names: Sequence[Subject]) -> None:
        self.words = frozenset(word for name in names for word in name)
        self._beginning: dict[str, list[Subject]] = defaultdict(list)
        for name in names:
            self._beginning[name[0]].append(name)
        self._alone = _distinctive(names)

    def find(self, words: Sequence[Word], *, cased: bool) -> list[tuple[Subject, int]]:
        """The names among words, and at which word each begins. `cased`: only where written with a capital."""
        found: list[tuple[Subject, int]] = []
        at = 0
        while at < len(words):
            if (cased and words[at].text.islower()) or not (name := self._at(words, at)):
                at += 1
                continue
            found.append((name, at))
            at += len(name) if _begins(words, at, name) else 1
        return found

    def named(self, text: str, *, cased: bool = True) -> frozenset[Subject]:
        return frozenset(name for name, _ in self.find(words_of(text), cased=cased))

    def _at(self, words: Sequence[Word], at: int) -> Subject | None:
        keys = list(base_forms(words[at].folded))
        whole = (name for key in keys for name in self._beginning.get(key, ()) if _begins(words, at, name))
        return next(whole, None) or next((self._alone[key] for key in keys if key in self._alone), None)


@frozen
class Usage:
    """The spellings of a text's words, folded: in lower case, with a capital inside a sentence, followed by a
    number."""

    all: frozenset[str]
    lower: frozenset[str]
    inside: frozenset[str]
    numbered: frozenset[tuple[str, str]]


@lru_cache(REMEMBERED_TEXTS)
def usage_of(text: str) -> Usage:
    matches = list(_WORD.finditer(text))  # no Word of each: this is done to every passage of every article
    written = [match[0] for match in matches]
    words = list(map(_fold, written))
    apart = [i for i, word in enumerate(written) if not word.islower()]
    starts = {i: matches[i].start() for i in apart}
    return Usage(
        all=frozenset(words),
        lower=frozenset([word for word, as_written in zip(words, written, strict=True) if as_written.islower()]),
        inside=frozenset([words[i] for i, at in starts.items() if _INSIDE.match(text, max(0, at - 2), at)]),
        numbered=frozenset([(words[i - 1], words[i]) for i in range(1, len(words)) if has_digit(written[i])]),
    )


class _Written:
    """The spellings of words in the passages."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._german = False
        self._lower: set[str] = set()
        self._inside: set[str] = set()
        self._numbered: set[tuple[str, str]] = set()
        self._elsewhere: set[str] = set()
        self._beginnings: dict[str, set[str]] = defaultdict(set)
        for passage in passages:
            usage = usage_of(passage.text)
            self._lower |= usage.lower
            self._inside |= usage.inside
            self._numbered |= usage.numbered
            if passage.document.language is Language.DE:
                self._german = True
                self._elsewhere |= usage.inside - {word.folded for word in words_of(passage.document.title)}
                for word in usage.all:
                    self._beginnings[word[:STEM]].add(word)

    def has(self, name: Subject) -> bool:
        """Whether the passages write this as a name."""
        return any(pair in self._numbered for pair in pairwise(name)) or any(self._is_proper(word) for word in name)

    def names(self, text: str, *, is_title: bool) -> Iterator[Subject]:
        """The names in a text. In a title also a code alone at its beginning, which elsewhere is as often a formula or
        a format (CO2, MP3), and a German name that nothing but its use shows."""
        words = words_of(text)
        start = 0
        while start < len(words):
            end = start
            while end < len(words) and (end == start or _adjacent(text, words, end)):
                if not self._belongs(words, start, end, text, is_title=is_title):
                    break
                end += 1
            name = tuple(word.folded for word in words[start:end])
            if any(not has_digit(word) for word in name) or (is_title and start == 0 and name):
                yield name
            start = max(end, start + 1)

    def _belongs(self, words: Sequence[Word], start: int, at: int, text: str, *, is_title: bool) -> bool:
        """Whether a word is part of the name that begins at `start`."""
        word = words[at]
        if has_digit(word.text):
            return is_number(word.text) if at > start else _is_code(word.text)
        if at > start and is_number(word.text):
            return True
        if not word.text[:1].isupper() or word.folded in NOT_NAMES:
            return False
        if word.folded in self._lower or word.folded in ARTICLES:
            return False
        after = words[at + 1] if at + 1 < len(words) and _adjacent(text, words, at + 1) else None
        if after is not None and is_number(after.text):
            return len(word.text) >= SHORTEST_NAME or word.text.isupper()
        if len(word.text) < SHORTEST_NAME or (self._german and not is_title):
            return False
        return self._is_proper(word.folded)

    def _is_proper(self, word: str) -> bool:
        """Whether the passages write a word as a name: with a capital inside a sentence. German writes all nouns so;
        there a document that is titled otherwise has to have it, and no other word may begin like it, as compounds and
        forms of a noun do."""
        if not self._german:
            return word in self._inside
        alike = self._beginnings[word[:STEM]]
        return word in self._elsewhere and all(o[: len(word)] == word and len(o) <= len(word) + 1 for o in alike)


def _distinctive(names: Sequence[Subject]) -> Mapping[str, Subject]:
    """The words that only one name has, which stand for it."""
    owners: dict[str, set[Subject]] = defaultdict(set)
    for name in names:
        for word in name:
            owners[word].add(name)
    return {
        word: next(iter(having))
        for word, having in owners.items()
        if len(having) == 1 and len(word) >= (SHORTEST_CODE if _is_code(word.upper()) else SHORTEST_NAME)
        if not word.isdigit()
    }


def base_forms(word: str) -> Iterator[str]:
    yield word
    for cut in range(1, LONGEST_ENDING + 1):
        if len(word) - cut > SHORTEST_NAME and not has_digit(word):
            yield word[:-cut]


def _begins(words: Sequence[Word], at: int, name: Subject) -> bool:
    found = words[at : at + len(name)]
    return len(found) == len(name) and all(part in base_forms(w.folded) for w, part in zip(found, name, strict=True))


def _asks_for_a_product(topic: str) -> bool:
    """Whether a topic names something numbered, so that texts may name others of the kind."""
    words = words_of(topic)
    return any(one.text[:1].isupper() and is_number(other.text) for one, other in pairwise(words))


def _labels(text: str) -> Iterator[str]:
    """The cells of tables, and short lines that end with a colon: they name things as headings do."""
    for line in text.splitlines():
        if "|" in line:
            yield from (cell.strip() for cell in line.split("|") if 0 < len(cell.strip()) <= LONGEST_LABEL)
        elif len(line) <= LONGEST_LABEL and line.rstrip().endswith(":"):
            yield line.strip()


def _beginnings(text: str) -> Iterator[str]:
    """Yield the beginnings of sentences that start with an article or a code, and the values of `name: value`."""
    for line in text.splitlines():
        for start, end in spans(line, SENTENCE_END):
            beginning = line[start : min(end, start + LONGEST_LABEL)]
            first = words_of(beginning)[:FIRST_WORDS]
            if first and (first[0].folded in ARTICLES or any(_is_code(word.text) for word in first)):
                yield beginning
        yield from (value[1].strip() for value in _VALUE.finditer(line))


def _adjacent(text: str, words: Sequence[Word], at: int) -> bool:
    return text[words[at - 1].end : words[at].start] in (" ", "-", "\u2010", "\u2011", "\u00a0", "\u202f")


def has_digit(word: str) -> bool:
    return not word.isalpha() and any(c.isdigit() for c in word)


def _is_code(word: str) -> bool:
    return has_digit(word) and not word.isdigit() and not word.islower()


def is_number(word: str) -> bool:
    """Whether a word can number a name: a short number or code, or a letter (`Rotta X`)."""
    if len(word) == 1 and word.isalpha():
        return word.isupper() and word not in _LETTERS_ALONE
    return has_digit(word) and len(word) <= LONGEST_NUMBER
