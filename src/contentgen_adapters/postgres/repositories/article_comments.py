"""Comments on sentences of articles, and reviews of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import Records
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.model.article_comment import ArticleComment, SentenceReview
from contentgen_core.model.ids import ArticleCommentId, ArticleId, TenantId, UserId
from contentgen_core.ports.repositories.article_comments import ArticleComments, SentenceReviews


@repository(ArticleComments)
class PostgresArticleComments:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, "article_comments", ArticleComment, "comment")

    async def add(self, comment: ArticleComment) -> None:
        await self._records.add(comment, {"article_id": comment.article_id, "resolved": comment.resolved})

    async def get(self, tenant_id: TenantId, comment_id: ArticleCommentId) -> ArticleComment:
        return await self._records.get(tenant_id, comment_id)

    async def save(self, comment: ArticleComment) -> ArticleComment:
        return await self._records.save(comment, {"resolved": comment.resolved})

    async def delete(self, tenant_id: TenantId, comment_id: ArticleCommentId) -> None:
        deleted = await self._session.change(
            "DELETE FROM article_comments WHERE id = %s AND tenant_id = %s",
            (findable(comment_id), findable(tenant_id)),
        )
        require(deleted, "comment", comment_id)

    async def count(self, tenant_id: TenantId, article_id: ArticleId) -> int:
        rows = await self._session.read(
            "SELECT count(*) FROM article_comments WHERE article_id = %s AND tenant_id = %s",
            (findable(article_id), findable(tenant_id)),
        )
        count: int = rows[0][0]
        return count

    async def page(
        self,
        tenant_id: TenantId,
        article_id: ArticleId,
        resolved: bool | None,
        before: ArticleCommentId | None,
        limit: int,
    ) -> list[ArticleComment]:
        matching = {"article_id": article_id, "tenant_id": tenant_id, "resolved": resolved}
        return await self._records.page(matching, before, limit)


@repository(SentenceReviews)
class PostgresSentenceReviews:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def mark(
        self, tenant_id: TenantId, article_id: ArticleId, sentence_hashes: Sequence[str], by: UserId, at: datetime
    ) -> None:
        await self._session.change(
            "INSERT INTO sentence_reviews (article_id, sentence_hash, user_id, tenant_id, at, confirmed)"
            " SELECT %s, hash, %s, %s, %s, true FROM unnest(%s::text[]) AS hash"
            " ON CONFLICT (article_id, sentence_hash, user_id) DO UPDATE SET at = excluded.at,"
            " confirmed = true",
            (article_id, by, tenant_id, at, list(dict.fromkeys(sentence_hashes))),
        )

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[SentenceReview]:
        rows = await self._session.read(
            "SELECT sentence_hash, user_id, at, confirmed FROM sentence_reviews"
            " WHERE article_id = %s AND tenant_id = %s ORDER BY sentence_hash, user_id",
            (findable(article_id), findable(tenant_id)),
        )
        return [SentenceReview(hash, UserId(user), at, confirmed) for hash, user, at, confirmed in rows]

    async def retain(self, tenant_id: TenantId, article_id: ArticleId, sentence_hashes: Sequence[str]) -> None:
        await self._session.change(
            "DELETE FROM sentence_reviews WHERE article_id = %s AND tenant_id = %s AND NOT sentence_hash = ANY(%s)",
            (findable(article_id), findable(tenant_id), list(sentence_hashes)),
        )
