"""Reviews of the service."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from attrs import frozen

from contentgen_adapters.memory.common_tables import USERS
from contentgen_adapters.memory.records import existing, following, page_of
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import ReviewId, UserId
from contentgen_core.model.review import STARS, Ratings, Review, ReviewForReader
from contentgen_core.ports.repositories.reviews import ReviewQuery, Reviews, ReviewSort


@frozen
class ReviewMark:
    """A user found a review helpful."""

    review_id: ReviewId
    user_id: UserId
    created_at: datetime


REVIEWS: Final = TableOf[ReviewId, Review]("reviews")
REVIEW_MARKS: Final = TableOf[tuple[ReviewId, UserId], ReviewMark]("review_marks")

_FIRST_BY: Final[dict[ReviewSort, Callable[[ReviewForReader], Any]]] = {
    ReviewSort.NEWEST: lambda seen: 0,
    ReviewSort.HELPFUL: lambda seen: seen.helpful,
    ReviewSort.RATING: lambda seen: seen.review.rating,
}


@repository(Reviews)
class MemoryReviews:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, review: Review) -> None:
        await self._session.writing()
        self._require_user(review.user_id)
        if await self.of_user(review.user_id) is not None:
            raise AlreadyExists("You have written a review already. Change that one.")
        self._session[REVIEWS].put(review.id, review)

    async def get(self, review_id: ReviewId, reader: UserId) -> ReviewForReader:
        return self._seen(self._stored(review_id), reader)

    async def of_user(self, user_id: UserId) -> ReviewForReader | None:
        own = (self._seen(review, user_id) for review in self._session[REVIEWS].rows() if review.user_id == user_id)
        return next(own, None)

    async def page(self, query: ReviewQuery) -> Sequence[ReviewForReader]:
        found = [self._seen(review, query.reader) for review in self._all(query.flagged)]
        first_by = _FIRST_BY[query.sort]
        found.sort(key=lambda seen: (first_by(seen), seen.review.created_at, seen.review.id), reverse=True)
        return page_of(found, query.page, query.limit)

    async def ratings(self, *, flagged: bool = False) -> Ratings:
        counts = Counter(review.rating for review in self._all(flagged))
        one, two, three, four, five = (counts[star] for star in STARS)
        return Ratings((one, two, three, four, five))

    async def save(self, review: Review) -> Review:
        await self._session.writing()
        saved = following(self._stored(review.id), review, "review")
        self._session[REVIEWS].put(saved.id, saved)
        return saved

    async def delete(self, review_id: ReviewId) -> None:
        await self._session.writing()
        drop_review(self._session, self._stored(review_id).id)

    async def mark_helpful(self, review_id: ReviewId, user_id: UserId, now: datetime) -> bool:
        await self._session.writing()
        mark = self._stored(review_id).id, user_id
        if self._session[REVIEW_MARKS].get(mark) is not None:
            return False
        self._require_user(user_id)
        self._session[REVIEW_MARKS].put(mark, ReviewMark(*mark, now))
        return True

    def _all(self, flagged: bool) -> list[Review]:
        return [review for review in self._session[REVIEWS].rows() if review.flagged == flagged]

    def _stored(self, review_id: ReviewId) -> Review:
        return existing(self._session[REVIEWS], review_id, "review")

    def _seen(self, review: Review, reader: UserId) -> ReviewForReader:
        marks = sum(mark.review_id == review.id for mark in self._session[REVIEW_MARKS].rows())
        return ReviewForReader(review, marks, self._session[REVIEW_MARKS].get((review.id, reader)) is not None)

    def _require_user(self, user_id: UserId) -> None:
        existing(self._session[USERS], user_id, "user")


def drop_review(session: Session, review_id: ReviewId) -> None:
    """With its marks."""
    session[REVIEWS].drop(review_id)
    _drop_marks(session, lambda mark: mark.review_id == review_id)


def drop_reviews_of(session: Session, user_id: UserId) -> None:
    """What a user who goes takes along: the own review, and the marks on others'."""
    for review in [review for review in session[REVIEWS].rows() if review.user_id == user_id]:
        drop_review(session, review.id)
    _drop_marks(session, lambda mark: mark.user_id == user_id)


def _drop_marks(session: Session, gone: Callable[[ReviewMark], bool]) -> None:
    for mark in [mark for mark in session[REVIEW_MARKS].rows() if gone(mark)]:
        session[REVIEW_MARKS].drop((mark.review_id, mark.user_id))
