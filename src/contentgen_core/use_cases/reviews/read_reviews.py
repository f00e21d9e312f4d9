"""GET /reviews and GET /reviews/my-review."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.review import Ratings, ReviewForReader
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.ports.repositories.reviews import ReviewQuery, Reviews
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case


@frozen
class ReviewPage:
    """A page of reviews. `total`: the number that the query matches; `ratings`: of the listed reviews, in any case."""

    reviews: Sequence[ReviewForReader]
    total: int
    ratings: Ratings


@use_case
class ReadReviews:
    unit_of_work: UnitOfWork

    async def page(self, caller: Caller, query: ReviewQuery) -> ReviewPage:
        """Reviews of all tenants' users. Raises NotPermitted for flagged ones unless the caller is a platform
        administrator."""
        if query.flagged:
            require_platform_admin(caller)
        async with self.unit_of_work() as tx:
            reviews, ratings = await tx[Reviews].page(query), await tx[Reviews].ratings()
            total = (await tx[Reviews].ratings(flagged=True)).total if query.flagged else ratings.total
        return ReviewPage(reviews, total, ratings)

    async def mine(self, caller: Caller) -> ReviewForReader:
        """Return the caller's own review, flagged or not. Raises NotFound."""
        async with self.unit_of_work() as tx:
            own = await tx[Reviews].of_user(caller.user_id)
        if own is None:
            raise NotFound("review", "my-review")
        return own
