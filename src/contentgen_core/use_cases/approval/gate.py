"""The one place that lets a text out: every way to a target or to the public asks here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from contentgen_core.model.approval import ApprovalRequired, ApprovalState
from contentgen_core.model.article import Article
from contentgen_core.model.publication import PostRequest
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.approval.policies import rules_of

NOT_APPROVED: Final = {
    ApprovalState.NONE: "Nobody has approved this article, and its niche demands it. Submit it for review first.",
    ApprovalState.IN_REVIEW: "This article waits for its approval, which its niche demands.",
    ApprovalState.CHANGES_REQUESTED: (
        "This article was sent back: its niche demands approval. Change it, and submit it for review again."
    ),
}
OWN_WORDS: Final = (
    "In this niche an article goes out as it was approved. Leave out what the request says in other words: {names}."
)


async def demands_approval(tx: Transaction, article: Article) -> bool:
    """Whether nothing of the article's niche goes out unapproved."""
    return (await rules_of(tx, article.tenant_id, article.niche_key)).required


async def check_approved(tx: Transaction, article: Article, request: PostRequest | None = None) -> None:
    """Let the article's present text out, as this request says. Raises ApprovalRequired where its niche demands an
    approval that the text does not have, or the request brings words of its own."""
    if not await demands_approval(tx, article):
        return
    state = article.approval_state
    if state is not ApprovalState.APPROVED:
        raise ApprovalRequired(NOT_APPROVED[state])
    if request is not None and (names := _own_words(request)):
        raise ApprovalRequired(OWN_WORDS.format(names=", ".join(names)))


def _own_words(request: PostRequest) -> list[str]:
    """The fields by which a request says what nobody approved. Options that are maps may hold any text."""
    given = {
        "title": request.title,
        "content": request.content,
        "excerpt": request.excerpt,
        "featuredImage": request.featured_image,
    }
    maps = [name for name, value in request.options.items() if isinstance(value, Mapping)]
    return [*(name for name, value in given.items() if value is not None), *maps]
