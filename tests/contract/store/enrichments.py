"""Enrichments and their pages: stored completely, seen by their tenant alone."""

from __future__ import annotations

from datetime import date

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.enrichment import Enrichment, EnrichmentPage, EnrichmentStatus, PageState
from contentgen_core.model.ids import DocumentId, EnrichmentId
from contentgen_core.ports.repositories.enrichments import Enrichments
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given_tenant


async def _stored(unit_of_work: UnitOfWork, **changes: object) -> Enrichment:
    tenant = await given_tenant(unit_of_work)
    enrichment = builders.enrichment(tenant_id=tenant.id, **changes)
    async with unit_of_work() as tx:
        await tx[Enrichments].add(enrichment)
    return enrichment


class EnrichmentsContract:
    async def test_an_enrichment_is_given_back_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        enrichment = await _stored(
            unit_of_work,
            niche_label="Énergie \U0001f321",
            statements=(("It is loud.", ("https://a.example/", "https://b.example/")),),
            documents=(DocumentId("d1"),),
            insights_added=3,
            error="ünreadable",
            started_at=MOMENT,
            completed_at=MOMENT,
            quota_window=date(2026, 3, 1),
        )
        async with unit_of_work() as tx:
            assert await tx[Enrichments].get(enrichment.tenant_id, enrichment.id) == enrichment

    async def test_a_saved_enrichment_has_the_next_revision(self, unit_of_work: UnitOfWork) -> None:
        enrichment = await _stored(unit_of_work)
        moved = enrichment.moved_to(EnrichmentStatus.QUEUED, MOMENT, "Taken up.")
        async with unit_of_work() as tx:
            saved = await tx[Enrichments].save(moved)
        assert saved == evolve(moved, revision=enrichment.revision + 1)
        async with unit_of_work() as tx:
            assert await tx[Enrichments].get(enrichment.tenant_id, enrichment.id) == saved

    async def test_a_save_of_an_older_enrichment_is_refused(self, unit_of_work: UnitOfWork) -> None:
        enrichment = await _stored(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Enrichments].save(enrichment)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[Enrichments].save(enrichment)

    async def test_another_tenants_enrichment_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        enrichment, other = await _stored(unit_of_work), await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Enrichments].get(other.id, enrichment.id)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Enrichments].save(evolve(enrichment, tenant_id=other.id))

    @alien_ids
    async def test_an_id_that_names_no_enrichment_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Enrichments].get(tenant.id, EnrichmentId(alien))
            assert await tx[Enrichments].pages(EnrichmentId(alien)) == []

    async def test_pages_come_by_position_and_are_replaced_one_by_one(self, unit_of_work: UnitOfWork) -> None:
        enrichment = await _stored(unit_of_work)
        pages = [EnrichmentPage(n, f"https://example.org/{n}", f"Page {n}") for n in range(3)]
        async with unit_of_work() as tx:
            await tx[Enrichments].save_pages(enrichment.id, pages[::-1])
        read = evolve(
            pages[1],
            state=PageState.READ,
            text="Text \u0645",
            published=date(2025, 5, 1),
            fetched_at=MOMENT,
            reason=None,
            author="Ada Ohm",
        )
        async with unit_of_work() as tx:
            await tx[Enrichments].save_pages(enrichment.id, [read])
            await tx[Enrichments].save_pages(enrichment.id, [])
        async with unit_of_work() as tx:
            assert await tx[Enrichments].pages(enrichment.id) == [pages[0], read, pages[2]]
            await tx[Enrichments].clear_pages(enrichment.id)
        async with unit_of_work() as tx:
            assert await tx[Enrichments].pages(enrichment.id) == []

    async def test_pages_belong_to_one_enrichment(self, unit_of_work: UnitOfWork) -> None:
        mine, other = await _stored(unit_of_work), await _stored(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Enrichments].save_pages(mine.id, [EnrichmentPage(0, "https://example.org/", "A page")])
        async with unit_of_work() as tx:
            assert await tx[Enrichments].pages(other.id) == []
