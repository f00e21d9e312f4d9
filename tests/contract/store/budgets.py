"""Budgets: what is spent and reserved, and that nobody passes one together with others."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import BudgetExceeded, NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.budget import TOKENS, Budget, Reservation, Spending, Standing
from contentgen_core.model.ids import TenantId
from contentgen_core.policies.tenancy.budgets import require_left
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.budgets import Budgets
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given_tenant, given_tenants

MARCH = date(2026, 3, 1)
APRIL = date(2026, 4, 1)
SOON = MOMENT + timedelta(minutes=15)
AGENT = "boats-GB"


def _budget(tenant_id: TenantId, limit: int, agent: str = "", unit: str = TOKENS) -> Budget:
    return Budget(tenant_id, agent, unit, limit, MOMENT)


async def _set(unit_of_work: UnitOfWork, *budgets: Budget) -> None:
    async with unit_of_work() as tx:
        for budget in budgets:
            await tx[Budgets].set(budget)


async def _standing(unit_of_work: UnitOfWork, budget: Budget, month: date = MARCH, without: str = "") -> Standing:
    async with unit_of_work() as tx:
        return await tx[Budgets].standing(budget, month, MOMENT, without)


async def _reserve(unit_of_work: UnitOfWork, held: Reservation) -> bool:
    """As a use case does: whether all budgets have that left."""
    try:
        async with unit_of_work() as tx:
            for budget in await tx[Budgets].holding(held.tenant_id, held.agent_key):
                require_left(await tx[Budgets].standing(budget, MARCH, MOMENT, held.id), held.spending, MOMENT)
            await tx[Budgets].reserve(held, MOMENT)
    except BudgetExceeded:
        return False
    return True


class BudgetsContract:
    async def test_a_budget_is_set_changed_and_cleared(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        own, agents = _budget(tenant.id, 5), _budget(tenant.id, 7, AGENT, "EUR")
        await _set(unit_of_work, agents, own, _budget(other.id, 1), evolve(own, limit=9))
        async with unit_of_work() as tx:
            assert await tx[Budgets].of(tenant.id) == [evolve(own, limit=9), agents]
            assert await tx[Budgets].holding(tenant.id, "cars-GB") == [evolve(own, limit=9)]
            assert await tx[Budgets].holding(tenant.id, AGENT) == [evolve(own, limit=9), agents]
            await tx[Budgets].clear(tenant.id, "")
            await tx[Budgets].clear(tenant.id, "")
        async with unit_of_work() as tx:
            assert await tx[Budgets].of(tenant.id) == [agents]

    async def test_a_tenant_that_is_not_there_has_no_budget(self, unit_of_work: UnitOfWork) -> None:
        nobody = builders.tenant().id
        with pytest.raises(NotFound):
            await _set(unit_of_work, _budget(nobody, 1))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Budgets].reserve(Reservation("r", nobody, "", Spending(1), SOON), MOMENT)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Budgets].spend(nobody, "", MARCH, Spending(1), "r")

    async def test_what_was_spent_is_summed_by_month_agent_and_unit(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for agent, month, spending in (
            (AGENT, MARCH, Spending(10, 200, "EUR")),
            (AGENT, MARCH, Spending(1, 20, "EUR")),
            (AGENT, MARCH, Spending(5)),
            ("", MARCH, Spending(100, 2_000, "EUR")),
            ("", MARCH, Spending(1_000, 9, "USD")),
            (AGENT, APRIL, Spending(10_000, 20_000, "EUR")),
        ):
            async with unit_of_work() as tx:
                await tx[Budgets].spend(tenant.id, agent, month, spending, "nothing")
        for agent, unit, spent in (
            ("", TOKENS, 1_116),
            ("", "EUR", 2_220),
            (AGENT, TOKENS, 16),
            (AGENT, "EUR", 220),
            (AGENT, "USD", 0),
        ):
            standing = await _standing(unit_of_work, _budget(tenant.id, 10_000, agent, unit))
            assert (standing.spent, standing.reserved) == (spent, 0)

    async def test_a_reservation_counts_until_it_is_spent_or_settled(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        budget = _budget(tenant.id, 1_000, AGENT)
        for held in (
            Reservation("a", tenant.id, AGENT, Spending(100, 1_000, "EUR"), SOON),
            Reservation("b", tenant.id, "cars-GB", Spending(10), SOON),
            Reservation("c", other.id, AGENT, Spending(1), SOON),
        ):
            assert await _reserve(unit_of_work, held)
        assert (await _standing(unit_of_work, budget)).reserved == 100
        assert (await _standing(unit_of_work, _budget(tenant.id, 1_000))).reserved == 110
        assert (await _standing(unit_of_work, budget, without="a")).reserved == 0
        async with unit_of_work() as tx:
            await tx[Budgets].spend(tenant.id, AGENT, MARCH, Spending(30, 2_000, "EUR"), "a")
        standing = await _standing(unit_of_work, budget)
        assert (standing.spent, standing.reserved, standing.left) == (30, 70, 900)
        assert (await _standing(unit_of_work, evolve(budget, unit="EUR"))).reserved == 0
        async with unit_of_work() as tx:
            await tx[Budgets].settle(tenant.id, AGENT, MARCH, Spending(20, 5, "EUR"), "a")
            await tx[Budgets].settle(tenant.id, "cars-GB", MARCH, Spending(), "b")
        standing = await _standing(unit_of_work, _budget(tenant.id, 1_000))
        assert (standing.spent, standing.reserved) == (50, 0)

    async def test_an_articles_reservation_holds_while_it_is_being_written(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id, status=ArticleStatus.GENERATING)
        budget = _budget(tenant.id, 100)
        async with unit_of_work() as tx:
            await tx[Articles].add(article)
            await tx[Budgets].reserve(Reservation(article.id, tenant.id, "", Spending(60)), MOMENT)
        assert (await _standing(unit_of_work, budget)).reserved == 60
        async with unit_of_work() as tx:
            stored = await tx[Articles].get(tenant.id, article.id)
            await tx[Articles].save(stored.moved_to(ArticleStatus.DRAFT, MOMENT))
        assert (await _standing(unit_of_work, budget)).reserved == 0

    async def test_a_requests_reservation_expires(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        budget = _budget(tenant.id, 100)
        for id, expires in (("old", MOMENT), ("older", MOMENT - timedelta(hours=2)), ("new", SOON)):
            assert await _reserve(unit_of_work, Reservation(id, tenant.id, "", Spending(10), expires))
        assert (await _standing(unit_of_work, budget)).reserved == 10

    async def test_nobody_passes_a_budget_together_with_others(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await _set(unit_of_work, _budget(tenant.id, 70), _budget(tenant.id, 35, AGENT))
        wanted = [
            Reservation(f"{agent}{n}", tenant.id, agent, Spending(10), SOON)
            for n in range(6)
            for agent in (AGENT, "cars-GB")
        ]
        got = await asyncio.gather(*(_reserve(unit_of_work, held) for held in wanted))
        assert sum(got) == 7
        assert sum(ok for ok, held in zip(got, wanted, strict=True) if held.agent_key == AGENT) <= 3
        assert (await _standing(unit_of_work, _budget(tenant.id, 70))).left == 0
