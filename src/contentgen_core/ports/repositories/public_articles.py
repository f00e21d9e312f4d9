"""Articles that are readable without a key, of all tenants; the answers name no tenant."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.article import Article, PublicCategory
from contentgen_core.model.vocabulary import Language


@frozen
class PublicArticleQuery:
    """A query. `search`: every word of it begins a word of the title or the content."""

    page: int = 1
    limit: int = 20
    language: Language | None = None
    category: PublicCategory | None = None
    search: str | None = None


@frozen
class PublicPage:
    """A page of articles, without plan, sources, grounding and usage. `total`: over all pages."""

    articles: tuple[Article, ...]
    total: int


@frozen
class PublicAddress:
    """An article's entry in the site map."""

    slug: str
    category: PublicCategory | None
    language: Language
    updated_at: datetime


class PublicArticles(Protocol):
    """An article is public with `is_public`, a slug and a text, and while it is not being written; where its niche
    demands approval, once its text has it, but for a free article."""

    async def find(self, slug: str) -> Article | None:
        """The complete article, with its sources."""
        ...

    async def page(self, query: PublicArticleQuery) -> PublicPage:
        """The latest first: by date of publication, else of creation; equal dates by id."""
        ...

    async def related(self, article: Article, limit: int) -> tuple[Article, ...]:
        """Public articles in its language whose topics share significant words with its own, those that share most
        first, then the latest; without plan, sources, grounding and usage. Only topics whose words upkeep has stored
        (`Duplicates.save_words`) are compared."""
        ...

    async def addresses(self, after: str | None, limit: int) -> list[PublicAddress]:
        """Ordered by slug, from the one after `after` (None: from the first)."""
        ...

    async def count(self) -> int: ...

    async def languages(self) -> dict[Language, int]:
        """The number of public articles in each language that has any."""
        ...

    async def written(self) -> int:
        """The number of written articles of all tenants, public or not."""
        ...
