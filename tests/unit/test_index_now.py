"""Search engines are told which pages changed, once a change, and publishing knows nothing of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.memory.repositories.index_now import MemoryIndexNow
from contentgen_core.errors import AlreadyExists, Conflict, InvalidInput, NotFound, NotPermitted
from contentgen_core.model.ids import IndexNowSiteId
from contentgen_core.model.index_now import IndexNowSite, host_of
from contentgen_core.model.publication import Finding, PostStatus, Publication, PublicationStatus
from contentgen_core.model.tenant import Role
from contentgen_core.policies.articles.announced import changed_addresses
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.index_now import manage_index_now
from contentgen_core.use_cases.index_now.note import note_pages
from tests.support.house import House, open_house

BLOG = "https://blog.example.org"
PAGE = f"{BLOG}/heat"


def post(**changes: Any) -> Publication:
    known = builders.publication(
        status=PublicationStatus.PUBLISHED, post_status=PostStatus.PUBLISHED, url=PAGE, content_hash="a"
    )
    return evolve(known, **changes)


def engine_of(house: House) -> MemoryIndexNow:
    port: Any = house.services.ports.index_now
    memory: MemoryIndexNow = port._port
    return memory


async def created(house: House, site: str = BLOG) -> IndexNowSite:
    return await house.services.publishing.index_now.create(house.caller, site)


async def changed(house: House, before: Publication, after: Publication) -> None:
    async with house.services.ports.unit_of_work() as tx:
        tenant = house.caller.tenant_id
        await note_pages(tx, evolve(before, tenant_id=tenant), evolve(after, tenant_id=tenant), house.clock.now())


async def submitted(house: House) -> IndexNowSite:
    await house.services.upkeep.index_now.fire_due()
    await house.work()
    [site] = await house.services.publishing.index_now.list(house.caller)
    return site


class TestWhatChanged:
    def test_pages_that_readers_see_otherwise(self) -> None:
        new = post()
        for before, after in (
            (evolve(new, url=None, post_status=None), new),
            (evolve(new, post_status=PostStatus.SCHEDULED), new),
            (new, evolve(new, content_hash="b")),
            (new, evolve(new, post_status=PostStatus.DRAFT)),
            (new, evolve(new, finding=Finding.DELETED, url=None)),
        ):
            assert changed_addresses(before, after) == (PAGE,)
        assert changed_addresses(new, evolve(new, url=f"{BLOG}/moved")) == (f"{BLOG}/moved", PAGE)

    def test_pages_that_readers_see_as_before(self) -> None:
        new = post()
        for before, after in (
            (new, evolve(new, checked_at=MOMENT, finding=Finding.CHANGED)),
            (evolve(new, url=None, post_status=None), evolve(new, post_status=PostStatus.DRAFT)),
            (new, new),
        ):
            assert changed_addresses(before, after) == ()

    @given(st.sampled_from(PostStatus), st.sampled_from(PostStatus), st.booleans(), st.booleans())
    def test_each_address_once(self, one: PostStatus, other: PostStatus, moved: bool, anew: bool) -> None:
        before = post(post_status=one)
        after = post(post_status=other, url=f"{BLOG}/b" if moved else PAGE, content_hash="b" if anew else "a")
        addresses = changed_addresses(before, after)
        assert len(set(addresses)) == len(addresses)
        assert set(addresses) <= {before.url, after.url}

    def test_hosts(self) -> None:
        assert host_of("https://Blog.Example.org:8443/a") == "blog.example.org:8443"
        assert (host_of("x"), host_of("https://[::1"), host_of("https://a:b/")) == ("", "", "")


async def test_a_change_is_told_once() -> None:
    async with open_house() as house:
        site = await created(house)
        await changed(house, post(url=None, post_status=None), post())
        told = await submitted(house)
        assert engine_of(house).told == {"blog.example.org": [PAGE]}
        assert told.last is not None
        assert (told.last.submitted, told.last.error, told.id) == (1, None, site.id)
        await submitted(house)
        assert engine_of(house).told == {"blog.example.org": [PAGE]}
        await changed(house, post(), post(content_hash="b"))
        await submitted(house)
        assert engine_of(house).told == {"blog.example.org": [PAGE, PAGE]}


async def test_what_is_not_taken_is_told_later_and_ever_more_rarely() -> None:
    async with open_house() as house:
        await created(house)
        engine = engine_of(house)
        engine.refuses = "does not find the key"
        await changed(house, post(url=None, post_status=None), post())
        for minutes in (15, 30, 60):
            site = await submitted(house)
            assert site.last is not None
            assert (site.last.error, site.job_id) == ("IndexNow: does not find the key", None)
            assert site.next_at == house.clock.now() + timedelta(minutes=minutes)
            assert (await submitted(house)).failures == site.failures
            house.clock.advance(minutes=minutes)
        engine.refuses = None
        site = await submitted(house)
        assert (engine.told, site.failures) == ({"blog.example.org": [PAGE]}, 0)


async def test_a_passing_fault_is_tried_again_by_its_job() -> None:
    async with open_house() as house:
        await created(house)
        engine = engine_of(house)
        engine.refuses, engine.retryable = "it is away", True
        await changed(house, post(url=None, post_status=None), post())
        assert (await submitted(house)).job_id is not None
        engine.refuses = None
        house.clock.advance(minutes=1)
        assert (await submitted(house)).job_id is None
        assert engine.told == {"blog.example.org": [PAGE]}


async def test_pages_of_other_hosts_are_nobodys_business() -> None:
    async with open_house() as house:
        await created(house, "https://shop.example.org/")
        await changed(house, post(url=None, post_status=None), post())
        await submitted(house)
        assert engine_of(house).told == {}


async def test_sites_are_managed_by_administrators(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:
        index_now = house.services.publishing.index_now
        site = await created(house)
        assert (site.origin, len(site.key), site.key_address) == (BLOG, 32, f"{BLOG}/{site.key}.txt")
        with pytest.raises(AlreadyExists):
            await created(house, f"{BLOG}/")
        for wrong in ("blog.example.org", f"{BLOG}/posts", "ftp://example.org"):
            with pytest.raises(InvalidInput):
                await created(house, wrong)
        editor = evolve(house.caller, role=Role.EDITOR)
        for refused in (index_now.create(editor, "https://b.example.org"), index_now.delete(editor, site.id)):
            with pytest.raises(NotPermitted):
                await refused
        assert (await index_now.submit(editor, site.id)).job_id is not None
        monkeypatch.setattr(manage_index_now, "MAX_SITES", 1)
        with pytest.raises(Conflict):
            await created(house, "https://b.example.org")
        await index_now.delete(house.caller, site.id)
        assert await index_now.list(house.caller) == []
        with pytest.raises(NotFound):
            await index_now.submit(house.caller, IndexNowSiteId("nope"))


async def test_keys_of_its_own_host_are_served_and_made_by_the_platform() -> None:
    async with open_house() as house:
        own = evolve(house.services.publishing.index_now, public_url=f"{BLOG}")
        with pytest.raises(NotPermitted):
            await own.create(house.caller, BLOG)
        site = await own.create(evolve(house.caller, platform_admin=True), BLOG)
        assert (await own.serves(site.key), await own.serves("0" * 32)) == (True, False)
        assert not await evolve(own, public_url=None).serves(site.key)
        assert not await evolve(own, public_url="https://else.example.org").serves(site.key)
