"""Free articles for everybody, and the search for duplicates before one is written."""

from __future__ import annotations

from typing import Any, Final

from litestar import Controller, Request

from contentgen_core import errors
from contentgen_core.page_errors import PageUnreadable
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, read_body, read_query
from contentgen_http.routes.articles import TAG as ARTICLES
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.rate_limit import Limits, count_visit
from contentgen_http.services import Services
from contentgen_http.wire import free_articles as wire
from contentgen_http.wire.base import absent_as_none

TAG: Final = "Public"
PER_MINUTE: Final = 30
"""Each request may have a page read; waiting for an article asks every three seconds or so."""


class DuplicateRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/writer/check-trend-slug",
        tag=ARTICLES,
        query=wire.DuplicateQuery,
        answer=wire.DuplicateAnswer,
        raises=(errors.NotPermitted,),
    )
    async def check_trend_slug(self, request: TenantRequest) -> wire.DuplicateAnswer:
        """Look for an article on the same topic or trend.

        Platform admin only; meant to be asked before generate or generate-plan. Looks for a free article with exactly
        this topic, then for an article about this trend, then for one whose topic is nearly the same: four significant
        words in common, or three of four. Free and public articles count whoever's they are, others only if they are
        your own.
        """
        asked = read_query(request, wire.DuplicateQuery)
        found = await self.services.writing.check_duplicates(
            request.user, absent_as_none(asked.slug), absent_as_none(asked.topic)
        )
        return wire.DuplicateAnswer.of(found)


class FreeArticleRoutes(Controller):
    services: Services
    limits: Limits
    addresses: ClientAddresses

    @operation(
        "POST",
        "/public/generate-from-link",
        tag=TAG,
        body=wire.Link,
        answer=wire.FromLink,
        public=True,
        raises=(
            PageUnreadable,
            errors.RateLimited,
            errors.DailyQuotaExceeded,
            errors.NotConfigured,
            errors.Unavailable,
        ),
        example={"url": "https://example.org/heat-pumps"},
        example_of="Any page of the open web with some 150 words of text.",
    )
    async def generate_from_link(self, request: Request[Any, Any, Any]) -> wire.FromLink:
        """Have a free article written from a page.

        Reads the page and starts a short article that rests on its text alone. Send the same request again to follow
        it: while there is an article of this page, or a free one on its topic, that one is the answer; one that failed
        is tried again. At most 30 requests a minute from one address, and by default 3 new articles a day for one
        address and 20 for everybody together.
        """
        address = self.addresses.of(request.scope)
        await count_visit(request.scope, self.limits, self.addresses, "generate-from-link", PER_MINUTE)
        body = await read_body(request, wire.Link)
        return wire.FromLink.of(await self.services.writing.generate_from_link(body.url, address))
