"""Articles with the same content as a new one would have, by topic and trend.

A tenant sees its own articles, and of others those that are free or public. Never a private article of another
tenant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import frozen

from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.vocabulary import Language


@frozen
class KnownArticle:
    """The fields that identify an article to a caller."""

    id: ArticleId
    tenant_id: TenantId
    title: str
    slug: str | None
    status: ArticleStatus
    topic: str
    language: Language


class Duplicates(Protocol):
    """Failed articles are no duplicates, except for `by_free_topic`, which answers as saving another one would."""

    async def by_free_topic(self, free_topic: str) -> KnownArticle | None:
        """The free article with this topic, of any tenant."""
        ...

    async def by_trend(self, tenant_id: TenantId, trend_slug: str) -> KnownArticle | None:
        """The oldest article on this trend: the tenant's own, or one that is free or public."""
        ...

    async def without_words(self, limit: int) -> list[KnownArticle]:
        """Free and public articles for which `save_words` was not called since they changed."""
        ...

    async def save_words(self, words: Mapping[ArticleId, frozenset[str]]) -> None:
        """Store the significant words of these articles' topics. They become invalid when topic or language changes."""
        ...

    async def nearest(self, words: Mapping[Language, frozenset[str]]) -> KnownArticle | None:
        """Of the free and public articles with stored words, the one that shares most with the words given for its
        language, if the two are near-duplicates (`policies.topics.picking.are_near_duplicates`); of equal ones the one
        with the fewest words, then the oldest."""
        ...

    async def recent(self, tenant_id: TenantId, limit: int) -> Sequence[KnownArticle]:
        """The tenant's newest articles, newest first."""
        ...
