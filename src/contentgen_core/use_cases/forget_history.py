"""Deleting what is over after a time, so that the database does not grow without end."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Final

from contentgen_core.errors import ContentgenError
from contentgen_core.model.history import History
from contentgen_core.ports.repositories.history import Histories
from contentgen_core.ports.repositories.work_leases import WorkLeases
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

FORGETTING: Final = "history"
EVERY: Final = timedelta(hours=1)
LEASE: Final = timedelta(seconds=60)
AT_ONCE: Final = 500
"""Rows of one transaction: none holds its rows for long."""


@use_case
class ForgetHistory:
    """`kept`: for how long; None: for ever."""

    unit_of_work: UnitOfWork
    clock: Clock
    kept: timedelta | None

    async def __call__(self, worker: str) -> dict[History, int]:
        """Delete old history, called periodically by every process; one at a time does it, once in EVERY. Returns how
        many rows were deleted of each kind. Raises Unavailable."""
        if self.kept is None or not await self._acquire_lease(worker):
            return {}
        try:
            return {what: await self._forget(what, self.kept, worker) for what in History}
        finally:
            with suppress(ContentgenError):
                async with self.unit_of_work() as tx:
                    await tx[WorkLeases].release_until(FORGETTING, worker, self.clock.now() + EVERY)

    async def _forget(self, what: History, kept: timedelta, worker: str) -> int:
        before, deleted = self.clock.now() - kept, 0
        while await self._acquire_lease(worker):
            async with self.unit_of_work() as tx:
                some = await tx[Histories].forget(what, before, AT_ONCE)
            deleted += some
            if some < AT_ONCE:
                break
        return deleted

    async def _acquire_lease(self, worker: str) -> bool:
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            return await tx[WorkLeases].acquire(FORGETTING, worker, now, now + LEASE)
