"""The titles of an article's sources, as readers get them."""

from __future__ import annotations

from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import Article
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import Transaction


async def with_present_titles(tx: Transaction, article: Article) -> Article:
    """Return the article with the titles that its sources have now. An approved article keeps those that were approved.
    A source whose document was removed keeps the title that it had when the article was written."""
    if not article.sources:
        return article
    approval = article.present_approval
    if approval is not None and approval.state is ApprovalState.APPROVED:
        return article.with_titles(approval.source_titles)
    return article.with_titles(await tx[Knowledge].titles([source.parent_id for source in article.sources]))
