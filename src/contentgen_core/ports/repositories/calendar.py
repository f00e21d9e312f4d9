"""What the calendar shows, and the links of its feed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.calendar import CalendarDay, CalendarEntry, CalendarKind, CalendarLink, CalendarQuery
from contentgen_core.model.ids import TenantId, UserId
from contentgen_core.model.schedule import ArticleSchedule


class Calendar(Protocol):
    """Each method: in the order of their places."""

    async def waiting_plans(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        """Drafts with a plan, by their creation."""
        ...

    async def scheduled(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        """Articles with a time to be published, and posts that wait for theirs."""
        ...

    async def published(self, tenant_id: TenantId, query: CalendarQuery, limit: int) -> list[CalendarEntry]:
        """Posts that people can read, as far as is known, and articles that are published without one."""
        ...

    async def by_day(
        self, kind: CalendarKind, tenant_id: TenantId, query: CalendarQuery, starts: Sequence[datetime], limit: int
    ) -> list[CalendarDay]:
        """For each day the first `limit` entries of this kind that are stored (of those that are planned: plans), and
        how many there are. `starts`: when each day begins, in their order; the last one ends with the query, whose
        `after` is not looked at."""
        ...

    async def schedules(self, tenant_id: TenantId, limit: int) -> list[tuple[str, ArticleSchedule, int]]:
        """The enabled schedules of activated niches, each with its niche's key and how many of the tenant's own agents
        it starts: one at least."""
        ...


class CalendarLinks(Protocol):
    """One a user; it goes with the user."""

    async def put(self, link: CalendarLink) -> None:
        """In the place of the user's former one. Raises NotFound for an unknown user."""
        ...

    async def find(self, digest: str) -> CalendarLink | None: ...

    async def of_user(self, tenant_id: TenantId, user_id: UserId) -> CalendarLink | None: ...

    async def delete(self, tenant_id: TenantId, user_id: UserId) -> None:
        """Raises NotFound."""
        ...
