"""Reviews of the service, and users' marks of helpful ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from contentgen_core.model.ids import ReviewId, UserId
from contentgen_core.model.review import Ratings, Review, ReviewForReader


class ReviewSort(StrEnum):
    """Each in descending order. Equal ones are ordered by newest, then by id descending."""

    NEWEST = "newest"
    HELPFUL = "helpful"
    RATING = "rating"


@frozen
class ReviewQuery:
    """A query. `reader`: the user whose marks are shown. `flagged`: the flagged reviews instead of the listed ones."""

    reader: UserId
    page: int = 1
    limit: int = 20
    sort: ReviewSort = ReviewSort.NEWEST
    flagged: bool = False


class Reviews(Protocol):
    """Reviews of all tenants. A user's review and marks are deleted with the user."""

    async def add(self, review: Review) -> None:
        """Raises AlreadyExists when the user has one, NotFound for an unknown user."""
        ...

    async def get(self, review_id: ReviewId, reader: UserId) -> ReviewForReader:
        """The review, flagged or not. Raises NotFound."""
        ...

    async def of_user(self, user_id: UserId) -> ReviewForReader | None:
        """The user's own review."""
        ...

    async def page(self, query: ReviewQuery) -> Sequence[ReviewForReader]: ...

    async def ratings(self, *, flagged: bool = False) -> Ratings:
        """The ratings of all listed, or of all flagged reviews. Takes the same time however many there are."""
        ...

    async def save(self, review: Review) -> Review:
        """Store a changed review that was read at `review.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def delete(self, review_id: ReviewId) -> None:
        """Delete it with its marks. Raises NotFound."""
        ...

    async def mark_helpful(self, review_id: ReviewId, user_id: UserId, now: datetime) -> bool:
        """Record that this user, who is not its author, finds it helpful. False when that is recorded already. Raises
        NotFound for an unknown review or user."""
        ...
