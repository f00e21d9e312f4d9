"""BM25's figures: in how many passages of a scope each term occurs, kept up to date by every change.

A passage counts once for each different term of its text and its headings; its length is how many terms and head terms
it has, repetitions included."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from attrs import Factory, mutable

from contentgen_adapters.postgres.repositories.knowledge_rows import DOCUMENT_SEEN, SCOPE_SEEN, view_parameters
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.knowledge import KbView, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.storable import is_storable

_LONGEST_TERM: Final = 500  # bytes; an index entry takes 2,700

_SEEN: Final = f"SELECT s.id FROM kb_scopes s WHERE {SCOPE_SEEN}"
_ASKED: Final = (
    "SELECT * FROM unnest(%(languages)s::text[], %(terms)s::text[], %(keys)s::text[]) AS asked (language, term, key)"
)
_OF_VIEW: Final = (
    f"WITH seen AS MATERIALIZED ({_SEEN})"
    " SELECT c.language, NULL AS term, sum(c.passages)::bigint, sum(c.length)::bigint"
    " FROM seen JOIN kb_corpora c ON c.scope_id = seen.id WHERE c.language = ANY(%(asked)s::text[]) GROUP BY c.language"
    " UNION ALL"
    " SELECT asked.language, asked.term, sum(t.passages)::bigint, 0"
    f" FROM seen CROSS JOIN ({_ASKED}) asked"
    " JOIN kb_terms t ON t.scope_id = seen.id AND t.language = asked.language AND t.term = asked.key"
    " GROUP BY asked.language, asked.term"
)
# A few documents chosen by hand: counted on the spot. The spaces make `position` find whole terms only.
_OF_DOCUMENTS: Final = (
    "WITH chosen AS MATERIALIZED (SELECT d.language, p.length, ' ' || p.terms || ' ' || p.head_terms || ' ' AS terms"
    " FROM kb_documents d JOIN kb_scopes s ON s.id = d.scope_id JOIN kb_passages p ON p.document_id = d.id"
    f" WHERE {DOCUMENT_SEEN} AND d.language = ANY(%(asked)s::text[]))"
    " SELECT language, NULL AS term, count(*), sum(length)::bigint FROM chosen GROUP BY language"
    " UNION ALL"
    f" SELECT asked.language, asked.term, count(*), 0 FROM ({_ASKED}) asked"
    " JOIN chosen ON chosen.language = asked.language AND position(' ' || asked.term || ' ' IN chosen.terms) > 0"
    " GROUP BY asked.language, asked.term"
)

_COUNT_CORPUS: Final = (
    "INSERT INTO kb_corpora AS c (scope_id, language, passages, length) VALUES (%s, %s, %s, %s)"
    " ON CONFLICT (scope_id, language) DO UPDATE"
    " SET passages = c.passages + excluded.passages, length = c.length + excluded.length"
)
# Terms and counts go as one text each, which is far cheaper to send than two arrays of thousands. A conflict of each
# known term costs more than an UPDATE that joins them, but needs no plan: of a new scope the planner expects one row,
# and then compares every term with every other.
_COUNT_TERMS: Final = (
    "INSERT INTO kb_terms AS t (scope_id, language, term, passages)"
    " SELECT %(scope_id)s, %(language)s, term, passages FROM unnest(string_to_array(%(terms)s, ' '),"
    " string_to_array(%(counts)s, ' ')::integer[]) AS counted (term, passages)"
    " ON CONFLICT (scope_id, language, term) DO UPDATE SET passages = t.passages + excluded.passages"
)
_FORGET_TERMS: Final = (
    "DELETE FROM kb_terms WHERE scope_id = %(scope_id)s AND language = %(language)s"
    " AND term = ANY(string_to_array(%(terms)s, ' ')) AND passages = 0"
)


@mutable
class Tally:
    """What some passages of one scope and language add to its figures."""

    passages: int = 0
    length: int = 0
    terms: Counter[str] = Factory(Counter)

    def count(self, terms: Sequence[str], head_terms: Sequence[str]) -> None:
        self.passages += 1
        self.length += len(terms) + len(head_terms)
        self.terms.update({*terms, *head_terms})


Tallies = Mapping[tuple[int, str], Tally]


async def apply(session: Session, tallies: Tallies, sign: int) -> None:
    """Add (sign 1) or take away (-1) passages, by scope id and language. The caller holds the scopes' locks, which
    makes the figures exact and the order of the rows indifferent."""
    for (scope_id, language), tally in tallies.items():
        await session.change(_COUNT_CORPUS, (scope_id, language, sign * tally.passages, sign * tally.length))
        if not tally.terms:
            continue
        counts: Counter[str] = Counter()
        for term, passages in tally.terms.items():
            counts[_key(term)] += passages
        ordered = sorted(counts)  # neighbours in the index one after another
        parameters = {
            "scope_id": scope_id,
            "language": language,
            "terms": " ".join(ordered),
            "counts": " ".join(str(sign * counts[term]) for term in ordered),
        }
        await session.change(_COUNT_TERMS, parameters)
        if sign < 0:
            await session.change(_FORGET_TERMS, parameters)


async def read(
    session: Session, view: KbView, terms: Mapping[Language, Sequence[str]]
) -> dict[Language, TermStatistics]:
    """The figures of a view for the asked terms."""
    asked = [(language.value, term) for language, of_language in terms.items() for term in _searchable(of_language)]
    parameters: dict[str, Any] = {
        **view_parameters(view),
        "asked": [language.value for language in terms],
        "languages": [language for language, _ in asked],
        "terms": [term for _, term in asked],
        "keys": [_key(term) for _, term in asked],
    }
    rows = await session.read(_OF_VIEW if view.document_ids is None else _OF_DOCUMENTS, parameters)
    with_term: dict[str, dict[str, int]] = {}
    for language, term, passages, _ in rows:
        if term is not None:
            with_term.setdefault(language, {})[term] = passages
    return {
        Language(language): TermStatistics(passages, length / passages, with_term.get(language, {}))
        for language, term, passages, length in rows
        if term is None and passages
    }


def _searchable(terms: Iterable[str]) -> list[str]:
    """Each once; none that no passage can hold."""
    return [term for term in dict.fromkeys(terms) if term and " " not in term and is_storable(term)]


def _key(term: str) -> str:
    """A term as kb_terms names it: one too long for its index by its digest (no real term holds a colon)."""
    if len(term) <= _LONGEST_TERM // 4:
        return term
    encoded = term.encode("utf-8", "surrogatepass")
    return term if len(encoded) <= _LONGEST_TERM else f"sha256:{hashlib.sha256(encoded).hexdigest()}"
