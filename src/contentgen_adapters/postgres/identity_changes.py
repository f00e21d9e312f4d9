"""Changes of keys, people and plans, as triggers of the database tell them."""

from __future__ import annotations

import asyncio
from typing import Final

import psycopg
from psycopg import AsyncConnection, Notify, sql

from contentgen_adapters.postgres.listen import CONNECTING
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.identity_changes import IdentityListener

CHANNEL: Final = "contentgen_identities"
LOOK_SECONDS: Final = 0.2


class PostgresIdentityChanges:
    """Holds a connection of its own, and asks it several times a second: its answer comes after every notification that
    was there before it, and a connection that died, which looks like one on which nothing happens, gives none."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo

    async def subscribe(self, listener: IdentityListener) -> None:
        def hear(said: Notify) -> None:
            listener.changed(TenantId(said.payload))

        while True:
            try:
                async with await AsyncConnection.connect(self._conninfo, **CONNECTING) as connection:
                    connection.add_notify_handler(hear)
                    await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
                    listener.resync()
                    while True:
                        async with asyncio.timeout(1.0):
                            await connection.execute("SELECT 1")
                        listener.heartbeat()
                        await asyncio.sleep(LOOK_SECONDS)
            except (psycopg.Error, TimeoutError):
                pass  # gone or not there yet; whoever works with the data reports that
            await asyncio.sleep(LOOK_SECONDS)
