"""Comments on sentences of articles, and reviews of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from contentgen_adapters.memory.records import Records, existing, owned
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.article_comment import ArticleComment, SentenceReview
from contentgen_core.model.ids import ArticleCommentId, ArticleId, TenantId, UserId
from contentgen_core.ports.repositories.article_comments import ArticleComments, SentenceReviews


@repository(ArticleComments)
class MemoryArticleComments:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session.article_comments, "comment")

    async def add(self, comment: ArticleComment) -> None:
        await self._session.writing()
        existing(self._session.tenants, comment.tenant_id, "tenant")
        existing(self._session.articles, comment.article_id, "article")
        self._session.article_comments.put(comment.id, comment)

    async def get(self, tenant_id: TenantId, comment_id: ArticleCommentId) -> ArticleComment:
        return await self._records.get(tenant_id, comment_id)

    async def save(self, comment: ArticleComment) -> ArticleComment:
        return await self._records.save(comment)

    async def delete(self, tenant_id: TenantId, comment_id: ArticleCommentId) -> None:
        await self._session.writing()
        self._session.article_comments.drop((await self.get(tenant_id, comment_id)).id)

    async def count(self, tenant_id: TenantId, article_id: ArticleId) -> int:
        return len(self._of_article(tenant_id, article_id))

    async def page(
        self,
        tenant_id: TenantId,
        article_id: ArticleId,
        resolved: bool | None,
        before: ArticleCommentId | None,
        limit: int,
    ) -> list[ArticleComment]:
        found = [
            comment
            for comment in self._of_article(tenant_id, article_id)
            if resolved in (None, comment.resolved) and (before is None or comment.id < before)
        ]
        return sorted(found, key=lambda comment: comment.id, reverse=True)[:limit]

    def _of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[ArticleComment]:
        return [comment for comment in self._records.of(tenant_id) if comment.article_id == article_id]


@repository(SentenceReviews)
class MemorySentenceReviews:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def mark(
        self, tenant_id: TenantId, article_id: ArticleId, sentence_hashes: Sequence[str], by: UserId, at: datetime
    ) -> None:
        await self._session.writing()
        owned(self._session.articles, tenant_id, article_id, "article")
        for hash in sentence_hashes:
            key = (article_id, hash, by)
            self._session.sentence_reviews.put(key, (tenant_id, article_id, SentenceReview(hash, by, at)))

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[SentenceReview]:
        found = [
            review
            for tenant, article, review in self._session.sentence_reviews.rows()
            if (tenant, article) == (tenant_id, article_id)
        ]
        return sorted(found, key=lambda review: (review.sentence_hash, review.by))

    async def retain(self, tenant_id: TenantId, article_id: ArticleId, sentence_hashes: Sequence[str]) -> None:
        await self._session.writing()
        kept = frozenset(sentence_hashes)
        for review in await self.of_article(tenant_id, article_id):
            if review.sentence_hash not in kept:
                self._session.sentence_reviews.drop((article_id, review.sentence_hash, review.by))
