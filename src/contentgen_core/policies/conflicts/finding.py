"""Finding what contradicts each other among the sentences of passages that are near each other."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from attrs import field, frozen

from contentgen_core.model.conflict import Side, Witness
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin, Passage
from contentgen_core.model.text import Span, TextAnalysis
from contentgen_core.policies.conflicts.comparing import Difference, compare, say_the_same
from contentgen_core.policies.conflicts.statements import Statement, Wordings, read_statements
from contentgen_core.policies.text.near_duplicates import CONTAINMENT_THRESHOLD, shingles

REMEMBERED: Final = 500
"""Passages whose sentences are kept, since neighbours have the same neighbours."""
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
    _read: OrderedDict[Passage, tuple[Statement, ...]] = field(factory=OrderedDict, init=False, eq=False)

    def compare(self, passage: Passage, others: Sequence[Passage]) -> Comparison:
        """What the sentences of a passage and those of others contradict, and what they say alike. Takes milliseconds
        for each sentence."""
        conflicts: list[FoundConflict] = []
        agreements: list[Agreement] = []
        own = self._statements(passage)
        for other in others:
            if not own or not may_contradict(passage.document, other.document):
                continue
            known = frozenset((*other.terms, *other.head_terms))
            asked = [statement for statement in own if _may_have_a_counterpart(statement, known)]
            for one, theirs in _pairs(asked, self._statements(other) if asked else ()):
                if difference := compare(one, theirs):
                    conflicts.append(FoundConflict(one, theirs, difference))
                elif say_the_same(one, theirs) and not _is_copy(passage, other):
                    agreements.append(Agreement(one, theirs))
        return Comparison(tuple(conflicts), tuple(agreements))

    def _statements(self, passage: Passage) -> tuple[Statement, ...]:
        found = self._read.pop(passage, None)
        if found is None:
            found = read_statements(passage, self.analysis, self.wordings)
            while len(self._read) >= REMEMBERED:
                self._read.popitem(last=False)
        self._read[passage] = found
        return found


def may_contradict(one: KbDocument, other: KbDocument) -> bool:
    """Whether both may be read for one article: they are different documents of one language, and not of different
    countries."""
    countries = {one.scope.country, other.scope.country} - {None}
    return one.id != other.id and one.language is other.language and len(countries) <= 1


def _may_have_a_counterpart(statement: Statement, known: frozenset[str]) -> bool:
    unknown = len(statement.stems - known)
    return unknown <= UNKNOWN_TERMS and 2 * unknown <= len(statement.stems) + 1


def _pairs(one: Sequence[Statement], other: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    for a in one:
        for b in other:
            if 2 * len(a.terms & b.terms) >= max(len(a.terms), len(b.terms)) - 1:
                yield a, b


def _is_copy(one: Passage, other: Passage) -> bool:
    """Whether one of the passages has nearly all of the other, which is then no second source."""
    short, long = sorted((shingles(one.terms), shingles(other.terms)), key=len)
    return len(short & long) >= CONTAINMENT_THRESHOLD * len(short)


def site_of(document: KbDocument) -> str:
    """Whose document it is: the host of its address, else its own id."""
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
    """None for what a model made: it is no source of its own."""
    document = passage.document
    return None if document.origin is Origin.AI else Witness(document.id, site_of(document), passage.content_hash)


def key_of(one: Side, other: Side) -> str:
    """The same for the same two sentences, whichever is found first."""
    sides = sorted(f"{side.source.document_id}\n{side.sentence}" for side in (one, other))
    return sha256("\n\n".join(sides).encode("utf-8", "surrogatepass")).hexdigest()


def document_fingerprint(document: KbDocument) -> str:
    """Changes when the document does, or what it is called."""
    return _digest(document.content_hash, document.title, _scope_text(document.scope))


def passage_fingerprint(passage: Passage) -> str:
    """Changes when the passage does, or what stands above it."""
    return _digest(passage.content_hash, passage.heading, passage.document.title)


def _scope_text(scope: KbScope) -> str:
    return f"{scope.tenant_id or ''} {scope.country or ''}"


def _digest(*texts: str) -> str:
    return sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
