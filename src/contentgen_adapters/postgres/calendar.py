"""What the calendar shows, and the links of its feed."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from contentgen_adapters.postgres.converter import loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.model.calendar import CalendarEntry, CalendarKind, CalendarLink, CalendarQuery
from contentgen_core.model.ids import TenantId, UserId
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.vocabulary import Language

_ARTICLE: Final = "a.id, a.niche_key, a.title, a.language, a.id, NULL, NULL, NULL, NULL"
_POST: Final = (
    "p.id, a.niche_key, coalesce(a.title, p.record->'request'->>'title'), a.language, p.article_id, p.id,"
    " p.integration_id, p.record->>'provider', p.record->>'url'"
)
_PUBLIC: Final = "p.record->>'post_status' = 'published' AND coalesce(p.record->>'finding', '') <> 'deleted'"
_WITHOUT_A_POST: Final = (
    "NOT EXISTS (SELECT 1 FROM publications AS p WHERE p.tenant_id = a.tenant_id AND p.article_id = a.id"
    " AND p.published_at IS NOT NULL)"
)
_SCHEDULES: Final = """
    SELECT n.niche_key, s.record::text, s.next_fire_at, s.revision, count(*)
    FROM article_schedules AS s JOIN niches AS n ON n.id = s.niche_id
    JOIN niche_activations AS v ON v.tenant_id = s.tenant_id AND v.niche_key = n.niche_key
    JOIN agents AS g ON g.tenant_id = s.tenant_id AND g.niche_key = n.niche_key AND g.enabled
    WHERE s.tenant_id = %s AND s.next_fire_at IS NOT NULL
    GROUP BY n.niche_key, s.tenant_id, s.niche_id ORDER BY s.niche_id LIMIT %s"""
_LINK: Final = "SELECT tenant_id, user_id, digest, created_at FROM calendar_links"


class PostgresCalendar:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def waiting_plans(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        where = "a.status = 'draft' AND a.plan IS NOT NULL"
        return await self._of_articles(CalendarKind.PLANNED, "a.created_at", where, tenant_id, query, limit)

    async def scheduled(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        where = "a.status = 'scheduled'"
        kind = CalendarKind.SCHEDULED
        here = await self._of_articles(kind, "a.scheduled_for", where, tenant_id, query, limit)
        return _merged(here, await self._posts(kind, "p.due_at", "", tenant_id, query, limit), limit)

    async def published(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        where = f"a.status = 'published' AND {_WITHOUT_A_POST}"
        here = await self._of_articles(CalendarKind.PUBLISHED, "a.published_at", where, tenant_id, query, limit)
        posts = await self._posts(CalendarKind.PUBLISHED, "p.published_at", f" AND {_PUBLIC}", tenant_id, query, limit)
        return _merged(here, posts, limit)

    async def schedules(self, tenant_id: TenantId, limit: int) -> list[tuple[str, ArticleSchedule, int]]:
        rows = await self._session.read(_SCHEDULES, (findable(tenant_id), limit))
        return [
            (key, evolve(loads(record, ArticleSchedule), next_fire_at=next_fire_at, revision=revision), agents)
            for key, record, next_fire_at, revision, agents in rows
        ]

    async def _of_articles(
        self, kind: CalendarKind, at: str, where: str, tenant_id: TenantId, query: CalendarQuery, limit: int
    ) -> list[CalendarEntry]:
        if query.integration_id is not None:
            return []
        source = f"articles AS a WHERE a.tenant_id = %(tenant)s AND {where}"
        return [_entry(kind, row) for row in await self._rows(source, at, "a.id", _ARTICLE, tenant_id, query, limit)]

    async def _posts(
        self, kind: CalendarKind, at: str, where: str, tenant_id: TenantId, query: CalendarQuery, limit: int
    ) -> list[CalendarEntry]:
        source = "publications AS p LEFT JOIN articles AS a ON a.id = p.article_id WHERE p.tenant_id = %(tenant)s"
        rows = await self._rows(f"{source}{where}", at, "p.id", _POST, tenant_id, query, limit)
        return [_entry(kind, row) for row in rows]

    async def _rows(
        self, source: str, at: str, id: str, columns: str, tenant_id: TenantId, query: CalendarQuery, limit: int
    ) -> list[Row]:
        """`source`: what is read, with a condition; `at`, `id`: the columns that say where an entry stands."""
        after_at, after_id = query.after_or_start
        conditions = [f"{at} >= %(start)s", f"{at} < %(end)s", f"({at}, {id}) > (%(after_at)s, %(after_id)s)"]
        values: dict[str, Any] = {
            "tenant": findable(tenant_id),
            "start": query.start,
            "end": query.end,
            "after_at": after_at,
            "after_id": findable(after_id),
            "limit": limit,
        }
        for column, value in (
            ("a.niche_key", query.niche_key),
            ("a.language", query.language),
            ("p.integration_id", query.integration_id),
        ):
            if value is not None:
                conditions.append(f"{column} = %({column})s")
                values[column] = findable(value)
        return await self._session.read(
            f"SELECT {at}, {columns} FROM {source} AND {' AND '.join(conditions)} ORDER BY {at}, {id} LIMIT %(limit)s",
            values,
        )


class PostgresCalendarLinks:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, link: CalendarLink) -> None:
        stored = await self._session.change(
            "INSERT INTO calendar_links (user_id, tenant_id, digest, created_at)"
            " SELECT id, tenant_id, %s, %s FROM users WHERE id = %s AND tenant_id = %s"
            " ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, created_at = excluded.created_at",
            (link.digest, link.created_at, findable(link.user_id), findable(link.tenant_id)),
        )
        require(stored, "user", link.user_id)

    async def find(self, digest: str) -> CalendarLink | None:
        rows = await self._session.read(f"{_LINK} WHERE digest = %s", (findable(digest),))
        return CalendarLink(*rows[0]) if rows else None

    async def of_user(self, tenant_id: TenantId, user_id: UserId) -> CalendarLink | None:
        rows = await self._session.read(
            f"{_LINK} WHERE user_id = %s AND tenant_id = %s", (findable(user_id), findable(tenant_id))
        )
        return CalendarLink(*rows[0]) if rows else None

    async def delete(self, tenant_id: TenantId, user_id: UserId) -> None:
        deleted = await self._session.change(
            "DELETE FROM calendar_links WHERE user_id = %s AND tenant_id = %s",
            (findable(user_id), findable(tenant_id)),
        )
        require(deleted, "calendar link", user_id)


def _merged(some: list[CalendarEntry], more: list[CalendarEntry], limit: int) -> list[CalendarEntry]:
    return sorted([*some, *more], key=lambda entry: entry.place)[:limit]


def _entry(kind: CalendarKind, row: Row) -> CalendarEntry:
    at, id, niche_key, title, language, *rest = row
    return CalendarEntry(kind, at, id, niche_key, title, None if language is None else Language(language), *rest)
