"""What a reviewer adds to a plan is looked up in the knowledge base, and what that lacks is told at once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection
from contentgen_core.model.ids import ArticleId
from contentgen_core.testing.builders.knowledge import ranked_passage
from contentgen_core.use_cases.articles.look_up_plan import LookedUpPlan
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.start_from_plan import StartedFromPlan, StartFromPlanCommand
from contentgen_core.use_cases.idempotency import IdempotencyKey
from tests.support.house import AGENT, COVERED, House, open_house
from tests.support.http import open_api


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as house:
        yield house


async def planned(house: House) -> tuple[str, ArticlePlan]:
    made = await house.services.writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED))
    assert made.article.plan is not None
    return made.article.id, made.article.plan


async def start(house: House, id: str, plan: ArticlePlan, **more: object) -> StartedFromPlan:
    command = StartFromPlanCommand(house.caller, id, plan, **more)  # type: ignore[arg-type]
    return await house.services.writing.start_from_plan(command)


async def test_an_added_section_gets_its_sources(house: House) -> None:
    id, plan = await planned(house)
    added = PlanSection("Solar panels on a south roof")

    started = await start(house, id, evolve(plan, sections=(*plan.sections, added)))
    await house.work()

    assert started.gaps == ()
    article = await house.article(started.article.id)
    assert article.status is ArticleStatus.GENERATED
    assert article.plan is not None
    assert article.plan.sections[-1].heading == added.heading
    assert article.plan.sections[:-1] == plan.sections
    assert "Solar panels turn daylight into electricity" in article.content
    assert "Solar panels" in [source.title for source in article.sources]


async def test_what_the_knowledge_base_lacks_is_told_at_once(house: House) -> None:
    id, plan = await planned(house)
    sections = (evolve(plan.sections[0], key_points=("Volcanoes of Iceland",)), PlanSection("Opera in Vienna"))

    started = await start(house, id, evolve(plan, sections=sections, faq=(FaqEntry("Who wrote Faust?"),)))

    assert [(gap.path, gap.text) for gap in started.gaps] == [
        ("sections[0].keyPoints[0]", "Volcanoes of Iceland"),
        ("sections[1]", "Opera in Vienna"),
        ("faq[0]", "Who wrote Faust?"),
    ]
    assert {gap.reason for gap in started.gaps} == {"the knowledge base has nothing on this"}
    assert started.article.status is ArticleStatus.GENERATING


async def test_what_is_only_near_is_a_gap(house: House) -> None:
    id, plan = await planned(house)
    sections = (*plan.sections, PlanSection("Insulation of electric cables"))

    started = await start(house, id, evolve(plan, sections=sections))

    assert [gap.path for gap in started.gaps] == [f"sections[{len(plan.sections)}]"]


async def test_an_outline_that_nobody_changed_has_no_gaps(house: House) -> None:
    command = PlanArticleCommand(house.caller, AGENT, "Opera houses of Vienna", allow_low_coverage=True)
    made = await house.services.writing.plan(command)
    assert made.article.plan is not None
    assert not made.article.plan.cited

    started = await start(house, made.article.id, made.article.plan)

    assert started.gaps == ()


def test_what_was_found_and_is_gone_is_no_fault_of_the_plan() -> None:
    own, found, gone = (ranked_passage() for _ in range(3))
    section = PlanSection("Heat", source_ids=(own.ref, found.ref, gone.ref))
    plan = ArticlePlan("Heat", sections=(section,), faq=(FaqEntry("Why?", (gone.ref,)),))
    looked_up = LookedUpPlan(plan, {each.ref: each for each in (found, gone)}, ())

    assert looked_up.citing({own.ref, found.ref, gone.ref}) == plan
    assert looked_up.citing({own.ref, found.ref}).sections[0].source_ids == (own.ref, found.ref)
    assert looked_up.citing({own.ref, found.ref}).faq[0].source_ids == ()


async def test_nothing_is_looked_up_for_another_niche(house: House) -> None:
    id, plan = await planned(house)
    edited = evolve(plan, sections=(*plan.sections, PlanSection("Opera in Vienna")))

    async def look_up(*_: object) -> LookedUpPlan:
        raise AssertionError("looked up")

    begin = evolve(house.services.writing.start_from_plan, look_up=look_up)
    with pytest.raises(NotFound):
        await begin(StartFromPlanCommand(house.caller, ArticleId(id), edited, niche_id="elsewhere"))
    with pytest.raises(AssertionError, match="looked up"):
        await begin(StartFromPlanCommand(house.caller, ArticleId(id), edited))


async def test_a_plan_that_nobody_changed_stays(house: House) -> None:
    id, plan = await planned(house)
    before = house.model.calls.copy()

    started = await start(house, id, plan)

    assert (started.article.plan, started.gaps) == (plan, ())
    assert house.model.calls == before


async def test_a_repeated_request_starts_nothing_anew(house: House) -> None:
    id, plan = await planned(house)
    edited = evolve(plan, sections=(*plan.sections, PlanSection("Opera in Vienna")))
    key = IdempotencyKey("one", "generate-from-plan")

    first = await start(house, id, edited, idempotency=key)
    again = await start(house, id, edited, idempotency=key)

    assert first.article.id == again.article.id
    assert len(first.gaps) == 1
    assert again.gaps == ()
    assert await house.articles_used() == 1


async def test_the_answer_names_the_gaps() -> None:
    async with open_api() as api:
        plan = await api.planned()
        plan["plan"]["sections"].append({"heading": "Opera in Vienna"})
        body = {"articleId": plan["articleId"], "plan": plan["plan"]}
        answer = await api.call("POST", "/writer/generate-from-plan", body)
        assert answer.json()["gaps"] == [
            {"path": f"sections[{len(plan['plan']['sections']) - 1}]", "text": "Opera in Vienna"}
            | {"reason": "the knowledge base has nothing on this"}
        ]
