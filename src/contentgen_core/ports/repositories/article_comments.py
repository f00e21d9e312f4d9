"""Comments on sentences of articles, and reviews of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.article_comment import ArticleComment, SentenceReview
from contentgen_core.model.ids import ArticleCommentId, ArticleId, TenantId, UserId


class ArticleComments(Protocol):
    """A tenant sees its own comments only. Those on an article go with it."""

    async def add(self, comment: ArticleComment) -> None:
        """Raises NotFound for an unknown tenant or article."""
        ...

    async def get(self, tenant_id: TenantId, comment_id: ArticleCommentId) -> ArticleComment:
        """Raises NotFound."""
        ...

    async def save(self, comment: ArticleComment) -> ArticleComment:
        """Store a changed comment that was read at `comment.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def delete(self, tenant_id: TenantId, comment_id: ArticleCommentId) -> None:
        """Raises NotFound."""
        ...

    async def count(self, tenant_id: TenantId, article_id: ArticleId) -> int: ...

    async def page(
        self,
        tenant_id: TenantId,
        article_id: ArticleId,
        resolved: bool | None,
        before: ArticleCommentId | None,
        limit: int,
    ) -> list[ArticleComment]:
        """Newest first. `resolved`: None for all; `before`: only older ones."""
        ...


class SentenceReviews(Protocol):
    """Which sentences of an article who has reviewed, and when last. They go with the article."""

    async def mark(
        self, tenant_id: TenantId, article_id: ArticleId, sentence_hashes: Sequence[str], by: UserId, at: datetime
    ) -> None:
        """Raises NotFound for an unknown article."""
        ...

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[SentenceReview]:
        """In the order of hashes and users."""
        ...

    async def retain(self, tenant_id: TenantId, article_id: ArticleId, sentence_hashes: Sequence[str]) -> None:
        """Forget those of other sentences."""
        ...
