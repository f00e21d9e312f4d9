"""Topic coverages: one per area, stored completely, seen by their tenant alone."""

from __future__ import annotations

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.area import Area
from contentgen_core.model.ids import JobId, TopicCoverageId
from contentgen_core.model.topic_coverage import ComputationStatus, TopicCoverage, TopicState
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given_tenant


async def _stored(unit_of_work: UnitOfWork, **changes: object) -> TopicCoverage:
    tenant = await given_tenant(unit_of_work)
    coverage = builders.topic_coverage(tenant_id=tenant.id, **changes)
    async with unit_of_work() as tx:
        await tx[TopicCoverages].add(coverage)
    return coverage


class TopicCoveragesContract:
    async def test_a_topic_coverage_is_given_back_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        coverage = await _stored(
            unit_of_work,
            area=Area("home-energy", "GB"),
            status=ComputationStatus.COMPUTING,
            topics=(TopicState("Énergie \U0001f321", True, 62.5), TopicState("Heat", False, 0.0)),
            computed_at=MOMENT,
            started_at=MOMENT,
            ended_at=MOMENT,
            error="ünreadable",
            candidates=("Heat", "Wind"),
            assessed=(TopicState("Heat", False, 12.5),),
            job_id=JobId("j"),
        )
        async with unit_of_work() as tx:
            assert await tx[TopicCoverages].get(coverage.tenant_id, coverage.id) == coverage
            assert await tx[TopicCoverages].find(coverage.tenant_id, coverage.area) == coverage

    async def test_topics_not_collected_yet_are_no_empty_list(self, unit_of_work: UnitOfWork) -> None:
        none, empty = await _stored(unit_of_work), await _stored(unit_of_work, candidates=())
        async with unit_of_work() as tx:
            assert (await tx[TopicCoverages].get(none.tenant_id, none.id)).candidates is None
            assert (await tx[TopicCoverages].get(empty.tenant_id, empty.id)).candidates == ()

    async def test_an_area_has_one_and_a_second_is_refused(self, unit_of_work: UnitOfWork) -> None:
        first = await _stored(unit_of_work)
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[TopicCoverages].add(evolve(first, id=TopicCoverageId(builders.new_id())))
        async with unit_of_work() as tx:
            assert await tx[TopicCoverages].find(first.tenant_id, first.area) == first

    async def test_a_niche_its_agents_and_its_tenants_have_each_their_own(self, unit_of_work: UnitOfWork) -> None:
        niche, other = await _stored(unit_of_work), await given_tenant(unit_of_work)
        agent = builders.topic_coverage(tenant_id=niche.tenant_id, area=Area(niche.area.niche_key, "GB"))
        theirs = builders.topic_coverage(tenant_id=other.id, area=niche.area)
        async with unit_of_work() as tx:
            await tx[TopicCoverages].add(agent)
            await tx[TopicCoverages].add(theirs)
        async with unit_of_work() as tx:
            for coverage in (niche, agent, theirs):
                assert await tx[TopicCoverages].find(coverage.tenant_id, coverage.area) == coverage
            assert await tx[TopicCoverages].find(niche.tenant_id, Area(niche.area.niche_key, "FR")) is None

    async def test_a_saved_change_has_the_next_revision(self, unit_of_work: UnitOfWork) -> None:
        coverage = await _stored(unit_of_work)
        changed = coverage.started(MOMENT, JobId("j"))
        async with unit_of_work() as tx:
            saved = await tx[TopicCoverages].save(changed)
        assert saved == evolve(changed, revision=coverage.revision + 1)
        async with unit_of_work() as tx:
            assert await tx[TopicCoverages].find(coverage.tenant_id, coverage.area) == saved

    async def test_a_save_of_an_older_revision_is_refused(self, unit_of_work: UnitOfWork) -> None:
        coverage = await _stored(unit_of_work)
        async with unit_of_work() as tx:
            await tx[TopicCoverages].save(coverage)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[TopicCoverages].save(coverage)

    async def test_another_tenants_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        coverage, other = await _stored(unit_of_work), await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[TopicCoverages].get(other.id, coverage.id)
            assert await tx[TopicCoverages].find(other.id, coverage.area) is None
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[TopicCoverages].save(evolve(coverage, tenant_id=other.id))

    @alien_ids
    async def test_what_names_nothing_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[TopicCoverages].get(tenant.id, TopicCoverageId(alien))
            assert await tx[TopicCoverages].find(tenant.id, Area(alien)) is None
