"""The calendar: what a tenant has planned, scheduled and published, by its time."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import ArticleId, IntegrationId, PublicationId, TenantId, UserId
from contentgen_core.model.vocabulary import Language

MAX_RANGE: Final = timedelta(days=93)
"""Of one request."""
MAX_COUNTED: Final = 1_000
"""Entries of a day, and of one source, that are counted."""


class CalendarKind(StrEnum):
    """planned: a run of agents by their schedule, or a plan that waits for its review since then; scheduled: an
    article, or a post at a target, with a time to be published; published: a post at a target, or an article that is
    published here alone."""

    PLANNED = "planned"
    SCHEDULED = "scheduled"
    PUBLISHED = "published"


@frozen
class CalendarEntry:
    """`id`: of the publication, else of the article, else of the run; with `at` it says where an entry stands.
    `title`: None for a run, whose topics are not known yet, and so is `language`. `articles`: how many a run is to
    write. `url`: of a post."""

    kind: CalendarKind
    at: datetime
    id: str
    niche_key: str | None = None
    title: str | None = None
    language: Language | None = None
    article_id: ArticleId | None = None
    publication_id: PublicationId | None = None
    integration_id: IntegrationId | None = None
    provider: str | None = None
    url: str | None = None
    articles: int | None = None

    @property
    def place(self) -> tuple[datetime, str]:
        """The order of the calendar."""
        return self.at, self.id


@frozen
class CalendarQuery:
    """Entries from `start` to before `end`, after the place `after` if there is one. `niche_key`, `language`,
    `integration_id`: None for any."""

    start: datetime
    end: datetime
    niche_key: str | None = None
    language: Language | None = None
    integration_id: IntegrationId | None = None
    after: tuple[datetime, str] | None = None

    @property
    def after_or_start(self) -> tuple[datetime, str]:
        return self.after or (self.start, "")


@frozen
class CalendarDay:
    """The first entries of a day, in the order of their places, and the number of all: a day of which more than
    MAX_COUNTED are found may have more than it says."""

    entries: tuple[CalendarEntry, ...] = ()
    number: int = 0

    def joined(self, other: CalendarDay, limit: int) -> CalendarDay:
        """Return the day with the entries of another source added, `limit` at most."""
        entries = sorted([*self.entries, *other.entries], key=lambda entry: entry.place)
        return CalendarDay(tuple(entries[:limit]), self.number + other.number)


@frozen
class CalendarLink:
    """A user's secret address of the calendar's feed. `digest`: of its token, which is stored nowhere."""

    tenant_id: TenantId
    user_id: UserId
    digest: str
    created_at: datetime
