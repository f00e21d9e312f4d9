"""Finding what contradicts each other among the sentences of passages that are near each other."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from attrs import define, field, frozen

from contentgen_core.model.conflict import Side, Witness
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin, Passage
from contentgen_core.model.text import Span, TextAnalysis
from contentgen_core.policies.conflicts.comparing import Difference, compare, say_the_same
from contentgen_core.policies.conflicts.statements import (
    MAX_SENTENCES,
    Sentences,
    Statement,
    Wordings,
    read_statements,
    terms_of_sentences,
)
from contentgen_core.policies.text.near_duplicates import CONTAINMENT_THRESHOLD, shingles

REMEMBERED: Final = 500
"""Passages that are kept as read, since neighbours have the same neighbours."""
RULES: Final = "2"
"""Which rules judge. With other ones what was compared before is compared again."""
UNKNOWN_TERMS: Final = 3
"""Terms of a sentence that a passage may lack which has one to compare with it: a name, and a word for another."""


@frozen
class FoundConflict:
    """Two sentences that contradict each other."""

    one: Statement
    other: Statement
    difference: Difference


@frozen
class Agreement:
    """Two sentences of different documents that say the same, of which neither passage is a copy of the other."""

    one: Statement
    other: Statement


@frozen
class Comparison:
    conflicts: tuple[FoundConflict, ...]
    agreements: tuple[Agreement, ...]


@frozen
class Finder:
    """Compares passages. Not for several threads at once."""

    analysis: TextAnalysis
    wordings: Wordings
    _read: OrderedDict[tuple[str, ...], _ReadPassage] = field(factory=OrderedDict, init=False, eq=False)

    def compare(self, passage: Passage, others: Sequence[Passage]) -> Comparison:
        """Return the contradictions and the agreements of a passage's sentences with those of others. Takes some
        milliseconds: most other passages are ruled out by their terms, and never parsed in full."""
        conflicts: list[FoundConflict] = []
        agreements: list[Agreement] = []
        own = self._as_read(passage).statements
        for other in others:
            if not own or not may_contradict(passage.document, other.document):
                continue
            for one, theirs in _pairs(own, self._as_read(other)):
                if difference := compare(one, theirs):
                    conflicts.append(FoundConflict(one, theirs, difference))
                elif say_the_same(one, theirs) and not _is_copy(passage, other):
                    agreements.append(Agreement(one, theirs))
        return Comparison(tuple(conflicts), tuple(agreements))

    def _as_read(self, passage: Passage) -> _ReadPassage:
        document = passage.document
        key = (document.id, str(passage.chunk_index), passage.content_hash, passage.heading, document.title)
        found = self._read.pop(key, None)
        if found is None:
            found = _ReadPassage(passage, Sentences(passage, self.analysis), self.wordings)
            while len(self._read) >= REMEMBERED:
                self._read.popitem(last=False)
        self._read[key] = found
        return found


@define(slots=False, eq=False)
class _ReadPassage:
    """A passage, read as far as it was asked for."""

    passage: Passage
    taken_apart: Sentences
    wordings: Wordings
    _some: dict[int, Statement | None] = field(factory=dict, init=False)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        found = read_statements(self.taken_apart, self.wordings)
        self._some = {n: found.get(n) for n in range(MAX_SENTENCES)}
        return tuple(found.values())

    def some_statements(self, wanted: Sequence[int]) -> list[Statement]:
        """Return those of these sentences that can be compared."""
        unread = frozenset(n for n in wanted if n not in self._some)
        if unread:
            found = read_statements(self.taken_apart, self.wordings, unread)
            self._some |= {n: found.get(n) for n in unread}
        return [statement for n in wanted if (statement := self._some[n]) is not None]

    @cached_property
    def known(self) -> frozenset[str]:
        """The terms of the passage and of its title and headings."""
        return frozenset((*self.passage.terms, *self.passage.head_terms))

    @cached_property
    def sentences(self) -> tuple[frozenset[str], ...]:
        return terms_of_sentences(self.taken_apart, self.wordings)


def may_contradict(one: KbDocument, other: KbDocument) -> bool:
    """Whether both may be read for one article: they are different documents of one language, and not of different
    countries."""
    countries = {one.scope.country, other.scope.country} - {None}
    return one.id != other.id and one.language is other.language and len(countries) <= 1


def _pairs(own: Iterable[Statement], other: _ReadPassage) -> Iterator[tuple[Statement, Statement]]:
    """Sentences that have enough in common to be compared. Those of the other passage are read only where their terms
    leave it open."""
    for a in own:
        if not _may_have_a_counterpart(a, other.known):
            continue
        for b in other.some_statements([n for n, terms in enumerate(other.sentences) if _may_tell_the_same(a, terms)]):
            if 2 * len(a.terms & b.terms) >= max(len(a.terms), len(b.terms)) - 1:
                yield a, b


def _may_have_a_counterpart(statement: Statement, known: frozenset[str]) -> bool:
    unknown = len(statement.stems - known)
    return unknown <= UNKNOWN_TERMS and 2 * unknown <= len(statement.stems) + 1


def _may_tell_the_same(statement: Statement, terms: frozenset[str]) -> bool:
    """Whether a sentence with these terms lacks no words of the other but such for which it may have others instead:
    what a sentence lacks altogether makes it none to `compare`."""
    lacks = [word for word in statement.words if not word.token.stop and word.term not in terms]
    return len(lacks) <= 1 or all(word.name for word in lacks)


def _is_copy(one: Passage, other: Passage) -> bool:
    """Whether one of the passages has nearly all of the other, which is then no second source."""
    short, long = sorted((shingles(one.terms), shingles(other.terms)), key=len)
    return len(short & long) >= CONTAINMENT_THRESHOLD * len(short)


def site_of(document: KbDocument) -> str:
    """Return the site of a document: the host of its address, else its own id."""
    host = urlsplit(document.url).hostname if document.url else None
    return (host or "").removeprefix("www.") or document.id


def side_of(statement: Statement, value: Span) -> Side:
    """A sentence as a side of a conflict. `value`: what differs, in the sentence."""
    document = statement.passage.document
    return Side(
        source=statement.passage.ref,
        span=statement.span,
        sentence=statement.text,
        value=value,
        title=document.title,
        url=document.url,
        published=document.published,
        known_at=document.revised_at or document.fetched_at or document.created_at,
        origin=document.origin,
        site=site_of(document),
        content_hash=statement.passage.content_hash,
    )


def witness_of(passage: Passage) -> Witness | None:
    """Return the witness of a passage; None for text that a model made, which is no source of its own."""
    document = passage.document
    return None if document.origin is Origin.AI else Witness(document.id, site_of(document), passage.content_hash)


def key_of(one: Side, other: Side) -> str:
    """Return the key of two sentences, independent of their order."""
    sides = sorted(f"{side.source.document_id}\n{side.sentence}" for side in (one, other))
    return sha256("\n\n".join(sides).encode("utf-8", "surrogatepass")).hexdigest()


def document_fingerprint(document: KbDocument) -> str:
    """Changes when the document does, or what it is called, or the rules."""
    return _digest(RULES, document.content_hash, document.title, _scope_text(document.scope))


def passage_fingerprint(passage: Passage) -> str:
    """Changes when the passage does, or what stands above it, or the rules."""
    return _digest(RULES, passage.content_hash, passage.heading, passage.document.title)


def _scope_text(scope: KbScope) -> str:
    return f"{scope.tenant_id or ''} {scope.country or ''}"


def _digest(*texts: str) -> str:
    return sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
