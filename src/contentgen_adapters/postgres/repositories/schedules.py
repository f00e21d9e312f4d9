"""Article schedules."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.errors import ConcurrentChange
from contentgen_core.model.ids import NicheId, TenantId
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.ports.repositories.schedules import ArticleSchedules

_FIND: Final = (
    "SELECT record::text, next_fire_at, revision FROM article_schedules WHERE tenant_id = %s AND niche_id = %s"
)
_SAVE: Final = (
    "INSERT INTO article_schedules AS s (tenant_id, niche_id, next_fire_at, record, revision)"
    " VALUES (%(tenant_id)s, %(niche_id)s, %(next_fire_at)s, %(record)s, 1)"
    " ON CONFLICT (tenant_id, niche_id) DO UPDATE SET next_fire_at = excluded.next_fire_at, record = excluded.record,"
    " revision = s.revision + 1 WHERE s.revision = %(revision)s"
)
# A schedule of a tenant that is not suspended.
_RUNNING: Final = "NOT EXISTS (SELECT 1 FROM tenants t WHERE t.id = s.tenant_id AND t.suspended_at IS NOT NULL)"
# Two walks of one index. The second finds nothing but what a wrong clock left.
_DUE: Final = (
    f"(SELECT tenant_id, niche_id FROM article_schedules s WHERE next_fire_at <= %(now)s AND {_RUNNING}"
    " ORDER BY next_fire_at LIMIT %(limit)s)"
    f" UNION ALL (SELECT tenant_id, niche_id FROM article_schedules s WHERE next_fire_at > %(farthest)s AND {_RUNNING}"
    " ORDER BY next_fire_at LIMIT %(limit)s) LIMIT %(limit)s"
)


@repository(ArticleSchedules)
class PostgresArticleSchedules:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, tenant_id: TenantId, niche_id: NicheId) -> ArticleSchedule | None:
        rows = await self._session.read(_FIND, (findable(tenant_id), findable(niche_id)))
        return _schedule(rows[0]) if rows else None

    async def of_tenant(self, tenant_id: TenantId) -> list[ArticleSchedule]:
        query = "SELECT record::text, next_fire_at, revision FROM article_schedules WHERE tenant_id = %s"
        return [_schedule(row) for row in await self._session.read(query, (findable(tenant_id),))]

    async def save(self, schedule: ArticleSchedule) -> ArticleSchedule:
        saved = await self._session.change(
            _SAVE,
            {
                "tenant_id": schedule.tenant_id,
                "niche_id": schedule.niche_id,
                "next_fire_at": schedule.next_fire_at,
                "record": dumps(schedule, ArticleSchedule),
                "revision": schedule.revision,
            },
        )
        if not saved:
            raise ConcurrentChange.of("article schedule")
        return evolve(schedule, revision=schedule.revision + 1)

    async def due(self, now: datetime, farthest: datetime, limit: int) -> list[tuple[TenantId, NicheId]]:
        rows = await self._session.read(_DUE, {"now": now, "farthest": farthest, "limit": limit})
        return [(tenant_id, niche_id) for tenant_id, niche_id in rows]

    async def lock(self, tenant_id: TenantId, niche_id: NicheId) -> ArticleSchedule | None:
        rows = await self._session.write(f"{_FIND} FOR UPDATE SKIP LOCKED", (findable(tenant_id), findable(niche_id)))
        return _schedule(rows[0]) if rows else None


def _schedule(row: Row) -> ArticleSchedule:
    record, next_fire_at, revision = row
    schedule: ArticleSchedule = loads(record, ArticleSchedule)
    return evolve(schedule, next_fire_at=next_fire_at, revision=revision)
