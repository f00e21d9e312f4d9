"""Trends and public articles, as the tools of an agent read them. Nobody is named, and no tenant is told of."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.article import Article
from contentgen_core.model.trend import Trend, TrendSlug
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery, PublicPage
from contentgen_core.ports.repositories.trends import TrendPage, TrendQuery
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.niches.catalogue import PRECONFIGURED


@frozen
class TrendWithTexts:
    """`texts`: what could be read of the sources, by their addresses."""

    trend: Trend
    texts: Mapping[str, str]


@frozen
class NicheOnOffer:
    """A preconfigured niche; `highest` is its highest trend's score, None without any trend."""

    niche_key: str
    name: str
    description: str
    trends: int
    highest: float | None


@frozen
class ReadForAgents:
    unit_of_work: UnitOfWork

    async def trends(self, query: TrendQuery) -> TrendPage:
        async with self.unit_of_work() as tx:
            return await tx.trends.page(query)

    async def trend(self, slug: str) -> TrendWithTexts:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            found = await tx.trends.find(TrendSlug(slug))
            if found is None:
                raise NotFound("trend", slug)
            return TrendWithTexts(found, await tx.trends.texts(found.slug))

    async def niches(self) -> tuple[NicheOnOffer, ...]:
        """All of them, those with the most to tell first; without trends, by their keys."""
        async with self.unit_of_work() as tx:
            counted = {niche.niche_key: niche for niche in await tx.trends.by_niche()}
        offered = [
            NicheOnOffer(key, name, description, found.trends if found else 0, found.highest if found else None)
            for key, name, description, _, _ in PRECONFIGURED
            for found in (counted.get(key),)
        ]
        return tuple(sorted(offered, key=lambda niche: (-niche.trends, niche.niche_key)))

    async def articles(self, query: PublicArticleQuery) -> PublicPage:
        async with self.unit_of_work() as tx:
            return await tx.public_articles.page(query)

    async def article(self, slug: str) -> Article:
        """With its sources. Raises NotFound, for one that is not public too."""
        async with self.unit_of_work() as tx:
            found = await tx.public_articles.find(slug)
        if found is None:
            raise NotFound("public article", slug)
        return found
