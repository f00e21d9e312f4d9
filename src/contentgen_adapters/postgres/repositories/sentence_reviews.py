"""Comments on sentences of articles, and reviews of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.article_comment import SentenceReview
from contentgen_core.model.ids import ArticleId, TenantId, UserId
from contentgen_core.ports.repositories.article_comments import SentenceReviews


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
