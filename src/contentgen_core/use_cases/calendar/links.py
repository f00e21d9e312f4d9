"""The secret links by which calendar programs follow a tenant's calendar."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from contentgen_core.errors import NotFound
from contentgen_core.model.calendar import MAX_RANGE, CalendarEntry, CalendarLink, CalendarQuery
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.calendar import CalendarLinks
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, KeyMaker
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.calendar.read_calendar import MAX_ENTRIES, ReadCalendar
from contentgen_core.use_cases.use_case import use_case

FEED_PAST: Final = timedelta(days=31)
MAX_FEED: Final = 1_000
"""Entries of a feed."""
MAX_TOKEN: Final = 200


@use_case
class CalendarFeed:
    """`new_token`: makes 32 random bytes."""

    unit_of_work: UnitOfWork
    read: ReadCalendar
    keys: KeyMaker
    new_token: Callable[[], bytes]
    clock: Clock

    async def create_link(self, caller: Caller) -> str:
        """The token of the caller's new link; a former one is no longer valid."""
        token = self.new_token().hex()
        link = CalendarLink(caller.tenant_id, caller.user_id, self.keys.digest(token), self.clock.now())
        async with self.unit_of_work() as tx:
            await tx[CalendarLinks].put(link)
        return token

    async def link_of(self, caller: Caller) -> CalendarLink | None:
        """The caller's link, whose token is stored nowhere."""
        async with self.unit_of_work() as tx:
            return await tx[CalendarLinks].of_user(caller.tenant_id, caller.user_id)

    async def delete_link(self, caller: Caller) -> None:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            await tx[CalendarLinks].delete(caller.tenant_id, caller.user_id)

    async def __call__(self, token: str) -> list[CalendarEntry]:
        """Return the entries of a link: MAX_FEED at most, from a month ago on. Raises NotFound for a token that is not
        valid (any more), and while its tenant is suspended."""
        digest = self.keys.digest(token) if 0 < len(token) <= MAX_TOKEN else ""
        async with self.unit_of_work() as tx:
            link = await tx[CalendarLinks].find(digest) if digest else None
            if link is None or (await tx[Tenants].get(link.tenant_id)).suspended_at is not None:
                raise NotFound("calendar", "of this link")
        start = self.clock.now() - FEED_PAST
        entries: list[CalendarEntry] = []
        while len(entries) < MAX_FEED:
            after = entries[-1].place if entries else None
            found = await self.read(link.tenant_id, CalendarQuery(start, start + MAX_RANGE, after=after), MAX_ENTRIES)
            entries += found
            if len(found) < MAX_ENTRIES:
                break
        return entries
