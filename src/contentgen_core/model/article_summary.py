"""Summary of an article in a list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Self

from contentgen_core.model.approval import Approval
from contentgen_core.model.article import Article, ProviderWait
from contentgen_core.model.article_parts import flat
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
        values = flat(article) | {"approval": article.present_approval}
        return cls(**{name: values[name] for name in cls._fields})
