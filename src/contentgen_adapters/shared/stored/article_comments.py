"""Comments on articles."""

from __future__ import annotations

from typing import Final

from contentgen_adapters.shared.aggregates import Aggregate, StoredWhole, stored
from contentgen_core.model.article_comment import ArticleComment
from contentgen_core.model.ids import ArticleCommentId, ArticleId, TenantId
from contentgen_core.ports.repositories.article_comments import ArticleComments

ARTICLE_COMMENTS: Final = Aggregate(
    ArticleComment,
    table="article_comments",
    resource="comment",
    columns=lambda comment: {"article_id": comment.article_id, "resolved": comment.resolved},
    part_of={"article_id": "articles"},
)


@stored(ArticleComments, ARTICLE_COMMENTS)
class StoredArticleComments(StoredWhole[ArticleComment, ArticleCommentId]):
    async def count(self, tenant_id: TenantId, article_id: ArticleId) -> int:
        return await self.records.count(tenant_id, article_id=article_id)

    async def page(
        self,
        tenant_id: TenantId,
        article_id: ArticleId,
        resolved: bool | None,
        before: ArticleCommentId | None,
        limit: int,
    ) -> list[ArticleComment]:
        return await self.records.ordered(
            tenant_id, newest=True, before=before, limit=limit, article_id=article_id, resolved=resolved
        )
