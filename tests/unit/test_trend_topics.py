"""What trends are good for: topics of agents, topics whose coverage is computed, articles tied to them; and the demo's
samples."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput, NotPermitted
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles
from contentgen_core.ports.repositories.trends import TrendQuery, Trends
from contentgen_core.testing import builders
from contentgen_core.use_cases.agents.execute import ExecuteAgentCommand
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_http.demo.trends import RENEWED_AFTER, ensure_sample_trends
from tests.support.house import AGENT, COVERED, NICHE, House, open_house

# ------------------------------------------------------------------------------------------------ writing about them


async def given_trends(house: House, *titles: str, **changes: object) -> None:
    async with house.services.ports.unit_of_work() as tx:
        for n, title in enumerate(titles):
            fields: dict[str, object] = {"last_seen_at": house.clock.now(), "score": 90.0 - n}
            await tx[Trends].save(builders.trend(**fields | {"title": title} | changes))


async def test_an_agent_writes_first_on_the_hottest_trend_that_its_knowledge_base_carries() -> None:
    async with open_house() as house:
        await given_trends(
            house, "Electric bicycles conquer the cities", COVERED, "Winter heating costs of a heat pump"
        )
        await given_trends(house, "Efficiency of heat pumps", niche_key="ecommerce")
        await house.services.agents.execute(ExecuteAgentCommand(house.caller, AGENT, 1))
        for _ in range(4):
            await house.work()
            house.clock.advance(seconds=16)
        async with house.services.ports.unit_of_work() as tx:
            written = (await tx[Articles].page(ArticleQuery(house.caller.tenant_id))).articles
        assert [article.brief.topic for article in written] == [COVERED]


async def test_trends_of_another_language_or_of_long_ago_are_no_topics() -> None:
    async with open_house() as house:
        await given_trends(house, COVERED, language=Language.FR)
        await given_trends(house, "Heat pumps in winter", last_seen_at=house.clock.now() - timedelta(days=20))
        coverage = await _coverage(house)
        assert COVERED not in coverage


async def test_trends_are_topics_whose_coverage_is_computed() -> None:
    async with open_house() as house:
        await given_trends(house, "Electric bicycles conquer the cities", COVERED)
        coverage = await _coverage(house)
        assert coverage[COVERED]
        assert not coverage["Electric bicycles conquer the cities"]


async def _coverage(house: House) -> dict[str, bool]:
    await house.services.knowledge.topic_coverages.recompute(house.caller, None, NICHE)
    await house.work()
    found = await house.services.knowledge.topic_coverages.read(house.caller, None, NICHE)
    return {topic.name: topic.covered for topic in found.topics}


async def test_the_trend_of_an_article_must_exist() -> None:
    async with open_house() as house:
        written = builders.article(tenant_id=house.caller.tenant_id)
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(written)
        trend = builders.trend()
        edit = house.services.writing.edit

        def command(slug: str | None, id: ArticleId = written.id) -> EditArticleCommand:
            return EditArticleCommand(house.caller, id, trend_slug=slug)

        for slug in (trend.slug, "", "\x00", "x" * 10_000, "'; --"):
            with pytest.raises(InvalidInput) as refused:
                await edit(command(slug))
            assert [fault.field for fault in refused.value.errors] == ["trendSlug"]
        async with house.services.ports.unit_of_work() as tx:
            await tx[Trends].save(trend)
        assert (await edit(command(trend.slug))).trend_slug == trend.slug
        assert (await edit(EditArticleCommand(house.caller, written.id, title="Other"))).trend_slug == trend.slug
        assert (await edit(command(None))).trend_slug is None
        # a value at fault is told before what the caller may not do, and what is not there
        with pytest.raises(InvalidInput):
            await edit(evolve(command("nope"), caller=evolve(house.caller, role=Role.VIEWER)))
        with pytest.raises(InvalidInput):
            await edit(command("nope", ArticleId("nope")))
        with pytest.raises(NotPermitted):
            await edit(evolve(command(trend.slug), caller=evolve(house.caller, role=Role.VIEWER)))


# ---------------------------------------------------------------------------------------------------------- the demo


async def test_the_demo_has_sample_trends_with_texts_and_a_second_start_adds_none() -> None:
    async with open_house() as house:
        assert await ensure_sample_trends(house.services) >= 4
        async with house.services.ports.unit_of_work() as tx:
            first = (await tx[Trends].page(TrendQuery(100))).trends
            for trend in first:
                assert trend.sample
                assert trend.publishers >= 2
                assert 0 < trend.score <= 100
                assert trend.history[-1].score == trend.score
                assert set(await tx[Trends].texts(trend.slug)) == {source.url for source in trend.sources}
        assert {trend.niche_key for trend in first} == {"home-energy", "cybersecurite-pme"}
        house.clock.advance(hours=5)
        assert await ensure_sample_trends(house.services) == 0
        house.clock.advance(seconds=RENEWED_AFTER.total_seconds())
        assert await ensure_sample_trends(house.services) == len(first)
        async with house.services.ports.unit_of_work() as tx:
            again = (await tx[Trends].page(TrendQuery(100))).trends
        assert [(t.slug, t.score) for t in again] == [(t.slug, t.score) for t in first]
        assert all(now.last_seen_at > then.last_seen_at for now, then in zip(again, first, strict=True))


async def test_a_real_trend_of_a_samples_slug_is_left_alone() -> None:
    async with open_house() as house:
        await ensure_sample_trends(house.services)
        async with house.services.ports.unit_of_work() as tx:
            sample = (await tx[Trends].page(TrendQuery(1))).trends[0]
            real = await tx[Trends].save(evolve(sample, sample=False, title="Real"))
        house.clock.advance(days=5)
        await ensure_sample_trends(house.services)
        async with house.services.ports.unit_of_work() as tx:
            assert await tx[Trends].find(real.slug) == real
