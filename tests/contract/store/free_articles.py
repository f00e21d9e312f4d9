"""Free articles: their links, and the day's counts."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from contentgen_core.errors import AlreadyExists
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.free_articles import PLATFORM, FreeArticles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant

LINK = "https://web.example.org/a"
OTHER = "https://web.example.org/b"
DAY = MOMENT.date()
VISITOR = "9f2c" * 16


async def _article(unit_of_work: UnitOfWork) -> Article:
    article = builders.article(tenant_id=(await given_tenant(unit_of_work)).id)
    await given(unit_of_work, article)
    return article


async def _consume(unit_of_work: UnitOfWork, limit: int, subject: str = PLATFORM) -> bool:
    async with unit_of_work() as tx:
        return await tx[FreeArticles].consume(DAY, subject, limit)


async def _used(unit_of_work: UnitOfWork, subject: str = PLATFORM) -> int:
    async with unit_of_work() as tx:
        return await tx[FreeArticles].used(DAY, subject)


async def _kept(unit_of_work: UnitOfWork, *links: str) -> Article:
    """An article that a place of the day and one of the visitor were counted for."""
    article = await _article(unit_of_work)
    async with unit_of_work() as tx:
        assert await tx[FreeArticles].consume(DAY, PLATFORM, 10)
        assert await tx[FreeArticles].consume(DAY, VISITOR, 10)
        await tx[FreeArticles].add(article.id, links or (LINK,), DAY, VISITOR)
    return article


class FreeArticlesContract:
    async def test_links_lead_to_their_article(self, unit_of_work: UnitOfWork) -> None:
        article = await _kept(unit_of_work, LINK, OTHER, LINK)
        async with unit_of_work() as tx:
            assert await tx[FreeArticles].by_link(LINK) == article
            assert await tx[FreeArticles].by_link(OTHER) == article
            assert await tx[FreeArticles].by_link(f"{LINK}/") is None

    async def test_a_link_leads_to_one_article(self, unit_of_work: UnitOfWork) -> None:
        first, second = await _kept(unit_of_work), await _article(unit_of_work)
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[FreeArticles].add(second.id, (OTHER, LINK), DAY, VISITOR)
        async with unit_of_work() as tx:
            assert await tx[FreeArticles].by_link(LINK) == first
            assert await tx[FreeArticles].by_link(OTHER) is None

    async def test_a_deleted_articles_links_lead_nowhere_and_may_be_kept_again(self, unit_of_work: UnitOfWork) -> None:
        first, second = await _kept(unit_of_work, LINK, OTHER), await _article(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Articles].delete(first.tenant_id, first.id)
            assert await tx[FreeArticles].by_link(LINK) is None
            await tx[FreeArticles].add(second.id, (OTHER,), DAY, VISITOR)
            assert await tx[FreeArticles].by_link(OTHER) == second

    @alien_ids
    async def test_what_was_never_kept_leads_nowhere(self, unit_of_work: UnitOfWork, alien: str) -> None:
        await _kept(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[FreeArticles].by_link(alien) is None
            await tx[FreeArticles].refund(ArticleId(alien))
        assert await _used(unit_of_work) == 1

    async def test_of_many_who_count_at_once_no_more_than_the_limit_may(self, unit_of_work: UnitOfWork) -> None:
        counted = await asyncio.gather(*(_consume(unit_of_work, 5) for _ in range(12)))
        assert sum(counted) == 5
        assert await _used(unit_of_work) == 5
        assert not await _consume(unit_of_work, 5)

    async def test_nothing_may_be_counted_against_a_limit_of_none(self, unit_of_work: UnitOfWork) -> None:
        assert not await _consume(unit_of_work, 0)
        assert await _used(unit_of_work) == 0

    async def test_days_and_subjects_count_for_themselves(self, unit_of_work: UnitOfWork) -> None:
        assert await _consume(unit_of_work, 1)
        assert await _consume(unit_of_work, 1, VISITOR)
        async with unit_of_work() as tx:
            assert await tx[FreeArticles].consume(DAY + timedelta(days=1), PLATFORM, 1)
        assert (await _used(unit_of_work), await _used(unit_of_work, "another")) == (1, 0)

    async def test_what_was_counted_comes_back_once_however_often_it_is_given(self, unit_of_work: UnitOfWork) -> None:
        article = await _kept(unit_of_work)
        await _consume(unit_of_work, 10)

        async def refund() -> None:
            async with unit_of_work() as tx:
                await tx[FreeArticles].refund(article.id)

        await asyncio.gather(*(refund() for _ in range(4)))
        assert (await _used(unit_of_work), await _used(unit_of_work, VISITOR)) == (1, 0)

    async def test_a_refused_transaction_counts_nothing(self, unit_of_work: UnitOfWork) -> None:
        async def refused() -> None:
            async with unit_of_work() as tx:
                assert await tx[FreeArticles].consume(DAY, PLATFORM, 10)
                raise RuntimeError("refused")

        with pytest.raises(RuntimeError, match="refused"):
            await refused()
        assert await _used(unit_of_work) == 0

    async def test_former_days_are_forgotten_and_their_links_stay(self, unit_of_work: UnitOfWork) -> None:
        article = await _kept(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[FreeArticles].sweep(DAY) == 0
            assert await tx[FreeArticles].sweep(DAY + timedelta(days=1)) == 3
            assert await tx[FreeArticles].sweep(DAY + timedelta(days=1)) == 0
        assert (await _used(unit_of_work), await _used(unit_of_work, VISITOR)) == (0, 0)
        async with unit_of_work() as tx:
            await tx[FreeArticles].refund(article.id)
            assert await tx[FreeArticles].by_link(LINK) == article

    async def test_of_those_who_ask_to_be_alone_one_goes_on_at_a_time(self, unit_of_work: UnitOfWork) -> None:
        inside = most = 0

        async def alone() -> None:
            nonlocal inside, most
            async with unit_of_work() as tx:
                await tx[FreeArticles].lock()
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0.01)
                inside -= 1

        await asyncio.gather(*(alone() for _ in range(5)))
        assert most == 1
