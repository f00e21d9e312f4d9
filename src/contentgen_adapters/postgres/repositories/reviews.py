"""Reviews of the service. The numbers of stars and of marks are kept by triggers (migration 0018)."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.revisions import Revisions, insertion
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_adapters.shared.revisions import next_revision
from contentgen_core.model.ids import ReviewId, UserId
from contentgen_core.model.review import STARS, FlagReason, Ratings, Review, ReviewForReader
from contentgen_core.ports.repositories.reviews import ReviewQuery, Reviews, ReviewSort

_SEEN: Final = (
    "id, user_id, rating, title, comment, created_at, updated_at, author, flags, revision, helpful,"
    " EXISTS (SELECT 1 FROM review_marks m WHERE m.review_id = reviews.id AND m.user_id = %(reader)s)"
)
_ORDER: Final = {
    ReviewSort.NEWEST: "created_at DESC, id DESC",
    ReviewSort.HELPFUL: "helpful DESC, created_at DESC, id DESC",
    ReviewSort.RATING: "rating DESC, created_at DESC, id DESC",
}


def page_query(sort: ReviewSort) -> str:
    """What is passed over is read from an index alone."""
    order = _ORDER[sort]
    return (
        "WITH chosen AS MATERIALIZED (SELECT id FROM reviews WHERE flagged = %(flagged)s"
        f" ORDER BY {order} LIMIT %(limit)s OFFSET %(offset)s)"
        f" SELECT {_SEEN} FROM chosen JOIN reviews USING (id) ORDER BY {order}"
    )


RATINGS: Final = "SELECT rating, sum(reviews)::bigint FROM review_counts WHERE flagged = %s GROUP BY rating"


def _seen(row: Row) -> ReviewForReader:
    id, user_id, rating, title, comment, created_at, updated_at, author, flags, revision, helpful, marked = row
    reasons = tuple(FlagReason(flag) for flag in flags)
    review = Review(id, user_id, rating, title, comment, created_at, updated_at, author, reasons, revision)
    return ReviewForReader(review, helpful, marked)


@repository(Reviews)
class PostgresReviews:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._revisions = Revisions(session, "reviews", "review")

    async def add(self, review: Review) -> None:
        values = {
            "id": review.id,
            "user_id": review.user_id,
            "created_at": review.created_at,
            **_columns(review),
            "revision": review.revision,
        }
        await self._session.change(insertion("reviews", values), values)

    async def get(self, review_id: ReviewId, reader: UserId) -> ReviewForReader:
        rows = await self._session.read(
            f"SELECT {_SEEN} FROM reviews WHERE id = %(id)s", {"id": findable(review_id), "reader": findable(reader)}
        )
        [row] = require(rows, "review", review_id)
        return _seen(row)

    async def of_user(self, user_id: UserId) -> ReviewForReader | None:
        rows = await self._session.read(
            f"SELECT {_SEEN} FROM reviews WHERE user_id = %(reader)s", {"reader": findable(user_id)}
        )
        return _seen(rows[0]) if rows else None

    async def page(self, query: ReviewQuery) -> Sequence[ReviewForReader]:
        parameters = {
            "reader": findable(query.reader),
            "flagged": query.flagged,
            "limit": query.limit,
            "offset": (query.page - 1) * query.limit,
        }
        return [_seen(row) for row in await self._session.read(page_query(query.sort), parameters)]

    async def ratings(self, *, flagged: bool = False) -> Ratings:
        counts: dict[int, int] = dict(await self._session.read(RATINGS, (flagged,)))
        one, two, three, four, five = (counts.get(star, 0) for star in STARS)
        return Ratings((one, two, three, four, five))

    async def save(self, review: Review) -> Review:
        await self._revisions.save({"id": review.id}, review.revision, _columns(review))
        return next_revision(review)

    async def delete(self, review_id: ReviewId) -> None:
        deleted = await self._session.change("DELETE FROM reviews WHERE id = %s", (findable(review_id),))
        require(deleted, "review", review_id)

    async def mark_helpful(self, review_id: ReviewId, user_id: UserId, now: datetime) -> bool:
        # Locked as strongly as the trigger will need it: to want more of a row than one has already is what two who
        # mark and one who deletes could wait for each other over.
        locked = "SELECT 1 FROM reviews WHERE id = %s FOR NO KEY UPDATE"
        require(await self._session.write(locked, (findable(review_id),)), "review", review_id)
        marked = await self._session.change(
            "INSERT INTO review_marks (review_id, user_id, created_at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
            (review_id, user_id, now),
        )
        return bool(marked)


def _columns(review: Review) -> dict[str, Any]:
    """What may change."""
    return {
        "rating": review.rating,
        "title": review.title,
        "comment": review.comment,
        "updated_at": review.updated_at,
        "author": review.author,
        "flags": [flag.value for flag in review.flags],
        "flagged": review.flagged,
    }
