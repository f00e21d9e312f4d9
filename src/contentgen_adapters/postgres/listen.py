"""Waking up when another process has something to say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
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


async def notifications(conninfo: str, channel: str) -> AsyncGenerator[None, None]:
    """One item for each NOTIFY on a channel, and one whenever listening (again) begins, since what was said before was
    missed. Holds a connection of its own; reconnects by itself, in 5 s at most, for ever. An item says "look", never
    what happened: several may stand for one event, and a reader that is slow may see one for several.
    """
    wait = _FIRST_WAIT_SECONDS
    while True:
        try:
            async with await AsyncConnection.connect(conninfo, **CONNECTING) as connection:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                wait = _FIRST_WAIT_SECONDS
                yield
                async for _ in connection.notifies():
                    yield
        except psycopg.OperationalError:
            pass  # gone or not there yet; whoever works with the data reports that
        await asyncio.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT_SECONDS)
