"""Articles that are not in a hurry: their parts are asked for in batches, each once, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from decimal import Decimal

import pytest
from attrs import define, evolve

from contentgen_core.errors import InvalidInput, ProviderFailed
from contentgen_core.model.article import Article, ArticleStatus, Usage
from contentgen_core.model.budget import Budget, WritingCosts
from contentgen_core.model.execution import ExecutionStatus
from contentgen_core.model.ids import ArticleId, BatchedPartId, ExecutionId, ModelBatchId
from contentgen_core.model.job import JobKind
from contentgen_core.model.model_batch import ModelBatch, PartState
from contentgen_core.model.prices import Cost, TokenPrices
from contentgen_core.model.vocabulary import ArticleLength, Processing
from contentgen_core.policies.tenancy.budgets import estimate, parts_of
from contentgen_core.policies.tenancy.schedules import changed_settings
from contentgen_core.ports.repositories.budgets import Budgets
from contentgen_core.ports.repositories.model_batches import ModelBatches
from contentgen_core.testing import builders
from contentgen_core.use_cases.generation.batched_models import COLLECT
from contentgen_core.use_cases.generation.model_batch import LONGEST
from tests.support.house import House, open_house
from tests.support.runs import articles, execute, run_of
from tests.support.scripted_batches import Batch, ScriptedBatches

IN_A_BATCH = Usage("scripted", 10, 5, Cost(1, "EUR"))
AT_ONCE = Usage("scripted", 10, 5, Cost(2, "EUR"))


@define
class Batching:
    house: House
    vendor: ScriptedBatches

    async def run(self, articles: int = 1) -> ExecutionId:
        """A run of the agent whose articles are not in a hurry, up to where their plans are asked for."""
        id = await execute(self.house, articles, processing=Processing.BATCH)
        await self.pass_by(seconds=10)
        return id

    async def planned(self, articles: int = 1) -> ExecutionId:
        """The same, up to where their parts are asked for."""
        id = await self.run(articles)
        await self.pass_by(minutes=4)
        self.vendor.end()
        while not all(article.plan for article in await self.articles()):
            await self.pass_by(seconds=10)
        return id

    async def pass_by(self, every: float = 30.0, **time: float) -> None:
        """Let time go by, working on what becomes due. `every`: so many seconds."""
        end = self.house.clock.now() + timedelta(**time)
        while self.house.clock.now() < end:
            while await self.house.work():
                pass
            self.house.clock.advance(seconds=min(every, (end - self.house.clock.now()).total_seconds()))
        while await self.house.work():
            pass

    async def articles(self) -> list[Article]:
        return [await self.house.article(article.id) for article in await articles(self.house)]

    async def article(self) -> Article:
        [article] = await self.articles()
        return article

    async def states(self, article_id: ArticleId) -> list[PartState]:
        async with self.house.services.ports.unit_of_work() as tx:
            return [part.state for part in (await tx[ModelBatches].parts(article_id)).values()]

    async def batch(self) -> ModelBatch | None:
        async with self.house.services.ports.unit_of_work() as tx:
            return await tx[ModelBatches].collecting(self.house.caller.tenant_id, "Scripted", "scripted", 0)

    @property
    def latest(self) -> Batch:
        """The one that was submitted last."""
        return list(self.vendor.batches.values())[-1]

    @property
    def written_at_once(self) -> int:
        """Calls for plans and parts, without those for topics."""
        return sum(n for call, n in self.house.model.calls.items() if call.startswith(("plan", "write", "rewrite")))


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

PRICES = TokenPrices(Decimal(2), Decimal(8), "EUR", cached=Decimal("0.2"), cache_written=Decimal(3))


def test_a_batch_costs_half_and_counts_on_nothing_that_was_kept() -> None:
    assert PRICES.in_a_batch.cost(1_000, 100) == Cost(PRICES.cost(1_000, 100).micros // 2, "EUR")
    assert PRICES.in_a_batch.cost(1_000, 0, cached_tokens=1_000) == PRICES.in_a_batch.cost(1_000, 0)
    assert PRICES.in_a_batch.cost(1_000, 0, cache_written_tokens=1_000) == Cost(1_500, "EUR")


def test_an_article_that_waits_is_estimated_at_the_price_of_a_batch_and_of_one_correction_each() -> None:
    costs, length = WritingCosts(True, PRICES, PRICES, batches=True), ArticleLength.STANDARD

    def of(costs: WritingCosts, processing: Processing) -> tuple[int, int]:
        found = estimate(costs, length, plan=True, parts=parts_of(length), processing=processing)
        return found.tokens, found.micros

    tokens, micros = of(costs, Processing.STANDARD)
    assert of(costs, Processing.BATCH) == (tokens, micros * 3 // 4)
    assert of(evolve(costs, batches=False), Processing.BATCH) == (tokens, micros)


async def test_an_article_that_is_asked_for_at_once_after_all_is_held_against_the_budget_anew() -> None:
    vendor, costs = ScriptedBatches(), WritingCosts(True, PRICES, PRICES, batches=True)
    async with open_house(batched=vendor, costs=costs) as house:
        batching = Batching(house, vendor)
        length, parts = ArticleLength.STANDARD, 2
        usual, processing = parts_of(length), Processing.BATCH
        reserved = estimate(costs, length, plan=True, parts=usual, processing=processing).micros
        in_a_batch = estimate(costs, length, plan=False, parts=parts, processing=processing).micros
        at_once = estimate(costs, length, plan=False, parts=parts).micros
        assert in_a_batch + 1 < at_once
        async with house.services.ports.unit_of_work() as tx:
            await tx[Budgets].set(Budget(house.caller.tenant_id, "", "EUR", reserved, house.clock.now()))
        vendor.writer.usage = Usage("scripted", 1, 1, Cost(reserved - at_once + 1, "EUR"))
        await batching.planned()
        await batching.pass_by(minutes=4)
        batch = batching.latest
        assert len(batch.parts) == parts
        vendor.end(without=batch.parts)
        await batching.pass_by(minutes=3)
        article = await batching.article()
        assert article.status is ArticleStatus.FAILED
        assert "budget of the team has too little left" in (article.error or "")
        assert batching.written_at_once == 0


async def test_a_plan_that_is_made_at_once_after_all_is_held_against_the_budget_anew() -> None:
    vendor, costs, length = ScriptedBatches(), WritingCosts(True, PRICES, PRICES, batches=True), ArticleLength.STANDARD
    async with open_house(batched=vendor, costs=costs) as house:
        batching = Batching(house, vendor)
        reserved = estimate(costs, length, plan=True, parts=parts_of(length), processing=Processing.BATCH).micros
        async with house.services.ports.unit_of_work() as tx:
            await tx[Budgets].set(Budget(house.caller.tenant_id, "", "EUR", reserved, house.clock.now()))
        await batching.run()
        await batching.pass_by(minutes=3)
        vendor.end(without=batching.latest.parts)
        await batching.pass_by(minutes=3)
        article = await batching.article()
        assert article.status is ArticleStatus.FAILED
        assert "budget of the team has too little left" in (article.error or "")
        assert batching.written_at_once == 0


@pytest.mark.parametrize("processing", list(Processing))
def test_a_schedule_says_how_soon_its_articles_are_needed(processing: Processing) -> None:
    settings = changed_settings({}, {"processing": processing.value}, ())
    schedule = builders.article_schedule(settings=settings)
    assert schedule.processing is processing
    assert builders.article_schedule(settings={}).processing is Processing.STANDARD


@pytest.mark.parametrize("wrong", ["fast", "", 1, True, ["batch"], {"batch": 1}])
def test_a_schedule_knows_no_other_processing(wrong: object) -> None:
    with pytest.raises(InvalidInput, match="processing"):
        changed_settings({}, {"processing": wrong}, ())
