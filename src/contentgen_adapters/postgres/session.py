"""The connection of one transaction, as the repositories use it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Final, TypeVar

from psycopg import AsyncConnection, AsyncTransaction, DatabaseError
from psycopg.errors import PipelineAborted
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow

from contentgen_adapters.postgres.errors import Translation
from contentgen_adapters.postgres.pool import CANCEL_SECONDS
from contentgen_core.errors import NotFound

# The server's own limits do not help where the server itself stands still (a disk or a host that does not answer).
# Together with the wait for a connection a caller knows after some 10 s.
ANSWER_SECONDS: Final = 5.0
# Of each step of a transaction that brings many rows in, its commit included.
COPY_SECONDS: Final = 30.0

Row = tuple[Any, ...]
Parameters = Sequence[Any] | Mapping[str, Any]


class Session:
    """BEGIN is sent before the first `write`: what is read before needs none, since under READ COMMITTED every
    statement has its own snapshot anyway. A transaction that only reads costs one round trip a query.

    All methods raise the domain's errors."""

    __slots__ = ("_connection", "_last", "_patience", "_transaction", "_translation")

    def __init__(self, connection: AsyncConnection[TupleRow]) -> None:
        self._connection = connection
        self._last: list[tuple[str, Parameters]] = []
        self._patience = ANSWER_SECONDS
        self._transaction: AbstractAsyncContextManager[AsyncTransaction] | None = None
        self._translation = Translation()

    async def read(self, query: str, parameters: Parameters = (), *, plan_anew: bool = False) -> list[Row]:
        """The rows of a query that neither changes nor locks anything. `plan_anew`: its best plan depends on what it
        asks for, so much that one plan for all would be a bad one for most; planning takes less than a millisecond."""
        with self._translation:
            async with asyncio.timeout(self._patience + CANCEL_SECONDS), asyncio.timeout(self._patience):
                await self._send_last()
                prepare = False if plan_anew else None
                cursor = await self._connection.execute(query, parameters, prepare=prepare, binary=True)
                return await cursor.fetchall()

    async def write(self, query: str, parameters: Parameters = ()) -> list[Row]:
        """Run a statement that changes or locks rows; what it returns."""
        with self._translation:
            async with asyncio.timeout(self._patience + CANCEL_SECONDS), asyncio.timeout(self._patience):
                await self._begin()
                cursor = await self._connection.execute(query, parameters, binary=True)
                return await cursor.fetchall() if cursor.description is not None else []

    async def change(self, query: str, parameters: Parameters = ()) -> int:
        """Run a statement that changes rows; how many it changed."""
        with self._translation:
            async with asyncio.timeout(self._patience + CANCEL_SECONDS), asyncio.timeout(self._patience):
                await self._begin()
                return (await self._connection.execute(query, parameters)).rowcount

    def change_last(self, query: str, parameters: Parameters = ()) -> None:
        """Run a statement that changes a row which many transactions change, such as a sum: with the COMMIT, unless
        another statement follows. The row is locked for no longer than the server takes, whatever else this program
        does. What the statement raises, the next one or `end` does."""
        self._last.append((query, parameters))

    async def change_alone(self, query: str, parameters: Parameters = ()) -> int:
        """The same for a statement that needs no others: where no transaction has begun it is one by itself, with
        neither BEGIN nor COMMIT."""
        with self._translation:
            async with asyncio.timeout(self._patience + CANCEL_SECONDS), asyncio.timeout(self._patience):
                await self._send_last()
                return (await self._connection.execute(query, parameters)).rowcount

    async def copy(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """`COPY … FROM STDIN`."""
        self._patience = COPY_SECONDS
        with self._translation:
            async with asyncio.timeout(self._patience + CANCEL_SECONDS), asyncio.timeout(self._patience):
                await self._begin()
                async with self._connection.cursor() as cursor, cursor.copy(statement) as copy:
                    for row in rows:
                        await copy.write_row(row)

    async def _begin(self) -> AbstractAsyncContextManager[AsyncTransaction]:
        """The transaction that a statement belongs to, with what comes before it."""
        if self._transaction is None:
            # Entered by hand: the block that it belongs to has begun already.
            transaction = self._connection.transaction()
            await transaction.__aenter__()
            self._transaction = transaction
        await self._send_last()
        return self._transaction

    async def _send_last(self) -> None:
        """It is not the last one any more."""
        waiting, self._last = self._last, []
        if waiting:
            await self._begin()
        for query, parameters in waiting:
            await self._connection.execute(query, parameters)

    async def _commit(self, last: Sequence[tuple[str, Parameters]]) -> None:
        """With these statements before it, all sent at once."""
        transaction = await self._begin()
        try:
            async with self._connection.pipeline():
                for query, parameters in last:
                    await self._connection.execute(query, parameters)
                await transaction.__aexit__(None, None, None)
        except DatabaseError as error:
            await self._connection.rollback()  # for psycopg the transaction has ended, whatever became of its COMMIT
            raise _failed_first(error) from None

    async def end(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Commit, or roll back after an exception. Raises the failure that a caller swallowed: PostgreSQL answers
        the COMMIT of a failed transaction by undoing it, without an error."""
        last, self._last = self._last, []
        if self._transaction is None and not last:
            return
        swallowed = None
        if exc is None and self._connection.info.transaction_status == TransactionStatus.INERROR:
            swallowed = self._translation.last or RuntimeError("A statement of this transaction failed.")
            kind, exc = type(swallowed), swallowed
        with self._translation:
            async with asyncio.timeout(self._patience + CANCEL_SECONDS), asyncio.timeout(self._patience):
                if last and exc is None:
                    await self._commit(last)
                elif self._transaction is not None:
                    await self._transaction.__aexit__(kind, exc, traceback)
        if swallowed is not None:
            raise swallowed


def _failed_first(error: DatabaseError) -> DatabaseError:
    """What failed in a pipeline. Where its answer comes while the rest is still being sent, psycopg raises that this
    rest was aborted, in the place of the failure that it was handling."""
    if isinstance(error, PipelineAborted) and isinstance(error.__context__, DatabaseError):
        return error.__context__
    return error


S = TypeVar("S", list[Row], int)


def require(concerned: S, resource: str, id: str) -> S:
    """`concerned`: the rows that a statement gave back, or how many it changed. `resource`: what callers call such a
    row, as errors name it. Raises NotFound where there is none."""
    if not concerned:
        raise NotFound(resource, id)
    return concerned
