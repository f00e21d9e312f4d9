"""The tools for approval: ask for a review, approve what a person has read, send it back."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.approval import MAX_REASON, ApprovalState
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId
from contentgen_http.api.requests import path_id
from contentgen_http.mcp.bounds import shorten
from contentgen_http.mcp.fields import TITLE, ArticleIdField
from contentgen_http.mcp.tool import Tool, ToolContext
from contentgen_http.wire.approval import ChosenDetails, PostDetails, TextHash
from contentgen_http.wire.base import NOT_BLANK, Answer, Body

_REASON: Final = 500


class ReviewOf(Body, kw_only=True):
    """Which article is to be reviewed, and what is to go out with it."""

    article_id: ArticleIdField
    details: Annotated[
        ChosenDetails | UnsetType, Meta(description="What is to go out with the text; absent: what was chosen before.")
    ] = UNSET


class ApprovalOf(Body, kw_only=True):
    """Which text is approved."""

    article_id: ArticleIdField
    text_hash: Annotated[
        TextHash, Meta(description="Of the text that the person has read, as article_status answered it with the text.")
    ]


class ChangesTo(Body, kw_only=True):
    """Which article needs changes, and which."""

    article_id: ArticleIdField
    reason: Annotated[
        str, Meta(min_length=1, max_length=MAX_REASON, pattern=NOT_BLANK, description="What is to be changed.")
    ]


class ApprovalShown(Answer, kw_only=True):
    """The approval of an article's present text."""

    article_id: Annotated[str, Meta(description="Id of the article.")]
    title: Annotated[str, Meta(description="Its title.")]
    state: Annotated[ApprovalState, Meta(description="none, inReview, changesRequested, or approved: it may go out.")]
    reason: Annotated[str | UnsetType, Meta(description="Why it is in this state.")] = UNSET
    details: Annotated[
        PostDetails | UnsetType, Meta(description="What goes out with the text; absent where nobody has chosen it.")
    ] = UNSET
    text_hash: Annotated[str, Meta(description="Names the article as it is now: send it to approve_article.")]


async def submit_article(context: ToolContext, arguments: ReviewOf) -> ApprovalShown:
    id = ArticleId(path_id("article", arguments.article_id))
    details = None if arguments.details is UNSET else arguments.details.to_model()
    return _to_shown(await context.services.writing.approval.submit(context.tenant, id, details))


async def approve_article(context: ToolContext, arguments: ApprovalOf) -> ApprovalShown:
    id = ArticleId(path_id("article", arguments.article_id))
    return _to_shown(await context.services.writing.approval.approve(context.tenant, id, arguments.text_hash))


async def send_article_back(context: ToolContext, arguments: ChangesTo) -> ApprovalShown:
    id = ArticleId(path_id("article", arguments.article_id))
    return _to_shown(await context.services.writing.approval.send_back(context.tenant, id, arguments.reason))


def _to_shown(article: Article) -> ApprovalShown:
    said = article.present_approval
    return ApprovalShown(
        article_id=article.id,
        title=shorten(article.title, TITLE),
        state=article.approval_state,
        reason=UNSET if said is None or said.reason is None else shorten(said.reason, _REASON),
        details=UNSET if said is None or said.details is None else PostDetails.of(said.details),
        text_hash=article.reader_hash,
    )


APPROVAL_TOOLS: Final = (
    Tool(
        name="submit_article",
        title="Ask for a review",
        description="Submit an article to those who may approve it, with its tags, categories and addresses. Where its "
        "niche demands approval, publish_article refuses it until they have.",
        arguments=ReviewOf,
        answer=ApprovalShown,
        run=submit_article,
        with_key=True,
        reads=False,
    ),
    Tool(
        name="approve_article",
        title="Approve an article",
        description="Approve an article as it is now, with its sources and tags, in the name of the key's user. "
        "Only after this person has read the text and said so, never by yourself. For those who may "
        "approve in its niche.",
        arguments=ApprovalOf,
        answer=ApprovalShown,
        run=approve_article,
        with_key=True,
        reads=False,
    ),
    Tool(
        name="send_article_back",
        title="Send an article back",
        description="Ask for changes, with the reason; an approval is taken back, posts that are out stay. For those "
        "who may approve in the article's niche.",
        arguments=ChangesTo,
        answer=ApprovalShown,
        run=send_article_back,
        with_key=True,
        reads=False,
    ),
)
