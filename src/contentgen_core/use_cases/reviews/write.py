"""Writing, changing, moderating and deleting reviews."""

from __future__ import annotations

import asyncio

from attrs import evolve, frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.ids import ReviewId
from contentgen_core.model.review import FlagReason, Review, ReviewForReader
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.policies.tenancy.reviews import ReviewTexts, check_review, flags_of
from contentgen_core.ports.repositories.reviews import Reviews
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.locked_team import current_user
from contentgen_core.use_cases.use_case import use_case


@frozen
class NewReview:
    caller: Caller
    rating: int
    title: str
    comment: str
    author: str | None = None


@frozen
class ChangedReview:
    """UNSET fields are not changed. `flagged` is for administrators, the other fields for the author."""

    caller: Caller
    review_id: ReviewId
    rating: int | UnsetType = UNSET
    title: str | UnsetType = UNSET
    comment: str | UnsetType = UNSET
    author: str | UnsetType | None = UNSET
    flagged: bool | UnsetType = UNSET

    @property
    def of_author(self) -> bool:
        """Whether only the author may make this change; also true for an empty one."""
        words = (self.rating, self.title, self.comment, self.author)
        return self.flagged is UNSET or any(word is not UNSET for word in words)


@use_case
class WriteReviews:
    """Every role may: a review belongs to its user."""

    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids

    async def submit(self, command: NewReview) -> ReviewForReader:
        """Raises InvalidInput; AlreadyExists for a second one; Unauthenticated when the user was removed meanwhile."""
        texts = check_review(command.rating, command.title, command.comment, command.author)
        flags, now = await asyncio.to_thread(flags_of, texts), self.clock.now()
        review = Review(
            ReviewId(self.ids.new()),
            command.caller.user_id,
            command.rating,
            texts.title,
            texts.comment,
            now,
            now,
            texts.author,
            flags,
        )
        async with self.unit_of_work() as tx:
            await current_user(tx, command.caller)
            await tx[Reviews].add(review)
        return ReviewForReader(review)

    async def change(self, command: ChangedReview) -> ReviewForReader:
        """A changed text is checked anew: a review that was flagged for its text is listed if the new one is clean, and
        one that an administrator had cleared may be flagged again. What an administrator flagged stays flagged.

        Raises NotPermitted for `flagged` unless the caller is a platform administrator; NotFound, also for the text of
        another user's review; InvalidInput, ConcurrentChange."""
        caller = command.caller
        if command.flagged is not UNSET:
            require_platform_admin(caller)
        async with self.unit_of_work() as tx:
            seen = await self._find_review(tx, command)
        changed = await self._set_words(seen.review, command)
        if command.flagged is not UNSET:
            changed = changed.moderated(command.flagged)
        if changed == seen.review:
            return seen
        async with self.unit_of_work() as tx:
            return evolve(seen, review=await tx[Reviews].save(changed))

    async def delete(self, caller: Caller, review_id: ReviewId) -> None:
        """Delete one's own review; as a platform administrator, any. Raises NotFound."""
        async with self.unit_of_work() as tx:
            seen = await tx[Reviews].get(review_id, caller.user_id)
            if not caller.platform_admin:
                _require_own(seen, caller)
            await tx[Reviews].delete(review_id)

    async def _find_review(self, tx: Transaction, command: ChangedReview) -> ReviewForReader:
        seen = await tx[Reviews].get(command.review_id, command.caller.user_id)
        if command.of_author:
            _require_own(seen, command.caller)
        return seen

    async def _set_words(self, review: Review, command: ChangedReview) -> Review:
        before = ReviewTexts(review.title, review.comment, review.author)
        rating = review.rating if command.rating is UNSET else command.rating
        texts = check_review(
            rating,
            before.title if command.title is UNSET else command.title,
            before.comment if command.comment is UNSET else command.comment,
            before.author if command.author is UNSET else command.author,
        )
        if (rating, texts) == (review.rating, before):
            return review
        changed = evolve(
            review,
            rating=rating,
            title=texts.title,
            comment=texts.comment,
            author=texts.author,
            updated_at=self.clock.now(),
        )
        if texts == before:
            return changed
        kept = tuple(flag for flag in review.flags if flag is FlagReason.MODERATOR)
        return evolve(changed, flags=await asyncio.to_thread(flags_of, texts) + kept)


def _require_own(seen: ReviewForReader, caller: Caller) -> None:
    if seen.review.user_id != caller.user_id:
        raise NotFound("review", seen.review.id)
