"""What the calendar shows, by its time, and the links of its feed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.calendar import CalendarEntry, CalendarKind, CalendarLink, CalendarQuery
from contentgen_core.model.ids import IntegrationId, TenantId, UserId
from contentgen_core.model.publication import Finding, PostRequest, PostStatus, PublicationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.calendar import Calendar, CalendarLinks
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

DAY: Final = timedelta(days=1)
ALL: Final = CalendarQuery(MOMENT, MOMENT + 30 * DAY)


async def _article(unit_of_work: UnitOfWork, tenant_id: TenantId, **changes: Any) -> Article:
    article = builders.article(tenant_id=tenant_id, **changes)
    await given(unit_of_work, article)
    return article


async def _scheduled(unit_of_work: UnitOfWork, tenant_id: TenantId, at: datetime, **changes: Any) -> Article:
    return await _article(unit_of_work, tenant_id, status=ArticleStatus.SCHEDULED, scheduled_for=at, **changes)


def _ids(entries: list[CalendarEntry]) -> list[str]:
    return [entry.id for entry in entries]


class CalendarContract:
    async def test_scheduled_articles_come_by_their_time(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        late = await _scheduled(unit_of_work, tenant.id, MOMENT + 2 * DAY)
        early = await _scheduled(unit_of_work, tenant.id, MOMENT, title="Heat", niche_key="boats")
        same = await _scheduled(unit_of_work, tenant.id, MOMENT + 2 * DAY, brief=builders.brief(language=Language.FR))
        await _scheduled(unit_of_work, tenant.id, MOMENT + 30 * DAY)
        await _scheduled(unit_of_work, tenant.id, MOMENT - timedelta(microseconds=1))
        await _scheduled(unit_of_work, other.id, MOMENT + DAY)
        await _article(unit_of_work, tenant.id, scheduled_for=MOMENT + DAY, status=ArticleStatus.DRAFT)
        async with unit_of_work() as tx:

            async def ids(limit: int = 9, **changes: Any) -> list[str]:
                return _ids(await tx[Calendar].scheduled(tenant.id, evolve(ALL, **changes), limit))

            [first, *_] = await tx[Calendar].scheduled(tenant.id, ALL, 9)
            assert first == CalendarEntry(
                CalendarKind.SCHEDULED, MOMENT, early.id, "boats", "Heat", Language.EN, article_id=early.id
            )
            assert await ids() == [early.id, late.id, same.id]
            assert await ids(limit=1) == [early.id]
            assert await ids(after=(MOMENT + 2 * DAY, late.id)) == [same.id]
            assert await ids(niche_key="boats") == [early.id]
            assert await ids(language=Language.FR) == [same.id]
            assert await ids(niche_key="\0") == await ids(integration_id=IntegrationId("i")) == []

    async def test_no_plan_waits_at_a_target(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await _article(unit_of_work, tenant.id, status=ArticleStatus.DRAFT, plan=builders.article_plan())
        async with unit_of_work() as tx:
            assert len(await tx[Calendar].waiting_plans(tenant.id, ALL, 9)) == 1
            at_target = evolve(ALL, integration_id=IntegrationId("i"))
            assert await tx[Calendar].waiting_plans(tenant.id, at_target, 9) == []
            days = await tx[Calendar].by_day(CalendarKind.PLANNED, tenant.id, at_target, (MOMENT,), 9)
            assert [day.entries for day in days] == [()]

    async def test_posts_that_wait_for_their_time_are_scheduled(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        article = await _scheduled(unit_of_work, tenant.id, MOMENT + 2 * DAY, title="Heat", niche_key="boats")
        blog = IntegrationId("blog")
        asked = PostRequest(title="Plain", content="Text.", status=PostStatus.SCHEDULED, scheduled_for=MOMENT + DAY)
        waiting: dict[str, Any] = {"tenant_id": tenant.id, "request": asked, "integration_id": blog}
        there = waiting | {"status": PublicationStatus.PUBLISHED, "post_status": PostStatus.SCHEDULED}
        pending = builders.publication(**waiting)
        at_target = builders.publication(**there, article_id=article.id)
        async with unit_of_work() as tx:
            for publication in (pending, at_target):
                await tx[Publications].add(publication)
            for changes in (
                waiting | {"tenant_id": other.id},
                waiting | {"status": PublicationStatus.FAILED},
                waiting | {"request": evolve(asked, status=PostStatus.PUBLISHED)},
                there | {"finding": Finding.DELETED},
                there | {"post_status": PostStatus.PUBLISHED},
            ):
                await tx[Publications].add(builders.publication(**changes))
        async with unit_of_work() as tx:
            found = await tx[Calendar].scheduled(tenant.id, ALL, 9)
            assert _ids(found) == [*sorted((pending.id, at_target.id)), article.id]
            shown = {entry.id: entry for entry in found}
            assert (shown[pending.id].title, shown[pending.id].niche_key) == ("Plain", None)
            assert shown[pending.id].article_id is None
            assert (shown[at_target.id].article_id, shown[at_target.id].niche_key) == (article.id, "boats")
            assert _ids(await tx[Calendar].scheduled(tenant.id, evolve(ALL, integration_id=blog), 9)) == _ids(found)[:2]
            present = await tx[Publications].get(tenant.id, pending.id)
            await tx[Publications].save(present.ended("Cancelled.", MOMENT))
        async with unit_of_work() as tx:
            assert _ids(await tx[Calendar].scheduled(tenant.id, ALL, 9)) == [at_target.id, article.id]

    async def test_pages_of_any_size_show_articles_and_posts_once_in_their_order(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        article = await _scheduled(unit_of_work, tenant.id, MOMENT + DAY)
        expected: list[tuple[datetime, str]] = [(MOMENT + DAY, article.id)]
        for hours in (1, 24, 24, 60, 61):
            scheduled = await _scheduled(unit_of_work, tenant.id, MOMENT + timedelta(hours=hours))
            at = MOMENT + timedelta(hours=hours // 2)
            asked = PostRequest(title="Plain", content="Text.", status=PostStatus.SCHEDULED, scheduled_for=at)
            post = builders.publication(tenant_id=tenant.id, request=asked, article_id=article.id)
            async with unit_of_work() as tx:
                await tx[Publications].add(post)
            expected += [(MOMENT + timedelta(hours=hours), scheduled.id), (at, post.id)]
        for size in range(1, 12):
            seen: list[tuple[datetime, str]] = []
            async with unit_of_work() as tx:
                while page := await tx[Calendar].scheduled(
                    tenant.id, evolve(ALL, after=seen[-1] if seen else None), size
                ):
                    assert len(page) <= size
                    seen += [(entry.at, entry.id) for entry in page]
            assert seen == sorted(expected)

    async def test_a_day_has_its_first_entries_and_the_number_of_all(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        out: dict[str, Any] = {"status": ArticleStatus.PUBLISHED, "niche_key": "boats"}
        first = await _article(unit_of_work, tenant.id, **out, published_at=MOMENT)
        last = await _article(unit_of_work, tenant.id, **out, published_at=MOMENT + DAY - timedelta(microseconds=1))
        alone = await _article(unit_of_work, tenant.id, **out | {"niche_key": "cars"}, published_at=MOMENT + 3 * DAY)
        await _article(unit_of_work, tenant.id, **out, published_at=MOMENT + 4 * DAY)
        await _article(unit_of_work, other.id, **out, published_at=MOMENT)
        post: dict[str, Any] = {"tenant_id": tenant.id, "status": PublicationStatus.PUBLISHED}
        posts = [
            builders.publication(
                **post, post_status=PostStatus.PUBLISHED, published_at=at, integration_id=IntegrationId("blog")
            )
            for at in (MOMENT + timedelta(hours=1), MOMENT + timedelta(hours=2), MOMENT + 3 * DAY)
        ]
        async with unit_of_work() as tx:
            for publication in posts:
                await tx[Publications].add(publication)
        starts, query = [MOMENT + n * DAY for n in range(4)], evolve(ALL, end=MOMENT + 4 * DAY)
        async with unit_of_work() as tx:

            async def days(limit: int, **changes: Any) -> list[tuple[list[str], int]]:
                asked = evolve(query, **changes)
                found = await tx[Calendar].by_day(CalendarKind.PUBLISHED, tenant.id, asked, starts, limit)
                return [(_ids(list(day.entries)), day.number) for day in found]

            nothing: tuple[list[str], int] = ([], 0)
            whole, together = [first.id, posts[0].id, posts[1].id, last.id], sorted([alone.id, posts[2].id])
            assert await days(9) == [(whole, 4), nothing, nothing, (together, 2)]
            assert await days(2) == [(whole[:2], 4), nothing, nothing, (together, 2)]
            assert await days(1) == [(whole[:1], 4), nothing, nothing, (together[:1], 2)]
            assert await days(9, niche_key="cars") == [nothing, nothing, nothing, ([alone.id], 1)]
            assert (await days(9, integration_id=IntegrationId("blog")))[0] == (whole[1:3], 2)
            assert await days(9, niche_key="\0") == 4 * [nothing]
            [day, *_] = await tx[Calendar].by_day(CalendarKind.PUBLISHED, tenant.id, query, starts, 9)
            assert list(day.entries) == (await tx[Calendar].published(tenant.id, query, 9))[:4]

    async def test_what_is_planned_and_scheduled_is_found_by_day(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        plan = builders.article_plan()
        waits = await _article(unit_of_work, tenant.id, status=ArticleStatus.DRAFT, plan=plan, created_at=MOMENT + DAY)
        due = await _scheduled(unit_of_work, tenant.id, MOMENT + DAY)
        asked = PostRequest(title="Plain", content="Text.", status=PostStatus.SCHEDULED, scheduled_for=MOMENT)
        pending = builders.publication(tenant_id=tenant.id, request=asked)
        starts, query = [MOMENT, MOMENT + DAY], evolve(ALL, end=MOMENT + 2 * DAY)
        async with unit_of_work() as tx:
            await tx[Publications].add(pending)
        expected: dict[CalendarKind, list[list[str]]] = {
            CalendarKind.PLANNED: [[], [waits.id]],
            CalendarKind.SCHEDULED: [[pending.id], [due.id]],
            CalendarKind.PUBLISHED: [[], []],
        }
        async with unit_of_work() as tx:
            for kind, ids in expected.items():
                found = await tx[Calendar].by_day(kind, tenant.id, query, starts, 5)
                assert [_ids(list(day.entries)) for day in found] == ids, kind
                assert [day.number for day in found] == [len(each) for each in ids], kind

    async def test_plans_wait_since_their_creation(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        plan = builders.article_plan()
        waits = await _article(unit_of_work, tenant.id, status=ArticleStatus.DRAFT, plan=plan, created_at=MOMENT + DAY)
        await _article(unit_of_work, tenant.id, status=ArticleStatus.DRAFT, created_at=MOMENT + DAY)
        await _article(unit_of_work, tenant.id, status=ArticleStatus.GENERATED, plan=plan, created_at=MOMENT + DAY)
        async with unit_of_work() as tx:
            [entry] = await tx[Calendar].waiting_plans(tenant.id, ALL, 9)
            assert (entry.kind, entry.id, entry.at) == (CalendarKind.PLANNED, waits.id, MOMENT + DAY)

    async def test_what_is_published_is_shown_where_it_is(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        out: dict[str, Any] = {"status": ArticleStatus.PUBLISHED, "published_at": MOMENT + DAY}
        here = await _article(unit_of_work, tenant.id, **out)
        there = await _article(unit_of_work, tenant.id, **out, title="Out")
        await _article(unit_of_work, tenant.id, status=ArticleStatus.DRAFT, published_at=MOMENT)
        blog, shop = IntegrationId("blog"), IntegrationId("shop")
        post: dict[str, Any] = {
            "tenant_id": tenant.id,
            "status": PublicationStatus.PUBLISHED,
            "post_status": PostStatus.PUBLISHED,
            "published_at": MOMENT,
        }
        url = "https://blog.example.org/1"
        first = builders.publication(**post, article_id=there.id, integration_id=blog, url=url)
        second = builders.publication(**post, article_id=there.id, integration_id=shop)
        plain = builders.publication(**post, request=PostRequest(title="No article", content="Text."))
        later = evolve(second, published_at=MOMENT + 2 * DAY)
        async with unit_of_work() as tx:
            for publication in (first, second, plain):
                await tx[Publications].add(publication)
            for changes in (
                {"post_status": PostStatus.DRAFT},
                {"published_at": None},
                {"finding": Finding.DELETED},
                {"tenant_id": other.id},
            ):
                await tx[Publications].add(builders.publication(**post | changes))
            await tx[Publications].save(later)
        async with unit_of_work() as tx:
            found = await tx[Calendar].published(tenant.id, ALL, 9)
            assert _ids(found) == [*sorted((first.id, plain.id)), here.id, second.id]
            shown = {entry.id: entry for entry in found}
            assert (shown[first.id].title, shown[first.id].url, shown[first.id].integration_id) == ("Out", url, blog)
            assert (shown[plain.id].title, shown[plain.id].niche_key) == ("No article", None)
            assert shown[here.id].publication_id is None
            of_shop = await tx[Calendar].published(tenant.id, evolve(ALL, integration_id=shop), 9)
            assert _ids(of_shop) == [second.id]
            after = await tx[Calendar].published(tenant.id, evolve(ALL, after=found[1].place), 1)
            assert _ids(after) == [here.id]

    async def test_schedules_come_with_the_agents_that_they_start(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        boats, bikes = (builders.niche(tenant_id=tenant.id, niche_key=key) for key in ("boats", "bikes"))
        await given(unit_of_work, boats, bikes)
        for country, enabled in (("GB", True), ("FR", True), ("DE", False)):
            agent = builders.agent(tenant_id=tenant.id, key=AgentKey("boats", country), enabled=enabled)
            await given(unit_of_work, agent)
        schedule = builders.article_schedule(tenant_id=tenant.id, niche_id=boats.id, next_fire_at=MOMENT)
        async with unit_of_work() as tx:
            saved = await tx[ArticleSchedules].save(schedule)
            without = builders.article_schedule(tenant_id=tenant.id, niche_id=bikes.id, next_fire_at=MOMENT)
            await tx[ArticleSchedules].save(without)
            assert await tx[Calendar].schedules(tenant.id, 9) == []
            for niche in (boats, bikes):
                await tx[Niches].set_activation(tenant.id, niche, builders.activation())
        async with unit_of_work() as tx:
            assert await tx[Calendar].schedules(tenant.id, 9) == [("boats", saved, 2)]
            assert await tx[Calendar].schedules(other.id, 9) == []
            await tx[ArticleSchedules].save(evolve(saved, next_fire_at=None))
            assert await tx[Calendar].schedules(tenant.id, 9) == []


class CalendarLinksContract:
    @alien_ids
    async def test_a_user_has_one_link(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        user = builders.user(tenant_id=tenant.id)
        await given(unit_of_work, user)
        first = CalendarLink(tenant.id, user.id, "a" * 64, MOMENT)
        second = evolve(first, digest="b" * 64, created_at=MOMENT + DAY)
        async with unit_of_work() as tx:
            links = tx[CalendarLinks]
            await links.put(first)
            assert await links.find(first.digest) == await links.of_user(tenant.id, user.id) == first
            await links.put(second)
            assert (await links.find(first.digest), await links.find(second.digest)) == (None, second)
            assert await links.find(alien) is None
            assert await links.of_user(other.id, user.id) is None
            for owner, id in ((other.id, user.id), (tenant.id, UserId(alien))):
                with pytest.raises(NotFound):
                    await links.delete(owner, id)
                with pytest.raises(NotFound):
                    await links.put(CalendarLink(owner, id, "c" * 64, MOMENT))
            await links.delete(tenant.id, user.id)
            assert await links.of_user(tenant.id, user.id) is None

    async def test_it_goes_with_its_user(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        user = builders.user(tenant_id=tenant.id)
        await given(unit_of_work, user)
        async with unit_of_work() as tx:
            await tx[CalendarLinks].put(CalendarLink(tenant.id, user.id, "a" * 64, MOMENT))
        async with unit_of_work() as tx:
            await tx[Users].remove(tenant.id, user.id)
        async with unit_of_work() as tx:
            assert await tx[CalendarLinks].find("a" * 64) is None
