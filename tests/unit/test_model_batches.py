"""Articles that are not in a hurry: their parts are asked for in batches, each once, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.budget import Budget
from contentgen_core.model.execution import ExecutionStatus
from contentgen_core.model.ids import BatchedPartId, ModelBatchId
from contentgen_core.model.job import JobKind
from contentgen_core.model.model_batch import PartState
from contentgen_core.model.prices import Cost
from contentgen_core.model.vocabulary import Processing
from contentgen_core.ports.repositories.budgets import Budgets
from contentgen_core.ports.repositories.model_batches import ModelBatches
from contentgen_core.use_cases.generation.batched_models import COLLECT
from contentgen_core.use_cases.generation.model_batch import LONGEST
from tests.support.batching import AT_ONCE, IN_A_BATCH, Batching
from tests.support.house import open_house
from tests.support.runs import execute, run_of
from tests.support.scripted_batches import Batch, ScriptedBatches


@pytest.fixture
async def batching() -> AsyncIterator[Batching]:
    vendor = ScriptedBatches()
    vendor.writer.usage = IN_A_BATCH
    async with open_house(batched=vendor) as house:
        house.model.usage = AT_ONCE
        yield Batching(house, vendor)


async def test_an_article_waits_for_its_batch_and_is_written_from_it(batching: Batching) -> None:
    run_id = await batching.run()
    article = await batching.article()
    assert article.brief.processing is Processing.BATCH
    assert (article.status, article.plan) == (ArticleStatus.GENERATING, None)
    assert await batching.states(article.id) == [PartState.WAITING]
    await batching.pass_by(minutes=3)
    assert len(batching.latest.parts) == 1
    batching.vendor.end()
    await batching.pass_by(minutes=2)
    article = await batching.article()
    assert article.plan is not None
    parts = len(article.plan.sections) + bool(article.plan.faq)
    assert await batching.states(article.id) == [PartState.WAITING] * parts
    assert len(batching.vendor.batches) == 1, "others may join the second one"
    await batching.pass_by(seconds=COLLECT.total_seconds() + 30)
    batch = batching.latest
    assert len(batch.parts) == parts
    assert await batching.house.services.writing.articles.waiting_parts(article) == parts
    await batching.pass_by(hours=3)
    assert await batching.house.status(article.id) is ArticleStatus.GENERATING
    batching.vendor.end()
    await batching.pass_by(minutes=3)
    article = await batching.article()
    assert article.status is ArticleStatus.GENERATED
    assert article.grounding is not None
    assert batching.written_at_once == 0
    assert len(batching.vendor.batches) == 2
    assert article.usage is not None
    assert article.usage.cost == Cost(1 + parts, "EUR"), "all of it at half the price"
    assert all(batch.forgotten for batch in batching.vendor.batches.values())
    assert await batching.states(article.id) == []
    assert (await run_of(batching.house, run_id)).status is ExecutionStatus.COMPLETED
    async with batching.house.services.ports.unit_of_work() as tx:
        assert await tx[ModelBatches].vendor_ids() == set()


async def test_articles_of_a_tenant_share_a_batch_and_those_of_tenants_do_not(batching: Batching) -> None:
    await batching.planned(2)
    await batching.pass_by(minutes=4)
    batch = batching.latest
    asked = [await batching.states(article.id) for article in await batching.articles()]
    assert len(asked) == 2
    assert len(batch.parts) == sum(map(len, asked))


async def test_an_article_that_is_in_a_hurry_is_asked_for_at_once(batching: Batching) -> None:
    await execute(batching.house, 1)
    await batching.pass_by(minutes=1)
    assert (await batching.article()).status is ArticleStatus.GENERATED
    assert batching.written_at_once > 0
    assert not batching.vendor.batches


async def test_without_a_vendor_of_batches_nobody_waits() -> None:
    async with open_house() as house:
        batching = Batching(house, ScriptedBatches())
        await batching.planned()
        assert (await batching.article()).status is ArticleStatus.GENERATED


async def test_parts_without_an_answer_are_asked_for_at_once(batching: Batching) -> None:
    await batching.planned()
    await batching.pass_by(minutes=4)
    batch = batching.latest
    batching.vendor.end(without=batch.parts[:1])
    await batching.pass_by(minutes=3)
    article = await batching.article()
    assert article.status is ArticleStatus.GENERATED
    assert batching.written_at_once == 1
    assert article.usage is not None
    assert article.usage.cost == Cost(1 + 2 + len(batch.parts) - 1, "EUR")


async def test_a_plan_without_an_answer_is_made_at_once(batching: Batching) -> None:
    await batching.run()
    await batching.pass_by(minutes=3)
    batching.vendor.end(without=batching.latest.parts)
    await batching.pass_by(minutes=5)
    article = await batching.article()
    assert article.plan is not None
    assert article.status is ArticleStatus.GENERATING, "its parts can wait all the same"
    assert batching.written_at_once == 1
    assert len(batching.vendor.batches) == 2


async def test_what_the_sources_do_not_support_is_written_again_at_once(batching: Batching) -> None:
    batching.vendor.writer.invented = ("The moon landing of 1969 doubled the price of falcons.",)
    await batching.planned()
    await batching.pass_by(minutes=4)
    batch = batching.latest
    batching.vendor.end()
    await batching.pass_by(minutes=3)
    article = await batching.article()
    assert article.status is ArticleStatus.GENERATED
    assert "falcons" not in article.content
    assert batching.written_at_once == len(batch.parts)
    assert article.usage is not None
    assert article.usage.cost == Cost(1 + 3 * len(batch.parts), "EUR")


async def test_a_batch_that_never_ends_is_cancelled_and_its_articles_are_written_at_once(batching: Batching) -> None:
    await batching.planned()
    await batching.pass_by(minutes=4)
    await batching.pass_by(every=1800, seconds=(COLLECT + LONGEST).total_seconds() - 420)
    article = await batching.article()
    assert article.status is ArticleStatus.GENERATING
    batch = batching.latest
    assert not batch.cancelled
    await batching.pass_by(minutes=8)
    assert batch.cancelled
    assert (await batching.article()).status is ArticleStatus.GENERATED
    assert batching.written_at_once == len(batch.parts)


async def test_a_vendor_that_does_not_answer_for_hours_is_asked_on(batching: Batching) -> None:
    await batching.planned()
    batching.vendor.failing = ProviderFailed("Scripted", "HTTP 503", retryable=True)
    await batching.pass_by(hours=2)
    assert len(batching.vendor.batches) == 1
    batching.vendor.failing = None
    await batching.pass_by(minutes=2)
    assert len(batching.vendor.batches) == 2
    batching.vendor.failing = ProviderFailed("Scripted", "HTTP 503", retryable=True)
    await batching.pass_by(hours=2)
    assert (await batching.article()).status is ArticleStatus.GENERATING
    batching.vendor.failing = None
    batching.vendor.end()
    await batching.pass_by(minutes=3)
    assert (await batching.article()).status is ArticleStatus.GENERATED
    assert (len(batching.vendor.batches), batching.written_at_once) == (2, 0)


async def test_a_vendor_that_refuses_a_batch_is_asked_at_once(batching: Batching) -> None:
    await batching.planned()
    batching.vendor.failing = ProviderFailed("Scripted", "HTTP 404", retryable=False)
    await batching.pass_by(minutes=5)
    assert (await batching.article()).status is ArticleStatus.GENERATED
    assert batching.written_at_once > 0


async def test_a_batch_whose_submission_was_not_heard_of_is_not_submitted_again(batching: Batching) -> None:
    await batching.planned()
    batching.vendor.lose_next_answer()
    await batching.pass_by(minutes=6)
    assert len(batching.vendor.batches) == 2
    batching.vendor.end()
    await batching.pass_by(minutes=3)
    assert (await batching.article()).status is ArticleStatus.GENERATED
    assert (len(batching.vendor.batches), batching.written_at_once) == (2, 0)


@pytest.mark.parametrize("moment", ["submit", "answers"])
async def test_a_killed_worker_submits_and_pays_for_nothing_twice(
    batching: Batching, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    await batching.planned()
    real = getattr(ScriptedBatches, moment)

    async def call_and_die(vendor: ScriptedBatches, *arguments: object) -> None:
        if moment == "answers":
            vendor.end()
        await real(vendor, *arguments)
        monkeypatch.setattr(ScriptedBatches, moment, real)
        raise Killed

    monkeypatch.setattr(ScriptedBatches, moment, call_and_die)
    with pytest.raises(Killed):
        await batching.pass_by(minutes=6)
    batching.house.clock.advance(seconds=31)
    await batching.pass_by(minutes=5)
    batching.vendor.end()
    await batching.pass_by(minutes=5)
    article = await batching.article()
    assert article.status is ArticleStatus.GENERATED
    batch = batching.latest
    assert batching.written_at_once == 0
    assert article.usage is not None
    assert article.usage.cost == Cost(1 + len(batch.parts), "EUR")


async def test_an_article_whose_worker_dies_while_it_reads_the_answers_pays_once(batching: Batching) -> None:
    class Killed(BaseException):
        pass

    def kill(method: str, position: int) -> None:
        if position == 1:
            raise Killed

    await batching.planned()
    await batching.pass_by(minutes=4)
    batch = batching.latest
    batching.vendor.end()
    batching.vendor.writer.before = kill
    with pytest.raises((Killed, BaseExceptionGroup)):
        await batching.pass_by(minutes=3)
    batching.vendor.writer.before = lambda method, position: None
    batching.house.clock.advance(seconds=31)
    await batching.pass_by(minutes=3)
    article = await batching.article()
    assert article.status is ArticleStatus.GENERATED
    assert batching.written_at_once == 0
    assert article.usage is not None
    assert article.usage.cost == Cost(1 + len(batch.parts), "EUR")


async def test_a_batch_that_nobody_waits_for_is_cancelled(batching: Batching) -> None:
    await batching.planned(2)
    await batching.pass_by(minutes=4)
    first, second = await batching.articles()
    await batching.house.services.writing.delete(batching.house.caller, first.id)
    await batching.pass_by(minutes=3)
    batch = batching.latest
    assert not batch.cancelled, "another article waits for it"
    await batching.house.services.writing.delete(batching.house.caller, second.id)
    await batching.pass_by(minutes=3)
    assert batch.cancelled
    async with batching.house.services.ports.unit_of_work() as tx:
        assert await tx[ModelBatches].vendor_ids() == set()


async def test_a_batch_that_nobody_waits_for_is_not_even_submitted(batching: Batching) -> None:
    await batching.planned()
    await batching.house.services.writing.delete(batching.house.caller, (await batching.article()).id)
    await batching.pass_by(minutes=5)
    assert len(batching.vendor.batches) == 1, "that of the plan"
    assert await batching.batch() is None


async def test_a_batch_of_somebody_else_that_was_taken_for_ours_is_left_alone(
    batching: Batching, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find(vendor: ScriptedBatches, *asked: object) -> str:
        return "another's"

    monkeypatch.setattr(ScriptedBatches, "find", find)
    for outcome in ("ended", "deleted"):
        await batching.planned()
        another = batching.vendor.batches["another's"] = Batch(ModelBatchId("x"), (BatchedPartId("y"),))
        batching.vendor.lose_next_answer()
        await batching.pass_by(minutes=5)
        article = next(a for a in await batching.articles() if a.status is ArticleStatus.GENERATING)
        if outcome == "ended":
            batching.vendor.end()
        else:
            await batching.house.services.writing.delete(batching.house.caller, article.id)
        await batching.pass_by(minutes=4)
        assert not another.forgotten
        assert not another.cancelled
        if outcome == "ended":
            assert await batching.house.status(article.id) is ArticleStatus.GENERATED
            assert batching.written_at_once == 2
        async with batching.house.services.ports.unit_of_work() as tx:
            assert await tx[ModelBatches].vendor_ids() == set()


async def test_what_a_batch_answered_for_an_article_that_ended_is_spent(batching: Batching) -> None:
    await batching.planned()
    await batching.pass_by(minutes=4)
    article, batch = await batching.article(), batching.latest
    batching.vendor.end()
    batching.house.clock.advance(seconds=60)
    [job] = [job for job in await batching.house.claim() if job.kind is JobKind.RUN_MODEL_BATCH]
    await batching.house.services.handlers[job.kind](job)
    before = await spent(batching)
    await batching.house.services.writing.delete(batching.house.caller, article.id)
    assert await spent(batching) - before == len(batch.parts)


async def spent(batching: Batching) -> int:
    """In millionths of an EUR."""
    now = batching.house.clock.now()
    budget = Budget(batching.house.caller.tenant_id, "", "EUR", 1, now)
    async with batching.house.services.ports.unit_of_work() as tx:
        return (await tx[Budgets].standing(budget, now.date().replace(day=1), now)).spent


# ------------------------------------------------------------------------------------------------- budgets and settings
