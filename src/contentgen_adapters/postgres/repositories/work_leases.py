"""Leases on work that one process at a time does for all; the table is called `turns`."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.ports.repositories.work_leases import WorkLeases

# One statement decides: of two that come at the same moment the second one sees what the first one wrote.
_TAKE: Final = (
    "INSERT INTO turns AS t (work, worker, until) VALUES (%(work)s, %(worker)s, %(until)s)"
    " ON CONFLICT (work) DO UPDATE SET worker = excluded.worker, until = excluded.until"
    " WHERE t.worker = excluded.worker OR t.until <= %(now)s RETURNING 1"
)


@repository(WorkLeases)
class PostgresWorkLeases:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def acquire(self, work: str, worker: str, now: datetime, until: datetime) -> bool:
        parameters = {"work": work, "worker": worker, "now": now, "until": until}
        return bool(await self._session.write(_TAKE, parameters))

    async def holder(self, work: str) -> str | None:
        rows = await self._session.read("SELECT worker FROM turns WHERE work = %s", (work,))
        return rows[0][0] if rows else None

    async def release_until(self, work: str, worker: str, until: datetime) -> None:
        await self._session.change(
            "UPDATE turns SET worker = NULL, until = %s WHERE work = %s AND worker = %s", (until, work, worker)
        )
