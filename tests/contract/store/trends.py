"""Trends: stored completely, found by niche, words and date, clicked, swept."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange
from contentgen_core.model.trend import Trend, TrendCategory, TrendPoint, TrendSlug, TrendText
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.trends import TrendQuery, Trends
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids

HOUR: Final = timedelta(hours=1)


async def _stored(unit_of_work: UnitOfWork, **changes: object) -> Trend:
    async with unit_of_work() as tx:
        return await tx[Trends].save(builders.trend(**changes))


async def _slugs(unit_of_work: UnitOfWork, query: TrendQuery) -> list[str]:
    async with unit_of_work() as tx:
        return [trend.slug for trend in (await tx[Trends].page(query)).trends]


class TrendsContract:
    async def test_a_trend_is_given_back_as_it_was_saved(self, unit_of_work: UnitOfWork) -> None:
        trend = builders.trend(
            title="Pompes à chaleur : l’aide monte 🏡",
            language=Language.FR,
            category=TrendCategory.REGULATION,
            score=73.25,
            sources=(builders.trend_source(engagement=12), builders.trend_source(excerpt="")),
            history=(TrendPoint(MOMENT, 12.5, 1), TrendPoint(MOMENT + HOUR, 73.25, 2)),
            last_seen_at=MOMENT + timedelta(microseconds=7),
            sample=True,
        )
        async with unit_of_work() as tx:
            saved = await tx[Trends].save(trend)
        assert saved == evolve(trend, revision=1)
        async with unit_of_work() as tx:
            assert await tx[Trends].find(trend.slug) == saved

    async def test_an_older_revision_is_refused_and_so_is_a_second_one_of_the_slug(
        self, unit_of_work: UnitOfWork
    ) -> None:
        trend = await _stored(unit_of_work)
        async with unit_of_work() as tx:
            saved = await tx[Trends].save(evolve(trend, score=60.0))
        assert saved.revision == 2
        for stale in (trend, evolve(trend, revision=0), builders.trend(slug=TrendSlug("unknown"), revision=3)):
            with pytest.raises(ConcurrentChange):
                async with unit_of_work() as tx:
                    await tx[Trends].save(stale)
        async with unit_of_work() as tx:
            assert await tx[Trends].find(trend.slug) == saved

    async def test_the_highest_scores_come_first_and_the_total_counts_all(self, unit_of_work: UnitOfWork) -> None:
        for slug, score in (("b", 10.0), ("d", 90.0), ("a", 10.0), ("c", 50.5)):
            await _stored(unit_of_work, slug=TrendSlug(slug), score=score)
        assert await _slugs(unit_of_work, TrendQuery()) == ["d", "c", "a", "b"]
        async with unit_of_work() as tx:
            page = await tx[Trends].page(TrendQuery(limit=2))
            assert [trend.slug for trend in page.trends] == ["d", "c"]
            assert page.total == 4

    async def test_a_page_is_narrowed_by_niche_words_and_date(self, unit_of_work: UnitOfWork) -> None:
        await _stored(unit_of_work, slug=TrendSlug("pumps"), title="Heat Pumps", summary="Quiet ones")
        await _stored(unit_of_work, slug=TrendSlug("cars"), niche_key="cars", title="Électric", summary="heating up")
        await _stored(unit_of_work, slug=TrendSlug("old"), title="Heat", summary="", last_seen_at=MOMENT - HOUR)
        for query, expected in (
            (TrendQuery(niche_key="cars"), ["cars"]),
            (TrendQuery(niche_key="none"), []),
            (TrendQuery(search="HEAT"), ["cars", "old", "pumps"]),
            (TrendQuery(search="pum qui"), ["pumps"]),
            (TrendQuery(search="électric"), ["cars"]),
            (TrendQuery(search="eat"), []),
            (TrendQuery(search="!?"), ["cars", "old", "pumps"]),
            (TrendQuery(since=MOMENT), ["cars", "pumps"]),
            (TrendQuery(niche_key=builders.NICHE_KEY, search="heat", since=MOMENT), ["pumps"]),
        ):
            assert sorted(await _slugs(unit_of_work, query)) == expected, query

    async def test_those_of_a_niche_come_the_last_seen_first(self, unit_of_work: UnitOfWork) -> None:
        for slug, hours in (("a", 0), ("c", 2), ("b", 2), ("d", 1)):
            await _stored(unit_of_work, slug=TrendSlug(slug), last_seen_at=MOMENT + hours * HOUR)
        await _stored(unit_of_work, slug=TrendSlug("other"), niche_key="cars")
        async with unit_of_work() as tx:
            found = await tx[Trends].of_niche(builders.NICHE_KEY, MOMENT, 10)
            assert [trend.slug for trend in found] == ["b", "c", "d", "a"]
            found = await tx[Trends].of_niche(builders.NICHE_KEY, MOMENT + HOUR, 2)
            assert [trend.slug for trend in found] == ["b", "c"]

    async def test_niches_are_counted_with_their_scores(self, unit_of_work: UnitOfWork) -> None:
        await _stored(unit_of_work, score=40.0)
        await _stored(unit_of_work, score=50.0, last_seen_at=MOMENT - HOUR)
        await _stored(unit_of_work, score=70.0, niche_key="cars")
        await _stored(unit_of_work, score=70.0, niche_key="boats")
        async with unit_of_work() as tx:
            counted = [(n.niche_key, n.trends, n.highest, n.sum) for n in await tx[Trends].by_niche()]
            recent = [(n.niche_key, n.trends) for n in await tx[Trends].by_niche(MOMENT)]
        assert counted == [
            (builders.NICHE_KEY, 2, 50.0, 90.0),
            ("boats", 1, 70.0, 70.0),
            ("cars", 1, 70.0, 70.0),
        ]
        assert recent == [("boats", 1), ("cars", 1), (builders.NICHE_KEY, 1)]

    async def test_a_taken_slug_gets_a_number(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            assert await tx[Trends].free_slug("heat") == "heat"
        for slug in ("heat", "heat-2", "heat-30"):
            await _stored(unit_of_work, slug=TrendSlug(slug))
        async with unit_of_work() as tx:
            assert await tx[Trends].free_slug("heat") == "heat-3"
            assert await tx[Trends].free_slug("hea") == "hea"

    async def test_trends_that_want_the_same_slug_at_once_get_different_ones(self, unit_of_work: UnitOfWork) -> None:
        async def add() -> None:
            async with unit_of_work() as tx:
                slug = await tx[Trends].free_slug("heat")
                await tx[Trends].save(builders.trend(slug=slug))

        await asyncio.gather(*(add() for _ in range(4)))
        assert sorted(await _slugs(unit_of_work, TrendQuery())) == ["heat", "heat-2", "heat-3", "heat-4"]

    async def test_clicks_are_counted_apart_from_revisions(self, unit_of_work: UnitOfWork) -> None:
        trend = await _stored(unit_of_work, clicks=99)
        assert trend.clicks == 0

        async def click() -> None:
            async with unit_of_work() as tx:
                await tx[Trends].add_clicks(trend.slug, 2)

        await asyncio.gather(*(click() for _ in range(5)))
        async with unit_of_work() as tx:
            assert await tx[Trends].save(evolve(trend, score=1.0, clicks=0)) == evolve(
                trend, score=1.0, clicks=10, revision=2
            )
        async with unit_of_work() as tx:
            found = await tx[Trends].find(trend.slug)
            assert found is not None
            assert found.clicks == 10
            assert (await tx[Trends].page(TrendQuery())).trends == (found,)

    async def test_texts_are_those_of_its_sources(self, unit_of_work: UnitOfWork) -> None:
        trend = await _stored(unit_of_work)
        first, second = (source.url for source in trend.sources)
        async with unit_of_work() as tx:
            await tx[Trends].save_texts(trend.slug, [TrendText(first, "one"), TrendText("https://x.example/", "no")])
        async with unit_of_work() as tx:
            await tx[Trends].save_texts(trend.slug, [TrendText(second, "zwei"), TrendText(first, "un")])
        async with unit_of_work() as tx:
            assert await tx[Trends].texts(trend.slug) == {first: "un", second: "zwei"}
        async with unit_of_work() as tx:
            await tx[Trends].save(evolve(trend, sources=trend.sources[1:]))
            await tx[Trends].save_texts(trend.slug, [])
        async with unit_of_work() as tx:
            assert await tx[Trends].texts(trend.slug) == {second: "zwei"}

    async def test_old_trends_are_swept_with_their_texts_but_for_samples(self, unit_of_work: UnitOfWork) -> None:
        for slug in ("old-1", "old-2", "old-3"):
            old = await _stored(unit_of_work, slug=TrendSlug(slug), last_seen_at=MOMENT - HOUR)
            async with unit_of_work() as tx:
                await tx[Trends].save_texts(old.slug, [TrendText(old.sources[0].url, "text")])
        await _stored(unit_of_work, slug=TrendSlug("sample"), last_seen_at=MOMENT - HOUR, sample=True)
        await _stored(unit_of_work, slug=TrendSlug("new"), last_seen_at=MOMENT)
        async with unit_of_work() as tx:
            assert await tx[Trends].sweep(MOMENT, 2) == 2
        async with unit_of_work() as tx:
            assert await tx[Trends].sweep(MOMENT, 2) == 1
            assert await tx[Trends].sweep(MOMENT, 2) == 0
        assert sorted(await _slugs(unit_of_work, TrendQuery())) == ["new", "sample"]
        async with unit_of_work() as tx:
            assert await tx[Trends].texts(TrendSlug("old-1")) == {}

    @alien_ids
    async def test_what_names_no_trend_is_not_found_and_changes_nothing(
        self, unit_of_work: UnitOfWork, alien: str
    ) -> None:
        async with unit_of_work() as tx:
            slug = TrendSlug(alien)
            assert await tx[Trends].find(slug) is None
            assert await tx[Trends].texts(slug) == {}
            await tx[Trends].add_clicks(slug, 1)
            await tx[Trends].save_texts(slug, [TrendText("https://x.example/", "x")])
            assert (await tx[Trends].page(TrendQuery(niche_key=alien, search=alien))).total == 0
            assert await tx[Trends].of_niche(alien, MOMENT, 5) == []
