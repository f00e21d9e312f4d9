"""Enrichments and the pages that they found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.enrichment import Enrichment, EnrichmentPage
from contentgen_core.model.ids import EnrichmentId, TenantId


class Enrichments(Protocol):
    async def add(self, enrichment: Enrichment) -> None: ...

    async def get(self, tenant_id: TenantId, enrichment_id: EnrichmentId) -> Enrichment:
        """Raises NotFound."""
        ...

    async def save(self, enrichment: Enrichment) -> Enrichment:
        """Store a changed enrichment that was read at `enrichment.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def save_pages(self, enrichment_id: EnrichmentId, pages: Sequence[EnrichmentPage]) -> None:
        """Add pages, each replacing a former one at its position."""
        ...

    async def pages(self, enrichment_id: EnrichmentId) -> list[EnrichmentPage]:
        """Ordered by position."""
        ...

    async def clear_pages(self, enrichment_id: EnrichmentId) -> None:
        """Delete the pages, which are only kept to resume after a crash."""
        ...
