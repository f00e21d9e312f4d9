"""The documents of a knowledge base as people look through them."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from functools import cache
from typing import Any, Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.knowledge_rows import DOCUMENT, document
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_adapters.postgres.words import prefix_query
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, DocumentId, TenantId
from contentgen_core.ports.repositories.articles import ArticleTitle
from contentgen_core.ports.repositories.document_catalogue import (
    MOST_COUNTED,
    CataloguePage,
    CatalogueQuery,
    DocumentCatalogue,
    ListedDocument,
)

# A view sees its niche's documents of all countries (NULL, here "") and of its own.
_SCOPES: Final = (
    "SELECT s.id FROM kb_scopes s JOIN unnest(%(niches)s::text[], %(countries)s::text[]) AS seen (niche_key, country)"
    " ON seen.niche_key = s.niche_key AND seen.country = coalesce(s.country, '')"
    " WHERE s.tenant_id IS NULL OR s.tenant_id = %(tenant_id)s"
)
_ARTICLES: Final = (
    "SELECT a.id, a.title, a.status, a.created_at FROM article_sources s JOIN articles a ON a.id = s.article_id"
    " WHERE s.tenant_id = %s AND s.document_id = %s AND (%s::text IS NULL OR s.article_id < %s)"
    " ORDER BY s.article_id DESC LIMIT %s"
)


@repository(DocumentCatalogue)
class PostgresDocumentCatalogue:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def page(self, query: CatalogueQuery) -> CataloguePage:
        tenant = findable(query.tenant_id)
        seen = dict.fromkeys((v.niche_key, country) for v in query.views for country in ("", *v.countries))
        pairs = [pair for pair in seen if None not in map(findable, pair)]
        scopes = await self._session.read(
            _SCOPES, {"tenant_id": tenant, "niches": [n for n, _ in pairs], "countries": [c for _, c in pairs]}
        )
        prefixes = prefix_query(query.search or "")
        offset = (query.page - 1) * query.limit
        parameters: dict[str, Any] = {
            "tenant_id": tenant,
            "scopes": [id for (id,) in scopes],
            "prefixes": prefixes,
            "origin": query.origin and query.origin.value,
            "language": query.language and query.language.value,
            "most": MOST_COUNTED,
            "offset": offset,
            "limit": max(0, min(query.limit, MOST_COUNTED - offset)),
        }
        searched = prefixes is not None
        of_kind = _of_kind(query.origin is not None, query.language is not None)
        filters = _filters(searched) + of_kind
        rows = await self._session.read(_page(filters, searched), parameters, plan_anew=searched)
        total = _total_found(filters) if searched else _total(of_kind)
        [(number,)] = await self._session.read(total, parameters, plan_anew=searched)
        found = tuple(ListedDocument(document(row[:-2]), row[-2], row[-1]) for row in rows)
        return CataloguePage(found, number)

    async def articles_on(
        self, tenant_id: TenantId, document: DocumentId, before: ArticleId | None, limit: int
    ) -> list[ArticleTitle]:
        rows = await self._session.read(
            _ARTICLES, (findable(tenant_id), findable(document), before, before and findable(before), limit)
        )
        return [ArticleTitle(id, title, ArticleStatus(status), at) for id, title, status, at in rows]


def _filters(searched: bool) -> str:
    return "deleted_at IS NULL AND passages > 0" + (
        " AND kb_title_words(title) @@ %(prefixes)s::tsquery" if searched else ""
    )


def _of_kind(of_origin: bool, of_language: bool) -> str:
    return (" AND origin = %(origin)s" if of_origin else "") + (" AND language = %(language)s" if of_language else "")


@cache
def _page(filters: str, searched: bool) -> str:
    """All that a search finds comes first, by the index of words: the planner would hope to meet twenty in their order
    soon, and read a whole scope for a word that is rare there. Else the newest of each scope come first, which an index
    has in order; then those of all."""
    found = (
        f"SELECT id, created_at FROM kb_documents WHERE scope_id = ANY(%(scopes)s::integer[]) AND {filters}"
        if searched
        else "SELECT d.id, d.created_at FROM unnest(%(scopes)s::integer[]) AS seen (scope)"
        f" CROSS JOIN LATERAL (SELECT id, created_at FROM kb_documents WHERE scope_id = seen.scope AND {filters}"
        " ORDER BY created_at DESC, id DESC LIMIT %(offset)s::integer + %(limit)s::integer) d"
    )
    return (
        f"WITH found AS MATERIALIZED ({found}), chosen AS MATERIALIZED"
        " (SELECT id FROM found ORDER BY created_at DESC, id DESC LIMIT %(limit)s OFFSET %(offset)s)"
        f" SELECT {DOCUMENT}, d.passages, (SELECT count(*) FROM article_sources u"
        " WHERE u.tenant_id = %(tenant_id)s AND u.document_id = d.id)"
        " FROM chosen JOIN kb_documents d ON d.id = chosen.id JOIN kb_scopes s ON s.id = d.scope_id"
        " ORDER BY d.created_at DESC, d.id DESC"
    )


@cache
def _total(of_kind: str) -> str:
    """From the counts that triggers keep."""
    return (
        "SELECT least(coalesce(sum(listed), 0), %(most)s)::bigint FROM kb_document_counts"
        f" WHERE scope_id = ANY(%(scopes)s::integer[]){of_kind}"
    )


@cache
def _total_found(filters: str) -> str:
    return (
        "SELECT count(*) FROM (SELECT 1 FROM kb_documents WHERE scope_id = ANY(%(scopes)s::integer[])"
        f" AND {filters} LIMIT %(most)s) AS counted"
    )
