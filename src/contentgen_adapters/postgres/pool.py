"""The connections to PostgreSQL: how many, how long anything may take, and what happens when the server goes away."""

from __future__ import annotations

import asyncio
import os
import select
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any, Final

import psycopg
import psycopg_pool
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping, TransactionStatus
from psycopg.rows import TupleRow

from contentgen_adapters.postgres.errors import away
from contentgen_core.errors import Unavailable

ACQUIRE_SECONDS: Final = 5.0
# With the time for finding out what is the matter. The longest answer of a statement comes on top: together below 12 s.
ACQUIRE_AT_MOST_SECONDS: Final = 6.0
STATEMENT_SECONDS: Final = 30.0
LOCK_SECONDS: Final = 10.0
IDLE_IN_TRANSACTION_SECONDS: Final = 60.0
# After these the pool gives up on a connection it lost. The next caller makes a new one at once, so a short time means
# a quick return: the pool's own attempts grow further and further apart.
RECONNECT_SECONDS: Final = 2.0
_CONNECT_SECONDS: Final = 3
_ASK_AGAIN_SECONDS: Final = 0.2
CANCEL_SECONDS: Final = 0.5

PROGRAM: Final = "contentgen"
_HOST_LENGTH: Final = 30  # the server cuts the name of an application at 63 bytes

_CONNECTING: Final[dict[str, Any]] = {
    "autocommit": True,  # the session says when a transaction begins
    "prepare_threshold": 3,
    "connect_timeout": _CONNECT_SECONDS,
    "client_encoding": "UTF8",
    # A server that vanished without a word (a host that lost its power) is noticed within 15 seconds.
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}
_PREPARED_AT_MOST: Final = 300  # more than there are statements, list queries of every combination included


class Pool(psycopg_pool.AsyncConnectionPool[AsyncConnection[TupleRow]]):
    """Lends connections that work: one that died with a restart of the server is found out without a round trip.

    While the server is away callers get an error at once instead of queueing up; the first that comes after its return
    is served."""

    _doubtful = False  # the server was away when last seen
    _answer = Ping.OK
    _asked_at = 0.0

    async def acquire(self) -> AsyncConnection[TupleRow]:
        """Raises Unavailable, after ACQUIRE_AT_MOST_SECONDS at the latest."""
        try:
            async with asyncio.timeout(ACQUIRE_AT_MOST_SECONDS):
                return await self._acquire()
        except TimeoutError as exc:
            self._doubtful = True
            raise Unavailable("The database does not answer.", retry_after=1.0) from exc

    async def _acquire(self) -> AsyncConnection[TupleRow]:
        if self._doubtful:
            await self._ask()
        while True:
            try:
                connection = await self._lent()
            except psycopg_pool.PoolTimeout as exc:
                self._doubtful = True
                await self._ask()
                await self._try()
                raise Unavailable("All connections to the database are in use.", retry_after=1.0) from exc
            except psycopg_pool.PoolClosed as exc:
                raise Unavailable("The service is shutting down.") from exc
            try:
                works = await _works(connection)
            except BaseException:  # cancelled while it was asked: it may still answer, so nobody else can use it
                await connection.close()
                await self.release(connection)
                raise
            if works:
                return connection
            await self.release(connection)
            await self._ask()
            await self.check()  # the others that were open died with it: replace them all at once

    async def _lent(self) -> AsyncConnection[TupleRow]:
        """Raises as `getconn`. That waits by asyncio.wait_for, which before Python 3.12 loses a cancellation that comes
        with the connection: the caller would go on, and a loop that was ended would never end."""
        task = asyncio.current_task()
        assert task is not None
        before = task.cancelling()
        connection = await self.getconn()
        if task.cancelling() > before:
            await self.release(connection)
            raise asyncio.CancelledError
        return connection

    async def release(self, connection: AsyncConnection[TupleRow]) -> None:
        """Take back a connection, also a broken one, and also when the caller is cancelled meanwhile: a connection that
        is not put back takes a place of the pool for ever."""
        if connection.pgconn.transaction_status != TransactionStatus.IDLE:
            await connection.close()  # the pool would roll it back, and wait for a server that may not answer
        if connection.closed:
            self._doubtful = True
        await asyncio.shield(self.putconn(connection))

    async def check(self) -> None:
        """Replace the idle connections that no longer work. Goes on to its end when the caller is cancelled: it has
        taken them all out of the pool."""
        await asyncio.shield(super().check())

    @staticmethod
    async def check_connection(conn: AsyncConnection[TupleRow]) -> None:
        """Raises TimeoutError where the pool's own check would wait for ever: of a server that was killed, a process
        may stay behind that keeps its connection and never answers."""
        try:
            async with _within(ACQUIRE_SECONDS):
                await conn.execute("")
        except BaseException:
            await conn.close()
            raise

    async def _ask(self) -> None:
        """Raises Unavailable while the server does not answer. Those who want to know at the same time ask once."""
        async with self._asking:
            told_lately = self._answer != Ping.OK and time.monotonic() - self._asked_at < _ASK_AGAIN_SECONDS
            if self._doubtful and not told_lately:
                self._answer = Ping(await asyncio.to_thread(PGconn.ping, self._address().encode()))
                self._asked_at = time.monotonic()
                self._doubtful = self._answer != Ping.OK
        if self._doubtful:
            raise away(starting=self._answer == Ping.REJECT)

    async def _try(self) -> None:
        """Raises Unavailable when a server that is up refuses connections. Such a refusal comes without an SQLSTATE,
        so its reason is for the log alone."""
        try:
            connection = await AsyncConnection.connect(self._address())
        except psycopg.Error as exc:
            raise Unavailable(
                "The database refuses connections: it has none left (raise its max_connections, or lower the pools), or"
                " the configured user, password or database is wrong. Its log says which.",
                retry_after=5.0,
            ) from exc
        await connection.close()

    @cached_property
    def _asking(self) -> asyncio.Lock:
        return asyncio.Lock()

    def _address(self) -> str:
        assert isinstance(self.conninfo, str)
        return make_conninfo(self.conninfo, connect_timeout=_CONNECT_SECONDS)


