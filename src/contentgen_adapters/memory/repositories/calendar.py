"""What the calendar shows, and the links of its feed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from attrs import evolve

from contentgen_adapters.memory.common_tables import (
    ACTIVATIONS,
    AGENTS,
    ARTICLE_SCHEDULES,
    ARTICLES,
    CALENDAR_LINKS,
    NICHES,
    PUBLICATIONS,
    USERS,
)
from contentgen_adapters.memory.records import owned
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import NotFound
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.calendar import (
    MAX_COUNTED,
    CalendarDay,
    CalendarEntry,
    CalendarKind,
    CalendarLink,
    CalendarQuery,
)
from contentgen_core.model.ids import TenantId, UserId
from contentgen_core.model.publication import Publication
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.ports.repositories.calendar import Calendar, CalendarLinks


@repository(Calendar)
class MemoryCalendar:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def waiting_plans(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        waiting = [a for a in self._articles(tenant_id) if a.awaits_review]
        return _chosen((_entry(a, CalendarKind.PLANNED, a.created_at) for a in waiting), query, limit)

    async def scheduled(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        kind = CalendarKind.SCHEDULED
        entries = [
            _entry(article, kind, article.scheduled_for)
            for article in self._articles(tenant_id)
            if article.status is ArticleStatus.SCHEDULED and article.scheduled_for is not None
        ]
        posts = [p for p in self._session[PUBLICATIONS].rows() if p.tenant_id == tenant_id and p.due_at]
        entries += [self._of_post(kind, post, post.due_at) for post in posts]
        return _chosen(entries, query, limit)

    async def published(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        posts = [p for p in self._session[PUBLICATIONS].rows() if p.tenant_id == tenant_id and p.published_at]
        with_posts = {post.article_id for post in posts}
        entries = [self._of_post(CalendarKind.PUBLISHED, post, post.published_at) for post in posts if post.is_public]
        entries += [
            _entry(article, CalendarKind.PUBLISHED, article.published_at)
            for article in self._articles(tenant_id)
            if article.status is ArticleStatus.PUBLISHED
            and article.published_at is not None
            and article.id not in with_posts
        ]
        return _chosen(entries, query, limit)

    async def by_day(
        self, kind: CalendarKind, tenant_id: TenantId, query: CalendarQuery, starts: Sequence[datetime], limit: int
    ) -> list[CalendarDay]:
        read = {
            CalendarKind.PLANNED: self.waiting_plans,
            CalendarKind.SCHEDULED: self.scheduled,
            CalendarKind.PUBLISHED: self.published,
        }[kind]
        days = []
        for start, end in zip(starts, [*starts[1:], query.end], strict=True):
            found = await read(tenant_id, evolve(query, start=start, end=end, after=None), max(limit, MAX_COUNTED))
            days.append(CalendarDay(tuple(found[:limit]), len(found)))
        return days

    async def schedules(self, tenant_id: TenantId, limit: int) -> list[tuple[str, ArticleSchedule, int]]:
        found = []
        for schedule in self._session[ARTICLE_SCHEDULES].rows():
            niche = self._session[NICHES].get(schedule.niche_id)
            if schedule.tenant_id != tenant_id or schedule.next_fire_at is None or niche is None:
                continue
            agents = sum(
                (agent.tenant_id, agent.key.niche_key, agent.enabled) == (tenant_id, niche.niche_key, True)
                for agent in self._session[AGENTS].rows()
            )
            if agents and self._session[ACTIVATIONS].get((tenant_id, niche.niche_key)) is not None:
                found.append((niche.niche_key, schedule, agents))
        return sorted(found, key=lambda one: one[1].niche_id)[:limit]

    def _of_post(self, kind: CalendarKind, post: Publication, at: datetime | None) -> CalendarEntry:
        article = self._session[ARTICLES].get(post.article_id) if post.article_id else None
        return _post_entry(kind, post, article, at)

    def _articles(self, tenant_id: TenantId) -> list[Article]:
        return [article for article in self._session[ARTICLES].rows() if article.tenant_id == tenant_id]


@repository(CalendarLinks)
class MemoryCalendarLinks:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, link: CalendarLink) -> None:
        await self._session.writing()
        owned(self._session[USERS], link.tenant_id, link.user_id, "user")
        self._session[CALENDAR_LINKS].put(link.user_id, link)

    async def find(self, digest: str) -> CalendarLink | None:
        links = self._session[CALENDAR_LINKS].rows()
        return next((link for link in links if link.digest == digest), None)

    async def of_user(self, tenant_id: TenantId, user_id: UserId) -> CalendarLink | None:
        link = self._session[CALENDAR_LINKS].get(user_id)
        return link if link is not None and link.tenant_id == tenant_id else None

    async def delete(self, tenant_id: TenantId, user_id: UserId) -> None:
        await self._session.writing()
        if await self.of_user(tenant_id, user_id) is None:
            raise NotFound("calendar link", user_id)
        self._session[CALENDAR_LINKS].drop(user_id)


def _entry(article: Article, kind: CalendarKind, at: datetime | None) -> CalendarEntry:
    assert at is not None
    return CalendarEntry(
        kind, at, article.id, article.niche_key, article.title, article.brief.language, article_id=article.id
    )


def _post_entry(
    kind: CalendarKind, publication: Publication, article: Article | None, at: datetime | None
) -> CalendarEntry:
    assert at is not None
    return CalendarEntry(
        kind,
        at,
        publication.id,
        None if article is None else article.niche_key,
        publication.request.title if article is None else article.title,
        None if article is None else article.brief.language,
        publication.article_id,
        publication.id,
        publication.integration_id,
        publication.provider,
        publication.url,
    )


def _chosen(entries: Iterable[CalendarEntry], query: CalendarQuery, limit: int) -> list[CalendarEntry]:
    chosen = [
        entry
        for entry in entries
        if query.start <= entry.at < query.end
        and entry.place > query.after_or_start
        and query.niche_key in (None, entry.niche_key)
        and query.language in (None, entry.language)
        and query.integration_id in (None, entry.integration_id)
    ]
    return sorted(chosen, key=lambda entry: entry.place)[:limit]
