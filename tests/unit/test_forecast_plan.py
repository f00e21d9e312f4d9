"""A reviewer sees what an edited plan would give before anything is consumed: words by section, and gaps."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest
from attrs import evolve

from contentgen_adapters.llm.extractive.writer import ExtractiveWriter
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import InvalidInput, NoPlanAwaitingReview, NotFound, NotPermitted
from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import ArticlePlan, PlanSection, SourceRef
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.articles.forecast import ForecastWords
from contentgen_core.use_cases.articles.forecast_plan import ForecastedPlan, ForecastPlan, ForecastPlanCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from contentgen_core.use_cases.articles.without_effect import IgnoredFields
from tests.support.house import AGENT, COVERED, House, open_house
from tests.support.http import open_api

ANALYSIS = IcuTextAnalysis()
SOLAR = PlanSection("Solar panels on a south roof", target_words=100)
OPERA = PlanSection("Opera in Vienna", target_words=100)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as house:
        yield house


async def planned(house: House) -> tuple[Article, ArticlePlan]:
    made = await house.services.writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN))
    assert made.article.plan is not None
    return made.article, made.article.plan


def by_writing(house: House) -> ForecastPlan:
    return evolve(house.services.writing.forecast_plan, forecast=ForecastWords(house.model, ANALYSIS, by_writing=True))


async def forecast(house: House, article: Article, plan: ArticlePlan | None) -> ForecastedPlan:
    return await by_writing(house)(ForecastPlanCommand(house.caller, article.id, plan))


EDITS: dict[str, Callable[[ArticlePlan], ArticlePlan]] = {
    "none": lambda plan: plan,
    "a section less": lambda plan: evolve(plan, sections=plan.sections[1:], faq=()),
    "a section more": lambda plan: evolve(plan, sections=(*plan.sections, SOLAR)),
    "one that is not held": lambda plan: evolve(plan, sections=(OPERA, *plan.sections)),
    "another order": lambda plan: evolve(plan, sections=plan.sections[::-1]),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
async def test_the_article_is_then_as_long_as_was_said(
    house: House, edit: Callable[[ArticlePlan], ArticlePlan]
) -> None:
    article, plan = await planned(house)
    edited = edit(plan)

    found = await forecast(house, article, edited)
    started = await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, article.id, edited))
    await house.work()

    assert len(found.forecast.sections) == len(edited.sections)
    assert found.gaps == started.gaps
    assert found.plan == started.article.plan
    assert found.forecast.words == (await house.article(article.id)).word_count


async def test_words_of_each_section_and_gaps_are_told(house: House) -> None:
    article, plan = await planned(house)
    before = await forecast(house, article, None)
    assert before.gaps == ()

    found = await forecast(house, article, evolve(plan, sections=(*plan.sections, SOLAR, OPERA)))

    assert found.forecast.sections[: len(plan.sections)] == before.forecast.sections
    assert found.forecast.sections[-2] > 0
    assert [gap.path for gap in found.gaps] == [f"sections[{len(plan.sections) + 1}]"]
    assert found.plan.sections[-2].source_ids
    assert not found.plan.sections[-1].source_ids


async def test_of_a_model_the_most_that_its_sources_say_is_told(house: House) -> None:
    article, plan = await planned(house)
    sections = (*(evolve(section, target_words=20) for section in plan.sections), OPERA)
    found = await house.services.writing.forecast_plan(
        ForecastPlanCommand(house.caller, article.id, evolve(plan, sections=sections))
    )
    assert found.forecast.sections == (*(20 for _ in plan.sections), 0)
    assert house.model.calls["write"] == 0


async def test_nothing_is_consumed_and_nothing_stored(house: House) -> None:
    article, plan = await planned(house)
    used = await house.articles_used()
    for edited in (None, evolve(plan, title="Another", sections=(*plan.sections, SOLAR))):
        await forecast(house, article, edited)
    assert await house.articles_used() == used
    assert await house.article(article.id) == article
    assert await house.work() == 0


async def test_what_is_edited_in_vain_is_told(house: House) -> None:
    article, plan = await planned(house)
    asking = by_writing(house)
    asking = evolve(asking, look_up=evolve(asking.look_up, ignored_fields=IgnoredFields({"audience"})))
    edited = evolve(plan, angle="Costs first", audience="Landlords")
    found = await asking(ForecastPlanCommand(house.caller, article.id, edited))
    assert found.without_effect is not None
    assert found.without_effect.fields == ("audience",)


async def test_the_built_in_writer_is_asked_what_it_would_write(house: House) -> None:
    article, plan = await planned(house)
    writer = ForecastWords(ExtractiveWriter(ANALYSIS), ANALYSIS, by_writing=True)
    asking = evolve(house.services.writing.forecast_plan, forecast=writer)
    long = evolve(plan, sections=tuple(evolve(section, target_words=300) for section in plan.sections))
    found = await asking(ForecastPlanCommand(house.caller, article.id, long))
    assert 0 < found.forecast.words < sum(section.target_words for section in long.sections)


async def test_only_a_plan_that_awaits_its_review_of_ones_own_tenant_is_looked_at(house: House) -> None:
    article, plan = await planned(house)
    reader = evolve(house.caller, role=Role.VIEWER)
    with pytest.raises(NotPermitted):
        await house.services.writing.forecast_plan(ForecastPlanCommand(reader, article.id))
    with pytest.raises(NotFound):
        await house.services.writing.forecast_plan(ForecastPlanCommand(await house.other_tenant(), article.id))
    unknown = evolve(plan.sections[0], source_ids=(SourceRef("nobody's", 0),))
    with pytest.raises(InvalidInput, match="sections"):
        await forecast(house, article, evolve(plan, sections=(unknown,)))
    with pytest.raises(NotFound):
        await house.services.writing.forecast_plan(
            ForecastPlanCommand(house.caller, article.id, niche_id="no-such-niche")
        )
    await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, article.id))
    with pytest.raises(NoPlanAwaitingReview):
        await forecast(house, article, plan)


async def test_over_http_the_answer_can_be_sent_on() -> None:
    async with open_api() as api:
        made = await api.planned()
        made["plan"]["sections"].append({"heading": SOLAR.heading, "targetWords": 100})
        body = {"articleId": made["articleId"], "plan": made["plan"]}
        answer = (await api.call("POST", "/writer/forecast-plan", body)).json()
        assert len(answer["forecast"]["sections"]) == len(made["plan"]["sections"])
        assert answer["gaps"] == []
        assert answer["plan"]["sections"][-1]["sourceIds"]
        started = await api.call("POST", "/writer/generate-from-plan", {**body, "plan": answer["plan"]})
        assert started.status_code == 200
        assert "gaps" not in started.json()
        again = await api.call("POST", "/writer/forecast-plan", body)
        assert again.status_code == 409