def create_pool(
    conninfo: str,
    *,
    min_size: int = 2,
    max_size: int = 10,
    acquire_seconds: float = ACQUIRE_SECONDS,
    statement_seconds: float = STATEMENT_SECONDS,
    lock_seconds: float = LOCK_SECONDS,
) -> Pool:
    """A closed pool: `async with create_pool(…) as pool:`, or `open()` and `close()`, on the loop that uses it.

    `max_size` bounds how many transactions run at once; others wait `acquire_seconds` for their turn, then get
    Unavailable, as does whoever waits `lock_seconds` for another's rows or `statement_seconds` for an answer.
    """
    settings = {
        "TimeZone": "UTC",
        "statement_timeout": _milliseconds(statement_seconds),
        "lock_timeout": _milliseconds(lock_seconds),
        "idle_in_transaction_session_timeout": _milliseconds(IDLE_IN_TRANSACTION_SECONDS),
        "default_transaction_isolation": "read committed",
        "jit": "off",  # compiling takes longer than any query here
    }

    async def configure(connection: AsyncConnection[TupleRow]) -> None:
        # Statements rather than the `options` of the connection, which poolers between us and the server refuse.
        calls = ", ".join("set_config(%s, %s, false)" for _ in settings)
        async with _within(_CONNECT_SECONDS):
            await connection.execute(f"SELECT {calls}", [part for item in settings.items() for part in item])
        connection.prepared_max = _PREPARED_AT_MOST

    return Pool(
        conninfo,
        open=False,
        kwargs={**_CONNECTING, "application_name": _application_name(max_size)},
        configure=configure,
        min_size=min_size,
        max_size=max_size,
        timeout=acquire_seconds,
        reconnect_timeout=RECONNECT_SECONDS,
        name="contentgen",
    )


def _application_name(most: int) -> str:
    """Says which process it is and how many connections it opens at most (see `capacity`)."""
    return f"{PROGRAM} {most} {socket.gethostname()[:_HOST_LENGTH]}-{os.getpid()}"


async def _works(connection: AsyncConnection[TupleRow]) -> bool:
    """An idle connection has nothing to say. If there is something to read it is the server's farewell, or some
    notice; asking tells which."""
    if connection.closed:
        return False
    poller = select.poll()
    poller.register(connection.fileno(), select.POLLIN)
    if not poller.poll(0):
        return True
    try:
        async with _within(ACQUIRE_SECONDS):
            await connection.execute("")
    except (psycopg.Error, TimeoutError):
        await connection.close()
        return False
    return True


@asynccontextmanager
async def _within(seconds: float) -> AsyncIterator[None]:
    """When the time is over psycopg asks the server to cancel, and waits for that; then it gives the connection up.
    Raises TimeoutError."""
    async with asyncio.timeout(seconds + CANCEL_SECONDS), asyncio.timeout(seconds):
        yield


def _milliseconds(seconds: float) -> str:
    return str(round(seconds * 1_000))
