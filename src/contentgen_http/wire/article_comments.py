"""Comments on sentences, and reviews of sentences, on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import article_comment
from contentgen_core.model.article_comment import MAX_COMMENT
from contentgen_core.use_cases.approval import reviewed as model
from contentgen_core.use_cases.approval.reviewed import MAX_MARKED
from contentgen_core.use_cases.comments.manage_comments import MOST, PlacedComment
from contentgen_http.wire.base import NOT_BLANK, Answer, AnswerOf, Body, Query

Text = Annotated[str, Meta(min_length=1, max_length=MAX_COMMENT, pattern=NOT_BLANK)]
MAX_SENTENCE = 20_000
MAX_POSITION = 1_000_000


class CommentReply(AnswerOf[article_comment.CommentReply], kw_only=True):
    """A reply to a comment."""

    by: Annotated[str, Meta(description="Id of the user.")]
    at: Annotated[datetime, Meta(description="When (UTC).")]
    text: Annotated[str, Meta(description="What it says.")]


class ArticleComment(AnswerOf[PlacedComment], kw_only=True):
    """A comment on a sentence of an article."""

    id: Annotated[str, Meta(description="Id of the comment.")]
    article_id: Annotated[str, Meta(description="Id of the article.")]
    sentence: Annotated[str, Meta(description="The sentence's words when it was written.")]
    occurrence: Annotated[int, Meta(description="Which of several sentences of these words, from 0.")]
    position: Annotated[
        int | UnsetType, Meta(description="Where the sentence stands among those of the text; absent when detached.")
    ] = UNSET
    detached: Annotated[bool, Meta(description="Whether no sentence of the text has these words any more.")]
    text: Annotated[str, Meta(description="What it says.")]
    by: Annotated[str, Meta(description="Id of the user.")]
    at: Annotated[datetime, Meta(description="When (UTC).")]
    replies: Annotated[list[CommentReply], Meta(description="In their order.")]
    resolved: Annotated[bool, Meta(description="Whether it is settled.")]
    resolved_by: Annotated[str | UnsetType, Meta(description="Id of the user who resolved it.")] = UNSET
    resolved_at: Annotated[datetime | UnsetType, Meta(description="When (UTC).")] = UNSET

    @classmethod
    def of(cls, placed: PlacedComment) -> ArticleComment:
        comment = placed.comment
        return cls.copy_from(comment, position=placed.position, detached=placed.position is None)


class ArticleCommentList(Answer, kw_only=True):
    """Comments, newest first."""

    comments: Annotated[list[ArticleComment], Meta(description="As many as were asked for at most.")]


class CommentQuery(Query, kw_only=True):
    """Which comments are listed."""

    state: Annotated[Literal["open", "resolved"] | UnsetType, Meta(description="Only those in this state.")] = UNSET
    before: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)] | UnsetType,
        Meta(description="Only older ones than the one with this id."),
    ] = UNSET
    limit: Annotated[Annotated[int, Meta(ge=1, le=MOST)], Meta(description="The most of an answer.")] = 50


class NewComment(Body, kw_only=True):
    """A comment on a sentence of the present text."""

    sentence: Annotated[
        Annotated[str, Meta(min_length=1, max_length=MAX_SENTENCE)],
        Meta(description="The sentence as the article's grounding or GET /articles/{id}/reviewed has it."),
    ]
    occurrence: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_POSITION)],
        Meta(description="Which of several sentences of these words, from 0."),
    ] = 0
    text: Annotated[Text, Meta(description="What it says.")]


class NewReply(Body, kw_only=True):
    """A reply to a comment."""

    text: Annotated[Text, Meta(description="What it says.")]


class CommentChanges(Body, kw_only=True):
    """What becomes of a comment."""

    resolved: Annotated[bool, Meta(description="Whether it is settled.")]


class SentenceReview(AnswerOf[article_comment.SentenceReview], kw_only=True):
    """That a user has reviewed a sentence."""

    by: Annotated[str, Meta(description="Id of the user.")]
    at: Annotated[datetime, Meta(description="When last (UTC).")]


class ReviewedSentence(Answer, kw_only=True):
    """A sentence with its reviews."""

    position: Annotated[int, Meta(description="Its place in the text, from 0.")]
    text: Annotated[str, Meta(description="Its words.")]
    reviews: Annotated[list[SentenceReview], Meta(description="Of the sentence in these words.")]


class ReviewedText(Answer, kw_only=True):
    """Which sentences of an article who has reviewed."""

    total: Annotated[int, Meta(description="Sentences of the text.")]
    reviewed: Annotated[int, Meta(description="Those that somebody has reviewed.")]
    sentences: Annotated[list[ReviewedSentence], Meta(description="As many as were asked for at most, in order.")]

    @classmethod
    def of(cls, found: Sequence[model.ReviewedSentence], query: ReviewedQuery) -> ReviewedText:
        shown = list(enumerate(found))[query.first : query.first + query.limit]
        return cls(
            total=len(found),
            reviewed=sum(1 for sentence in found if sentence.reviews),
            sentences=[ReviewedSentence.copy_from(sentence, position=position) for position, sentence in shown],
        )


class ReviewedQuery(Query, kw_only=True):
    """Which sentences are listed."""

    first: Annotated[Annotated[int, Meta(ge=0, le=MAX_POSITION)], Meta(description="Position of the first.")] = 0
    limit: Annotated[Annotated[int, Meta(ge=1, le=1_000)], Meta(description="The most of an answer.")] = 500


class SentencesReviewed(Body, kw_only=True):
    """What was reviewed."""

    sentences: Annotated[
        Annotated[list[Annotated[int, Meta(ge=0, le=MAX_POSITION)]], Meta(min_length=1, max_length=MAX_MARKED)],
        Meta(description="Positions of sentences in the present text, from 0."),
    ]
