"""What a batch costs, and how soon its articles are needed."""

from __future__ import annotations

from decimal import Decimal

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput
from contentgen_core.model.article import ArticleStatus, Usage
from contentgen_core.model.budget import Budget, WritingCosts
from contentgen_core.model.prices import Cost, TokenPrices
from contentgen_core.model.vocabulary import ArticleLength, Processing
from contentgen_core.policies.tenancy.budgets import estimate, parts_of
from contentgen_core.policies.tenancy.schedules import changed_settings
from contentgen_core.ports.repositories.budgets import Budgets
from contentgen_core.testing import builders
from tests.support.house import open_house
from tests.support.scripted_batches import ScriptedBatches
from tests.unit.test_model_batches import Batching

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
