"""Enrichments and the pages they found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_adapters.memory.records import Records
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.enrichment import Enrichment, EnrichmentPage
from contentgen_core.model.ids import EnrichmentId, TenantId
from contentgen_core.ports.repositories.enrichments import Enrichments

ENRICHMENTS: Final = TableOf[EnrichmentId, Enrichment]("enrichments")
ENRICHMENT_PAGES: Final = TableOf[EnrichmentId, dict[int, EnrichmentPage]]("enrichment_pages")


@repository(Enrichments)
class MemoryEnrichments:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[ENRICHMENTS], "enrichment")

    async def add(self, enrichment: Enrichment) -> None:
        await self._session.writing()
        self._session[ENRICHMENTS].put(enrichment.id, enrichment)

    async def get(self, tenant_id: TenantId, enrichment_id: EnrichmentId) -> Enrichment:
        return await self._records.get(tenant_id, enrichment_id)

    async def save(self, enrichment: Enrichment) -> Enrichment:
        return await self._records.save(enrichment)

    async def save_pages(self, enrichment_id: EnrichmentId, pages: Sequence[EnrichmentPage]) -> None:
        await self._session.writing()
        known = self._session[ENRICHMENT_PAGES].get(enrichment_id) or {}
        self._session[ENRICHMENT_PAGES].put(enrichment_id, {**known, **{page.position: page for page in pages}})

    async def pages(self, enrichment_id: EnrichmentId) -> list[EnrichmentPage]:
        pages = self._session[ENRICHMENT_PAGES].get(enrichment_id) or {}
        return [pages[position] for position in sorted(pages)]

    async def clear_pages(self, enrichment_id: EnrichmentId) -> None:
        await self._session.writing()
        self._session[ENRICHMENT_PAGES].drop(enrichment_id)
