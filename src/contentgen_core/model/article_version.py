"""Versions of an article's text."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.article import Article, ArticleSource, ImageCredit, Seo
from contentgen_core.model.ids import ArticleId, TenantId, UserId

KEPT_VERSIONS: Final = 50
"""Of an article, the newest; those that were published are kept beside them."""


class VersionCause(StrEnum):
    """The cause of a version: generated; edited (by a person); patched (single sentences, after sources changed);
    updated (the same, by an update that was accepted); translated; restored (from a former version); earlier: the text
    as it was before its first change that was kept."""

    GENERATED = "generated"
    EDITED = "edited"
    PATCHED = "patched"
    UPDATED = "updated"
    TRANSLATED = "translated"
    RESTORED = "restored"
    EARLIER = "earlier"


@frozen
class VersionText:
    """All content that an approval covers, with the sources that its citations name."""

    title: str
    content: str
    excerpt: str | None = None
    seo: Seo | None = None
    featured_image: str | None = None
    image_credit: ImageCredit | None = None
    sources: tuple[ArticleSource, ...] = ()

    @classmethod
    def of(cls, article: Article) -> VersionText:
        return cls(
            article.title,
            article.content,
            article.excerpt,
            article.seo,
            article.featured_image,
            article.image_credit,
            article.sources,
        )


@frozen
class ArticleVersion:
    """A version without its text. `number`: from 1, in their order. `by`: None when no person made it. `published_at`:
    when the text first went out."""

    tenant_id: TenantId
    article_id: ArticleId
    number: int
    at: datetime
    cause: VersionCause
    title: str
    text_hash: str
    by: UserId | None = None
    approved_by: UserId | None = None
    approved_at: datetime | None = None
    published_at: datetime | None = None
