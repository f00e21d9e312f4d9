"""POST /reviews/{id}/helpful."""

from __future__ import annotations

from contentgen_core.errors import Conflict, NotFound
from contentgen_core.model.ids import ReviewId
from contentgen_core.model.review import ReviewForReader
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.reviews import Reviews
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.locked_team import current_user
from contentgen_core.use_cases.use_case import use_case


class OwnReview(Conflict):
    """Users cannot mark their own review as helpful."""

    code = "own_review"

    def __init__(self) -> None:
        super().__init__("This review is yours. Others say whether it is helpful.")


@use_case
class MarkHelpful:
    unit_of_work: UnitOfWork
    clock: Clock

    async def __call__(self, caller: Caller, review_id: ReviewId) -> ReviewForReader:
        """Mark a review as helpful; idempotent. Raises NotFound, also for a flagged review; OwnReview; Unauthenticated
        when the user was removed meanwhile."""
        async with self.unit_of_work() as tx:
            await current_user(tx, caller)
            seen = await tx[Reviews].get(review_id, caller.user_id)
            if seen.review.user_id == caller.user_id:
                raise OwnReview
            if seen.review.flagged:
                raise NotFound("review", review_id)
            if seen.marked:
                return seen
            await tx[Reviews].mark_helpful(review_id, caller.user_id, self.clock.now())
            return await tx[Reviews].get(review_id, caller.user_id)
