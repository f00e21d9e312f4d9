"""A plan that two people edit: who comes second is told. And a plan in whose place another one comes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import EditOvertaken, NoPlanAwaitingReview, NotFound
from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import ArticlePlan, PlanSection
from contentgen_core.ports.repositories.articles import ArticleQuery
from contentgen_core.testing.builders.articles import article_plan
from contentgen_core.use_cases.articles.admission import ReplacedDraft
from contentgen_core.use_cases.articles.edited_plan import SeenPlan
from contentgen_core.use_cases.articles.forecast_plan import ForecastPlanCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from tests.support.house import AGENT, COVERED, House, open_house


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as house:
        yield house


async def planned(house: House) -> tuple[Article, ArticlePlan]:
    made = await house.services.writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED))
    assert made.article.plan is not None
    return made.article, made.article.plan


async def edited(house: House, article: Article, plan: ArticlePlan, seen: SeenPlan | None) -> ArticlePlan:
    command = ForecastPlanCommand(house.caller, article.id, plan, seen=seen)
    kept = (await house.services.writing.edit_plan(command)).article.plan
    assert kept is not None
    return kept


async def test_the_second_editor_is_told_and_the_first_ones_plan_stays(house: House) -> None:
    article, plan = await planned(house)
    first = await edited(house, article, evolve(plan, title="First"), SeenPlan(plan.text_hash, "a"))
    with pytest.raises(EditOvertaken):
        await edited(house, article, evolve(plan, title="Second"), SeenPlan(plan.text_hash, "b"))
    assert (await house.article(article.id)).plan == first
    second = await edited(house, article, evolve(plan, title="Second"), SeenPlan(first.text_hash, "b"))
    assert second.title == "Second"


async def test_an_editor_has_seen_what_it_stored_itself(house: House) -> None:
    article, plan = await planned(house)
    for title in ("One", "Two", "Three"):
        await edited(house, article, evolve(plan, title=title), SeenPlan(plan.text_hash, "a"))
    stored = await edited(house, article, evolve(plan, title="Another"), None)
    assert stored.edited_in == ""
    with pytest.raises(EditOvertaken):
        await edited(house, article, evolve(plan, title="Four"), SeenPlan(plan.text_hash, "a"))


async def test_nobody_approves_a_plan_that_changed_since(house: House) -> None:
    article, plan = await planned(house)
    changed = await edited(house, article, evolve(plan, title="Changed"), None)
    start = house.services.writing.start_from_plan
    for sent in (None, evolve(plan, title="Mine")):
        with pytest.raises(EditOvertaken):
            await start(StartFromPlanCommand(house.caller, article.id, sent, seen=SeenPlan(plan.text_hash)))
    assert (await house.article(article.id)).awaits_review
    await start(StartFromPlanCommand(house.caller, article.id, seen=SeenPlan(changed.text_hash)))


async def test_another_plan_comes_in_the_place_of_one(house: House) -> None:
    article, plan = await planned(house)
    replaced = ReplacedDraft(article.id, SeenPlan(plan.text_hash))
    anew = await house.services.writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED, replaced=replaced))
    assert anew.article.awaits_review
    with pytest.raises(NotFound):
        await house.article(article.id)


async def test_what_cannot_be_replaced_leaves_no_second_plan(house: House) -> None:
    article, plan = await planned(house)
    writing = house.services.writing
    count = (await writing.articles.page(ArticleQuery(house.caller.tenant_id))).total
    await edited(house, article, evolve(plan, title="Changed"), None)
    replaced = ReplacedDraft(article.id, SeenPlan(plan.text_hash))
    with pytest.raises(EditOvertaken):
        await writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED, replaced=replaced))
    await writing.start_from_plan(StartFromPlanCommand(house.caller, article.id))
    with pytest.raises(NoPlanAwaitingReview):
        await writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED, replaced=ReplacedDraft(article.id)))
    assert (await writing.articles.page(ArticleQuery(house.caller.tenant_id))).total == count


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_hash_is_of_what_is_read(editor: str, heading: str) -> None:
    plan = article_plan()
    assert evolve(plan, edited_in=editor).text_hash == plan.text_hash
    other = evolve(plan, sections=(*plan.sections, PlanSection(heading)))
    assert other.text_hash != plan.text_hash
