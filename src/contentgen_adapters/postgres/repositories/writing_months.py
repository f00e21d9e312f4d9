"""Figures of what was written, by month."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from attrs import evolve

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.ids import TenantId
from contentgen_core.model.prices import Cost
from contentgen_core.model.writing import EndedWriting, FiguresBy, WritingFigures
from contentgen_core.ports.repositories.writing_months import WritingMonths

_COUNTED: Final = (
    "written", "failed", "words", "covered", "coverage", "sentences", "supported", "input_tokens", "output_tokens",
    "unpriced", "cached_tokens",
)  # fmt: skip
_KEY: Final = ("tenant_id", "month", "agent_key", "model", "currency")
_ADD: Final = (
    f"INSERT INTO writing_months AS m ({', '.join((*_KEY, *_COUNTED, 'micros'))})"
    f" VALUES ({', '.join(f'%({name})s' for name in (*_KEY, *_COUNTED, 'micros'))})"
    f" ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET "
    + ", ".join(f"{name} = m.{name} + excluded.{name}" for name in (*_COUNTED, "micros"))
)
_BY: Final = {
    FiguresBy.MONTH: "month::text",
    FiguresBy.AGENT: "agent_key",
    FiguresBy.MODEL: "model",
    FiguresBy.TENANT: "tenant_id",
}
_SUMS: Final = ", ".join(f"sum({name})::{'float8' if name == 'coverage' else 'bigint'}" for name in _COUNTED)
_INNER: Final = ", ".join(f"sum({name}) AS {name}" for name in _COUNTED)
# Of all tenants together, summed as they come: a month in which none of them has any is none.
_OF_ALL: Final = (
    f"SELECT month::text AS key, currency, {_INNER}, sum(micros)::bigint AS micros FROM writing_of_all"
    " WHERE month >= %(since)s GROUP BY month, currency HAVING sum(parts) > 0"
)
# Who wrote most is told by an index alone; all else is summed of these.
_FIRST_TENANTS: Final = (
    " AND tenant_id = ANY(ARRAY(SELECT tenant_id FROM writing_months WHERE month >= %(since)s"
    " GROUP BY tenant_id ORDER BY sum(words) DESC, tenant_id LIMIT %(limit)s))"
)


@repository(WritingMonths)
class PostgresWritingMonths:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, ended: EndedWriting) -> None:
        figures = ended.figures
        cost = figures.costs[0] if figures.costs else Cost(0, "")
        values = {name: getattr(figures, name) for name in _COUNTED}
        self._session.change_last(
            _ADD,
            {
                "tenant_id": ended.tenant_id,
                "month": ended.month,
                "agent_key": ended.agent_key,
                "model": ended.model,
                "currency": cost.currency,
                "micros": cost.micros,
                **values,
            },
        )

    async def figures(
        self, tenant_id: TenantId | None, by: FiguresBy, since: date, limit: int
    ) -> list[tuple[str, WritingFigures]]:
        order = "key" if by is FiguresBy.MONTH else "sum(words) DESC, key"
        rows = await self._session.read(
            f"SELECT key, {_SUMS}, array_agg(currency ORDER BY currency), array_agg(micros ORDER BY currency)"
            f" FROM ({_by_currency(tenant_id, by)}) AS c GROUP BY key ORDER BY {order} LIMIT %(limit)s",
            {"since": since, "limit": limit, **({} if tenant_id is None else {"tenant": findable(tenant_id)})},
        )
        return [(key, _figures(counted, currencies, micros)) for key, *counted, currencies, micros in rows]


def _by_currency(tenant_id: TenantId | None, by: FiguresBy) -> str:
    """SQL: the sums of each key and currency."""
    if tenant_id is None and by is FiguresBy.MONTH:
        return _OF_ALL
    chosen = _FIRST_TENANTS if by is FiguresBy.TENANT else ""
    mine = chosen if tenant_id is None else " AND tenant_id = %(tenant)s"
    return (
        f"SELECT key, currency, {_INNER}, sum(micros)::bigint AS micros"
        f" FROM (SELECT {_BY[by]} AS key, * FROM writing_months WHERE month >= %(since)s{mine}) AS m"
        " GROUP BY key, currency"
    )


def _figures(counted: Sequence[Any], currencies: Sequence[str], micros: Sequence[int]) -> WritingFigures:
    costs = tuple(Cost(sum, currency) for currency, sum in zip(currencies, micros, strict=True) if currency)
    return evolve(WritingFigures(*counted), costs=costs)
