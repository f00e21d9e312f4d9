"""GET /reviews and GET /reviews/my-review."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.review import Ratings, ReviewForReader
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.ports.repositories.reviews import ReviewQuery
from contentgen_core.ports.unit_of_work import UnitOfWork


@frozen
class ReviewPage:
    """`total`: how many there are of what was asked for; `ratings`: of the reviews that are listed, in any case."""

    reviews: Sequence[ReviewForReader]
    total: int
    ratings: Ratings


@frozen
class ReadReviews:
    unit_of_work: UnitOfWork

    async def page(self, caller: Caller, query: ReviewQuery) -> ReviewPage:
        """Those of all tenants' users. Raises NotPermitted where anybody but a platform administrator asks for flagged
        ones."""
        if query.flagged:
            require_platform_admin(caller)
        async with self.unit_of_work() as tx:
            reviews, ratings = await tx.reviews.page(query), await tx.reviews.ratings()
            total = (await tx.reviews.ratings(flagged=True)).total if query.flagged else ratings.total
        return ReviewPage(reviews, total, ratings)

    async def mine(self, caller: Caller) -> ReviewForReader:
        """Flagged or not. Raises NotFound."""
        async with self.unit_of_work() as tx:
            own = await tx.reviews.of_user(caller.user_id)
        if own is None:
            raise NotFound("review", "my-review")
        return own
