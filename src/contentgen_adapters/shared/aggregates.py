"""Aggregates that are stored whole, each declared once for all stores.

An `Aggregate` says in which table it lies and by which columns it is searched. Each store makes `Records` of a
declaration; the repositories of `shared/stored` are written over `Records` and so are the same in every store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Generic, Protocol, TypeVar

from attrs import field, frozen

from contentgen_adapters.shared.revisions import Record
from contentgen_core.errors import AlreadyExists, ContentgenError
from contentgen_core.model.ids import TenantId

I = TypeVar("I", bound=str)  # noqa: E741 - an id
P = TypeVar("P")
T = TypeVar("T", bound=Record)


@frozen
class Unique:
    """At most one row of a tenant has the same values in these columns.

    :param constraint: the name of the index or constraint in the database.
    :param columns: beside the tenant; a row with None in one of them is like no other.
    :param error: what a second one raises.
    :param among: the rows that count, by the values of a column; None: all."""

    constraint: str
    columns: tuple[str, ...]
    error: Callable[[], ContentgenError]
    among: Mapping[str, Sequence[Any]] = field(factory=dict)


def taken(message: str) -> Callable[[], ContentgenError]:
    return lambda: AlreadyExists(message)


@frozen
class Aggregate(Generic[T]):
    """The declaration of an aggregate.

    :param kind: its model, with `id`, `tenant_id` and `revision`.
    :param table: a table with the columns `id`, `tenant_id`, `record`, `revision` and those of `columns`.
    :param resource: what callers call it, as errors name it.
    :param columns: what it is searched or sorted by, besides its id and its tenant.
    :param part_of: by column, the table of the row that it ends with, besides its tenant."""

    kind: type[T]
    table: str
    resource: str
    columns: Callable[[T], Mapping[str, Any]] = lambda _: {}
    unique: tuple[Unique, ...] = ()
    part_of: Mapping[str, str] = field(factory=dict)


class Records(Protocol[T]):
    """The rows of one aggregate in a transaction.

    `matching` gives values of columns: the one that a row has, a tuple of those that it may have, None for any."""

    async def add(self, new: T) -> None:
        """Raises NotFound for an unknown tenant or an unknown row that it is part of, and the errors of `unique`."""
        ...

    async def get(self, tenant_id: TenantId, id: str) -> T:
        """Raises NotFound."""
        ...

    async def find(self, tenant_id: TenantId, **matching: Any) -> T | None:
        """Return one of the rows that match; None if there is none."""
        ...

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
        """Return the rows that match in the order of the columns `by`, or the reverse with `newest`.

        :param before: the id of a row; those that follow it in that order, none if it does not exist."""
        ...

    async def count(self, tenant_id: TenantId, **matching: Any) -> int: ...

    async def save(self, changed: T) -> T:
        """Store a row that was read at `changed.revision`; return it with the next revision.

        Raises NotFound, ConcurrentChange and the errors of `unique`."""
        ...

    async def delete(self, tenant_id: TenantId, id: str) -> None:
        """Raises NotFound."""
        ...

    async def drop(self, tenant_id: TenantId, ids: Sequence[str]) -> None:
        """Delete those of them that exist."""
        ...

    async def due(self, column: str, until: datetime, limit: int) -> list[T]:
        """Return rows of all tenants with a time in `column` that is not after `until`, the earliest first."""
        ...

    async def after(self, id: str | None, limit: int) -> list[T]:
        """Return rows of all tenants by id, from the one after `id` (None: from the first)."""
        ...


class StoredWhole(Generic[T, I]):
    """A repository over records, with what all of them have."""

    def __init__(self, records: Records[T]) -> None:
        self.records = records

    async def add(self, new: T) -> None:
        await self.records.add(new)

    async def get(self, tenant_id: TenantId, id: I) -> T:
        return await self.records.get(tenant_id, id)

    async def save(self, changed: T) -> T:
        return await self.records.save(changed)

    async def delete(self, tenant_id: TenantId, id: I) -> None:
        await self.records.delete(tenant_id, id)


STORED: Final[dict[type, tuple[Aggregate[Any], Callable[[Any], Any]]]] = {}
"""By port: the aggregate, and the repository that is made of its records."""


def stored(port: type[P], aggregate: Aggregate[T]) -> Callable[[Callable[[Records[T]], P]], Callable[[Records[T]], P]]:
    """Register the decorated class as the repository of `port` in every store."""

    def register(repository: Callable[[Records[T]], P]) -> Callable[[Records[T]], P]:
        STORED[port] = aggregate, repository
        return repository

    return register
