"""Declared aggregates in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from contentgen_adapters.memory.common_tables import TENANTS
from contentgen_adapters.memory.records import existing, following, owned
from contentgen_adapters.memory.session import Session
from contentgen_adapters.shared.aggregates import Aggregate, Unique
from contentgen_adapters.shared.revisions import Record
from contentgen_core.model.ids import TenantId

T = TypeVar("T", bound=Record)


class MemoryRecords(Generic[T]):
    """The rows of an aggregate in one transaction: `Records` in memory."""

    def __init__(self, session: Session, aggregate: Aggregate[T]) -> None:
        self._session, self._aggregate = session, aggregate
        self._table = session.table_of(aggregate)

    async def add(self, new: T) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], new.tenant_id, "tenant")
        columns = self._columns(new)
        for column, table in self._aggregate.part_of.items():
            if columns[column] is not None:
                existing(self._session.table(table), columns[column], table.removesuffix("s"))
        self._check_unique(new)
        self._table.put(new.id, new)

    async def get(self, tenant_id: TenantId, id: str) -> T:
        return owned(self._table, tenant_id, id, self._aggregate.resource)

    async def find(self, tenant_id: TenantId, **matching: Any) -> T | None:
        return next(self._matching(tenant_id, matching), None)

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
        def place(row: T) -> tuple[Any, ...]:
            columns = self._columns(row)
            return tuple(columns[column] for column in by)

        found = sorted(self._matching(tenant_id, matching), key=place, reverse=newest)
        if before is not None:
            if len(by) == 1:
                last: tuple[Any, ...] = (before,)
            elif (row := self._table.get(before)) is not None and row.tenant_id == tenant_id:
                last = place(row)
            else:
                return []
            found = [row for row in found if (place(row) < last if newest else place(row) > last)]
        return found[offset : offset + limit]

    async def count(self, tenant_id: TenantId, **matching: Any) -> int:
        return sum(1 for _ in self._matching(tenant_id, matching))

    async def save(self, changed: T) -> T:
        await self._session.writing()
        saved = following(await self.get(changed.tenant_id, changed.id), changed, self._aggregate.resource)
        self._check_unique(saved)
        self._table.put(saved.id, saved)
        return saved

    async def delete(self, tenant_id: TenantId, id: str) -> None:
        await self._session.writing()
        self._table.drop((await self.get(tenant_id, id)).id)

    async def drop(self, tenant_id: TenantId, ids: Sequence[str]) -> None:
        await self._session.writing()
        for row in list(self._matching(tenant_id, {"id": tuple(ids)})):
            self._table.drop(row.id)

    async def due(self, column: str, until: datetime, limit: int) -> list[T]:
        timed = [(self._columns(row)[column], row) for row in self._table.rows()]
        found = sorted((at, row.id, row) for at, row in timed if at is not None and at <= until)
        return [row for _, _, row in found[:limit]]

    async def after(self, id: str | None, limit: int) -> list[T]:
        later = (row for row in self._table.rows() if id is None or row.id > id)
        return sorted(later, key=lambda row: row.id)[:limit]

    def _columns(self, row: T) -> Mapping[str, Any]:
        return {"id": row.id, "tenant_id": row.tenant_id, **self._aggregate.columns(row)}

    def _matching(self, tenant_id: TenantId, matching: Mapping[str, Any]) -> Iterator[T]:
        for row in self._table.rows():
            if row.tenant_id == tenant_id and _matches(self._columns(row), matching):
                yield row

    def _check_unique(self, row: T) -> None:
        for unique in self._aggregate.unique:
            key = _key(unique, self._columns(row))
            others = (other for other in self._table.rows() if other.id != row.id)
            if key is not None and any(_key(unique, self._columns(other)) == key for other in others):
                raise unique.error()


def _matches(columns: Mapping[str, Any], matching: Mapping[str, Any]) -> bool:
    return all(
        value is None or (columns[column] in value if isinstance(value, tuple) else columns[column] == value)
        for column, value in matching.items()
    )


def _key(unique: Unique, columns: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return what the row may share with no other; None if it does not count."""
    values = tuple(columns[column] for column in unique.columns)
    if None in values or not all(columns[column] in counted for column, counted in unique.among.items()):
        return None
    return columns["tenant_id"], *values
