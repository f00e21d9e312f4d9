"""Whether the database takes what is written: one whose disk is full, or that is read-only, can still be read."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from attrs import define, field

from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.work_leases import WorkLeases
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork

READINESS: Final = "readiness"
"""The work lease that is written."""
WRITTEN_LATELY: Final = timedelta(seconds=1)


@define
class DatabaseCheck:
    """Writes once a second at most, however often it is asked."""

    unit_of_work: UnitOfWork
    clock: Clock
    _written: datetime | None = field(default=None, init=False)

    async def __call__(self) -> None:
        """Check that the database answers. Raises Unavailable."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            await tx[Jobs].backlog(now)
            if self._written is None or not now - WRITTEN_LATELY < self._written <= now:
                await tx[WorkLeases].acquire(READINESS, READINESS, now, now)
        self._written = now
