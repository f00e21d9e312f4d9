"""Trends for everybody: as data, as a picture, as a small page for other sites."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.trend import TrendSlug
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import path_id, read_query
from contentgen_http.public import radar_picture, widget
from contentgen_http.public.addresses import asks_for_page
from contentgen_http.public.representations import (
    STALE,
    AnyRequest,
    Representation,
    RepresentationCache,
    RepresentationResponse,
)
from contentgen_http.public.site.pages import PublicSite
from contentgen_http.services import Services
from contentgen_http.wire import public as wire
from contentgen_http.wire.radar_layout import radar_points

TAG: Final = "Public"
JSON: Final = "application/json"
HTML: Final = "text/html; charset=utf-8"
SVG: Final = "image/svg+xml"
RAISES: Final = (errors.RateLimited, errors.Unavailable)


class PublicTrendRoutes(Controller):
    services: Services
    representations: RepresentationCache
    site: PublicSite

    @operation(
        "GET",
        "/public/trends",
        tag=TAG,
        answer=wire.TrendList,
        query=wire.TrendQueryParameters,
        public=True,
        raises=RAISES,
    )
    async def list_trends(self, request: AnyRequest) -> RepresentationResponse:
        """List trends.

        Topics that several sources speak of now, the highest scores first. Answers may be up to 4 seconds old: ask
        again with their ETag. At most 600 answers a minute are made for one address; those that are ready do not count.
        """
        asked = read_query(request, wire.TrendQueryParameters)

        async def make() -> Representation:
            return _json(wire.TrendList.of(await self.services.public.read.trends(asked.to_query())))

        return await self.representations.answer(request, ("trends", asked.niche_key, asked.limit), make)

    @operation(
        "GET",
        "/public/trends/{slug:str}",
        tag=TAG,
        answer=wire.Trend,
        other_media=("text/html",),
        query=wire.TrendParameters,
        public=True,
        raises=(errors.NotFound, *RAISES),
    )
    async def get_trend(self, request: AnyRequest, slug: FromPath[str]) -> RepresentationResponse:
        """Read a trend.

        With its sources, without their texts, and the course of its score. For a browser, or with format=html, a page.
        """
        wanted = TrendSlug(path_id("trend", slug))
        as_page = asks_for_page(request, read_query(request, wire.TrendParameters).format)

        async def make() -> Representation:
            shown = await self.services.public.read.trend(wanted)
            if as_page:
                return await self.site.page(self.site.trend, shown)
            return _json(wire.Trend.of(shown), vary="Accept")

        return await self.representations.answer(request, ("trend", as_page, wanted), make)

    @operation(
        "GET",
        "/public/trend-radar",
        tag=TAG,
        answer=wire.Radar,
        other_media=(SVG, "text/html"),
        query=wire.RadarQuery,
        public=True,
        raises=RAISES,
    )
    async def get_trend_radar(self, request: AnyRequest) -> RepresentationResponse:
        """See the trends on a radar.

        The nearer to the centre, the higher the score; a niche is a sector. With format=svg a picture of it; for a
        browser, or with format=html, a page.
        """
        asked = read_query(request, wire.RadarQuery)
        as_page = asks_for_page(request, asked.format)

        async def make() -> Representation:
            shown = await self.services.public.read.trends(asked.to_query())
            if as_page:
                chosen = {"limit": asked.limit} | ({"nicheKey": asked.niche_key} if asked.niche_key else {})
                return await self.site.page(self.site.radar, shown, chosen)
            places, sectors = radar_points(shown.page.trends, shown.names)
            if asked.format == "svg":
                return Representation.of(
                    radar_picture.picture(places, sectors), SVG, stale=STALE, policy=radar_picture.POLICY
                )
            return _json(wire.Radar.from_places(places, sectors, shown.page.total), vary="Accept")

        key = ("radar", as_page, asked.niche_key, asked.limit, asked.format)
        return await self.representations.answer(request, key, make)

    @operation(
        "GET",
        "/public/widget/trends",
        tag=TAG,
        answer=wire.WidgetTrends,
        other_media=("text/html",),
        query=wire.WidgetQuery,
        public=True,
        raises=RAISES,
    )
    async def get_trends_widget(self, request: AnyRequest) -> RepresentationResponse:
        """Show trends on your site.

        A few trends with little text. With format=html a page to put into a frame:
        <iframe sandbox="allow-popups" src="…/public/widget/trends?format=html">. It runs no script and loads nothing.
        """
        asked = read_query(request, wire.WidgetQuery)

        async def make() -> Representation:
            shown = await self.services.public.read.trends(asked.to_query())
            if asked.format == "html":
                page, policy = widget.page(shown, asked.theme), widget.policy(asked.theme)
                return Representation.of(page, HTML, stale=STALE, policy=policy, embeddable=True)
            return _json(wire.WidgetTrends.of(shown))

        theme = asked.theme if asked.format == "html" else None
        return await self.representations.answer(
            request, ("widget", asked.niche_key, asked.limit, asked.format, theme), make
        )

    @operation(
        "GET",
        "/public/top-niches",
        tag=TAG,
        answer=wire.TopNiches,
        query=wire.TopNichesQuery,
        public=True,
        raises=RAISES,
    )
    async def list_top_niches(self, request: AnyRequest) -> RepresentationResponse:
        """See in which niches most is going on.

        Niches by the sum of their trends' scores.
        """
        limit = read_query(request, wire.TopNichesQuery).limit

        async def make() -> Representation:
            return _json(wire.TopNiches.of(*await self.services.public.read.top_niches(limit)))

        return await self.representations.answer(request, ("top-niches", limit), make)

    @operation("GET", "/public/stats", tag=TAG, answer=wire.PublicStatistics, public=True, raises=RAISES)
    async def get_public_statistics(self, request: AnyRequest) -> RepresentationResponse:
        """See how much there is.

        Counts of articles, trends, niches and languages. Those of tenants' own articles are rounded down.
        """

        async def make() -> Representation:
            return _json(wire.PublicStatistics.of(await self.services.public.read.statistics()))

        return await self.representations.answer(request, ("stats",), make)


def _json(answer: Any, vary: str | None = None) -> Representation:
    return Representation.of(msgspec.json.encode(answer), JSON, stale=STALE, vary=vary)
