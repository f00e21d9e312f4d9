"""Subjects of an article's passages: the named things that their documents and sections are about, and which of them
each statement is about. A data sheet says "The warranty covers ten years." of the product in its title, and names
competitors. Outside it, the sentence would be taken to be about the article's subject."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Generator, Iterable, Iterator, Sequence
from itertools import pairwise, product, zip_longest
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import Passage
from contentgen_core.policies.grounding.named_lists import named_list
from contentgen_core.policies.grounding.named_things import named_things
from contentgen_core.policies.grounding.subject_names import (
    SENTENCE_END,
    Naming,
    Subject,
    Word,
    find_names,
    is_numbered,
    name_same_thing,
    spans,
    words_of,
)
from contentgen_core.policies.grounding.subject_words import (
    ADVERBIAL,
    ARTICLES,
    BACKWARD,
    CONTRAST,
    FUNCTION_WORDS,
    JOINING,
)

LEAD: Final = 6
"""Words of a phrase of time or place at a sentence's beginning."""

_CLAUSE_END: Final = re.compile(r"[,;:()|\u2013\u2014]+(?=\s|$)|(?<=\s)\||(?<=[，；：、])")
_ITEM: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_RULE: Final = re.compile(r"^[\s|:=+-]+$")


@frozen
class Statement:
    """A clause of a text. `about`: its subjects; `mentioned`: other things it names, where nothing competes (a sentence
    of an encyclopedia is as much about those); `named`: whether the text names the subject itself, in this clause or
    before it; `words`: the other words, folded."""

    start: int
    end: int
    words: frozenset[str]
    about: frozenset[Subject]
    mentioned: frozenset[Subject]
    named: bool


