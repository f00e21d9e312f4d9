"""/articles/{id}/comments and /article-comments/{id}: comments on sentences, replies, and their end."""

from __future__ import annotations

from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import Conflict, FieldError, InvalidInput, NotPermitted
from contentgen_core.model.article import Article
from contentgen_core.model.article_comment import (
    MAX_COMMENT,
    MAX_COMMENTS,
    MAX_REPLIES,
    ArticleComment,
    CommentReply,
)
from contentgen_core.model.ids import ArticleCommentId, ArticleId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.text.storable import fits
from contentgen_core.ports.repositories.article_comments import ArticleComments
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.approval.policies import require_editor_or_approver
from contentgen_core.use_cases.article_sentences import ArticleSentences
from contentgen_core.use_cases.use_case import use_case

MOST: Final = 100
"""Of one answer."""


@frozen
class PlacedComment:
    """`position`: of its sentence among those of the present text; None: the sentence is gone."""

    comment: ArticleComment
    position: int | None


@use_case
class ManageComments:
    """Comments are for editors, and for those who may approve in the article's niche; reading is for all."""

    unit_of_work: UnitOfWork
    sentences: ArticleSentences
    clock: Clock
    ids: Ids

    async def add(
        self, caller: Caller, article_id: ArticleId, sentence: str, text: str, occurrence: int = 0
    ) -> PlacedComment:
        """Comment on a sentence of the present text. Raises InvalidInput, NotPermitted, NotFound, Conflict for a
        sentence that does not stand there, and when there are too many."""
        _check_text(text)
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            await require_editor_or_approver(tx, caller, article.niche_key)
        sentences = await self.sentences(article)
        if not 0 <= occurrence < sentences.count(sentence):
            raise Conflict("No such sentence stands in the present text. Read it again.")
        comment = ArticleComment(
            id=ArticleCommentId(self.ids.new()),
            tenant_id=caller.tenant_id,
            article_id=article_id,
            sentence=sentence,
            text=text.strip(),
            by=caller.user_id,
            at=self.clock.now(),
            occurrence=occurrence,
        )
        async with self.unit_of_work() as tx:
            if await tx[ArticleComments].count(caller.tenant_id, article_id) >= MAX_COMMENTS:
                raise Conflict(f"An article has {MAX_COMMENTS} comments at most. Delete some of them.")
            await tx[ArticleComments].add(comment)
        return PlacedComment(comment, comment.position_in(sentences))

    async def page(
        self,
        caller: Caller,
        article_id: ArticleId,
        *,
        resolved: bool | None,
        before: ArticleCommentId | None,
        limit: int,
    ) -> list[PlacedComment]:
        """Newest first, MOST at most. Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            found = await tx[ArticleComments].page(caller.tenant_id, article_id, resolved, before, min(limit, MOST))
        sentences = await self.sentences(article) if found else ()
        return [PlacedComment(comment, comment.position_in(sentences)) for comment in found]

    async def reply(self, caller: Caller, comment_id: ArticleCommentId, text: str) -> PlacedComment:
        """Raises InvalidInput, NotPermitted, NotFound, Conflict when there are too many, ConcurrentChange."""
        _check_text(text)
        async with self.unit_of_work() as tx:
            comment, article = await self._for_change(tx, caller, comment_id)
            if len(comment.replies) >= MAX_REPLIES:
                raise Conflict(f"A comment has {MAX_REPLIES} replies at most.")
            reply = CommentReply(caller.user_id, self.clock.now(), text.strip())
            comment = await tx[ArticleComments].save(evolve(comment, replies=(*comment.replies, reply)))
        return PlacedComment(comment, comment.position_in(await self.sentences(article)))

    async def resolve(self, caller: Caller, comment_id: ArticleCommentId, *, resolved: bool) -> PlacedComment:
        """Resolve it, or open it again. Raises NotPermitted, NotFound, ConcurrentChange."""
        async with self.unit_of_work() as tx:
            comment, article = await self._for_change(tx, caller, comment_id)
            if comment.resolved is not resolved:
                by, at = (caller.user_id, self.clock.now()) if resolved else (None, None)
                comment = await tx[ArticleComments].save(evolve(comment, resolved_by=by, resolved_at=at))
        return PlacedComment(comment, comment.position_in(await self.sentences(article)))

    async def delete(self, caller: Caller, comment_id: ArticleCommentId) -> None:
        """Delete a comment with its replies: one's own, or any for administrators. Raises NotPermitted, NotFound."""
        async with self.unit_of_work() as tx:
            comment = await tx[ArticleComments].get(caller.tenant_id, comment_id)
            if comment.by != caller.user_id and not caller.role.includes(Role.ADMIN):
                raise NotPermitted("This comment is somebody else's: its author or an administrator may delete it.")
            await tx[ArticleComments].delete(caller.tenant_id, comment_id)

    async def _for_change(
        self, tx: Transaction, caller: Caller, comment_id: ArticleCommentId
    ) -> tuple[ArticleComment, Article]:
        comment = await tx[ArticleComments].get(caller.tenant_id, comment_id)
        article = await tx[Articles].get(caller.tenant_id, comment.article_id)
        await require_editor_or_approver(tx, caller, article.niche_key)
        return comment, article


def _check_text(text: str) -> None:
    """Raises InvalidInput."""
    if not text.strip() or not fits(text, MAX_COMMENT):
        raise InvalidInput(FieldError("text", f"1 to {MAX_COMMENT} characters, without NUL"))
