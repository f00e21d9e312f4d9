"""The unit of work on PostgreSQL."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self, TypeVar

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from contentgen_adapters.postgres import repositories
from contentgen_adapters.postgres.aggregates import PostgresRecords
from contentgen_adapters.postgres.pool import Pool
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_adapters.shared import stored
from contentgen_adapters.shared.repositories import import_modules

import_modules(repositories)
import_modules(stored)
repository.add_stored(PostgresRecords)

R = TypeVar("R")


class PostgresTransaction:
    """Repositories are made when first asked for: most transactions use one or two."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._connection: AsyncConnection[TupleRow] | None = None
        self._repositories: dict[type, Any] = {}

    async def __aenter__(self) -> Self:
        self._connection = await self._pool.acquire()
        self._session = Session(self._connection)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._connection is not None
        try:
            await self._session.end(kind, exc, traceback)
        finally:
            connection, self._connection = self._connection, None
            await self._pool.release(connection)

    def __getitem__(self, port: type[R]) -> R:
        if port not in self._repositories:
            self._repositories[port] = repository.make(port, self._session)
        found: R = self._repositories[port]
        return found


class PostgresUnitOfWork:
    """Transactions on one pool, READ COMMITTED, each on a connection of its own."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def __call__(self) -> PostgresTransaction:
        return PostgresTransaction(self._pool)