class Subjects:
    """The subjects of an article's passages. Deterministic. `topic`: the article's; its names are subjects too, even if
    no document is about them."""

    def __init__(self, topic: str, passages: Iterable[Passage]) -> None:
        self._passages = {passage.ref: passage for passage in passages}
        self._titles = {p.document.id: p.document.title for p in self._passages.values()}
        headings = {part for p in self._passages.values() for part in _parts(p.heading)}
        self._things = _listed_things(topic, self._passages.values())
        self._listed = frozenset(self._things)
        names = {*find_names(topic, set(self._titles.values()), headings, list(self._passages.values())), *self._listed}
        self._names = sorted(names, key=lambda name: (-len(name), name))
        self._naming = Naming(self._names)
        self._of_title = {id: self._naming.named(title) for id, title in self._titles.items()}
        self._headed = {name for text in (*self._titles.values(), *headings) for name in self._naming.named(text)}
        self._kinds: dict[Subject, frozenset[str]] = {}
        # "The heat pump Borea 7 …"
        self._before_names = ARTICLES.union(w.folded for title in self._titles.values() for w in words_of(title))
        self._circles = self._naming_each_other()
        self._competing = self._things_of_a_kind()
        self._statements: dict[SourceRef, tuple[Statement, ...]] = {}
        self.several = bool(self._competing or self._circles)
        """Whether there is anything to mistake for another: else every statement is in context."""

    @property
    def passages(self) -> Container[SourceRef]:
        return self._passages

    def title_of(self, ref: SourceRef) -> str:
        """The title of a passage's document."""
        return self._passages[ref].document.title

    def of(self, text: str) -> frozenset[Subject]:
        """Return the subjects that a topic or a heading names, in any spelling."""
        return self._naming.named(text, cased=False)

    def side_by_side(self, text: str) -> bool:
        """Whether a topic or a heading names several subjects side by side (`A or B`), so that a statement on one has
        to name it."""
        found = self._naming.find(words := words_of(text), cased=False)
        return any(
            not self.are_related(one, other) and all(w.folded in JOINING for w in words[at + len(one) : after])
            for (one, at), (other, after) in pairwise(found)
        )

    def compared(self, text: str) -> list[tuple[str, Subject]]:
        """Return the competing subjects that a topic names, in order, each as written there; none unless there are
        two."""
        words, found = words_of(text), list[tuple[str, Subject]]()
        listed = named_list(text)  # `bombas de calor Borea 7 y Calor 300`
        for name, at in self._naming.find(words, cased=listed is not None and listed.cased):
            if name in self._competing and not any(self.are_related(name, other) for _, other in found):
                end = at + max(1, sum(w.folded in name for w in words[at : at + len(name)]))
                found.append((text[words[at].start : words[end - 1].end], name))
        return found if len(found) > 1 else []

    def of_passage(self, ref: SourceRef) -> frozenset[Subject]:
        """Return the subjects of a passage's section: the competing thing that its innermost heading names, else all
        that its headings and its title name."""
        passage = self._passages[ref]
        found = self._of_title[passage.document.id]
        for part in _parts(passage.heading):
            named = self._naming.named(part)
            found = named if self.is_competing(named) else found | named
        return found

    def is_competing(self, subjects: Iterable[Subject]) -> bool:
        """Whether any of these is one of several things of a kind, such as the products of data sheets."""
        return any(subject in self._competing for subject in subjects)

    def are_related(self, one: Subject, other: Subject) -> bool:
        """Whether two names are of one thing, or of a thing and its part: not those that the topic lists as two things
        (`Borea 7 and Borea 7 Plus`)."""
        places = self._things.get(one), self._things.get(other)
        return name_same_thing(one, other) and (None in places or places[0] == places[1])

    def are_rivals(self, some: Iterable[Subject], others: Iterable[Subject]) -> bool:
        """Whether statements on some things can be mistaken for statements on others, none of which are related: both
        are things of a kind, or their documents name each other, perhaps through others."""
        some = frozenset(some)
        others = frozenset(others)
        if any(self.are_related(a, b) for a, b in product(some, others)):
            return False
        return all(any(self._is_rival(a, b) for b in others) for a in self._competing & some or some)

    def _is_rival(self, one: Subject, other: Subject) -> bool:
        return (one in self._competing and other in self._competing) or any(
            one in circle and other in circle for circle in self._circles
        )

    def asks_of_a_kind(self, topic: str, about: Iterable[Subject]) -> bool:
        """Whether a topic without names asks about the kind of things that these are; always for products with
        numbers."""
        asked = {word.folded for word in words_of(topic)}
        return any(
            self._is_product(subject) or (subject in self._competing and asked & self._kinds.get(subject, frozenset()))
            for subject in about
        )

    def _is_product(self, subject: Subject) -> bool:
        return subject in self._competing and subject in self._headed and is_numbered(subject)

    def statements(self, ref: SourceRef) -> tuple[Statement, ...]:
        """Return the statements of a passage, in order."""
        if ref not in self._statements:
            self._statements[ref] = tuple(self.read(self._passages[ref].text, self.of_passage(ref)))
        return self._statements[ref]

    def read(self, text: str, about: frozenset[Subject]) -> Iterator[Statement]:
        """Yield the statements of a text. `about`: its subjects where it names none."""
        focus, columns, at = _Focus(about, named=False), list[frozenset[Subject]](), 0
        start = focus
        for line in text.splitlines(keepends=True):
            bare = _ITEM.sub("", line.rstrip("\r\n"))
            offset, at = at + len(line.rstrip("\r\n")) - len(bare), at + len(line)
            if not bare.strip():
                focus, columns = start, []
            elif "|" in bare:
                cells = bare.split("|")
                named = [self._naming.named(cell) for cell in cells]
                if len({name for cell in named for name in cell}) > 1 and not columns:
                    columns = named
                yield from self._row(bare, offset, focus, columns)
            else:
                for begin, end in spans(bare, SENTENCE_END):
                    focus = yield from self._sentence(bare[begin:end], offset + begin, focus, start)

    def _row(self, line: str, offset: int, focus: _Focus, columns: Sequence[frozenset[Subject]]) -> Iterator[Statement]:
        """Yield the statements of a table's row: a cell is about the thing that its column's head names; else all cells
        are about the first thing that the row names."""
        if _RULE.match(line):
            return
        if names := self._naming.find(words_of(line), cased=True):
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
        """Yield the statements of a sentence; return the subjects of the next sentence if that names none."""
        first = True
        for begin, end in spans(text, _CLAUSE_END):
            clause = text[begin:end]
            words = words_of(clause)
            if first and words and not self._continues(words, focus, start):
                focus = start
            leading, mentioned = self._leading_subjects(words)
            if leading:
                focus = _Focus(frozenset(leading), named=True)
            competing = self.is_competing(focus.about)
            also = frozenset[Subject]() if competing else frozenset(mentioned) - self._competing
            first = first and not words
            yield self._statement(clause, offset + begin, focus, also)
        return focus

    def _statement(
        self, text: str, start: int, focus: _Focus, mentioned: frozenset[Subject] = frozenset()
    ) -> Statement:
        words = {word.folded for word in words_of(text)} - self._naming.words - FUNCTION_WORDS
        return Statement(start, start + len(text), frozenset(words), focus.about, mentioned, focus.named)

    def _continues(self, words: Sequence[Word], focus: _Focus, start: _Focus) -> bool:
        """Whether a sentence can be about the subjects of the one before it; always true for a competing thing."""
        if focus.about == start.about:
            return True
        return words[0].folded in BACKWARD or self.is_competing(focus.about) or self.is_competing(start.about)

    def _leading_subjects(self, words: Sequence[Word]) -> tuple[list[Subject], list[Subject]]:
        """Return the subjects with which a clause begins, and those mentioned later. Names that it compares with are in
        neither."""
        leading: list[Subject] = []
        mentioned: list[Subject] = []
        end = 0
        for name, at in self._naming.find(words, cased=True):
            between = [w.folded for w in words[end:at]]
            if any(word in CONTRAST for word in between):
                return leading, mentioned
            light = all(word in (JOINING if leading else self._before_names) or word in ARTICLES for word in between)
            dated = end == 0 and at <= LEAD and between[:1] and between[0] in ADVERBIAL and between[-1] in ARTICLES
            if (light and len(leading) == len(mentioned)) or dated:
                leading.append(name)
            mentioned.append(name)
            end = at + len(name)
        return leading, mentioned

    def _things_of_a_kind(self) -> frozenset[Subject]:
        """Return the subjects that are numbered like products, those whose documents' titles have all other words in
        common, those in a circle of references with two of these, and those that the topic lists. Names that only one
        title has together (`… with SPF and DKIM`) are parts of one thing."""
        kinds: dict[frozenset[str], set[frozenset[Subject]]] = defaultdict(set)
        for id, title in self._titles.items():
            words = {w.folded for w in words_of(title) if not w.text.isdigit()}
            if named := self._of_title[id]:
                kinds[frozenset(words - self._naming.words - FUNCTION_WORDS)].add(named)
        for kind, of_titles in kinds.items():
            alike = frozenset().union(*of_titles) if len(of_titles) > 1 else frozenset[Subject]()
            # Titles that are nothing but a name are of one kind where the topic lists such things.
            self._kinds |= dict.fromkeys(alike if kind or alike & self._listed else (), kind)
        alike = self._listed.union(self._kinds)
        coded = {name for name in self._names if is_numbered(name)}
        competing = alike | coded
        competing |= {name for circle in self._circles if len(circle & competing) > 1 for name in circle}
        return frozenset(a for a in competing if any(not self.are_related(a, b) for b in competing))

    def _naming_each_other(self) -> list[frozenset[Subject]]:
        """Return the circles of two or more subjects whose documents name each other."""
        named: dict[Subject, set[Subject]] = defaultdict(set)
        for passage in self._passages.values():
            if about := self._of_title[passage.document.id]:
                found = self._naming.named(passage.text)
                for subject in about:
                    named[subject] |= found
        circles: list[frozenset[Subject]] = []
        for one in sorted(named):
            joined = {
                one,
                *(other for other in named[one] if one in named.get(other, ()) and not self.are_related(one, other)),
            }
            if len(joined) > 1:
                apart = [circle for circle in circles if not circle & joined]
                circles = [*apart, frozenset(joined).union(*(circle for circle in circles if circle & joined))]
        return circles


@frozen
class _Focus:
    """The subjects at a place of a text, and whether the text has named them."""

    about: frozenset[Subject]
    named: bool


def _listed_things(topic: str, passages: Iterable[Passage]) -> dict[Subject, int]:
    """Return the things that a topic lists and passages are about, as the topic and headings write them, with their
    places."""
    things = enumerate(named_things(topic, passages))
    return {spelling: place for place, thing in things if thing.refs for spelling in thing.spellings}


def _parts(heading: str) -> list[str]:
    return [part.strip() for part in heading.split("›") if part.strip()]
