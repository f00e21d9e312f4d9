"""What the passages of an article speak of: the named things that their documents and sections are on, and for each of
their statements which of them it is about.

A data sheet says "The warranty covers ten years." of the product in its title, and names competitors. Read outside it,
the sentence would be understood of whatever the article is on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product, zip_longest
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.subject_words import (
    ADVERBIAL,
    ARTICLES,
    BACKWARD,
    CONTRAST,
    FUNCTION_WORDS,
    JOINING,
    NOT_NAMES,
)
from contentgen_core.policies.text.facts import folded

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
REMEMBERED_WORDS: Final = 20_000
REMEMBERED_TEXTS: Final = 1_000
"""Kept, since the same words and passages come again from article to article."""
LEAD: Final = 6
"""Words of a phrase of time or place at a sentence's beginning."""

_WORD: Final = re.compile(r"[^\W_]+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])[\"»”’)\]]*\s+(?=[\"«“(\[]?[^\W\d_a-z])|(?<=[。！？])")
_CLAUSE_END: Final = re.compile(r"[,;:()|\u2013\u2014]+(?=\s|$)|(?<=\s)\||(?<=[，；：、])")
_ITEM: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_INSIDE: Final = re.compile(r"(?:[^.!?…:;|\n]|^)[^\n.!?…:;|*•]$")
"""What stands before a word inside a sentence."""
_VALUE: Final = re.compile(r":\s([^;:|.]{2,60})(?=;|$)")
_RULE: Final = re.compile(r"^[\s|:=+-]+$")


_folded = lru_cache(REMEMBERED_WORDS)(folded)


@frozen
class Word:
    """A word of a text: as written, folded, and where it begins and ends."""

    text: str
    folded: str
    start: int
    end: int


@frozen
class Statement:
    """A clause of a text. `about`: what it speaks of; `named`: whether the text names that itself, in this clause or
    before it, so that a reader needs nothing else; `words`: its other words, folded."""

    start: int
    end: int
    words: frozenset[str]
    about: frozenset[Subject]
    named: bool


def words_of(text: str) -> list[Word]:
    return [Word(m[0], _folded(m[0]), m.start(), m.end()) for m in _WORD.finditer(text)]


