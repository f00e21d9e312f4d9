"""Budgets, what was spent, and what is reserved."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import ARTICLES, TENANTS
from contentgen_adapters.memory.records import existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.budget import Budget, Reservation, Spending, Standing
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.ports.repositories.budgets import Budgets

BUDGETS: Final = TableOf[tuple[TenantId, str], Budget]("budgets")
MODEL_SPENDING: Final = TableOf[tuple[TenantId, date, str, str], Spending]("model_spending")
BUDGET_RESERVATIONS: Final = TableOf[str, Reservation]("budget_reservations")


@repository(Budgets)
class MemoryBudgets:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def set(self, budget: Budget) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], budget.tenant_id, "tenant")
        self._session[BUDGETS].put((budget.tenant_id, budget.agent_key), budget)

    async def clear(self, tenant_id: TenantId, agent_key: str) -> None:
        await self._session.writing()
        self._session[BUDGETS].drop((tenant_id, agent_key))

    async def of(self, tenant_id: TenantId) -> list[Budget]:
        found = (budget for budget in self._session[BUDGETS].rows() if budget.tenant_id == tenant_id)
        return sorted(found, key=lambda budget: budget.agent_key)

    async def holding(self, tenant_id: TenantId, agent_key: str) -> list[Budget]:
        await self._session.writing()
        return [budget for budget in await self.of(tenant_id) if budget.agent_key in ("", agent_key)]

    async def standing(self, budget: Budget, month: date, now: datetime, without: str = "") -> Standing:
        spent = sum(
            spending.amount(budget.unit)
            for (tenant, at, agent, _), spending in self._session[MODEL_SPENDING].items()
            if (tenant, at) == (budget.tenant_id, month) and budget.agent_key in ("", agent)
        )
        reserved = sum(
            reservation.spending.amount(budget.unit)
            for reservation in self._session[BUDGET_RESERVATIONS].rows()
            if reservation.tenant_id == budget.tenant_id
            and budget.agent_key in ("", reservation.agent_key)
            and reservation.id != without
            and self._holds(reservation, now)
        )
        return Standing(budget, spent, reserved)

    def _holds(self, reservation: Reservation, now: datetime) -> bool:
        if reservation.expires_at is not None:
            return reservation.expires_at > now
        article = self._session[ARTICLES].get(ArticleId(reservation.id))
        return article is not None and article.status is ArticleStatus.GENERATING

    async def reserve(self, reservation: Reservation, now: datetime) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], reservation.tenant_id, "tenant")
        for other in list(self._session[BUDGET_RESERVATIONS].rows()):
            stale = other.expires_at is not None and other.expires_at < now - timedelta(hours=1)
            if stale and other.tenant_id == reservation.tenant_id:
                self._session[BUDGET_RESERVATIONS].drop(other.id)
        self._session[BUDGET_RESERVATIONS].put(reservation.id, reservation)

    async def spend(self, tenant_id: TenantId, agent_key: str, month: date, spending: Spending, of: str) -> None:
        await self._session.writing()
        self._add(tenant_id, agent_key, month, spending)
        if (held := self._session[BUDGET_RESERVATIONS].get(of)) is not None:
            left = Spending(
                max(0, held.spending.tokens - spending.tokens),
                max(0, held.spending.micros - spending.micros),
                held.spending.currency,
            )
            self._session[BUDGET_RESERVATIONS].put(of, evolve(held, spending=left))

    async def settle(self, tenant_id: TenantId, agent_key: str, month: date, spending: Spending, of: str) -> None:
        await self._session.writing()
        if spending != Spending():
            self._add(tenant_id, agent_key, month, spending)
        self._session[BUDGET_RESERVATIONS].drop(of)

    def _add(self, tenant_id: TenantId, agent_key: str, month: date, spending: Spending) -> None:
        existing(self._session[TENANTS], tenant_id, "tenant")
        key = (tenant_id, month, agent_key, spending.currency)
        former = self._session[MODEL_SPENDING].get(key) or Spending(currency=spending.currency)
        self._session[MODEL_SPENDING].put(key, former.plus(spending))
