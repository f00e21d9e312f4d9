"""Waking up when another process has something to say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, sql

CONNECTING: Final[dict[str, Any]] = {
    "autocommit": True,
    "connect_timeout": 3,
    "application_name": "contentgen listener",
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
_FIRST_WAIT_SECONDS: Final = 0.2
_LONGEST_WAIT_SECONDS: Final = 5.0


async def payloads(conninfo: str, channel: str) -> AsyncGenerator[str | None, None]:
    """What each NOTIFY on a channel says, and None whenever listening (again) begins, since what was said before was
    missed. Holds a connection of its own; reconnects by itself, in 5 s at most, for ever. PostgreSQL folds equal
    payloads of one transaction into one.
    """
    wait = _FIRST_WAIT_SECONDS
    while True:
        try:
            async with await AsyncConnection.connect(conninfo, **CONNECTING) as connection:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                wait = _FIRST_WAIT_SECONDS
                yield None
                async for said in connection.notifies():
                    yield said.payload
        except psycopg.OperationalError:
            pass  # gone or not there yet; whoever works with the data reports that
        await asyncio.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT_SECONDS)


async def notifications(conninfo: str, channel: str) -> AsyncGenerator[None, None]:
    """The same for channels whose messages say nothing but "look": one item for each, and one at each beginning.
    Several may stand for one event, and a reader that is slow may see one for several.
    """
    async with aclosing(payloads(conninfo, channel)) as said:
        async for _ in said:
            yield