class Subjects:
    """The subjects of an article's passages. Deterministic.

    `topic`: the article's; its names are subjects too, whether a document is on them or not.
    """

    def __init__(self, topic: str, passages: Iterable[Passage]) -> None:
        self._passages = {passage.ref: passage for passage in passages}
        self._titles = {p.document.id: p.document.title for p in self._passages.values()}
        headings = {part for p in self._passages.values() for part in _parts(p.heading)}
        labels = {label for p in self._passages.values() for label in _labels(p.text)}
        if _names_a_number(topic):
            labels |= {start for p in self._passages.values() for start in _beginnings(p.text)}
        self._all = _Written(self._passages.values()).names(set(self._titles.values()), {*headings, *labels, topic})
        self._beginning: dict[str, list[Subject]] = defaultdict(list)
        for name in self._all:
            self._beginning[name[0]].append(name)
        self._alone = _distinctive(self._all)
        self._words = {word for name in self._all for word in name}
        self._of_title = {id: frozenset(self._named(title)) for id, title in self._titles.items()}
        self._headed = {name for text in (*self._titles.values(), *headings) for name in self._named(text)}
        self._kinds: dict[Subject, frozenset[str]] = {}
        self._competing = self._of_a_kind()
        self._peers = self._naming_each_other()
        self._statements: dict[SourceRef, tuple[Statement, ...]] = {}
        self.several = bool(self._competing or self._peers)
        """Whether there is anything to mistake for another: else every statement is in context."""

    @property
    def passages(self) -> Container[SourceRef]:
        return self._passages

    def of(self, text: str) -> frozenset[Subject]:
        """The subjects that a topic or a heading names, however it writes them."""
        return frozenset(name for name, _ in self._find(words_of(text), cased=False))

    def side_by_side(self, text: str) -> bool:
        """Whether a topic or a heading names several subjects beside each other (`A or B`), so that what is said of one
        has to name it."""
        found = self._find(words := words_of(text), cased=False)
        return any(
            not related(one, other) and all(w.folded in JOINING for w in words[at + len(one) : after])
            for (one, at), (other, after) in pairwise(found)
        )

    def of_passage(self, ref: SourceRef) -> frozenset[Subject]:
        """What the passage's section is on: the competing thing that the innermost of its headings names, else all that
        its headings and its title name."""
        passage = self._passages[ref]
        found = self._of_title[passage.document.id]
        for part in _parts(passage.heading):
            named = frozenset(self._named(part))
            found = named if self.is_competing(named) else found | named
        return found

    def is_competing(self, subjects: Iterable[Subject]) -> bool:
        """Whether any of these is one of several things of a kind, such as the products of data sheets."""
        return any(subject in self._competing for subject in subjects)

    def are_rivals(self, some: Iterable[Subject], others: Iterable[Subject]) -> bool:
        """Whether what is said of some things can be mistaken for what is said of others, none of which are related:
        both are things of a kind, or their documents name each other."""
        some = frozenset(some)
        others = frozenset(others)
        if any(related(a, b) for a, b in product(some, others)):
            return False
        return all(any(self._is_rival(a, b) for b in others) for a in self._competing & some or some)

    def _is_rival(self, one: Subject, other: Subject) -> bool:
        return (one in self._competing and other in self._competing) or (one, other) in self._peers

    def asks_of_a_kind(self, topic: str, about: Iterable[Subject]) -> bool:
        """Whether a topic without names asks of the kind of things that these are: products with numbers always."""
        asked = {word.folded for word in words_of(topic)}
        return any(
            self._is_product(subject) or (subject in self._competing and asked & self._kinds.get(subject, frozenset()))
            for subject in about
        )

    def _is_product(self, subject: Subject) -> bool:
        return subject in self._competing and subject in self._headed and any(map(_number, subject))

    def statements(self, ref: SourceRef) -> tuple[Statement, ...]:
        """Those of a passage, in order."""
        if ref not in self._statements:
            self._statements[ref] = tuple(self.read(self._passages[ref].text, self.of_passage(ref)))
        return self._statements[ref]

    def read(self, text: str, about: frozenset[Subject]) -> Iterator[Statement]:
        """The statements of a text. `about`: what it speaks of where it names nothing."""
        focus, columns, at = _Focus(about, named=False), list[frozenset[Subject]](), 0
        start = focus
        for line in text.splitlines(keepends=True):
            bare = _ITEM.sub("", line.rstrip("\r\n"))
            offset, at = at + len(line.rstrip("\r\n")) - len(bare), at + len(line)
            if not bare.strip():
                focus, columns = start, []
            elif "|" in bare:
                cells = bare.split("|")
                named = [frozenset(self._named(cell)) for cell in cells]
                if len({name for cell in named for name in cell}) > 1 and not columns:
                    columns = named
                yield from self._row(bare, offset, focus, columns)
            else:
                for begin, end in _spans(bare, _SENTENCE_END):
                    focus = yield from self._sentence(bare[begin:end], offset + begin, focus, start)

    def _row(self, line: str, offset: int, focus: _Focus, columns: Sequence[frozenset[Subject]]) -> Iterator[Statement]:
        """A row of a table: what stands in a column that its head names is about that; else all is about what the row
        names first."""
        if _RULE.match(line):
            return
        if names := self._find(words_of(line), cased=True):
            yield self._statement(line, offset, _Focus(frozenset({names[0][0]}), named=True))
        elif not columns:
            yield self._statement(line, offset, focus)
        else:
            at = 0
            for cell, head in zip_longest(line.split("|"), columns, fillvalue=None):
                if cell is None:
                    break
                yield self._statement(cell, offset + at, _Focus(head, named=False) if head else focus)
                at += len(cell) + 1

    def _sentence(self, text: str, offset: int, focus: _Focus, start: _Focus) -> Generator[Statement, None, _Focus]:
        """The statements of a sentence; returns what the next one speaks of if it names nothing itself."""
        first = True
        for begin, end in _spans(text, _CLAUSE_END):
            clause = text[begin:end]
            words = words_of(clause)
            if first and words and not self._continues(words, focus, start):
                focus = start
            leading, mentioned = self._leading(words)
            if leading:
                focus = _Focus(frozenset(leading), named=True)
            # An encyclopedia's sentence is as much on a thing that it names as on its page's.
            also = (
                frozenset(mentioned) - self._competing if not self.is_competing(focus.about) else frozenset[Subject]()
            )
            first = first and not words
            yield self._statement(clause, offset + begin, _Focus(focus.about | also, focus.named or bool(also)))
        return focus

    def _statement(self, text: str, start: int, focus: _Focus) -> Statement:
        words = {word.folded for word in words_of(text)} - self._words - FUNCTION_WORDS
        return Statement(start, start + len(text), frozenset(words), focus.about, focus.named)

    def _continues(self, words: Sequence[Word], focus: _Focus, start: _Focus) -> bool:
        """Whether a sentence can be understood of what the one before it spoke of: of a competing thing always."""
        if focus.about == start.about:
            return True
        return words[0].folded in BACKWARD or self.is_competing(focus.about) or self.is_competing(start.about)

    def _leading(self, words: Sequence[Word]) -> tuple[list[Subject], list[Subject]]:
        """The subjects with which a clause begins, and those that it mentions further on. Names that it compares with
        are neither."""
        leading: list[Subject] = []
        mentioned: list[Subject] = []
        end = 0
        for name, at in self._find(words, cased=True):
            between = [w.folded for w in words[end:at]]
            if any(word in CONTRAST for word in between):
                return leading, mentioned
            light = all(word in (JOINING if leading else ARTICLES) or word in ARTICLES for word in between)
            dated = end == 0 and at <= LEAD and between[:1] and between[0] in ADVERBIAL and between[-1] in ARTICLES
            if (light and len(leading) == len(mentioned)) or dated:
                leading.append(name)
            mentioned.append(name)
            end = at + len(name)
        return leading, mentioned

    def _named(self, text: str) -> list[Subject]:
        return [name for name, _ in self._find(words_of(text), cased=True)]

    def _find(self, words: Sequence[Word], *, cased: bool) -> list[tuple[Subject, int]]:
        """The subjects named among words, and at which word each begins. `cased`: only where written as names."""
        found: list[tuple[Subject, int]] = []
        at = 0
        while at < len(words):
            if (cased and words[at].text.islower()) or not (name := self._at(words, at)):
                at += 1
                continue
            found.append((name, at))
            at += len(name) if _begins(words, at, name) else 1
        return found

    def _at(self, words: Sequence[Word], at: int) -> Subject | None:
        keys = list(_uninflected(words[at].folded))
        whole = (name for key in keys for name in self._beginning.get(key, ()) if _begins(words, at, name))
        return next(whole, None) or next((self._alone[key] for key in keys if key in self._alone), None)

    def _of_a_kind(self) -> frozenset[Subject]:
        """Subjects that are numbered like products, or whose documents' titles have all other words in common."""
        kinds: dict[frozenset[str], set[Subject]] = defaultdict(set)
        for id, title in self._titles.items():
            words = {w.folded for w in words_of(title) if not w.text.isdigit()}
            kinds[frozenset(words - self._words - FUNCTION_WORDS)] |= self._of_title[id]
        for kind, named in kinds.items():
            self._kinds |= dict.fromkeys(named if kind and len(named) > 1 else (), kind)
        alike = set(self._kinds)
        coded = {name for name in self._all if any(_number(word) for word in name)}
        competing = alike | coded
        return frozenset(a for a in competing if any(not related(a, b) for b in competing))

    def _naming_each_other(self) -> frozenset[tuple[Subject, Subject]]:
        """Pairs, in both orders, of subjects of titles whose documents name each other."""
        named: dict[Subject, set[Subject]] = defaultdict(set)
        for passage in self._passages.values():
            if about := self._of_title[passage.document.id]:
                found = set(self._named(passage.text))
                for subject in about:
                    named[subject] |= found
        return frozenset(
            (a, b) for a, others in named.items() for b in others if not related(a, b) and a in named.get(b, ())
        )


