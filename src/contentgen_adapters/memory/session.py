"""One transaction's tables and its turn to write."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from contentgen_adapters.memory.tables import DECLARED, Store, Table, TableOf
from contentgen_adapters.shared.aggregates import STORED, Aggregate
from contentgen_adapters.shared.revisions import Record
from contentgen_core.model.ids import TenantId

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T", bound=Record)


class WriteTurn:
    """Writers take turns, like transactions that change the same row in a database; readers never wait."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._holder: asyncio.Task[object] | None = None

    async def take(self) -> None:
        """Raises RuntimeError where waiting would never end: this task's outer transaction has the turn."""
        task = asyncio.current_task()
        if task is not None and self._holder is task:
            raise RuntimeError("A transaction cannot write while another one of the same task has written.")
        await self._lock.acquire()
        self._holder = task

    def end(self) -> None:
        self._holder = None
        self._lock.release()


class Session:
    """Reads see what is committed at that moment and this transaction's own changes (as READ COMMITTED does).

    The first write takes the turn and keeps it to the end, so what a writer then reads stays true until its commit."""

    def __init__(self, store: Store, turn: WriteTurn) -> None:
        self._store = store
        self._turn = turn
        self._tables: dict[str, Table[Any, Any]] = {}
        self._writing = False
        self.to_tell: set[TenantId] = set()  # of new events of their agents, once these are committed

    async def writing(self) -> None:
        """Every method that changes rows awaits this before it reads what its change depends on."""
        if not self._writing:
            await self._turn.take()
            self._writing = True

    def commit(self) -> None:
        """Nothing is awaited here: other tasks see all of the changes or none."""
        if self._writing:
            for table in self._tables.values():
                table.commit()

    def __getitem__(self, of: TableOf[K, V]) -> Table[K, V]:
        return self.table(of.name)

    def table(self, name: str) -> Table[Any, Any]:
        """The table of this name: made when it is first asked for, since most transactions need few."""
        if name not in self._tables:
            self._tables[name] = Table(self._store[name])
        return self._tables[name]

    def table_of(self, aggregate: Aggregate[T]) -> Table[str, T]:
        return self.table(aggregate.table)

    def tables(self) -> dict[str, Table[Any, Any]]:
        """All tables by name."""
        names = {*(of.name for of in DECLARED), *(aggregate.table for aggregate, _ in STORED.values())}
        return {name: self.table(name) for name in names}

    def drop_parts(self, table: str, id: str) -> None:
        """Drop the rows of declared aggregates that are part of this row of `table`."""
        for aggregate, _ in STORED.values():
            columns = [column for column, whole in aggregate.part_of.items() if whole == table]
            rows = self.table_of(aggregate)
            for row in list(rows.rows()) if columns else ():
                if id in {aggregate.columns(row)[column] for column in columns}:
                    rows.drop(row.id)

    def end(self) -> None:
        if self._writing:
            self._writing = False
            self._turn.end()
