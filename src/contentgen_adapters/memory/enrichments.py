"""Enrichments and the pages they found."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.enrichment import Enrichment, EnrichmentPage
from contentgen_core.model.ids import EnrichmentId, TenantId


class MemoryEnrichments:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, enrichment: Enrichment) -> None:
        await self._session.writing()
        self._session.enrichments.put(enrichment.id, enrichment)

    async def get(self, tenant_id: TenantId, enrichment_id: EnrichmentId) -> Enrichment:
        enrichment = self._session.enrichments.get(enrichment_id)
        if enrichment is None or enrichment.tenant_id != tenant_id:
            raise NotFound("enrichment", enrichment_id)
        return enrichment

    async def save(self, enrichment: Enrichment) -> Enrichment:
        await self._session.writing()
        stored = await self.get(enrichment.tenant_id, enrichment.id)
        if stored.revision != enrichment.revision:
            raise ConcurrentChange("The enrichment was changed meanwhile. Read it again and repeat your change.")
        saved = evolve(enrichment, revision=enrichment.revision + 1)
        self._session.enrichments.put(saved.id, saved)
        return saved

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
