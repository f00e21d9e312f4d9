"""The calendar, and its feed for calendar programs."""

from __future__ import annotations

from typing import Any, Final

from litestar import Controller, Request, Response
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.use_cases.calendar.read_calendar import ALL_KINDS
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, read_query
from contentgen_http.public.calendar_feed import MEDIA_TYPE, feed
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.rate_limit import Limits, count_visit
from contentgen_http.services import Services
from contentgen_http.wire.base import Done
from contentgen_http.wire.calendar import Calendar, CalendarLink, CalendarRange, FeedQuery

TAG: Final = "Calendar"
PATH: Final = "/calendar.ics"
PER_MINUTE: Final = 60


class CalendarRoutes(Controller):
    services: Services

    @operation("GET", "/calendar", tag=TAG, query=CalendarRange, answer=Calendar)
    async def get_calendar(self, request: TenantRequest) -> Calendar:
        """Read the calendar.

        What is planned (runs of agents by their schedules, plans that wait for their review), scheduled, and published
        (each post at its target). PATCH /writer/{id} with `scheduledFor` moves a scheduled article;
        publishing it there again moves a post that waits for its time.
        """
        query = read_query(request, CalendarRange)
        kinds = ALL_KINDS if query.kind is UNSET else {query.kind}
        asked = query.to_query(self.services.ports.clock.now())
        found = await self.services.publishing.calendar(request.user.tenant_id, asked, query.limit, kinds)
        return Calendar.of(found, query.limit)

    @operation("POST", "/calendar/link", tag=TAG, answer=CalendarLink)
    async def create_calendar_link(self, request: TenantRequest) -> CalendarLink:
        """Make a secret link of the calendar.

        For a calendar program, which reads GET /calendar.ics by it. One for each user: a former one is no longer valid.
        """
        token = await self.services.publishing.calendar_feed.create_link(request.user)
        base = self.services.options.public_url or str(request.base_url).rstrip("/")
        return CalendarLink(url=f"{base}{PATH}?token={token}")

    @operation("DELETE", "/calendar/link", tag=TAG, answer=Done, raises=(errors.NotFound,))
    async def delete_calendar_link(self, request: TenantRequest) -> Done:
        """Revoke your link of the calendar."""
        await self.services.publishing.calendar_feed.delete_link(request.user)
        return Done()


class CalendarFeedRoutes(Controller):
    services: Services
    limits: Limits
    addresses: ClientAddresses

    @operation(
        "GET",
        PATH,
        tag=TAG,
        query=FeedQuery,
        answer=None,
        media=MEDIA_TYPE,
        public=True,
        raises=(errors.NotFound, errors.RateLimited, errors.Unavailable),
    )
    async def get_calendar_feed(self, request: Request[Any, Any, Any]) -> Response[bytes]:
        """Follow the calendar.

        For calendar programs, by a secret link, without a key: a month back and two months ahead, as iCalendar
        (RFC 5545). 404 once the link is revoked, or its user has left.
        """
        await count_visit(request.scope, self.limits, self.addresses, "calendar", PER_MINUTE)
        entries = await self.services.publishing.calendar_feed(read_query(request, FeedQuery).token)
        content = feed(entries, self.services.ports.clock.now())
        return Response(content, media_type=MEDIA_TYPE, headers={"Cache-Control": "private, max-age=300"})
