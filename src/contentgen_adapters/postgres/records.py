"""Aggregates that are kept whole, as JSON of the model in a column `record`, beside a counter of their revisions."""

# ruff: noqa: S608 - the SQL is put together from the repositories' own constants; values are always parameters

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, TypeVar

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.revisions import Revisions, insertion
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_adapters.shared.revisions import Record, at_revision, next_revision
from contentgen_core.model.ids import TenantId

RECORD: Final = "record::text, revision"
"""The columns that `RecordTable.read` takes."""

T = TypeVar("T", bound=Record)


class RecordTable(Generic[T]):
    """One table of such aggregates: `id`, `tenant_id`, `record`, `revision`, and what else is searched or sorted by."""

    def __init__(self, session: Session, table: str, kind: type[T], resource: str) -> None:
        """`resource`: what callers call it, as errors name it."""
        self._session, self._table, self._kind, self._resource = session, table, kind, resource
        self._revisions = Revisions(session, table, resource)

    async def add(self, new: T, columns: Mapping[str, Any]) -> None:
        """Store a new one, with these further columns."""
        values = {
            "id": new.id,
            "tenant_id": new.tenant_id,
            **columns,
            "record": dumps(new, self._kind),
            "revision": new.revision,
        }
        await self._session.change(insertion(self._table, values), values)

    async def get(self, tenant_id: TenantId, id: str) -> T:
        """Raises NotFound."""
        query = f"SELECT {RECORD} FROM {self._table} WHERE id = %s AND tenant_id = %s"
        [row] = require(await self._session.read(query, (findable(id), findable(tenant_id))), self._resource, id)
        return self.read(row)

    async def save(self, changed: T, columns: Mapping[str, Any] | None = None) -> T:
        """Store what was read at `changed.revision`, and these further columns with it; gives it back with the next
        revision. Raises NotFound, ConcurrentChange."""
        key = {"id": changed.id, "tenant_id": changed.tenant_id}
        values = {**(columns or {}), "record": dumps(changed, self._kind)}
        await self._revisions.save(key, changed.revision, values)
        return next_revision(changed)

    async def page(self, matching: Mapping[str, object], before: str | None, limit: int) -> list[T]:
        """The newest rows with these values in their columns (None: any), older than the one with the id `before`."""
        wanted = {column: value for column, value in matching.items() if value is not None}
        conditions = [f"{column} = %s" for column in wanted]
        values = [findable(value) if isinstance(value, str) else value for value in wanted.values()]
        if before is not None:
            conditions.append("id < %s")
            values.append(findable(before))
        rows = await self._session.read(
            f"SELECT {RECORD} FROM {self._table} WHERE {' AND '.join(conditions)} ORDER BY id DESC LIMIT %s",
            (*values, limit),
        )
        return [self.read(row) for row in rows]

    def read(self, row: Row) -> T:
        """From the columns RECORD, which may be followed by others."""
        record, revision, *_ = row
        stored: T = loads(record, self._kind)
        return at_revision(stored, revision)
