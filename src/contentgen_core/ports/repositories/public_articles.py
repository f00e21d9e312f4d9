"""Articles that everybody may read. Whoever asks here names no tenant and is told of none."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Protocol

from attrs import frozen

from contentgen_core.model.article import Article, ArticleStatus, PublicCategory
from contentgen_core.model.vocabulary import Language

WRITTEN: Final = frozenset({ArticleStatus.GENERATED, ArticleStatus.SCHEDULED, ArticleStatus.PUBLISHED})


@frozen
class PublicArticleQuery:
    """`search`: every word of it begins a word of the title or the content."""

    page: int = 1
    limit: int = 20
    language: Language | None = None
    category: PublicCategory | None = None
    search: str | None = None


@frozen
class PublicPage:
    """`articles` come without plan, sources, grounding and usage."""

    articles: tuple[Article, ...]
    total: int


@frozen
class PublicAddress:
    """What a site map says of an article."""

    slug: str
    category: PublicCategory | None
    language: Language
    updated_at: datetime


class PublicArticles(Protocol):
    """An article is public with `is_public`, a slug and a text; none that is being written."""

    async def find(self, slug: str) -> Article | None:
        """Whole, with its sources."""
        ...

    async def page(self, query: PublicArticleQuery) -> PublicPage:
        """The latest first: by the date of publication, else of creation; equal dates by id."""
        ...

    async def addresses(self, after: str | None, limit: int) -> list[PublicAddress]:
        """In the order of their slugs, from behind one on."""
        ...

    async def count(self) -> int: ...

    async def languages(self) -> dict[Language, int]:
        """How many there are in each language that any is written in."""
        ...

    async def written(self) -> int:
        """How many articles of all tenants are written, public or not."""
        ...
