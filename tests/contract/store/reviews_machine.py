"""A third state machine over two units of work: users come and go, write, change, hide and mark reviews.

TestMine = reviews_machine(memory, mine).TestCase
"""

from __future__ import annotations

from statistics import fmean
from typing import Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, consumes, invariant, multiple, rule

from contentgen_core.model.ids import ReviewId, UserId
from contentgen_core.model.review import FlagReason, Ratings, Review, ReviewForReader
from contentgen_core.model.tenant import User
from contentgen_core.ports.repositories.reviews import ReviewQuery, Reviews, ReviewSort
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.testing import builders
from tests.contract.store.comparing import ComparingMachine, Factory, RolledBack, compared

MOST: Final = 100

_stars: Final = st.integers(1, 5)
_flags: Final = st.lists(st.sampled_from(FlagReason), max_size=2, unique=True).map(tuple)


class ReviewsMachine(ComparingMachine):
    users = Bundle("users")
    reviews = Bundle("reviews")

    def __init__(self) -> None:
        super().__init__()
        self._marks: set[tuple[ReviewId, UserId]] = set()

    @rule(target=users, tenant=st.integers(0, 1))
    def a_user_comes(self, tenant: int) -> User:
        user = builders.user(id=UserId(self._ids.new()), tenant_id=self._tenants[tenant].id)
        self.on_both(lambda tx: tx[Users].add(user))
        return user

    @rule(user=consumes(users))
    def a_user_goes(self, user: User) -> None:
        async def do(tx: Transaction) -> ReviewId | None:
            own = await tx[Reviews].of_user(user.id)
            await tx[Users].remove(user.tenant_id, user.id)
            return None if own is None else own.review.id

        gone = self.on_both(do)
        self._marks = {(review, marker) for review, marker in self._marks if review != gone and marker != user.id}

    @rule(target=reviews, user=users, rating=_stars, flags=_flags, taken_back=st.booleans())
    def write(self, user: User, rating: int, flags: tuple[FlagReason, ...], taken_back: bool) -> object:
        review = builders.review(
            id=ReviewId(self._ids.new()), user_id=user.id, rating=rating, flags=flags, created_at=self._now
        )

        async def do(tx: Transaction) -> Review:
            await tx[Reviews].add(review)
            if taken_back:
                raise RolledBack
            return review

        added = self.on_both(do)
        return multiple() if added is None else added

    @rule(review=reviews, rating=_stars, flags=_flags, stale=st.booleans(), taken_back=st.booleans())
    def change(self, review: Review, rating: int, flags: tuple[FlagReason, ...], stale: bool, taken_back: bool) -> None:
        async def do(tx: Transaction) -> Review:
            found = review if stale else (await tx[Reviews].get(review.id, review.user_id)).review
            saved = await tx[Reviews].save(evolve(found, rating=rating, flags=flags))
            if taken_back:
                raise RolledBack
            return saved

        self.on_both(do)

    @rule(review=reviews)
    def delete(self, review: Review) -> None:
        self.on_both(lambda tx: tx[Reviews].delete(review.id))
        self._marks = {mark for mark in self._marks if mark[0] != review.id}

    @rule(review=reviews, user=users, taken_back=st.booleans())
    def mark(self, review: Review, user: User, taken_back: bool) -> None:
        async def do(tx: Transaction) -> bool:
            new = await tx[Reviews].mark_helpful(review.id, user.id, self._now)
            if taken_back:
                raise RolledBack
            return new

        new = self.on_both(do)
        if new is not None:
            assert new == ((review.id, user.id) not in self._marks)
            self._marks.add((review.id, user.id))

    @rule(user=users, page=st.integers(1, 3), limit=st.integers(1, 3), sort=st.sampled_from(ReviewSort))
    def look(self, user: User, page: int, limit: int, sort: ReviewSort) -> None:
        for flagged in (False, True):
            query = ReviewQuery(user.id, page, limit, sort, flagged)
            self.on_both(lambda tx, query=query: tx[Reviews].page(query))  # type: ignore[misc]
        self.on_both(lambda tx: tx[Reviews].of_user(user.id))

    @invariant()
    def numbers_are_those_of_what_is_there(self) -> None:
        for flagged in (False, True):
            seen, ratings = self._all(flagged)
            stars = [one.review.rating for one in seen]
            assert ratings.total == len(stars)
            average = ratings.average
            assert (average is None) == (not stars)
            assert average is None or abs(average - fmean(stars)) <= 0.005 + 1e-9
            for one in seen:
                assert one.review.flagged == flagged
                assert one.helpful == sum(review_id == one.review.id for review_id, _ in self._marks)

    def _all(self, flagged: bool) -> tuple[list[ReviewForReader], Ratings]:
        async def do(tx: Transaction) -> tuple[list[ReviewForReader], Ratings]:
            query = ReviewQuery(UserId("nobody"), limit=MOST, flagged=flagged)
            return list(await tx[Reviews].page(query)), await tx[Reviews].ratings(flagged=flagged)

        found = self.on_both(do)
        assert found is not None
        return found


def reviews_machine(reference: Factory, subject: Factory) -> type[ReviewsMachine]:
    """The machine that compares `subject` with `reference`. Its `TestCase` is the test to collect."""
    return compared(ReviewsMachine, reference, subject)
