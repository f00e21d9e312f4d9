"""The one place that lets a text out: every way to a target or to the public asks here."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.approval import ApprovalRequired, ApprovalState
from contentgen_core.model.article import Article
from contentgen_core.model.publication import PostRequest
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.ai_marks import mark_of
from contentgen_core.use_cases.approval.policies import rules_of

NOT_APPROVED: Final = {
    ApprovalState.NONE: "Nobody has approved this article, and its niche demands it. Submit it for review first.",
    ApprovalState.IN_REVIEW: "This article waits for its approval, which its niche demands.",
    ApprovalState.CHANGES_REQUESTED: (
        "This article was sent back: its niche demands approval. Change it, and submit it for review again."
    ),
}
DIFFERS: Final = (
    "In this niche an article goes out as it was approved. The request differs in: {names}. Leave that out, or submit"
    " the article with it and have it approved again."
)


async def demands_approval(tx: Transaction, article: Article) -> bool:
    """Whether nothing of the article's niche goes out unapproved."""
    return (await rules_of(tx, article.tenant_id, article.niche_key)).required


async def check_approved(
    tx: Transaction, article: Article, request: PostRequest | None = None, provider: str = ""
) -> None:
    """Let the article out as it is now, as this request to a kind of target says. Raises ApprovalRequired where its
    niche demands an approval that the article does not have, or the request differs from what was approved."""
    if not await demands_approval(tx, article):
        return
    state = article.approval_state
    if state is not ApprovalState.APPROVED:
        raise ApprovalRequired(NOT_APPROVED[state])
    if request is None:
        return
    names = _differences(article, request, provider)
    if request.ai_mark is not None and await mark_of(tx, article, request.ai_mark) is not await mark_of(tx, article):
        names.append("aiMark")
    if names:
        raise ApprovalRequired(DIFFERS.format(names=", ".join(names)))


def _differences(article: Article, request: PostRequest, provider: str) -> list[str]:
    """The fields by which a request says what nobody approved. A content or image of its own goes out without the
    article's sources or the credit of its image, so that it always differs."""
    details = article.details
    approved: dict[str, tuple[object, object]] = {
        "title": (request.title, article.title),
        "content": (request.content, None),
        "excerpt": (request.excerpt, article.excerpt),
        "featuredImage": (request.featured_image, None),
        "slug": (request.slug, details.slug or article.slug),
        "tags": (request.tags, article.brief.keywords if details.tags is None else details.tags),
        "categories": (request.categories, details.categories or ()),
        "canonicalUrl": (request.canonical_url, details.canonical_url),
    }
    options = details.options.get(provider, {})
    return [
        *(name for name, (asked, fixed) in approved.items() if asked not in (None, fixed)),
        *(name for name, value in request.options.items() if name not in options or options[name] != value),
    ]
