"""Article schedules."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from contentgen_core.model.ids import NicheId, TenantId
from contentgen_core.model.schedule import ArticleSchedule


class ArticleSchedules(Protocol):
    """One per tenant and niche; deleted with the niche."""

    async def find(self, tenant_id: TenantId, niche_id: NicheId) -> ArticleSchedule | None: ...

    async def of_tenant(self, tenant_id: TenantId) -> list[ArticleSchedule]:
        """Those of all its niches."""
        ...

    async def save(self, schedule: ArticleSchedule) -> ArticleSchedule:
        """Store a schedule that was read at `schedule.revision`, or (revision 0) a new one; returns it with the next
        revision. Raises ConcurrentChange, NotFound (no such tenant or niche)."""
        ...

    async def due(self, now: datetime, farthest: datetime, limit: int) -> list[tuple[TenantId, NicheId]]:
        """Schedules whose next run is not after `now`, the longest due first, then those whose next run is after
        `farthest`. None of suspended tenants."""
        ...

    async def lock(self, tenant_id: TenantId, niche_id: NicheId) -> ArticleSchedule | None:
        """Lock and return a schedule. None when there is none, or without waiting when another transaction has locked
        it."""
        ...