@frozen
class _Focus:
    """What a text speaks of at a place, and whether it has named that."""

    about: frozenset[Subject]
    named: bool


@frozen
class _Usage:
    """How a text writes its words, folded: in lower case, with a capital inside a sentence, with a number behind."""

    all: frozenset[str]
    lower: frozenset[str]
    inside: frozenset[str]
    numbered: frozenset[tuple[str, str]]


@lru_cache(REMEMBERED_TEXTS)
def _usage(text: str) -> _Usage:
    words = words_of(text)
    lower = {word.folded for word in words if word.text.islower()}
    inside = {
        word.folded
        for word in words
        if not word.text.islower() and _INSIDE.match(text, max(0, word.start - 2), word.start)
    }
    numbered = {(one.folded, other.folded) for one, other in pairwise(words) if _number(other.text)}
    every = frozenset(word.folded for word in words)
    return _Usage(every, frozenset(lower), frozenset(inside), frozenset(numbered))


class _Written:
    """How words are written in the passages, by which a name is told from another word with a capital."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._german = False
        self._lower: set[str] = set()
        self._inside: set[str] = set()
        self._numbered: set[tuple[str, str]] = set()
        self._documents: dict[str, set[str]] = defaultdict(set)
        self._beginnings: dict[str, set[str]] = defaultdict(set)
        for passage in passages:
            usage = _usage(passage.text)
            self._lower |= usage.lower
            self._inside |= usage.inside
            self._numbered |= usage.numbered
            if passage.document.language is Language.DE:
                self._german = True
                for word in usage.inside:
                    self._documents[word].add(passage.document.id)
                for word in usage.all:
                    self._beginnings[word[:STEM]].add(word)

    def names(self, titles: Iterable[str], texts: Iterable[str]) -> list[Subject]:
        """The names in titles and other texts, the longest first. A word with a number that stands in no passage is one
        where there is another such: products come in several, "Top 10" alone."""
        found = {name for text in texts for name in self._names(text, is_title=False)}
        found |= {name for title in titles for name in self._names(title, is_title=True)}
        numbered = {name for name in found if any(_number(word) for word in name)}
        lone = len(numbered) == 1 and {name for name in numbered if not self._evident(name)}
        return sorted(found - (lone or set()), key=lambda name: (-len(name), name))

    def _evident(self, name: Subject) -> bool:
        return any(pair in self._numbered for pair in pairwise(name)) or any(self._is_proper(word) for word in name)

    def _names(self, text: str, *, is_title: bool) -> Iterator[Subject]:
        words = words_of(text)
        start = 0
        while start < len(words):
            end = start
            while end < len(words) and (end == start or _adjacent(text, words, end)):
                if not self._belongs(words, start, end, text, alone=is_title and start == 0):
                    break
                end += 1
            # Codes alone are as often formulas and formats (CO2, MP3).
            if any(not _number(word.text) for word in words[start:end]):
                yield tuple(word.folded for word in words[start:end])
            start = max(end, start + 1)

    def _belongs(self, words: Sequence[Word], start: int, at: int, text: str, *, alone: bool) -> bool:
        """Whether a word is part of the name that begins at `start`. `alone`: at the beginning of a title, where also
        German has names that nothing but their use shows."""
        word = words[at]
        if _number(word.text):
            return (at > start and len(word.text) <= LONGEST_NUMBER) or not (word.text.isdigit() or word.text.islower())
        if not word.text[:1].isupper() or len(word.text) < SHORTEST_NAME or word.folded in NOT_NAMES:
            return False
        if word.folded in self._lower or word.folded in ARTICLES:
            return False
        next_one = words[at + 1].text if at + 1 < len(words) and _adjacent(text, words, at + 1) else ""
        if _number(next_one) and len(next_one) <= LONGEST_NUMBER:
            return True
        return (alone or not self._german) and self._is_proper(word.folded)

    def _is_proper(self, word: str) -> bool:
        """Whether the passages write a word as a name: with a capital inside a sentence. German writes all nouns so;
        there it has to be in several documents, and no other word may begin like it, as compounds and forms of a noun
        do."""
        if not self._german:
            return word in self._inside
        alike = self._beginnings[word[:STEM]]
        return len(self._documents[word]) > 1 and all(o[: len(word)] == word and len(o) <= len(word) + 1 for o in alike)


def related(one: Subject, other: Subject) -> bool:
    """Whether two names are of one thing, or of a thing and its part."""
    return set(one) <= set(other) or set(other) <= set(one)


def _distinctive(names: Sequence[Subject]) -> Mapping[str, Subject]:
    """The words that only one name has, which stand for it."""
    owners: dict[str, set[Subject]] = defaultdict(set)
    for name in names:
        for word in name:
            owners[word].add(name)
    return {
        word: next(iter(having))
        for word, having in owners.items()
        if len(having) == 1 and not word.isdigit() and len(word) >= (SHORTEST_CODE if _number(word) else SHORTEST_NAME)
    }


def _uninflected(word: str) -> Iterator[str]:
    yield word
    for cut in range(1, LONGEST_ENDING + 1):
        if len(word) - cut > SHORTEST_NAME and not _number(word):
            yield word[:-cut]


def _begins(words: Sequence[Word], at: int, name: Subject) -> bool:
    found = words[at : at + len(name)]
    return len(found) == len(name) and all(part in _uninflected(w.folded) for w, part in zip(found, name, strict=True))


def _adjacent(text: str, words: Sequence[Word], at: int) -> bool:
    return text[words[at - 1].end : words[at].start] in (" ", "-", "\u2010", "\u2011", "\u00a0", "\u202f")


def _coded(word: str) -> bool:
    return _number(word) and not word.isdigit()


def _number(word: str) -> bool:
    return any(c.isdigit() for c in word)


def _parts(heading: str) -> list[str]:
    return [part.strip() for part in heading.split("›") if part.strip()]


def _labels(text: str) -> Iterator[str]:
    """The cells of tables, and short lines that end with a colon: they name things as headings do."""
    for line in text.splitlines():
        if "|" in line:
            yield from (cell.strip() for cell in line.split("|") if 0 < len(cell.strip()) <= LONGEST_LABEL)
        elif len(line) <= LONGEST_LABEL and line.rstrip().endswith(":"):
            yield line.strip()


def _names_a_number(topic: str) -> bool:
    """Whether a topic names something numbered, as products are, so that texts may name others of the kind."""
    words = words_of(topic)
    return any(
        one.text[:1].isupper() and _number(other.text) and len(other.text) <= LONGEST_NUMBER
        for one, other in pairwise(words)
    )


def _beginnings(text: str) -> Iterator[str]:
    """How those sentences of a text begin that have an article or a code first, and the values of `name: value`."""
    for line in text.splitlines():
        for start, end in _spans(line, _SENTENCE_END):
            beginning = line[start : min(end, start + LONGEST_LABEL)]
            first = words_of(beginning)[:LEAD]
            if first and (first[0].folded in ARTICLES or any(_coded(word.text) for word in first)):
                yield beginning
        yield from (value[1].strip() for value in _VALUE.finditer(line))


def _spans(text: str, separator: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The stretches of a text between separators, without those of white space."""
    start = 0
    for match in separator.finditer(text):
        if text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)
