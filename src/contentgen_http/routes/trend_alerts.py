"""Trend alerts by mail, and clicks on trends: the writing operations without a key."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from litestar import Controller, Response
from msgspec import UNSET, UnsetType

from contentgen_core import errors
from contentgen_core.link_errors import LinkInvalid
from contentgen_core.model.trend import TrendSlug
from contentgen_core.model.trend_alert import TrendAlert
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import read_body, read_query
from contentgen_http.public import alert_pages
from contentgen_http.public.addresses import wants_page
from contentgen_http.public.representations import AnyRequest
from contentgen_http.routes.public_trends import TAG
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.rate_limit import Limits, count_visit
from contentgen_http.services import Services
from contentgen_http.wire import trend_alerts as wire
from contentgen_http.wire.base import Done, absent_as_none

ALERTS_PER_MINUTE: Final = 10
LINKS_PER_MINUTE: Final = 60
CLICKS_PER_MINUTE: Final = 60
RAISES: Final = (errors.RateLimited, errors.Unavailable)

_link = partial(operation, tag=TAG, answer=None, media="text/html", query=wire.LinkQuery, public=True)
"""What the links of mails open, and what the buttons there do."""


class TrendAlertRoutes(Controller):
    services: Services
    limits: Limits
    addresses: ClientAddresses
    mails: asyncio.Semaphore

    @operation(
        "POST",
        "/public/trend-alerts",
        tag=TAG,
        body=wire.NewTrendAlert,
        answer=wire.TrendAlertRequested,
        public=True,
        raises=(*RAISES, errors.DailyQuotaExceeded, errors.ProviderFailed),
        example={"email": "ada@example.org", "nicheKeys": ["home-energy"], "minScore": 70},
    )
    async def request_trend_alerts(self, request: AnyRequest) -> wire.TrendAlertRequested:
        """Subscribe to trends by mail.

        Sends a link to the address; the subscription begins when it is confirmed there, and nothing is stored before.
        The answer is the same whether the address is subscribed or not. At most one mail a day, and no trend twice. At
        most 10 requests a minute from one address, and 5 mails a minute and 20 a day to one.
        """
        await self._count(request, "alerts", ALERTS_PER_MINUTE)
        body = await read_body(request, wire.NewTrendAlert)
        # A slow mail server must not occupy all of the service's threads.
        async with self.limits.mail(body.email), self.mails:
            sent = await self.services.public.request_alerts(
                body.email, absent_as_none(body.niche_keys) or (), body.min_score
            )
        return wire.TrendAlertRequested.of(sent)

    @_link("GET", "/public/trend-alerts/confirm", raises=(errors.RateLimited,))
    async def get_alert_confirmation(self, request: AnyRequest) -> Response[str]:
        """Open the link of a confirmation.

        A page for people, with a button that subscribes. Opening it changes nothing yet.
        """
        return await self._open(request, alert_pages.CONFIRM)

    @_link("POST", "/public/trend-alerts/confirm", raises=(*RAISES, LinkInvalid))
    async def confirm_trend_alerts(self, request: AnyRequest) -> Response[str]:
        """Confirm a subscription to trends.

        With the token of the link. Confirming for an address that is subscribed changes which trends it gets.
        """
        return await self._follow(request, self.services.public.confirm_alerts, alert_pages.CONFIRMED)

    @_link("GET", "/public/trend-alerts/unsubscribe", raises=(errors.RateLimited,))
    async def get_alert_end(self, request: AnyRequest) -> Response[str]:
        """Open the link that ends a subscription.

        A page for people, with a button that unsubscribes. Opening it changes nothing yet.
        """
        return await self._open(request, alert_pages.END)

    @_link("POST", "/public/trend-alerts/unsubscribe", raises=(*RAISES, LinkInvalid))
    async def end_trend_alerts(self, request: AnyRequest) -> Response[str]:
        """End a subscription to trends.

        With the token of the link, in one click (RFC 8058). The address is deleted.
        """
        return await self._follow(request, self.services.public.unsubscribe_alerts, alert_pages.ENDED)

    @operation(
        "POST",
        "/public/trend-radar-click",
        tag=TAG,
        body=wire.TrendClick,
        answer=Done,
        public=True,
        raises=(*RAISES, errors.NotFound),
        example={"slug": "a-trend-of-yours"},
        example_of="Works with the slug of a trend.",
    )
    async def count_trend_click(self, request: AnyRequest) -> Done:
        """Tell that a trend was followed.

        Each visitor counts once a day for a trend. Nothing is kept of who it was: a digest under a salt of the day
        finds repetitions, and both are deleted after the day. At most 60 requests a minute from one address.
        """
        await self._count(request, "clicks", CLICKS_PER_MINUTE)
        body = await read_body(request, wire.TrendClick)
        await self.services.public.count_click(TrendSlug(body.slug), self.addresses.of(request.scope))
        return Done()

    async def _open(self, request: AnyRequest, page: str) -> Response[str]:
        await self._token(request)
        return _page(page)

    async def _follow(
        self, request: AnyRequest, act: Callable[[str], Awaitable[TrendAlert | None]], done: str
    ) -> Response[str]:
        """Acts on the token in the request. For an invalid one raises LinkInvalid, or returns a page to browsers."""
        token = await self._token(request)
        try:
            if token is UNSET:
                raise LinkInvalid
            await act(token)
        except LinkInvalid:
            if wants_page(request.headers.get("accept", "")):
                return _page(alert_pages.INVALID, 400)
            raise
        return _page(done)

    async def _token(self, request: AnyRequest) -> str | UnsetType:
        await self._count(request, "alert-links", LINKS_PER_MINUTE)
        return read_query(request, wire.LinkQuery).token

    async def _count(self, request: AnyRequest, operation: str, per_minute: int) -> None:
        await count_visit(request.scope, self.limits, self.addresses, operation, per_minute)


def _page(content: str, status: int = 200) -> Response[str]:
    headers = {"Content-Security-Policy": alert_pages.POLICY}
    return Response(content, media_type="text/html; charset=utf-8", status_code=status, headers=headers)
