"""Reviews of the service on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import review as model
from contentgen_core.model.ids import ReviewId
from contentgen_core.model.review import ANONYMOUS, MAX_AUTHOR, MAX_COMMENT, MAX_TITLE, FlagReason
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.tenancy.reviews import check_characters
from contentgen_core.ports.repositories.reviews import ReviewQuery, ReviewSort
from contentgen_core.use_cases.reviews.read_reviews import ReviewPage
from contentgen_core.use_cases.reviews.write import ChangedReview, NewReview
from contentgen_http.wire.base import (
    NOT_BLANK,
    Answer,
    AnswerOf,
    Body,
    Query,
    Rule,
    absent_as_none,
    kept,
    optional,
)

MAX_PAGE: Final = 1_000

Stars = Annotated[int, Meta(ge=1, le=5)]
Title = Annotated[str, Meta(min_length=1, max_length=MAX_TITLE, pattern=NOT_BLANK), Rule(check_characters)]
Comment = Annotated[str, Meta(min_length=1, max_length=MAX_COMMENT, pattern=NOT_BLANK), Rule(check_characters)]
AuthorName = Annotated[str, Meta(min_length=1, max_length=MAX_AUTHOR, pattern=NOT_BLANK), Rule(check_characters)]


class Review(Answer, kw_only=True):
    """What a user says of the service."""

    id: Annotated[str, Meta(description="Opaque, time-sortable identifier.")]
    rating: Annotated[int, Meta(description="Stars, from 1 to 5.", examples=[5])]
    title: Annotated[str, Meta(description="The review in a line.", examples=["It cites its sources"])]
    comment: Annotated[str, Meta(description="The review; plain text with line breaks.")]
    author: Annotated[
        str, Meta(description=f"The name that its author gave with it, else '{ANONYMOUS}'.", examples=["Ada"])
    ]
    mine: Annotated[bool, Meta(description="Whether you wrote it.")]
    helpful: Annotated[int, Meta(description="How many users marked it as helpful.", examples=[12])]
    marked_helpful: Annotated[bool, Meta(description="Whether you did.")]
    flagged: Annotated[
        bool,
        Meta(description="Whether it waits for a platform administrator, unlisted. Only they and its author see it."),
    ]
    flag_reasons: Annotated[
        tuple[FlagReason, ...] | UnsetType,
        Meta(
            description="Why it is flagged: it seems to hold a link, a mail address (email), a character or word over "
            "and over (repetition), a script, JSON, SQL or template (suspicious); or an administrator (moderator) "
            "decided so."
        ),
    ] = UNSET
    created_at: Annotated[datetime, Meta(description="When it was written.")]
    updated_at: Annotated[datetime, Meta(description="When its author last changed it.")]

    @classmethod
    def of(cls, seen: model.ReviewForReader, caller: Caller) -> Review:
        review = seen.review
        return cls.copy_from(
            review,
            author=review.author or ANONYMOUS,
            mine=review.user_id == caller.user_id,
            helpful=seen.helpful,
            marked_helpful=seen.marked,
            flag_reasons=review.flags or UNSET,
        )


class Distribution(Answer, kw_only=True):
    """Reviews by their number of stars."""

    one: Annotated[int, Meta(description="Reviews of one star.")] = msgspec.field(name="1")
    two: Annotated[int, Meta(description="Reviews of two stars.")] = msgspec.field(name="2")
    three: Annotated[int, Meta(description="Reviews of three stars.")] = msgspec.field(name="3")
    four: Annotated[int, Meta(description="Reviews of four stars.")] = msgspec.field(name="4")
    five: Annotated[int, Meta(description="Reviews of five stars.")] = msgspec.field(name="5")


class ReviewSummary(AnswerOf[model.Ratings], kw_only=True):
    """All listed reviews in numbers, whatever page was asked for."""

    average: Annotated[
        float | UnsetType, Meta(description="Mean of their stars, to two decimals; absent without any.", examples=[4.4])
    ] = UNSET
    count: Annotated[int, Meta(description="How many there are.", examples=[25])]
    distribution: Annotated[Distribution, Meta(description="How many of each number of stars.")]

    @classmethod
    def of(cls, ratings: model.Ratings) -> ReviewSummary:
        one, two, three, four, five = ratings.counts
        counts = Distribution(one=one, two=two, three=three, four=four, five=five)
        return cls(average=optional(ratings.average), count=ratings.total, distribution=counts)


class ReviewList(Answer, kw_only=True):
    """One page of reviews."""

    reviews: Annotated[list[Review], Meta(description="The reviews of this page.")]
    total: Annotated[int, Meta(description="Reviews on all pages.")]
    page: Annotated[int, Meta(description="This page.")]
    limit: Annotated[int, Meta(description="Reviews a page.")]
    total_pages: Annotated[int, Meta(description="Pages there are; 0 without a review.")]
    summary: Annotated[ReviewSummary, Meta(description="Their average and how the stars are distributed.")]

    @classmethod
    def of(cls, found: ReviewPage, query: ReviewQuery, caller: Caller) -> ReviewList:
        return cls(
            reviews=[Review.of(seen, caller) for seen in found.reviews],
            total=found.total,
            page=query.page,
            limit=query.limit,
            total_pages=-(-found.total // query.limit),
            summary=ReviewSummary.of(found.ratings),
        )


class ReviewListQuery(Query, kw_only=True):
    page: Annotated[int, Meta(ge=1, le=MAX_PAGE, description="The page, from 1.")] = 1
    limit: Annotated[int, Meta(ge=1, le=100, description="Reviews a page.")] = 20
    sort: Annotated[
        ReviewSort, Meta(description="What comes first: the newest, the most helpful, or the one of most stars.")
    ] = ReviewSort.NEWEST
    flagged: Annotated[
        bool, Meta(description="For platform administrators: those that wait for them, in place of those listed.")
    ] = False

    def to_query(self, caller: Caller) -> ReviewQuery:
        return ReviewQuery(caller.user_id, self.page, self.limit, self.sort, self.flagged)


class ReviewRequest(Body, kw_only=True):
    """What you say of the service."""

    rating: Annotated[Stars, Meta(description="Stars, from 1 to 5.", examples=[5])]
    title: Annotated[Title, Meta(description="The review in a line.", examples=["It cites its sources"])]
    comment: Annotated[Comment, Meta(description="The review; plain text, in any language.")]
    author: Annotated[
        AuthorName | UnsetType,
        Meta(description=f"The name to show with it; '{ANONYMOUS}' without. Nothing of your account is shown."),
    ] = UNSET

    def to_command(self, caller: Caller) -> NewReview:
        return NewReview(caller, self.rating, self.title, self.comment, absent_as_none(self.author))


class ReviewPatch(Body, kw_only=True):
    """What to change; what is absent stays."""

    rating: Annotated[Stars | UnsetType, Meta(description="Stars, from 1 to 5.")] = UNSET
    title: Annotated[Title | UnsetType, Meta(description="The review in a line.")] = UNSET
    comment: Annotated[Comment | UnsetType, Meta(description="The review; plain text, in any language.")] = UNSET
    author: Annotated[AuthorName | UnsetType | None, Meta(description="The name to show with it; null shows none.")] = (
        UNSET
    )
    flagged: Annotated[
        bool | UnsetType,
        Meta(description="For platform administrators, on any review: false lists it, true hides it."),
    ] = UNSET

    def to_command(self, caller: Caller, review_id: ReviewId) -> ChangedReview:
        return ChangedReview(
            caller,
            review_id,
            kept(self.rating),
            kept(self.title),
            kept(self.comment),
            kept(self.author),
            kept(self.flagged),
        )
