"""What a list shows of an article."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Self

from contentgen_core.model.approval import Approval
from contentgen_core.model.article import Article, ProviderWait
from contentgen_core.model.ids import ArticleId


class ArticleSummary(NamedTuple):
    """An article as a list shows it: flat, since a page has up to a hundred and each article would be some objects.

    A field that is part of another of the article's has the name of both. What is a word of the vocabulary is its
    value. `approval`: what holds of the article as it is now."""

    id: ArticleId
    title: str
    content: str
    excerpt: str | None
    status: str
    scheduled_for: datetime | None
    featured_image: str | None
    trend_slug: str | None
    has_seo: bool
    meta_title: str | None
    meta_description: str | None
    slug: str | None
    niche_key: str
    agent_niche_key: str | None
    agent_country: str | None
    topic: str
    language: str
    tone: str
    length: str
    keywords: Sequence[str]
    word_count: int
    is_public: bool
    public_category: str | None
    is_free_generation: bool
    free_topic: str | None
    coverage_level: str | None
    coverage_score: float | None
    coverage_missing: Sequence[str] | None
    coverage_provisional: bool
    translation_of: ArticleId | None
    approval: Approval | None
    created_at: datetime
    updated_at: datetime
    published_at: datetime | None
    error: str | None
    progress: int
    waiting: ProviderWait | None

    @classmethod
    def of(cls, article: Article) -> Self:
        """The summary of an article."""
        brief, seo, agent_key, coverage = article.brief, article.seo, article.agent_key, article.coverage
        return cls(
            id=article.id,
            title=article.title,
            content=article.content,
            excerpt=article.excerpt,
            status=article.status,
            scheduled_for=article.scheduled_for,
            featured_image=article.featured_image,
            trend_slug=article.trend_slug,
            has_seo=seo is not None,
            meta_title=None if seo is None else seo.meta_title,
            meta_description=None if seo is None else seo.meta_description,
            slug=article.slug,
            niche_key=article.niche_key,
            agent_niche_key=None if agent_key is None else agent_key.niche_key,
            agent_country=None if agent_key is None else agent_key.country,
            topic=brief.topic,
            language=brief.language,
            tone=brief.tone,
            length=brief.length,
            keywords=brief.keywords,
            word_count=article.word_count,
            is_public=article.is_public,
            public_category=article.public_category,
            is_free_generation=article.is_free_generation,
            free_topic=article.free_topic,
            coverage_level=None if coverage is None else coverage.level,
            coverage_score=None if coverage is None else coverage.score,
            coverage_missing=None if coverage is None else coverage.missing,
            coverage_provisional=coverage is not None and coverage.provisional,
            translation_of=article.translation_of,
            approval=article.present_approval,
            created_at=article.created_at,
            updated_at=article.updated_at,
            published_at=article.published_at,
            error=article.error,
            progress=article.progress,
            waiting=article.waiting,
        )
