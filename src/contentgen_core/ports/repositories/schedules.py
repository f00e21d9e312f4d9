"""Article schedules, and which of them are due."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from contentgen_core.model.ids import NicheId, TenantId
from contentgen_core.model.schedule import ArticleSchedule


class ArticleSchedules(Protocol):
    """One a tenant and niche. Those of a niche that is deleted go with it."""

    async def find(self, tenant_id: TenantId, niche_id: NicheId) -> ArticleSchedule | None: ...

    async def save(self, schedule: ArticleSchedule) -> ArticleSchedule:
        """Store one that was read at `schedule.revision`, or (revision 0) a new one; gives it back with the next
        revision. Raises ConcurrentChange, NotFound (no such tenant or niche)."""
        ...

    async def due(self, now: datetime, farthest: datetime, limit: int) -> list[tuple[TenantId, NicheId]]:
        """Those whose next run is not after `now`, the longest due first, and then those whose next run is after
        `farthest`."""
        ...

    async def lock(self, tenant_id: TenantId, niche_id: NicheId) -> ArticleSchedule | None:
        """Keep other transactions from changing it until this one ends. None when there is none, or when another
        transaction is changing it: does not wait for that."""
        ...
