"""Reviews of the service, and who found which of them helpful."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from contentgen_core.model.ids import ReviewId, UserId
from contentgen_core.model.review import Ratings, Review, SeenReview


class ReviewSort(StrEnum):
    """Each from the most to the least. What is equal in it is ordered by newest, then by id downwards."""

    NEWEST = "newest"
    HELPFUL = "helpful"
    RATING = "rating"


@frozen
class ReviewQuery:
    """`reader`: whose marks are shown. `flagged`: those that wait for an administrator, in place of those listed."""

    reader: UserId
    page: int = 1
    limit: int = 20
    sort: ReviewSort = ReviewSort.NEWEST
    flagged: bool = False


class Reviews(Protocol):
    """Those of all tenants. A review and the marks of a user go with the user."""

    async def add(self, review: Review) -> None:
        """Raises AlreadyExists when the user has one, NotFound for an unknown user."""
        ...

    async def get(self, review_id: ReviewId, reader: UserId) -> SeenReview:
        """Flagged or not. Raises NotFound."""
        ...

    async def of_user(self, user_id: UserId) -> SeenReview | None:
        """The user's own, as the user sees it."""
        ...

    async def page(self, query: ReviewQuery) -> Sequence[SeenReview]: ...

    async def ratings(self, *, flagged: bool = False) -> Ratings:
        """Of all that are listed, or of all that are flagged. Costs the same however many there are."""
        ...

    async def save(self, review: Review) -> Review:
        """Store a changed review that was read at `review.revision`; gives it back with the next revision.
        Raises ConcurrentChange, NotFound."""
        ...

    async def delete(self, review_id: ReviewId) -> None:
        """With its marks. Raises NotFound."""
        ...

    async def mark_helpful(self, review_id: ReviewId, user_id: UserId, now: datetime) -> bool:
        """Note that this user, not its author, finds it helpful, once. False, and nothing noted, when it is noted
        already. Raises NotFound for an unknown review or user."""
        ...
