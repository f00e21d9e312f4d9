"""Sites whose changed pages are told to search engines, each tenant's seen by itself alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.ids import IndexNowSiteId, JobId, TenantId
from contentgen_core.model.index_now import IndexNowSite, NotedAddress, SubmissionReport
from contentgen_core.ports.repositories.index_now import IndexNowSites
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given_tenant, given_tenants

HOUR = timedelta(hours=1)
PAGE = "https://blog.example.org/masts"


async def _site(unit_of_work: UnitOfWork, **changes: Any) -> IndexNowSite:
    if "tenant_id" not in changes:
        changes["tenant_id"] = (await given_tenant(unit_of_work)).id
    defaults: dict[str, Any] = {
        "id": IndexNowSiteId(builders.new_id()),
        "origin": "https://blog.example.org",
        "host": "blog.example.org",
        "key": builders.new_id(),
        "created_at": MOMENT,
        "next_at": MOMENT,
    }
    site = IndexNowSite(**defaults | changes)
    async with unit_of_work() as tx:
        await tx[IndexNowSites].add(site)
    return site


class IndexNowSitesContract:
    async def test_a_site_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        site = await _site(unit_of_work, last=SubmissionReport(MOMENT, 3, "It is away."), failures=2)
        other = await _site(unit_of_work, tenant_id=site.tenant_id, host="a.example.org")
        async with unit_of_work() as tx:
            assert await tx[IndexNowSites].get(site.tenant_id, site.id) == site
            assert await tx[IndexNowSites].of_tenant(site.tenant_id) == [other, site]
            saved = await tx[IndexNowSites].save(evolve(site, failures=0))
        assert saved == evolve(site, failures=0, revision=site.revision + 1)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[IndexNowSites].save(site)
        with pytest.raises(AlreadyExists):
            await _site(unit_of_work, tenant_id=site.tenant_id)
        with pytest.raises(NotFound):
            await _site(unit_of_work, tenant_id=TenantId(builders.new_id()))

    async def test_pages_are_noted_where_the_tenant_has_a_site_of_their_host(self, unit_of_work: UnitOfWork) -> None:
        one, other = await given_tenants(unit_of_work)
        site, alike = await _site(unit_of_work, tenant_id=one.id), await _site(unit_of_work, tenant_id=other.id)
        second = "https://blog.example.org/sails"
        async with unit_of_work() as tx:
            await tx[IndexNowSites].note(one.id, [PAGE, PAGE, "https://elsewhere.example.org/", "x"], MOMENT)
            await tx[IndexNowSites].note(one.id, [f"https://blog.example.org/{'a' * 2_000}"], MOMENT)
            await tx[IndexNowSites].note(one.id, [second], MOMENT - HOUR)
            await tx[IndexNowSites].note(one.id, [], MOMENT)
        async with unit_of_work() as tx:
            noted = await tx[IndexNowSites].noted(site.id, 9)
            assert noted == [NotedAddress(second, MOMENT - HOUR), NotedAddress(PAGE, MOMENT)]
            assert await tx[IndexNowSites].noted(site.id, 1) == noted[:1]
            assert await tx[IndexNowSites].noted(alike.id, 9) == []
            await tx[IndexNowSites].note(one.id, [PAGE], MOMENT + HOUR)
            await tx[IndexNowSites].told(site.id, noted)
        async with unit_of_work() as tx:
            assert await tx[IndexNowSites].noted(site.id, 9) == [NotedAddress(PAGE, MOMENT + HOUR)]

    async def test_sites_are_due_that_have_pages_and_nothing_under_way(self, unit_of_work: UnitOfWork) -> None:
        second = await _site(unit_of_work)
        first = await _site(unit_of_work, next_at=MOMENT - HOUR)
        later = await _site(unit_of_work, next_at=MOMENT + HOUR)
        under_way = await _site(unit_of_work, job_id=JobId("j"))
        await _site(unit_of_work)
        for site in (second, first, later, under_way):
            async with unit_of_work() as tx:
                await tx[IndexNowSites].note(site.tenant_id, [PAGE], MOMENT)
        async with unit_of_work() as tx:
            assert await tx[IndexNowSites].due(MOMENT, 9) == [first, second]
            assert await tx[IndexNowSites].due(MOMENT, 1) == [first]

    async def test_a_key_is_that_of_its_host(self, unit_of_work: UnitOfWork) -> None:
        site = await _site(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[IndexNowSites].has_key(site.host, site.key)
            assert not await tx[IndexNowSites].has_key("a.example.org", site.key)
            assert not await tx[IndexNowSites].has_key(site.host, "\x00")

    @alien_ids
    async def test_a_site_is_gone_with_its_pages(self, unit_of_work: UnitOfWork, alien: str) -> None:
        site = await _site(unit_of_work)
        stranger = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            await tx[IndexNowSites].note(site.tenant_id, [PAGE], MOMENT)
            await tx[IndexNowSites].note(stranger.id, [PAGE], MOMENT)
        for tenant_id, id in ((stranger.id, site.id), (site.tenant_id, IndexNowSiteId(alien))):
            for asked in ("get", "delete"):
                with pytest.raises(NotFound):
                    async with unit_of_work() as tx:
                        await getattr(tx[IndexNowSites], asked)(tenant_id, id)
        async with unit_of_work() as tx:
            await tx[IndexNowSites].delete(site.tenant_id, site.id)
        async with unit_of_work() as tx:
            assert await tx[IndexNowSites].of_tenant(site.tenant_id) == []
            assert await tx[IndexNowSites].noted(site.id, 9) == []
