"""A link of an article, for tests of what another tenant may not know of."""

from __future__ import annotations

from contentgen_core.model.article_link import ArticleLink, LinkedBy, LinkState
from contentgen_core.model.ids import ArticleId, ArticleLinkId, TenantId
from contentgen_core.testing.runtime import MOMENT


def article_link(id: ArticleLinkId, tenant_id: TenantId, article_id: ArticleId) -> ArticleLink:
    """A link of an article to itself, which nobody proposes."""
    return ArticleLink(
        id=id,
        tenant_id=tenant_id,
        article_id=article_id,
        target_id=article_id,
        anchor="heat",
        sentence="It moves heat.",
        linked_by=LinkedBy.WORDS,
        score=1.0,
        created_at=MOMENT,
        state=LinkState.ACCEPTED,  # what is proposed is replaced when links are proposed again
    )
