"""Article schedules."""

from __future__ import annotations

from datetime import datetime

from contentgen_adapters.memory.common_tables import ARTICLE_SCHEDULES, NICHES, TENANTS
from contentgen_adapters.memory.records import existing, following
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.ids import NicheId, TenantId
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.ports.repositories.schedules import ArticleSchedules


@repository(ArticleSchedules)
class MemoryArticleSchedules:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, tenant_id: TenantId, niche_id: NicheId) -> ArticleSchedule | None:
        if self._session[NICHES].get(niche_id) is None:
            return None
        return self._session[ARTICLE_SCHEDULES].get((tenant_id, niche_id))

    async def of_tenant(self, tenant_id: TenantId) -> list[ArticleSchedule]:
        return [one for one in self._session[ARTICLE_SCHEDULES].rows() if one.tenant_id == tenant_id]

    async def save(self, schedule: ArticleSchedule) -> ArticleSchedule:
        await self._session.writing()
        existing(self._session[TENANTS], schedule.tenant_id, "tenant")
        existing(self._session[NICHES], schedule.niche_id, "niche")
        stored = self._session[ARTICLE_SCHEDULES].get((schedule.tenant_id, schedule.niche_id)) or schedule
        saved = following(stored, schedule, "article schedule")
        self._session[ARTICLE_SCHEDULES].put((saved.tenant_id, saved.niche_id), saved)
        return saved

    async def due(self, now: datetime, farthest: datetime, limit: int) -> list[tuple[TenantId, NicheId]]:
        planned = [
            (schedule.next_fire_at, schedule)
            for schedule in self._session[ARTICLE_SCHEDULES].rows()
            if schedule.next_fire_at is not None
            and self._session[NICHES].get(schedule.niche_id) is not None
            and (tenant := self._session[TENANTS].get(schedule.tenant_id)) is not None
            and tenant.suspended_at is None
        ]
        planned.sort(key=lambda pair: pair[0])
        chosen = [schedule for at, schedule in planned if at <= now or at > farthest]
        return [(schedule.tenant_id, schedule.niche_id) for schedule in chosen[:limit]]

    async def lock(self, tenant_id: TenantId, niche_id: NicheId) -> ArticleSchedule | None:
        """The turn to write is everybody's: here, whoever comes second waits, and sees what the first one left."""
        await self._session.writing()
        return await self.find(tenant_id, niche_id)
