"""Whose turn it is to do what one process does for all."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import frozen

from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.ports.repositories.work_leases import WorkLeases


@frozen
class WorkLease:
    """Without a worker: put off until then."""

    worker: str | None
    until: datetime


WORK_LEASES: Final = TableOf[str, WorkLease]("work_leases")


@repository(WorkLeases)
class MemoryWorkLeases:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def acquire(self, work: str, worker: str, now: datetime, until: datetime) -> bool:
        await self._session.writing()
        lease = self._session[WORK_LEASES].get(work)
        if lease is not None and lease.worker != worker and lease.until > now:
            return False
        self._session[WORK_LEASES].put(work, WorkLease(worker, until))
        return True

    async def holder(self, work: str) -> str | None:
        lease = self._session[WORK_LEASES].get(work)
        return None if lease is None else lease.worker

    async def release_until(self, work: str, worker: str, until: datetime) -> None:
        await self._session.writing()
        lease = self._session[WORK_LEASES].get(work)
        if lease is not None and lease.worker == worker:
            self._session[WORK_LEASES].put(work, WorkLease(None, until))
