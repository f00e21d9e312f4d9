"""Comments on sentences of articles, and which sentences were reviewed."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.model.ids import ArticleCommentId
from contentgen_http.api.operation import KIB, operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_query
from contentgen_http.routes.articles import article_id
from contentgen_http.services import Services
from contentgen_http.wire.article_comments import (
    ArticleComment,
    ArticleCommentList,
    CommentChanges,
    CommentQuery,
    NewComment,
    NewReply,
    ReviewedQuery,
    ReviewedText,
    SentencesReviewed,
)
from contentgen_http.wire.base import Done

TAG: Final = "Articles"
_RAISES: Final = (errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange)


def comment_id(text: str) -> ArticleCommentId:
    return ArticleCommentId(path_id("comment", text))


class ArticleCommentRoutes(Controller):
    services: Services

    @operation(
        "POST",
        "/articles/{id:str}/comments",
        tag=TAG,
        body=NewComment,
        example={"sentence": "A heat pump moves heat.", "text": "Who says that?"},
        example_of="With a sentence of the article.",
        answer=ArticleComment,
        max_body=128 * KIB,
        raises=_RAISES,
    )
    async def add_comment(self, request: TenantRequest, id: FromPath[str]) -> ArticleComment:
        """Comment on a sentence.

        By its words: the comment stays with them when the text around changes, and is `detached` once they are gone.
        For editors and those who may approve in the niche; 500 an article at most.
        """
        body = await read_body(request, NewComment)
        add = self.services.writing.comments.add
        return ArticleComment.of(await add(request.user, article_id(id), body.sentence, body.text, body.occurrence))

    @operation(
        "GET",
        "/articles/{id:str}/comments",
        tag=TAG,
        query=CommentQuery,
        answer=ArticleCommentList,
        raises=(errors.NotFound,),
    )
    async def list_comments(self, request: TenantRequest, id: FromPath[str]) -> ArticleCommentList:
        """List the comments on an article."""
        query = read_query(request, CommentQuery)
        found = await self.services.writing.comments.page(
            request.user,
            article_id(id),
            resolved=None if query.state is UNSET else query.state == "resolved",
            before=None if query.before is UNSET else comment_id(query.before),
            limit=query.limit,
        )
        return ArticleCommentList(comments=[ArticleComment.of(comment) for comment in found])

    @operation(
        "POST",
        "/article-comments/{id:str}/replies",
        tag=TAG,
        body=NewReply,
        example={"text": "The manual does."},
        example_of="With a comment on an article.",
        answer=ArticleComment,
        max_body=128 * KIB,
        raises=_RAISES,
    )
    async def reply_to_comment(self, request: TenantRequest, id: FromPath[str]) -> ArticleComment:
        """Reply to a comment.

        50 replies at most.
        """
        body = await read_body(request, NewReply)
        return ArticleComment.of(await self.services.writing.comments.reply(request.user, comment_id(id), body.text))

    @operation(
        "PATCH",
        "/article-comments/{id:str}",
        tag=TAG,
        body=CommentChanges,
        example={"resolved": True},
        example_of="With a comment on an article.",
        answer=ArticleComment,
        raises=_RAISES,
    )
    async def resolve_comment(self, request: TenantRequest, id: FromPath[str]) -> ArticleComment:
        """Resolve a comment, or open it again."""
        body = await read_body(request, CommentChanges)
        resolve = self.services.writing.comments.resolve
        return ArticleComment.of(await resolve(request.user, comment_id(id), resolved=body.resolved))

    @operation(
        "DELETE",
        "/article-comments/{id:str}",
        tag=TAG,
        answer=Done,
        raises=(errors.NotPermitted, errors.NotFound),
    )
    async def delete_comment(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Delete a comment.

        With its replies. One's own; administrators may delete all.
        """
        await self.services.writing.comments.delete(request.user, comment_id(id))
        return Done()

    @operation(
        "GET",
        "/articles/{id:str}/reviewed",
        tag=TAG,
        query=ReviewedQuery,
        answer=ReviewedText,
        raises=(errors.NotFound,),
    )
    async def get_reviewed_sentences(self, request: TenantRequest, id: FromPath[str]) -> ReviewedText:
        """Read which sentences of an article were reviewed.

        A review is of a sentence's words: a sentence that was changed since has none. Approving an article
        reviews no sentence.
        """
        query = read_query(request, ReviewedQuery)
        return ReviewedText.of(await self.services.writing.reviewed.read(request.user, article_id(id)), query)

    @operation(
        "POST",
        "/articles/{id:str}/reviewed",
        tag=TAG,
        body=SentencesReviewed,
        example={"sentences": [0]},
        example_of="With an article that is written.",
        answer=ReviewedText,
        raises=_RAISES,
    )
    async def mark_sentences_reviewed(self, request: TenantRequest, id: FromPath[str]) -> ReviewedText:
        """Mark sentences as reviewed.

        For editors and those who may approve in the niche. Answers the first 500 sentences of the text.
        """
        body = await read_body(request, SentencesReviewed)
        mark = self.services.writing.reviewed.mark
        return ReviewedText.of(await mark(request.user, article_id(id), body.sentences), ReviewedQuery())
