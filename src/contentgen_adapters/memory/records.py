"""Rows that are looked up by id, owned by tenants, and changed one revision after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import Table
from contentgen_adapters.shared.revisions import Record, Revised, next_revision
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import TenantId


class Owned(Protocol):
    """What a tenant owns; without one, it is the platform's."""

    @property
    def tenant_id(self) -> TenantId | None: ...


K = TypeVar("K", bound=str)
V = TypeVar("V")
W = TypeVar("W", bound=Owned)
R = TypeVar("R", bound=Revised)
T = TypeVar("T", bound=Record)


def existing(table: Table[K, V], id: K, resource: str) -> V:
    """The row with this id; `resource`: what callers call it, as errors name it. Raises NotFound."""
    row = table.get(id)
    if row is None:
        raise NotFound(resource, id)
    return row


def owned(table: Table[K, W], tenant_id: TenantId | None, id: K, resource: str) -> W:
    """The row with this id if it is this tenant's. Raises NotFound."""
    row = existing(table, id, resource)
    if row.tenant_id != tenant_id:
        raise NotFound(resource, id)
    return row


def following(stored: R, changed: R, resource: str) -> R:
    """`changed` with the revision after the stored one. Raises ConcurrentChange unless it was read at that one."""
    if stored.revision != changed.revision:
        raise ConcurrentChange.of(resource)
    return next_revision(changed)


def page_of(rows: Sequence[V], page: int, limit: int) -> Sequence[V]:
    """The rows of a page, the first of which is 1."""
    start = (page - 1) * limit
    return rows[start : start + limit]


class Records(Generic[T]):
    """One table of a tenant's own rows, each changed one revision after the other."""

    def __init__(self, session: Session, table: Table[Any, T], resource: str) -> None:
        """`resource`: what callers call a row, as errors name it."""
        self._session, self._table, self._resource = session, table, resource

    async def get(self, tenant_id: TenantId, id: str) -> T:
        """Raises NotFound."""
        return owned(self._table, tenant_id, id, self._resource)

    async def save(self, changed: T) -> T:
        """Store what was read at `changed.revision`; gives it back with the next revision. Raises NotFound,
        ConcurrentChange."""
        await self._session.writing()
        stored = await self.get(changed.tenant_id, changed.id)
        saved = following(stored, changed, self._resource)
        self._table.put(saved.id, saved)
        return saved

    def of(self, tenant_id: TenantId) -> list[T]:
        """All of a tenant's rows."""
        return [row for row in self._table.rows() if row.tenant_id == tenant_id]
