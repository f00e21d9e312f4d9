"""Declared aggregates on PostgreSQL."""

# ruff: noqa: S608 - the SQL is put together from declarations; values are always parameters

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.session import Session, require
from contentgen_adapters.shared.aggregates import Aggregate
from contentgen_adapters.shared.revisions import Record
from contentgen_core.model.ids import TenantId

T = TypeVar("T", bound=Record)


class PostgresRecords(Generic[T]):
    """The rows of an aggregate in one transaction: `Records` on PostgreSQL."""

    def __init__(self, session: Session, aggregate: Aggregate[T]) -> None:
        self._session, self._aggregate, self._table = session, aggregate, aggregate.table
        self._rows = RecordTable(session, aggregate.table, aggregate.kind, aggregate.resource)

    async def add(self, new: T) -> None:
        await self._rows.add(new, self._aggregate.columns(new))

    async def get(self, tenant_id: TenantId, id: str) -> T:
        return await self._rows.get(tenant_id, id)

    async def find(self, tenant_id: TenantId, **matching: Any) -> T | None:
        found = await self.ordered(tenant_id, by=(), limit=1, **matching)
        return found[0] if found else None

    async def ordered(
        self,
        tenant_id: TenantId,
        *,
        limit: int,
        by: Sequence[str] = ("id",),
        newest: bool = False,
        before: str | None = None,
        offset: int = 0,
        **matching: Any,
    ) -> list[T]:
        where, values = _where({"tenant_id": tenant_id, **matching})
        direction, following = (" DESC", "<") if newest else ("", ">")
        if before is not None and len(by) == 1:
            where, values = f"{where} AND id {following} %s", [*values, findable(before)]
        elif before is not None:
            row = ", ".join(by)
            where += f" AND ({row}) {following} (SELECT {row} FROM {self._table} WHERE tenant_id = %s AND id = %s)"
            values = [*values, findable(tenant_id), findable(before)]
        order = "ORDER BY " + ", ".join(f"{column}{direction}" for column in by) if by else ""
        rows = await self._session.read(
            f"SELECT {RECORD} FROM {self._table} WHERE {where} {order} LIMIT %s OFFSET %s", (*values, limit, offset)
        )
        return [self._rows.read(row) for row in rows]

    async def count(self, tenant_id: TenantId, **matching: Any) -> int:
        where, values = _where({"tenant_id": tenant_id, **matching})
        [(count,)] = await self._session.read(f"SELECT count(*) FROM {self._table} WHERE {where}", values)
        return int(count)

    async def save(self, changed: T) -> T:
        return await self._rows.save(changed, self._aggregate.columns(changed))

    async def delete(self, tenant_id: TenantId, id: str) -> None:
        deleted = await self._session.change(
            f"DELETE FROM {self._table} WHERE id = %s AND tenant_id = %s", (findable(id), findable(tenant_id))
        )
        require(deleted, self._aggregate.resource, id)

    async def drop(self, tenant_id: TenantId, ids: Sequence[str]) -> None:
        where, values = _where({"tenant_id": tenant_id, "id": tuple(ids)})
        await self._session.change(f"DELETE FROM {self._table} WHERE {where}", values)

    async def due(self, column: str, until: datetime, limit: int) -> list[T]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM {self._table} WHERE {column} <= %s ORDER BY {column}, id LIMIT %s", (until, limit)
        )
        return [self._rows.read(row) for row in rows]

    async def after(self, id: str | None, limit: int) -> list[T]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM {self._table} WHERE id > %s ORDER BY id LIMIT %s", (findable(id or ""), limit)
        )
        return [self._rows.read(row) for row in rows]


def _where(matching: Mapping[str, Any]) -> tuple[str, list[Any]]:
    conditions, values = [], []
    for column, value in matching.items():
        if value is None:
            continue
        several = isinstance(value, tuple)
        conditions.append(f"{column} = ANY(%s)" if several else f"{column} = %s")
        values.append([_searched(one) for one in value] if several else _searched(value))
    return " AND ".join(conditions), values


def _searched(value: Any) -> Any:
    return findable(value) if isinstance(value, str) else value
