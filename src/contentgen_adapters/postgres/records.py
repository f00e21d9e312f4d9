"""Aggregates that are kept whole, as JSON of the model in a column `record`, beside a counter of their revisions."""

# ruff: noqa: S608 - the SQL is put together from the repositories' own constants; values are always parameters

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, Protocol, TypeVar, cast

import attrs

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import TenantId

RECORD: Final = "record::text, revision"
"""The columns that `Records.read` takes."""


class Revised(attrs.AttrsInstance, Protocol):
    """What a tenant owns and changes, one revision after the other."""

    @property
    def id(self) -> str: ...
    @property
    def tenant_id(self) -> TenantId: ...
    @property
    def revision(self) -> int: ...


T = TypeVar("T", bound=Revised)


class Records(Generic[T]):
    """One table of such aggregates: `id`, `tenant_id`, `record`, `revision`, and what else is searched or sorted by."""

    def __init__(self, session: Session, table: str, kind: type[T], resource: str) -> None:
        """`resource`: what callers call it, as errors name it."""
        self._session, self._table, self._kind, self._resource = session, table, kind, resource

    async def get(self, tenant_id: TenantId, id: str) -> T:
        """Raises NotFound."""
        rows = await self._session.read(
            f"SELECT {RECORD} FROM {self._table} WHERE id = %s AND tenant_id = %s",
            (findable(id), findable(tenant_id)),
        )
        if not rows:
            raise NotFound(self._resource, id)
        return self.read(rows[0])

    async def save(self, changed: T, columns: Mapping[str, Any] | None = None) -> T:
        """Store what was read at `changed.revision`, and these further columns with it; gives it back with the next
        revision. Raises NotFound, ConcurrentChange."""
        also = dict(columns or {})
        assignments = "".join(f"{name} = %({name})s, " for name in also)
        parameters = {
            **also,
            "record": dumps(changed, self._kind),
            "id": findable(changed.id),
            "tenant_id": findable(changed.tenant_id),
            "revision": changed.revision,
        }
        query = (
            f"UPDATE {self._table} SET {assignments}record = %(record)s, revision = revision + 1"
            " WHERE id = %(id)s AND tenant_id = %(tenant_id)s AND revision = %(revision)s"
        )
        if not await self._session.change(query, parameters):
            await self.get(changed.tenant_id, changed.id)
            raise ConcurrentChange(f"The {self._resource} was changed meanwhile. Read it again and repeat your change.")
        return _at(changed, changed.revision + 1)

    def read(self, row: Row) -> T:
        """From the columns RECORD, which may be followed by others."""
        record, revision, *_ = row
        stored: T = loads(record, self._kind)
        return _at(stored, revision)


def _at(stored: T, revision: int) -> T:
    moved: T = attrs.evolve(cast(Any, stored), revision=revision)  # mypy knows no class behind a TypeVar
    return moved
