"""What the evaluation of a niche rests on. Each query walks an index in its order and stops at its limit."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.knowledge_rows import SCOPE_SEEN, view_parameters
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.area import Area
from contentgen_core.model.governance import ArticleFacts, DocumentFacts, PublishedFacts
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbView, Origin
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.governance import GovernanceFacts

# The newest of each scope, then the newest of these: one sort of a few thousand rows whatever the size of the KB.
DOCUMENTS: Final = (
    "SELECT d.origin, d.created_at, d.url, d.fetched_at, d.published FROM kb_scopes s CROSS JOIN LATERAL"
    " (SELECT * FROM kb_documents WHERE scope_id = s.id AND deleted_at IS NULL"
    " ORDER BY created_at DESC, id DESC LIMIT %(limit)s) d"
    f" WHERE {SCOPE_SEEN} ORDER BY d.created_at DESC, d.id DESC LIMIT %(limit)s"
)
_OF_AREA: Final = (
    "tenant_id = %(tenant_id)s AND niche_key = %(niche_key)s"
    " AND (%(country)s::text IS NULL OR (agent_niche_key = %(niche_key)s AND agent_country = %(country)s))"
)
ARTICLES: Final = (
    f"SELECT title, topic, language FROM articles WHERE {_OF_AREA} AND status <> 'failed'"
    " ORDER BY created_at DESC, id DESC LIMIT %(limit)s"
)
# Receipts are long: they are taken apart only once the limit has chosen whose.
PUBLISHED: Final = (
    "SELECT jsonb_array_length(sources), (grounding #>> '{totals,citation_recall}')::float8,"
    " (grounding #>> '{totals,citation_precision}')::float8"
    f" FROM (SELECT id, published_at, sources, grounding FROM articles WHERE {_OF_AREA} AND status = 'published'"
    " AND published_at IS NOT NULL ORDER BY published_at DESC, id DESC LIMIT %(limit)s) newest"
    " ORDER BY published_at DESC, id DESC"
)
COUNT: Final = (
    f"SELECT count(*) FROM articles WHERE {_OF_AREA} AND status = 'published'"
    " AND published_at > %(since)s AND published_at <= %(until)s"
)


@repository(GovernanceFacts)
class PostgresGovernanceFacts:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def documents(self, view: KbView, limit: int) -> list[DocumentFacts]:
        rows = await self._session.read(DOCUMENTS, {**view_parameters(view), "limit": limit})
        return [DocumentFacts(Origin(origin), *rest) for origin, *rest in rows]

    async def articles(self, tenant_id: TenantId, area: Area, limit: int) -> list[ArticleFacts]:
        rows = await self._session.read(ARTICLES, {**_parameters(tenant_id, area), "limit": limit})
        return [ArticleFacts(title, topic, Language(language)) for title, topic, language in rows]

    async def published(self, tenant_id: TenantId, area: Area, limit: int) -> list[PublishedFacts]:
        rows = await self._session.read(PUBLISHED, {**_parameters(tenant_id, area), "limit": limit})
        return [PublishedFacts(*row) for row in rows]

    async def published_between(self, tenant_id: TenantId, area: Area, since: datetime, until: datetime) -> int:
        rows = await self._session.read(COUNT, {**_parameters(tenant_id, area), "since": since, "until": until})
        return int(rows[0][0])


def _parameters(tenant_id: TenantId, area: Area) -> dict[str, Any]:
    return {"tenant_id": findable(tenant_id), "niche_key": findable(area.niche_key), "country": area.country}
