"""Articles that say already what another one would: by their topic and their trend.

Who asks sees its own tenant's articles, and of others those that are free or public, which are the platform's to show.
Never a private article of another tenant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import frozen

from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.vocabulary import Language


@frozen
class KnownArticle:
    """As much of an article as tells somebody which one it is."""

    id: ArticleId
    tenant_id: TenantId
    title: str
    slug: str | None
    status: ArticleStatus
    topic: str
    language: Language


class Duplicates(Protocol):
    """Failed articles duplicate nothing, but for `by_free_topic`: that one answers as saving another would."""

    async def by_free_topic(self, free_topic: str) -> KnownArticle | None:
        """The free article that holds this topic, whoever's it is."""
        ...

    async def by_trend(self, tenant_id: TenantId, trend_slug: str) -> KnownArticle | None:
        """The oldest article of this trend: the tenant's own, or one that is free or public."""
        ...

    async def unread(self, limit: int) -> list[KnownArticle]:
        """Free and public articles whose topic's significant words nobody has saved yet."""
        ...

    async def save_words(self, words: Mapping[ArticleId, frozenset[str]]) -> None:
        """The significant words of these articles' topics. They count for as long as topic and language stay."""
        ...

    async def near(self, words: Mapping[Language, frozenset[str]]) -> KnownArticle | None:
        """Of the free and public articles whose words were saved, the one that shares most with the words given for its
        language, if the two are near-duplicates (`policies.topics.picking.are_near_duplicates`); of equals the one with
        the fewest words, then the oldest."""
        ...

    async def recent(self, tenant_id: TenantId, limit: int) -> Sequence[KnownArticle]:
        """The tenant's newest articles, newest first."""
        ...
