"""Articles for everybody: as data and as pages, and how they are found."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

import msgspec
from litestar import Controller
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.article import PublicCategory
from contentgen_core.policies.articles.public_address import address_of
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery, PublicPage
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import read_query
from contentgen_http.public import discovery
from contentgen_http.public.addresses import asks_for_page
from contentgen_http.public.representations import (
    AnyRequest,
    Representation,
    RepresentationCache,
    RepresentationResponse,
)
from contentgen_http.public.site.pages import RELATED, PublicSite
from contentgen_http.routes.public_trends import JSON, RAISES, TAG
from contentgen_http.services import Services
from contentgen_http.wire import public_articles as wire

XML: Final = "application/xml"
RSS: Final = "application/rss+xml"
TEXT: Final = "text/plain; charset=utf-8"
MAX_SLUG: Final = 200
_KEY: Final = re.compile(r"[0-9a-f]{32}")


class PublicArticleRoutes(Controller):
    services: Services
    representations: RepresentationCache
    site: PublicSite

    @operation(
        "GET",
        "/public/kb-articles",
        tag=TAG,
        answer=wire.PublicArticleList,
        other_media=("text/html",),
        query=wire.PublicArticlesQuery,
        public=True,
        raises=RAISES,
    )
    async def list_public_articles(self, request: AnyRequest) -> RepresentationResponse:
        """List the articles that everybody may read.

        The latest first, without their texts. One that became public is there within 5 seconds, one that became
        private is gone within 5 seconds. For a browser, or with format=html, a page.
        """
        asked = read_query(request, wire.PublicArticlesQuery)
        as_page = asks_for_page(request, asked.format)

        async def make() -> Representation:
            query = asked.to_query()
            found = PublicPage((), 0) if query is None else await self.services.public.read.articles(query)
            if as_page:
                languages = await self.services.public.read.languages()
                return await self.site.page(self.site.articles, query or PublicArticleQuery(), found, languages)
            answer = wire.PublicArticleList.of(found, asked.page, asked.limit, self._base)
            return _json(answer, vary="Accept")

        key = ("articles", as_page, asked.locale, asked.limit, asked.page, asked.category, asked.search)
        return await self.representations.answer(request, key, make)

    @operation(
        "GET",
        "/public/kb-articles/{slug:str}",
        tag=TAG,
        answer=wire.PublicArticle,
        other_media=("text/html",),
        query=wire.PublicArticleParameters,
        public=True,
        raises=(errors.NotFound, *RAISES),
    )
    async def get_public_article(self, request: AnyRequest, slug: FromPath[str]) -> RepresentationResponse:
        """Read an article that everybody may read.

        With its numbered sources. For a browser, or with format=html, a page.
        """
        wanted, format = _slug(slug), read_query(request, wire.PublicArticleParameters).format
        if asks_for_page(request, format):
            return await self._page(request, wanted, None)

        async def make() -> Representation:
            article = await self.services.public.read.article(wanted)
            return _json(wire.PublicArticle.of(article, self._base), vary="Accept")

        return await self.representations.answer(request, ("article", wanted), make)

    @operation(
        "GET",
        "/article/{slug:str}",
        tag=TAG,
        answer=None,
        media="text/html",
        public=True,
        raises=(errors.NotFound, *RAISES),
    )
    async def get_trend_radar_article(self, request: AnyRequest, slug: FromPath[str]) -> RepresentationResponse:
        """Open an article of the trend radar.

        The page of an article whose public category is trend-radar.
        """
        return await self._page(request, _slug(slug), PublicCategory.TREND_RADAR)

    @operation(
        "GET",
        "/sitemap.xml",
        tag=TAG,
        answer=None,
        media=XML,
        public=True,
        raises=(errors.NotConfigured, *RAISES),
    )
    async def get_site_map(self, request: AnyRequest) -> RepresentationResponse:
        """Read the site map.

        The pages of all public articles; of more than 50,000, the parts of the map. Needs CONTENTGEN_PUBLIC_URL.
        """
        base = self._needed_base()

        async def make() -> Representation:
            public = self.services.public.read
            if await public.article_count() <= discovery.MAX_URLS:
                return Representation.of(discovery.sitemap(base, await public.addresses(None, discovery.MAX_URLS)), XML)
            parts, more = [discovery.FIRST], await public.addresses(None, discovery.MAX_URLS)
            while len(more) == discovery.MAX_URLS:
                parts.append(more[-1].slug)
                more = await public.addresses(more[-1].slug, discovery.MAX_URLS)
            return Representation.of(discovery.sitemap_index(base, parts), XML)

        return await self.representations.answer(request, ("sitemap",), make)

    @operation(
        "GET",
        "/sitemap/{part:str}",
        tag=TAG,
        answer=None,
        media=XML,
        public=True,
        raises=(errors.NotFound, errors.NotConfigured, *RAISES),
    )
    async def get_part_of_site_map(self, request: AnyRequest, part: FromPath[str]) -> RepresentationResponse:
        """Read a part of the site map.

        The pages of 50,000 articles. Needs CONTENTGEN_PUBLIC_URL.
        """
        base, begin = self._needed_base(), _slug(part)

        async def make() -> Representation:
            public = self.services.public.read
            after = None if begin == discovery.FIRST else begin
            if after is not None:
                await public.article(after)
            addresses = await public.addresses(after, discovery.MAX_URLS)
            if after is not None and not addresses:
                raise errors.NotFound("part of the site map", begin)
            return Representation.of(discovery.sitemap(base, addresses), XML)

        return await self.representations.answer(request, ("sitemap", begin), make)

    @operation(
        "GET",
        "/feed.xml",
        tag=TAG,
        answer=None,
        media=RSS,
        query=wire.FeedQuery,
        public=True,
        raises=(errors.NotConfigured, *RAISES),
    )
    async def get_feed(self, request: AnyRequest) -> RepresentationResponse:
        """Follow the public articles.

        RSS 2.0, the latest articles first. Needs CONTENTGEN_PUBLIC_URL.
        """
        base, asked = self._needed_base(), read_query(request, wire.FeedQuery)

        async def make() -> Representation:
            query = asked.to_query()
            found = PublicPage((), 0) if query is None else await self.services.public.read.articles(query)
            return Representation.of(
                discovery.feed(base, f"{base}/feed.xml", found.articles, self.services.options.site.name), RSS
            )

        return await self.representations.answer(request, ("feed", asked.locale, asked.limit, asked.category), make)

    @operation("GET", "/robots.txt", tag=TAG, answer=None, media="text/plain", public=True, raises=RAISES)
    async def get_robots(self, request: AnyRequest) -> RepresentationResponse:
        """Read what crawlers may visit.

        Public articles, and the site map where the service knows its address.
        """

        async def make() -> Representation:
            return Representation.of(discovery.robots(self.services.options.public_url), TEXT)

        return await self.representations.answer(request, ("robots",), make)

    @operation(
        "GET",
        "/{keyFile:str}",
        tag=TAG,
        answer=None,
        media="text/plain",
        public=True,
        raises=(errors.NotFound, *RAISES),
    )
    async def get_index_now_key(self, request: AnyRequest, keyFile: FromPath[str]) -> RepresentationResponse:
        """Read the key of IndexNow.

        The file `<key>.txt` of a site at this very host, by which search engines know that its owner submits pages.
        """
        key = keyFile.removesuffix(".txt")
        if key == keyFile or _KEY.fullmatch(key) is None:
            raise NotFoundException

        async def make() -> Representation:
            if not await self.services.publishing.index_now.serves(key):
                raise NotFoundException
            return Representation.of(key.encode(), TEXT)

        return await self.representations.answer(request, ("index-now", key), make)

    async def _page(self, request: AnyRequest, slug: str, category: PublicCategory | None) -> RepresentationResponse:
        async def make() -> Representation:
            public = self.services.public.read
            article = await public.article(slug, category)
            url = address_of(self._base, slug, article.public_category) if self._base else None
            parts, related = await asyncio.gather(
                public.article_html(article, url, self.site.site), public.related(article, RELATED)
            )
            return await self.site.page(self.site.article, parts, related)

        return await self.representations.answer(request, ("page", slug, category), make)

    @property
    def _base(self) -> str:
        return self.services.options.public_url or ""

    def _needed_base(self) -> str:
        """Raises NotConfigured."""
        if not self.services.options.public_url:
            raise errors.NotConfigured("The public address of the service is not set.", "CONTENTGEN_PUBLIC_URL")
        return self.services.options.public_url


def _slug(text: str) -> str:
    """Raises NotFound for a text that cannot be a slug."""
    if len(text) > MAX_SLUG or not text.isprintable():
        raise errors.NotFound("public article", text[:MAX_SLUG])
    return text


def _json(answer: Any, vary: str | None = None) -> Representation:
    return Representation.of(msgspec.json.encode(answer), JSON, vary=vary)
