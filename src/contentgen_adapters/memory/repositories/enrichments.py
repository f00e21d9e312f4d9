"""Enrichments and the pages they found."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_adapters.memory.records import Records
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.enrichment import Enrichment, EnrichmentPage
from contentgen_core.model.ids import EnrichmentId, TenantId
from contentgen_core.ports.repositories.enrichments import Enrichments


@repository(Enrichments)
class MemoryEnrichments:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session.enrichments, "enrichment")

    async def add(self, enrichment: Enrichment) -> None:
        await self._session.writing()
        self._session.enrichments.put(enrichment.id, enrichment)

    async def get(self, tenant_id: TenantId, enrichment_id: EnrichmentId) -> Enrichment:
        return await self._records.get(tenant_id, enrichment_id)

    async def save(self, enrichment: Enrichment) -> Enrichment:
        return await self._records.save(enrichment)

    async def save_pages(self, enrichment_id: EnrichmentId, pages: Sequence[EnrichmentPage]) -> None:
        await self._session.writing()
        known = self._session.enrichment_pages.get(enrichment_id) or {}
        self._session.enrichment_pages.put(enrichment_id, {**known, **{page.position: page for page in pages}})

    async def pages(self, enrichment_id: EnrichmentId) -> list[EnrichmentPage]:
        pages = self._session.enrichment_pages.get(enrichment_id) or {}
        return [pages[position] for position in sorted(pages)]

    async def clear_pages(self, enrichment_id: EnrichmentId) -> None:
        await self._session.writing()
        self._session.enrichment_pages.drop(enrichment_id)
