"""What the calendar shows, and the links of its feed."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from attrs import evolve, frozen

from contentgen_adapters.postgres.converter import loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.model.calendar import (
    MAX_COUNTED,
    CalendarDay,
    CalendarEntry,
    CalendarKind,
    CalendarLink,
    CalendarQuery,
)
from contentgen_core.model.ids import TenantId, UserId
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.calendar import Calendar, CalendarLinks

# What an entry is read from itself; what it has of its article beside that is read once it is known to be shown.
_ARTICLE: Final = (
    "a.id AS id, a.niche_key AS niche_key, a.title AS title, a.language AS language, NULL AS article_id,"
    " NULL AS post_id, NULL AS integration_id, NULL AS provider, NULL AS url"
)
_POST: Final = (
    "p.id AS id, NULL AS niche_key, p.record->'request'->>'title' AS title, NULL AS language,"
    " p.article_id AS article_id, p.id AS post_id, p.integration_id AS integration_id,"
    " p.record->>'provider' AS provider, p.record->>'url' AS url"
)
_ENTRY: Final = (
    "e.at, e.id, coalesce(e.niche_key, of_post.niche_key), coalesce(of_post.title, e.title),"
    " coalesce(e.language, of_post.language), CASE WHEN e.post_id IS NULL THEN e.id ELSE e.article_id END, e.post_id,"
    " e.integration_id, e.provider, e.url"
)
_OF_POST: Final = "LEFT JOIN articles AS of_post ON of_post.id = e.article_id"
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
# A text of times: psycopg takes a tenth of the calendar's page for lists of them.
_DAYS: Final = (
    "unnest(string_to_array(%(starts)s, ',')::timestamptz[], string_to_array(%(ends)s, ',')::timestamptz[])"
    " WITH ORDINALITY AS d (start, stop, number)"
)
_LINK: Final = "SELECT tenant_id, user_id, digest, created_at FROM calendar_links"


@frozen
class _Source:
    """What entries of a kind are read from. `rows`: with the condition that makes them such entries; `at`, `id`: the
    columns that say where one stands; `columns`: of an entry, all but its time."""

    at: str
    id: str
    columns: str
    rows: str

    def first(self, condition: str) -> str:
        """SQL: the first of its entries that a condition is true of."""
        return (
            f"(SELECT {self.at} AS at, {self.columns} FROM {self.rows}{condition}"
            f" ORDER BY {self.at}, {self.id} LIMIT %(limit)s)"
        )


def _articles(at: str, where: str) -> _Source:
    return _Source(at, "a.id", _ARTICLE, f"articles AS a WHERE a.tenant_id = %(tenant)s AND {where}")


def _posts(at: str, where: str = "") -> _Source:
    joined = "publications AS p LEFT JOIN articles AS a ON a.id = p.article_id"
    return _Source(at, "p.id", _POST, f"{joined} WHERE p.tenant_id = %(tenant)s{where}")


_OF_ARTICLES: Final = {
    CalendarKind.PLANNED: _articles("a.created_at", "a.status = 'draft' AND a.plan IS NOT NULL"),
    CalendarKind.SCHEDULED: _articles("a.scheduled_for", "a.status = 'scheduled'"),
    CalendarKind.PUBLISHED: _articles("a.published_at", f"a.status = 'published' AND {_WITHOUT_A_POST}"),
}
_OF_POSTS: Final = {
    CalendarKind.SCHEDULED: _posts("p.due_at"),
    CalendarKind.PUBLISHED: _posts("p.published_at", f" AND {_PUBLIC}"),
}


@repository(Calendar)
class PostgresCalendar:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def waiting_plans(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        return await self._entries(CalendarKind.PLANNED, tenant_id, query, limit)

    async def scheduled(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        return await self._entries(CalendarKind.SCHEDULED, tenant_id, query, limit)

    async def published(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        return await self._entries(CalendarKind.PUBLISHED, tenant_id, query, limit)

    async def by_day(
        self, kind: CalendarKind, tenant_id: TenantId, query: CalendarQuery, starts: Sequence[datetime], limit: int
    ) -> list[CalendarDay]:
        days = [CalendarDay() for _ in starts]
        for source in _sources(kind, query):
            found = await self._days(kind, source, tenant_id, query, starts, limit)
            days = [day.joined(more, limit) for day, more in zip(days, found, strict=True)]
        return days

    async def schedules(self, tenant_id: TenantId, limit: int) -> list[tuple[str, ArticleSchedule, int]]:
        rows = await self._session.read(_SCHEDULES, (findable(tenant_id), limit))
        return [
            (key, evolve(loads(record, ArticleSchedule), next_fire_at=next_fire_at, revision=revision), agents)
            for key, record, next_fire_at, revision, agents in rows
        ]

    async def _entries(
        self, kind: CalendarKind, tenant_id: TenantId, query: CalendarQuery, limit: int
    ) -> list[CalendarEntry]:
        if not (sources := _sources(kind, query)):
            return []
        conditions, values = _chosen(query, tenant_id)
        after_at, after_id = query.after_or_start
        each = (
            source.first(
                f"{conditions} AND {source.at} >= %(start)s AND {source.at} < %(end)s"
                f" AND ({source.at}, {source.id}) > (%(after_at)s, %(after_id)s)"
            )
            for source in sources
        )
        rows = await self._session.read(
            f"SELECT {_ENTRY} FROM (SELECT * FROM ({' UNION ALL '.join(each)}) AS several"
            f" ORDER BY at, id LIMIT %(limit)s) AS e {_OF_POST}",
            values
            | {
                "start": query.start,
                "end": query.end,
                "after_at": after_at,
                "after_id": findable(after_id),
                "limit": limit,
            },
        )
        return sorted((_entry(kind, row) for row in rows), key=lambda entry: entry.place)

    async def _days(
        self,
        kind: CalendarKind,
        source: _Source,
        tenant_id: TenantId,
        query: CalendarQuery,
        starts: Sequence[datetime],
        limit: int,
    ) -> list[CalendarDay]:
        """Those of one source. However many entries a day has, its first ones are read by the index on their time, and
        so are those that are counted, where there are more."""
        conditions, values = _chosen(query, tenant_id)
        ends = [*starts[1:], query.end]
        values |= {"starts": _listed(starts), "ends": _listed(ends), "limit": limit, "most": MAX_COUNTED}
        of_day = f"{conditions} AND {source.at} >= d.start AND {source.at} < d.stop"
        rows = await self._session.read(
            f"SELECT d.number, {_ENTRY} FROM {_DAYS} CROSS JOIN LATERAL {source.first(of_day)} AS e {_OF_POST}", values
        )
        entries: list[list[CalendarEntry]] = [[] for _ in starts]
        for number, *row in rows:
            entries[number - 1].append(_entry(kind, row))
        numbers = [len(found) for found in entries]
        if full := [day for day, number in enumerate(numbers) if number >= limit]:
            counted = await self._session.read(
                f"SELECT (SELECT count(*) FROM (SELECT FROM {source.rows}{of_day} LIMIT %(most)s) AS e)"
                f" FROM {_DAYS} ORDER BY d.number",
                values | {"starts": _listed(starts[day] for day in full), "ends": _listed(ends[day] for day in full)},
            )
            for day, [number] in zip(full, counted, strict=True):
                numbers[day] = number
        return [
            CalendarDay(tuple(sorted(found, key=lambda entry: entry.place)), number)
            for found, number in zip(entries, numbers, strict=True)
        ]


@repository(CalendarLinks)
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


def _listed(moments: Iterable[datetime]) -> str:
    return ",".join(moment.isoformat() for moment in moments)


def _sources(kind: CalendarKind, query: CalendarQuery) -> list[_Source]:
    """None for plans of one target: articles are at no target."""
    articles = [_OF_ARTICLES[kind]] if query.integration_id is None else []
    return [*articles, *([_OF_POSTS[kind]] if kind in _OF_POSTS else [])]


def _chosen(query: CalendarQuery, tenant_id: TenantId) -> tuple[str, dict[str, Any]]:
    """The conditions of a query but for its time, and all values of them and of a source."""
    conditions, values = "", {"tenant": findable(tenant_id)}
    for column, value in (
        ("a.niche_key", query.niche_key),
        ("a.language", query.language),
        ("p.integration_id", query.integration_id),
    ):
        if value is not None:
            conditions += f" AND {column} = %({column})s"
            values[column] = findable(value)
    return conditions, values


def _entry(kind: CalendarKind, row: Sequence[Any]) -> CalendarEntry:
    at, id, niche_key, title, language, *rest = row
    return CalendarEntry(kind, at, id, niche_key, title, None if language is None else Language(language), *rest)
