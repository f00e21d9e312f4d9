"""Documents, passages and views as rows and parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Origin, Passage
from contentgen_core.model.vocabulary import Language

DOCUMENT: Final = (
    "d.id, s.niche_key, s.tenant_id, s.country, d.source_key, d.title, d.language, d.origin, d.content_hash,"
    " d.created_at, d.url, d.fetched_at, d.published, d.revised_at, d.author"
)
PASSAGE: Final = f"{DOCUMENT}, p.chunk_index, p.text, p.content_hash, p.heading, p.terms, p.head_terms, p.place"
_DOCUMENT_WIDTH: Final = DOCUMENT.count(",") + 1

# What a view sees, over kb_scopes s; and over kb_documents d as well where it may be narrowed to named documents.
SCOPE_SEEN: Final = (
    "s.niche_key = %(niche_key)s AND (s.tenant_id IS NULL OR s.tenant_id = %(tenant_id)s)"
    " AND (s.country IS NULL OR s.country = ANY(%(countries)s::text[]))"
)
DOCUMENT_SEEN: Final = (
    f"{SCOPE_SEEN} AND d.deleted_at IS NULL"
    " AND (%(document_ids)s::text[] IS NULL OR d.id = ANY(%(document_ids)s::text[]))"
)

# Those of each scope are counted as they come and go; only where they are more are the rows themselves counted.
MORE_PASSAGES: Final = (
    "CASE WHEN (SELECT coalesce(sum(passages), 0) FROM kb_corpora) > %(passages)s"
    " THEN (SELECT count(*) FROM kb_passages) > %(passages)s ELSE false END"
)


def findables(texts: Iterable[str]) -> list[str]:
    """Those of some keys that a row can hold, each once."""
    return [text for text in dict.fromkeys(texts) if findable(text) is not None]


def view_parameters(view: KbView) -> dict[str, Any]:
    return {
        "niche_key": findable(view.niche_key),
        "tenant_id": None if view.tenant_id is None else findable(view.tenant_id),
        "countries": findables(view.countries),
        "document_ids": None if view.document_ids is None else findables(view.document_ids),
    }


def document(row: Row) -> KbDocument:
    """A document from DOCUMENT."""
    id, niche_key, tenant_id, country, source_key, title, language, origin, *rest = row
    scope = KbScope(niche_key, tenant_id, country)
    return KbDocument(id, scope, source_key, title, Language(language), Origin(origin), *rest)


def passages(rows: Iterable[Row]) -> list[Passage]:
    """Passages from PASSAGE; those of one document share it."""
    documents: dict[str, KbDocument] = {}
    found = []
    for row in rows:
        owner = documents.get(row[0])
        if owner is None:
            owner = documents[row[0]] = document(row[:_DOCUMENT_WIDTH])
        chunk_index, text, content_hash, heading, terms, head_terms, place = row[_DOCUMENT_WIDTH:]
        words = (heading, split(terms), split(head_terms))
        place = chunk_index if place is None else place
        found.append(Passage(owner, chunk_index, text, content_hash, *words, place=place))
    return found


def joined(terms: Iterable[str]) -> str:
    return " ".join(terms)


def split(terms: str) -> tuple[str, ...]:
    """What `joined` joined: terms hold no white space."""
    return tuple(terms.split(" ")) if terms else ()
