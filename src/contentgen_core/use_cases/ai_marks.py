"""Whether an article is to bear the mark of a text that a language model wrote, and which."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import Article
from contentgen_core.policies.articles.ai_use import ai_use
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.article_versions import ArticleVersions
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.unit_of_work import Transaction

LOOKED_AT: Final = 100
"""The newest updates and versions of the article."""


async def mark_of(tx: Transaction, article: Article, asked: bool | None = None) -> AiUse:
    """Return the AI use to state in the mark; none where no mark is wanted. `asked`: of the request; None: as it was
    approved, else as the tenant sets it for the article's niche."""
    approval = article.present_approval
    if asked is None and approval is not None and approval.ai_mark is not None:
        return approval.ai_mark
    if asked is None:
        asked = (await tx[Niches].preferences(article.tenant_id, article.niche_key)).ai_mark
    return await ai_use_of(tx, article) if asked else AiUse.NONE


async def ai_use_of(tx: Transaction, article: Article) -> AiUse:
    """Return how far a language model wrote the article, as far as that is kept."""
    updates = await tx[ArticleUpdates].newest(article.tenant_id, article.id, LOOKED_AT)
    return ai_use(article, updates, await tx[ArticleVersions].page(article.tenant_id, article.id, None, LOOKED_AT))
