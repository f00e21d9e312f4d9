"""Public reads of trends and articles. Nothing here names a tenant."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from attrs import evolve, frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.article import Article, PublicCategory
from contentgen_core.model.site import Site
from contentgen_core.model.trend import Trend, TrendSlug
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.ai_mark import with_ai_mark
from contentgen_core.policies.articles.for_readers import for_readers
from contentgen_core.policies.articles.internal_links import with_links
from contentgen_core.ports.rendering import ArticleRenderer, PublicHtml
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.public_articles import (
    PublicAddress,
    PublicArticleQuery,
    PublicArticles,
    PublicPage,
)
from contentgen_core.ports.repositories.trends import NicheTrends, TrendPage, TrendQuery, Trends
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.ai_marks import mark_of
from contentgen_core.use_cases.knowledge.source_titles import with_present_titles
from contentgen_core.use_cases.link_addresses import public_addresses
from contentgen_core.use_cases.niches.catalogue import PRECONFIGURED
from contentgen_core.use_cases.use_case import use_case


@frozen
class ShownTrends:
    """A page of trends. `names`: those of their niches, by key."""

    page: TrendPage
    names: dict[str, str]


@frozen
class ShownTrend:
    trend: Trend
    niche_name: str


@frozen
class TrendWithTexts:
    """`texts`: the texts of the sources that could be read, by address."""

    trend: Trend
    texts: Mapping[str, str]


@frozen
class PublicNiche:
    """A preconfigured niche. `highest`: the highest score of its trends, None without any."""

    niche_key: str
    name: str
    description: str
    trends: int
    highest: float | None


@frozen
class TopNiche:
    name: str
    trends: NicheTrends


@frozen
class Statistics:
    """`articles`: how many are written, tenants' own ones included, rounded down to two digits so that single ones
    cannot be observed. The other figures are public anyway."""

    articles: int
    public_articles: int
    trends: int
    niches: int
    languages: int


@use_case
class ReadPublic:
    unit_of_work: UnitOfWork
    renderer: ArticleRenderer
    public_url: str = ""

    async def trends(self, query: TrendQuery) -> ShownTrends:
        async with self.unit_of_work() as tx:
            page = await tx[Trends].page(query)
            return ShownTrends(page, await _names(tx, {trend.niche_key for trend in page.trends}))

    async def trend(self, slug: TrendSlug) -> ShownTrend:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            trend = await _trend(tx, slug)
            names = await _names(tx, {trend.niche_key})
        return ShownTrend(trend, names[trend.niche_key])

    async def trend_with_texts(self, slug: TrendSlug) -> TrendWithTexts:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            trend = await _trend(tx, slug)
            return TrendWithTexts(trend, await tx[Trends].texts(trend.slug))

    async def niches(self) -> tuple[PublicNiche, ...]:
        """Return all preconfigured niches, those with most trends first, then by key."""
        async with self.unit_of_work() as tx:
            counted = {niche.niche_key: niche for niche in await tx[Trends].by_niche()}
        offered = [
            PublicNiche(key, name, description, found.trends if found else 0, found.highest if found else None)
            for key, name, description, _, _ in PRECONFIGURED
            for found in (counted.get(key),)
        ]
        return tuple(sorted(offered, key=lambda niche: (-niche.trends, niche.niche_key)))

    async def top_niches(self, limit: int) -> tuple[list[TopNiche], int]:
        """The first `limit` niches with trends, and how many there are."""
        async with self.unit_of_work() as tx:
            found = await tx[Trends].by_niche()
            names = await _names(tx, {niche.niche_key for niche in found[:limit]})
        return [TopNiche(names[niche.niche_key], niche) for niche in found[:limit]], len(found)

    async def articles(self, query: PublicArticleQuery) -> PublicPage:
        async with self.unit_of_work() as tx:
            return await tx[PublicArticles].page(query)

    async def article(self, slug: str, category: PublicCategory | None = None) -> Article:
        """Return a public article, with its AI mark if its tenant wants one. `category`: the only one it may have;
        None: any. Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await tx[PublicArticles].find(slug)
            if article is None or category not in (None, article.public_category):
                raise NotFound("public article", slug)
            mark = await mark_of(tx, article)
            shown = with_ai_mark(await with_present_titles(tx, article), mark)
            return evolve(shown, approval=article.present_approval)

    async def article_html(self, article: Article, url: str | None, site: Site) -> PublicHtml:
        """Return the HTML of an article's public page; `article` as the method `article` returns it. `url`: its
        address, if known."""
        async with self.unit_of_work() as tx:
            addresses = await public_addresses(tx, article, self.public_url)
            approved = None if article.approval is None else article.approval.ai_mark
            mark = await mark_of(tx, article) if approved is None else approved

        def made() -> PublicHtml:
            shown = with_links(for_readers(article, self.renderer.renumbered), addresses)
            return self.renderer.public_html(shown, url, site, mark)

        return await asyncio.to_thread(made)

    async def related(self, article: Article, limit: int) -> tuple[Article, ...]:
        """Public articles on topics like that of `article`, in its language, the nearest first."""
        async with self.unit_of_work() as tx:
            return await tx[PublicArticles].related(article, limit)

    async def languages(self) -> dict[Language, int]:
        """The number of public articles in each language that has any."""
        async with self.unit_of_work() as tx:
            return await tx[PublicArticles].languages()

    async def article_count(self) -> int:
        async with self.unit_of_work() as tx:
            return await tx[PublicArticles].count()

    async def addresses(self, after: str | None, limit: int) -> list[PublicAddress]:
        async with self.unit_of_work() as tx:
            return await tx[PublicArticles].addresses(after, limit)

    async def statistics(self) -> Statistics:
        async with self.unit_of_work() as tx:
            niches = await tx[Trends].by_niche()
            languages: dict[Language, int] = await tx[PublicArticles].languages()
            written = await tx[PublicArticles].written()
        return Statistics(
            articles=rounded_down(written),
            public_articles=sum(languages.values()),
            trends=sum(niche.trends for niche in niches),
            niches=len(niches),
            languages=len(languages),
        )


async def _trend(tx: Transaction, slug: TrendSlug) -> Trend:
    found = await tx[Trends].find(slug)
    if found is None:
        raise NotFound("trend", slug)
    return found


async def _names(tx: Transaction, niche_keys: set[str]) -> dict[str, str]:
    """The names of niches by key; a niche that is no longer preconfigured has its key as name."""
    names = {}
    for key in sorted(niche_keys):
        niche = await tx[Niches].find_preconfigured(key)
        names[key] = key if niche is None else niche.name
    return names


def rounded_down(count: int, digits: int = 2) -> int:
    """Rounded down to the first `digits` digits: 12,345 becomes 12,000. Below ten it is 0, so that single articles do
    not show."""
    if count < 10:
        return 0
    unit: int = 10 ** max(0, len(str(count)) - digits)
    return count // unit * unit
