"""Enrichments and the pages they found."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RecordTable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.enrichment import Enrichment, EnrichmentPage
from contentgen_core.model.ids import EnrichmentId, TenantId
from contentgen_core.ports.repositories.enrichments import Enrichments


@repository(Enrichments)
class PostgresEnrichments:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "enrichments", Enrichment, "enrichment")

    async def add(self, enrichment: Enrichment) -> None:
        await self._records.add(enrichment, {"created_at": enrichment.created_at})

    async def get(self, tenant_id: TenantId, enrichment_id: EnrichmentId) -> Enrichment:
        return await self._records.get(tenant_id, enrichment_id)

    async def save(self, enrichment: Enrichment) -> Enrichment:
        return await self._records.save(enrichment)

    async def save_pages(self, enrichment_id: EnrichmentId, pages: Sequence[EnrichmentPage]) -> None:
        if pages:
            await self._session.change(
                "INSERT INTO enrichment_pages (enrichment_id, position, page)"
                " SELECT %s, * FROM unnest(%s::integer[], %s::jsonb[])"
                " ON CONFLICT (enrichment_id, position) DO UPDATE SET page = excluded.page",
                (enrichment_id, [page.position for page in pages], [dumps(page, EnrichmentPage) for page in pages]),
            )

    async def pages(self, enrichment_id: EnrichmentId) -> list[EnrichmentPage]:
        rows = await self._session.read(
            "SELECT page::text FROM enrichment_pages WHERE enrichment_id = %s ORDER BY position",
            (findable(enrichment_id),),
        )
        return [loads(page, EnrichmentPage) for (page,) in rows]

    async def clear_pages(self, enrichment_id: EnrichmentId) -> None:
        await self._session.change("DELETE FROM enrichment_pages WHERE enrichment_id = %s", (findable(enrichment_id),))
