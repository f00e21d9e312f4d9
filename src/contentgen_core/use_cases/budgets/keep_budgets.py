"""Keeping budgets: an article is reserved what it may take before a model is asked, and settled when it ends.

What a reservation holds counts while its article is being written. So it is never lost with a process, and a budget is
not passed by articles that are written at the same time."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from attrs import evolve, field, frozen

from contentgen_core.errors import ContentgenError
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Article, Usage
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.budget import Reservation, Spending, WritingCosts
from contentgen_core.model.ids import TenantId
from contentgen_core.model.vocabulary import ArticleLength, Processing
from contentgen_core.policies.tenancy.budgets import estimate, parts_of, require_left
from contentgen_core.policies.tenancy.quotas import month_window
from contentgen_core.ports.repositories.budgets import Budgets
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

REQUEST_SECONDS: Final = timedelta(minutes=15)
"""How long the reservation of a plan that a person waits for holds: longer than a model's calls may take."""


def agent_of(key: AgentKey | None) -> str:
    """The key that what is written without an agent is counted under, too."""
    return "" if key is None else str(key)


@use_case
class KeepBudgets:
    costs: WritingCosts = field(factory=WritingCosts)

    async def reserve_plan(
        self, tx: Transaction, tenant_id: TenantId, agent_key: AgentKey, length: ArticleLength, id: str, now: datetime
    ) -> None:
        """Reserve a budget before a person's plan is made. `id`: of the reservation. Raises BudgetExceeded."""
        wanted = estimate(self.costs, length, plan=True, parts=0)
        held = Reservation(id, tenant_id, agent_of(agent_key), wanted, now + REQUEST_SECONDS)
        await self._reserve(tx, held, now)

    async def release(self, unit_of_work: UnitOfWork, payer: Payer, now: datetime) -> None:
        """End the reservation of a plan that nobody gets. While the database is away it expires instead."""
        with suppress(ContentgenError):
            async with unit_of_work() as tx:
                agent, month = agent_of(payer.agent_key), month_window(now)
                await tx[Budgets].settle(payer.tenant_id, agent, month, Spending(), payer.reservation)

    async def reserve(self, tx: Transaction, article: Article, now: datetime) -> None:
        """Reserve a budget before an article is written, with or without its plan. Raises BudgetExceeded."""
        length, plan = article.brief.length, article.plan
        parts = parts_of(length) if plan is None else plan_parts(plan)
        processing = article.brief.processing
        wanted = estimate(self.costs, length, plan=plan is None, parts=parts, processing=processing)
        await self._reserve(tx, self._reservation_for(article, wanted), now)

    async def reserve_at_once(self, tx: Transaction, article: Article, now: datetime) -> None:
        """Reserve the budget of an article that is no longer written in batches. Raises BudgetExceeded."""
        await self.reserve(tx, evolve(article, brief=evolve(article.brief, processing=Processing.STANDARD)), now)

    def needs_more(self, article: Article, used: Spending, written: int) -> bool:
        """Whether so many parts took more than they were estimated at. `used`: what they took."""
        length, processing = article.brief.length, article.brief.processing
        return used.exceeds(estimate(self.costs, length, plan=False, parts=written, processing=processing))

    async def extend(self, tx: Transaction, article: Article, used: Spending, left: int, now: datetime) -> None:
        """Extend the reservation of an article in writing, for the parts left, requested at once. Raises
        BudgetExceeded."""
        wanted = estimate(self.costs, article.brief.length, plan=False, parts=left)
        await self._reserve(tx, self._reservation_for(article, used.plus(wanted)), now)

    def _reservation_for(self, article: Article, wanted: Spending) -> Reservation:
        return Reservation(article.id, article.tenant_id, agent_of(article.agent_key), wanted)

    async def _reserve(self, tx: Transaction, held: Reservation, now: datetime) -> None:
        if not held.spending.tokens:
            return
        budgets = await tx[Budgets].holding(held.tenant_id, held.agent_key)
        for budget in budgets:
            standing = await tx[Budgets].standing(budget, month_window(now), now, without=held.id)
            require_left(standing, held.spending, now)
        if budgets:
            await tx[Budgets].reserve(held, now)


def plan_parts(plan: ArticlePlan) -> int:
    """Count the parts of a plan: its sections, and the FAQ if it has one."""
    return len(plan.sections) + bool(plan.faq)


@frozen
class Payer:
    """The account that a call of a model is charged to. `reservation`: its id, where one was made."""

    tenant_id: TenantId
    agent_key: AgentKey | None
    reservation: str = ""

    @classmethod
    def of_article(cls, article: Article) -> Payer:
        return cls(article.tenant_id, article.agent_key, article.id)


async def spend(tx: Transaction, payer: Payer, usage: Usage, now: datetime) -> None:
    """Count what calls of a model took, once, and take it off their reservation."""
    spending = Spending.of([usage])
    if spending.tokens:
        agent = agent_of(payer.agent_key)
        await tx[Budgets].spend(payer.tenant_id, agent, month_window(now), spending, payer.reservation)


async def settle(
    tx: Transaction, article: Article, usages: Iterable[Usage], now: datetime, reservation: str | None = None
) -> None:
    """Count what an article took that is not counted yet, and end a reservation: its own, where no other is named."""
    spending, agent = Spending.of(usages), agent_of(article.agent_key)
    await tx[Budgets].settle(article.tenant_id, agent, month_window(now), spending, reservation or article.id)
