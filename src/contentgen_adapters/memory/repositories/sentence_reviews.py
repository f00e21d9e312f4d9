"""Comments on sentences of articles, and reviews of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from contentgen_adapters.memory.common_tables import ARTICLES, SENTENCE_REVIEWS
from contentgen_adapters.memory.records import owned
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.article_comment import SentenceReview
from contentgen_core.model.ids import ArticleId, TenantId, UserId
from contentgen_core.ports.repositories.article_comments import SentenceReviews


@repository(SentenceReviews)
class MemorySentenceReviews:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def mark(
        self, tenant_id: TenantId, article_id: ArticleId, sentence_hashes: Sequence[str], by: UserId, at: datetime
    ) -> None:
        await self._session.writing()
        owned(self._session[ARTICLES], tenant_id, article_id, "article")
        for hash in sentence_hashes:
            key = (article_id, hash, by)
            self._session[SENTENCE_REVIEWS].put(key, (tenant_id, article_id, SentenceReview(hash, by, at)))

    async def of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[SentenceReview]:
        found = [
            review
            for tenant, article, review in self._session[SENTENCE_REVIEWS].rows()
            if (tenant, article) == (tenant_id, article_id)
        ]
        return sorted(found, key=lambda review: (review.sentence_hash, review.by))

    async def retain(self, tenant_id: TenantId, article_id: ArticleId, sentence_hashes: Sequence[str]) -> None:
        await self._session.writing()
        kept = frozenset(sentence_hashes)
        for review in await self.of_article(tenant_id, article_id):
            if review.sentence_hash not in kept:
                self._session[SENTENCE_REVIEWS].drop((article_id, review.sentence_hash, review.by))
