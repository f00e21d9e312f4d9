"""Trends and public articles for tests."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from attrs import evolve

from contentgen_core.model.article import Article, ArticleStatus, PublicCategory
from contentgen_core.model.ids import TenantId
from contentgen_core.model.trend import Trend, TrendCategory, TrendPoint, TrendSlug, TrendSource, TrendText
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

EVIL = """<script>alert(1)</script>"'&]]>\x07<b onclick="x">"""
NICHE = "home-energy"


def a_trend(slug: str, score: float = 50.0, **changes: Any) -> Trend:
    source = TrendSource(
        f"https://news.example.org/{slug}",
        f"News of {slug}",
        "Example News",
        TrendCategory.NEWS,
        MOMENT - timedelta(hours=2),
        MOMENT,
        "A sentence.",
        12,
    )
    trend = Trend(
        slug=TrendSlug(slug),
        niche_key=NICHE,
        title=f"The trend {slug}",
        summary="Several sources speak of it.",
        category=TrendCategory.NEWS,
        language=Language.EN,
        score=score,
        sources=(source,),
        history=(TrendPoint(MOMENT - timedelta(hours=1), score - 1, 1), TrendPoint(MOMENT, score, 1)),
        first_seen_at=MOMENT - timedelta(days=1),
        last_seen_at=MOMENT,
        updated_at=MOMENT,
    )
    return evolve(trend, **changes)


async def add_trends(unit_of_work: UnitOfWork, *trends: Trend) -> None:
    async with unit_of_work() as tx:
        for trend in trends:
            await tx[Trends].save(trend)
            await tx[Trends].save_texts(
                trend.slug, [TrendText(source.url, "THE WHOLE TEXT") for source in trend.sources]
            )


def a_public_article(tenant_id: TenantId, slug: str = "heat-pumps", **changes: Any) -> Article:
    article = builders.full_article(
        tenant_id=tenant_id,
        slug=slug,
        status=ArticleStatus.PUBLISHED,
        public_category=PublicCategory.OTHER,
        free_topic=None,
        is_free_generation=False,
        revision=0,
        quota_window=None,
        job_id=None,
    )
    return evolve(article, **changes)


async def add_articles(unit_of_work: UnitOfWork, *articles: Article) -> None:
    async with unit_of_work() as tx:
        for article in articles:
            await tx[Articles].add(article)
