"""Budgets, what was spent, and what is reserved."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.budget import TOKENS, Budget, Reservation, Spending, Standing
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.budgets import Budgets

FORGOTTEN_AFTER: Final = timedelta(hours=1)
_COLUMNS: Final = "tenant_id, agent_key, unit, amount, set_at"
_ADD: Final = (
    "INSERT INTO model_spending AS s (tenant_id, month, agent_key, currency, tokens, micros)"
    " VALUES (%(tenant)s, %(month)s, %(agent)s, %(currency)s, %(tokens)s, %(micros)s)"
    " ON CONFLICT (tenant_id, month, agent_key, currency)"
    " DO UPDATE SET tokens = s.tokens + excluded.tokens, micros = s.micros + excluded.micros"
)
_SPEND: Final = (
    "WITH less AS (UPDATE budget_reservations SET tokens = greatest(0, tokens - %(tokens)s),"
    " micros = greatest(0, micros - %(micros)s) WHERE id = %(of)s) " + _ADD
)
_SETTLE: Final = "WITH gone AS (DELETE FROM budget_reservations WHERE id = %(of)s) " + _ADD
# One statement: a sum that was spent is not reserved any more in the same moment.
_STANDING: Final = (
    "SELECT (SELECT coalesce(sum({amount}), 0)::bigint FROM model_spending"
    " WHERE tenant_id = %(tenant)s AND month = %(month)s{mine}{unit}),"
    " (SELECT coalesce(sum({amount}), 0)::bigint FROM budget_reservations AS r"
    " WHERE tenant_id = %(tenant)s{mine}{unit} AND id <> %(without)s AND CASE WHEN expires_at IS NULL"
    " THEN EXISTS (SELECT FROM articles WHERE articles.id = r.id AND status = 'generating')"
    " ELSE expires_at > %(now)s END)"
)


@repository(Budgets)
class PostgresBudgets:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def set(self, budget: Budget) -> None:
        await self._session.change(
            f"INSERT INTO budgets ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s) ON CONFLICT (tenant_id, agent_key)"
            " DO UPDATE SET unit = excluded.unit, amount = excluded.amount, set_at = excluded.set_at",
            (budget.tenant_id, budget.agent_key, budget.unit, budget.limit, budget.set_at),
        )

    async def clear(self, tenant_id: TenantId, agent_key: str) -> None:
        await self._session.change(
            "DELETE FROM budgets WHERE tenant_id = %s AND agent_key = %s", (findable(tenant_id), findable(agent_key))
        )

    async def of(self, tenant_id: TenantId) -> list[Budget]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM budgets WHERE tenant_id = %s ORDER BY agent_key", (findable(tenant_id),)
        )
        return [Budget(*row) for row in rows]

    async def holding(self, tenant_id: TenantId, agent_key: str) -> list[Budget]:
        rows = await self._session.write(
            f"SELECT {_COLUMNS} FROM budgets WHERE tenant_id = %s AND agent_key IN ('', %s)"
            " ORDER BY agent_key FOR UPDATE",
            (findable(tenant_id), findable(agent_key)),
        )
        return [Budget(*row) for row in rows]

    async def standing(self, budget: Budget, month: date, now: datetime, without: str = "") -> Standing:
        in_tokens = budget.unit == TOKENS
        query = _STANDING.format(
            amount="tokens" if in_tokens else "micros",
            mine=" AND agent_key = %(agent)s" if budget.agent_key else "",
            unit="" if in_tokens else " AND currency = %(unit)s",
        )
        parameters = {
            "tenant": budget.tenant_id,
            "month": month,
            "now": now,
            "without": without,
            **({"agent": budget.agent_key} if budget.agent_key else {}),
            **({} if in_tokens else {"unit": budget.unit}),
        }
        ((spent, reserved),) = await self._session.read(query, parameters)
        return Standing(budget, spent, reserved)

    async def reserve(self, reservation: Reservation, now: datetime) -> None:
        spending = reservation.spending
        await self._session.change(
            "WITH stale AS (DELETE FROM budget_reservations WHERE tenant_id = %(tenant)s AND id <> %(id)s"
            " AND expires_at < %(stale)s)"
            " INSERT INTO budget_reservations (id, tenant_id, agent_key, currency, tokens, micros, expires_at)"
            " VALUES (%(id)s, %(tenant)s, %(agent)s, %(currency)s, %(tokens)s, %(micros)s, %(expires)s)"
            " ON CONFLICT (id) DO UPDATE SET currency = excluded.currency, tokens = excluded.tokens,"
            " micros = excluded.micros, expires_at = excluded.expires_at",
            {
                "id": reservation.id,
                "tenant": reservation.tenant_id,
                "agent": reservation.agent_key,
                "currency": spending.currency,
                "tokens": spending.tokens,
                "micros": spending.micros,
                "expires": reservation.expires_at,
                "stale": now - FORGOTTEN_AFTER,
            },
        )

    async def spend(self, tenant_id: TenantId, agent_key: str, month: date, spending: Spending, of: str) -> None:
        self._add(_SPEND, tenant_id, agent_key, month, spending, of)

    async def settle(self, tenant_id: TenantId, agent_key: str, month: date, spending: Spending, of: str) -> None:
        if spending == Spending():
            await self._session.change("DELETE FROM budget_reservations WHERE id = %s", (findable(of),))
        else:
            self._add(_SETTLE, tenant_id, agent_key, month, spending, of)

    def _add(
        self, statement: str, tenant_id: TenantId, agent_key: str, month: date, spending: Spending, of: str
    ) -> None:
        self._session.change_last(
            statement,
            {
                "tenant": tenant_id,
                "month": month,
                "agent": agent_key,
                "currency": spending.currency,
                "tokens": spending.tokens,
                "micros": spending.micros,
                "of": findable(of),
            },
        )
