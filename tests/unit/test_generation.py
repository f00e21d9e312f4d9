"""The pipeline and the use cases around it, over memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import (
    IdempotencyKeyReused,
    InvalidInput,
    NoPlanAwaitingReview,
    NotFound,
    PlanForbids,
    QuotaExceeded,
    TopicAlreadyGenerating,
)
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_plan import ArticlePlan, SourceRef
from contentgen_core.model.coverage import CoverageTooLow
from contentgen_core.model.grounding import GroundingLevel, Verdict
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.writing import FiguresBy, Stage
from contentgen_core.ports.content_model import Answer, PlanRequest
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand, Planned
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from contentgen_core.use_cases.idempotency import IdempotencyKey
from tests.support.house import AGENT, COVERED, NICHE, House, open_house

OFF_TOPIC = "Medieval falconry and its laws"


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def generate(house: House, topic: str | None = COVERED, **changes: object) -> ArticleId:
    command = GenerateArticleCommand(house.caller, NICHE, topic, language=Language.EN)
    return await house.services.writing.generate(evolve(command, **changes))


async def plan(house: House, topic: str | None = COVERED, **changes: object) -> Planned:
    command = PlanArticleCommand(house.caller, AGENT, topic, language=Language.EN)
    return await house.services.writing.plan(evolve(command, **changes))


async def test_an_article_is_written_from_its_sources_and_every_sentence_holds(house: House) -> None:
    id = await generate(house, agent_key=AGENT)
    assert await house.status(id) is ArticleStatus.GENERATING
    await house.work()
    article = await house.article(id)
    assert article.status is ArticleStatus.GENERATED
    assert article.progress == 100
    assert article.grounding is not None
    assert article.grounding.level is GroundingLevel.FULL
    assert {s.verdict for s in article.grounding.sentences} == {Verdict.SUPPORTED}
    assert article.sources
    assert all(f"[{source.number}]" in article.content for source in article.sources)
    assert article.usage is not None
    assert article.usage.input_tokens == 10 * sum(house.model.calls.values())
    assert article.slug
    assert article.word_count > 0


async def test_a_plan_waits_for_its_review_and_is_written_as_edited(house: House) -> None:
    planned = await plan(house)
    assert planned.article.status is ArticleStatus.DRAFT
    assert planned.article.plan is not None
    assert await house.work() == 0
    first = planned.article.plan.sections[0]
    edited = evolve(planned.article.plan, title="My title", sections=(evolve(first, heading="My heading"),), faq=())
    await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, planned.article.id, edited))
    await house.work()
    article = await house.article(planned.article.id)
    assert article.status is ArticleStatus.GENERATED
    assert article.title == "My title"
    assert "## My heading" in article.content
    assert await house.articles_used() == 1


async def test_an_edited_plan_may_not_cite_what_the_tenant_cannot_see(house: House) -> None:
    planned = await plan(house)
    assert planned.article.plan is not None
    section = evolve(planned.article.plan.sections[0], source_ids=(SourceRef("elsewhere", 0),))
    with pytest.raises(InvalidInput, match="elsewhere"):
        await house.services.writing.start_from_plan(
            StartFromPlanCommand(house.caller, planned.article.id, evolve(planned.article.plan, sections=(section,)))
        )
    assert await house.status(planned.article.id) is ArticleStatus.DRAFT


async def test_only_a_draft_with_a_plan_starts_from_a_plan(house: House) -> None:
    id = await generate(house)
    with pytest.raises(NoPlanAwaitingReview):
        await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, id))


async def test_the_same_topic_cannot_generate_twice_at_once(house: House) -> None:
    await generate(house, "Heat  Pumps in Winter")
    with pytest.raises(TopicAlreadyGenerating):
        await generate(house, "heat pumps IN winter")
    planned = await plan(house, "Heat pumps in winter")
    with pytest.raises(TopicAlreadyGenerating):
        await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, planned.article.id))
    assert await house.articles_used() == 2


async def test_an_uncovered_topic_is_refused_and_costs_nothing(house: House) -> None:
    with pytest.raises(CoverageTooLow) as caught:
        await generate(house, OFF_TOPIC, agent_key=AGENT)
    assert caught.value.coverage.score < 50
    with pytest.raises(CoverageTooLow):
        await plan(house, OFF_TOPIC)
    with pytest.raises(CoverageTooLow):
        await plan(house, "Medieval falconry", coverage_level="high")
    assert await house.articles_used() == 0


async def test_an_allowed_uncovered_topic_is_written_plainly_unsourced(house: House) -> None:
    planned = await plan(house, "Falconry", allow_low_coverage=True, auto_validate=True)
    await house.work()
    article = await house.article(planned.article.id)
    assert article.status is ArticleStatus.GENERATED
    assert article.grounding is not None
    assert article.grounding.level is GroundingLevel.NONE
    assert not article.sources
    assert "[1]" not in article.content


async def test_forged_coverage_sources_are_looked_up_again(house: House) -> None:
    planned = await plan(house, coverage_level="high", coverage_sources=(SourceRef("forged", 0), SourceRef("x\0", 1)))
    known = {source.ref for source in planned.sources}
    assert known
    assert SourceRef("forged", 0) not in known


async def test_named_coverage_sources_are_used_without_another_search(house: House) -> None:
    ref = (await plan(house)).sources[0].ref
    planned = await plan(house, "Heat pump efficiency", coverage_level="medium", coverage_sources=(ref,))
    assert [source.ref for source in planned.sources] == [ref]


async def test_an_invented_sentence_is_rewritten_or_dropped() -> None:
    lie = "The moon landing of 1969 doubled the price of falcons."
    for stubborn in (False, True):
        async with open_house() as house:
            house.model.invented, house.model.stubborn = (lie,), stubborn
            id = await generate(house)
            await house.work()
            article = await house.article(id)
            assert "falcons" not in article.content
            assert article.status is ArticleStatus.GENERATED
            assert any(call.startswith("rewrite") for call in house.model.calls)


async def test_the_stages_of_an_article_are_kept_with_what_they_took(house: House) -> None:
    house.model.wait = lambda: asyncio.sleep(0, house.clock.advance(seconds=2))
    planned = (await plan(house)).article
    await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, planned.id))
    await house.work()
    trace = await house.services.writing.insights.trace(house.caller, planned.id)
    assert trace.article.plan is not None
    sections = len(trace.article.plan.sections) + bool(trace.article.plan.faq)
    stages = [(stage.stage, stage.attempt) for stage in trace.stages]
    assert stages == [(Stage.PLAN, 0), *[(Stage.SECTION, 1)] * sections, (Stage.CHECK, 1)]
    assert trace.stages[0].seconds == 2
    assert all(stage.seconds >= 2 for stage in trace.stages if stage.stage is Stage.SECTION)
    used = sum(stage.usage.input_tokens for stage in trace.stages if stage.usage)
    assert trace.article.usage is not None
    assert used == trace.article.usage.input_tokens
    insights = await house.services.writing.insights(house.caller, FiguresBy.AGENT)
    [(agent, figures)] = insights.parts
    assert (agent, figures.written, figures.words) == (AGENT, 1, trace.article.word_count)
    assert (figures.support, figures.input_tokens) == (1.0, used)
    await house.services.writing.delete(house.caller, planned.id)
    kept = await house.services.writing.insights(house.caller, FiguresBy.AGENT)
    assert kept.total == insights.total, "what was written and paid stays in the figures"


async def test_of_twelve_requests_for_the_last_three_articles_three_succeed() -> None:
    async with open_house(PlanName.FREE) as house:
        outcomes = await asyncio.gather(
            *(generate(house, f"Heat pump question {n}") for n in range(12)), return_exceptions=True
        )
        assert sum(isinstance(outcome, str) for outcome in outcomes) == 3
        assert all(isinstance(o, str | QuotaExceeded) for o in outcomes)
        assert await house.articles_used() == 3


async def test_an_idempotency_key_makes_one_article(house: House) -> None:
    key = IdempotencyKey("k1", "body-1")
    first, second = await asyncio.gather(generate(house, idempotency=key), generate(house, idempotency=key))
    assert first == second
    planned = await plan(house, idempotency=IdempotencyKey("k2", "plan"))
    assert (await plan(house, idempotency=IdempotencyKey("k2", "plan"))).article.id == planned.article.id
    with pytest.raises(IdempotencyKeyReused):
        await generate(house, "Another topic", idempotency=IdempotencyKey("k1", "body-2"))
    assert await house.articles_used() == 2


async def test_an_idempotency_key_starts_a_plan_once(house: House) -> None:
    planned = await plan(house)
    command = StartFromPlanCommand(house.caller, planned.article.id, idempotency=IdempotencyKey("k", "start"))
    first, second = await asyncio.gather(*(house.services.writing.start_from_plan(command) for _ in range(2)))
    assert first.article == second.article
    assert (first.article.id, first.article.status) == (planned.article.id, ArticleStatus.GENERATING)
    assert len(await house.claim()) == 1


async def test_a_person_who_edits_while_the_pipeline_stores_wins(house: House) -> None:
    id = await generate(house)
    [job] = await house.claim()

    async def edit() -> Article:
        await asyncio.sleep(0)
        return await house.services.writing.edit(EditArticleCommand(house.caller, id, title="Mine"))

    await asyncio.gather(house.services.jobs.generate_article(job), edit())
    article = await house.article(id)
    assert article.title == "Mine"
    assert article.status in (ArticleStatus.DRAFT, ArticleStatus.GENERATED)


async def test_what_a_plan_does_not_include_is_refused() -> None:
    async with open_house(PlanName.STARTER) as house:
        with pytest.raises(PlanForbids):
            await plan(house, include_mermaid=True)
        with pytest.raises(PlanForbids):
            await generate(house, include_mermaid=True)
        assert await house.articles_used() == 0


async def test_a_topic_is_suggested_when_none_is_given(house: House) -> None:
    id = await generate(house, None)
    article = await house.article(id)
    assert article.brief.topic in {"Heat pump efficiency", "Heat pumps in winter", "Solar panels",
                                   "Sizing heat pumps", "Winter heating costs"}  # fmt: skip


async def test_another_tenant_sees_neither_the_article_nor_the_knowledge(house: House) -> None:
    other = await house.other_tenant()
    id = await generate(house)
    with pytest.raises(NotFound):
        await house.services.writing.articles.one(other, id)
    with pytest.raises(CoverageTooLow):
        await plan(house, caller=other)


async def test_a_scheduled_article_is_published_when_its_time_has_come(house: House) -> None:
    id = await generate(house)
    await house.work()
    at = house.clock.now() + timedelta(hours=1)
    edit = EditArticleCommand(house.caller, id, status=ArticleStatus.SCHEDULED)
    with pytest.raises(InvalidInput):
        await house.services.writing.edit(edit)
    await house.services.writing.edit(evolve(edit, scheduled_for=at))
    await house.work()
    assert await house.status(id) is ArticleStatus.SCHEDULED
    later = at + timedelta(hours=1)
    await house.services.writing.edit(evolve(edit, scheduled_for=later))
    house.clock.set(at + timedelta(seconds=1))
    await house.work()
    assert await house.status(id) is ArticleStatus.SCHEDULED
    house.clock.set(later)
    await house.work()
    article: Article = await house.article(id)
    assert article.status is ArticleStatus.PUBLISHED
    assert article.published_at == later


async def test_no_section_repeats_another(house: House) -> None:
    planned = house.model.plan

    async def overlapping(request: PlanRequest) -> Answer[ArticlePlan]:
        answer = await planned(request)
        first, *others = answer.value.sections
        both = [evolve(section, source_ids=(*first.source_ids, *section.source_ids)) for section in others]
        return evolve(answer, value=evolve(answer.value, sections=(first, *both), faq=()))

    house.model.plan = overlapping  # type: ignore[method-assign]
    id = await generate(house)
    await house.work()

    article = await house.article(id)
    assert article.plan is not None
    assert [len(section.source_ids) for section in article.plan.sections] == [1, 2, 2]
    sentences = [sentence.text for sentence in article.grounding.sentences] if article.grounding else []
    assert len(sentences) == len(set(sentences)) == 3
