"""Reviews: one per user, one mark per user and review, and ratings that match."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from statistics import fmean

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.ids import ReviewId, UserId
from contentgen_core.model.review import FlagReason, Ratings, Review, ReviewForReader
from contentgen_core.model.tenant import User
from contentgen_core.ports.repositories.reviews import ReviewQuery, Reviews, ReviewSort
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant

NOBODY = UserId("nobody")


async def _user(unit_of_work: UnitOfWork) -> User:
    """Of a tenant of its own."""
    user = builders.user(tenant_id=(await given_tenant(unit_of_work)).id)
    await given(unit_of_work, user)
    return user


async def _review(unit_of_work: UnitOfWork, **changes: object) -> Review:
    review = builders.review(**{"user_id": (await _user(unit_of_work)).id} | changes)
    async with unit_of_work() as tx:
        await tx[Reviews].add(review)
    return review


async def _mark(unit_of_work: UnitOfWork, review: Review, user_id: UserId) -> bool:
    async with unit_of_work() as tx:
        return await tx[Reviews].mark_helpful(review.id, user_id, MOMENT)


async def _seen(unit_of_work: UnitOfWork, review: Review, reader: UserId = NOBODY) -> ReviewForReader:
    async with unit_of_work() as tx:
        return await tx[Reviews].get(review.id, reader)


async def _listed(
    unit_of_work: UnitOfWork, sort: ReviewSort = ReviewSort.NEWEST, *, page: int = 1, limit: int = 20
) -> list[ReviewId]:
    async with unit_of_work() as tx:
        return [seen.review.id for seen in await tx[Reviews].page(ReviewQuery(NOBODY, page, limit, sort))]


class ReviewsContract:
    async def test_a_review_is_given_back_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        review = await _review(
            unit_of_work,
            rating=1,
            title="يستشهد بمصادره",
            comment="每句话都有出处。\n\nÉ",
            author="Ada Ōkawa",
            updated_at=MOMENT + timedelta(days=1),
            flags=(FlagReason.LINK, FlagReason.MODERATOR),
        )
        assert await _seen(unit_of_work, review) == ReviewForReader(review)
        async with unit_of_work() as tx:
            assert await tx[Reviews].of_user(review.user_id) == ReviewForReader(review)
            assert await tx[Reviews].of_user(NOBODY) is None

    async def test_a_user_has_one_review(self, unit_of_work: UnitOfWork) -> None:
        review = await _review(unit_of_work)
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[Reviews].add(builders.review(user_id=review.user_id))
        assert await _listed(unit_of_work) == [review.id]

    async def test_of_many_reviews_of_a_user_at_once_one_is_added(self, unit_of_work: UnitOfWork) -> None:
        user = await _user(unit_of_work)
        done = await asyncio.gather(*(_review(unit_of_work, user_id=user.id) for _ in range(6)), return_exceptions=True)
        assert sum(isinstance(one, Review) for one in done) == 1
        assert sum(isinstance(one, AlreadyExists) for one in done) == 5
        async with unit_of_work() as tx:
            assert (await tx[Reviews].ratings()).total == 1

    async def test_a_changed_review_has_the_next_revision_and_an_older_one_is_refused(
        self, unit_of_work: UnitOfWork
    ) -> None:
        review = await _review(unit_of_work)
        changed = evolve(review, rating=2, title="A", comment="B", author="C", updated_at=MOMENT + timedelta(seconds=1))
        async with unit_of_work() as tx:
            saved = await tx[Reviews].save(changed)
        assert saved == evolve(changed, revision=review.revision + 1)
        assert (await _seen(unit_of_work, review)).review == saved
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[Reviews].save(review)
        assert (await _seen(unit_of_work, review)).review == saved

    async def test_reviews_are_listed_in_the_order_asked_for(self, unit_of_work: UnitOfWork) -> None:
        old = await _review(unit_of_work, rating=5, created_at=MOMENT - timedelta(days=2))
        helpful = await _review(unit_of_work, rating=1, created_at=MOMENT - timedelta(days=1))
        new = await _review(unit_of_work, rating=5)
        newer = await _review(unit_of_work, rating=3)  # of the same moment: by id
        for review, marks in ((helpful, 3), (old, 1)):
            for _ in range(marks):
                await _mark(unit_of_work, review, (await _user(unit_of_work)).id)
        assert await _listed(unit_of_work) == [newer.id, new.id, helpful.id, old.id]
        assert await _listed(unit_of_work, ReviewSort.HELPFUL) == [helpful.id, old.id, newer.id, new.id]
        assert await _listed(unit_of_work, ReviewSort.RATING) == [new.id, old.id, newer.id, helpful.id]
        assert await _listed(unit_of_work, limit=3) == [newer.id, new.id, helpful.id]
        assert await _listed(unit_of_work, limit=3, page=2) == [old.id]
        assert await _listed(unit_of_work, limit=3, page=3) == []

    async def test_a_flagged_review_is_neither_listed_nor_counted(self, unit_of_work: UnitOfWork) -> None:
        listed = await _review(unit_of_work, rating=5)
        hidden = await _review(unit_of_work, rating=1, flags=(FlagReason.LINK,))
        async with unit_of_work() as tx:
            assert await tx[Reviews].ratings() == Ratings((0, 0, 0, 0, 1))
            assert await tx[Reviews].ratings(flagged=True) == Ratings((1, 0, 0, 0, 0))
            [waiting] = await tx[Reviews].page(ReviewQuery(NOBODY, flagged=True))
        assert (waiting, await _listed(unit_of_work)) == (ReviewForReader(hidden), [listed.id])
        async with unit_of_work() as tx:
            await tx[Reviews].save(evolve(hidden, flags=()))
            await tx[Reviews].save(evolve(listed, flags=(FlagReason.MODERATOR,), rating=4))
        assert await _listed(unit_of_work) == [hidden.id]
        async with unit_of_work() as tx:
            assert await tx[Reviews].ratings() == Ratings((1, 0, 0, 0, 0))
            assert await tx[Reviews].ratings(flagged=True) == Ratings((0, 0, 0, 1, 0))

    async def test_the_average_is_that_of_what_is_listed_also_when_many_write_at_once(
        self, unit_of_work: UnitOfWork
    ) -> None:
        added = await asyncio.gather(*(_review(unit_of_work, rating=star) for star in (5, 4, 4, 1, 2, 5, 5, 3)))

        async def change(review: Review) -> None:
            async with unit_of_work() as tx:
                if review.rating == 5:
                    await tx[Reviews].save(evolve(review, rating=2))
                elif review.rating == 4:
                    await tx[Reviews].delete(review.id)
                else:
                    await tx[Reviews].save(evolve(review, rating=4))

        await asyncio.gather(*(change(review) for review in added))
        async with unit_of_work() as tx:
            stars = [seen.review.rating for seen in await tx[Reviews].page(ReviewQuery(NOBODY))]
            ratings = await tx[Reviews].ratings()
        assert sorted(stars) == [2, 2, 2, 4, 4, 4]
        assert ratings == Ratings((0, 3, 0, 3, 0))
        assert ratings.average == fmean(stars)

    async def test_a_user_marks_a_review_as_helpful_once(self, unit_of_work: UnitOfWork) -> None:
        review, user, other = await _review(unit_of_work), await _user(unit_of_work), await _user(unit_of_work)
        assert await _mark(unit_of_work, review, user.id)
        assert not await _mark(unit_of_work, review, user.id)
        assert await _seen(unit_of_work, review, user.id) == ReviewForReader(review, 1, True)
        assert await _seen(unit_of_work, review, other.id) == ReviewForReader(review, 1, False)
        assert await _mark(unit_of_work, review, other.id)
        assert await _seen(unit_of_work, review, other.id) == ReviewForReader(review, 2, True)

    async def test_marks_at_once_count_once_a_user(self, unit_of_work: UnitOfWork) -> None:
        review, users = await _review(unit_of_work), [await _user(unit_of_work) for _ in range(3)]
        new = await asyncio.gather(*(_mark(unit_of_work, review, user.id) for user in users * 4))
        assert sum(new) == 3
        assert (await _seen(unit_of_work, review)).helpful == 3

    async def test_a_mark_is_no_change_of_the_review(self, unit_of_work: UnitOfWork) -> None:
        review = await _review(unit_of_work)
        await _mark(unit_of_work, review, (await _user(unit_of_work)).id)
        async with unit_of_work() as tx:
            saved = await tx[Reviews].save(evolve(review, title="Changed"))
        assert await _seen(unit_of_work, review) == ReviewForReader(saved, 1)

    async def test_a_deleted_review_is_gone_with_its_marks_and_its_user_may_write_another(
        self, unit_of_work: UnitOfWork
    ) -> None:
        review, user = await _review(unit_of_work), await _user(unit_of_work)
        await _mark(unit_of_work, review, user.id)
        async with unit_of_work() as tx:
            await tx[Reviews].delete(review.id)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Reviews].get(review.id, user.id)
            assert await tx[Reviews].ratings() == Ratings()
        again = await _review(unit_of_work, user_id=review.user_id, id=review.id)
        assert await _seen(unit_of_work, again, user.id) == ReviewForReader(again)

    async def test_a_user_who_goes_takes_the_review_and_the_marks_along(self, unit_of_work: UnitOfWork) -> None:
        leaving = await _user(unit_of_work)
        own = await _review(unit_of_work, user_id=leaving.id, rating=1)
        others = [await _review(unit_of_work, rating=4) for _ in range(2)]
        for review in others:
            await _mark(unit_of_work, review, leaving.id)
        await _mark(unit_of_work, others[0], own.user_id)
        await _mark(unit_of_work, others[0], others[1].user_id)
        await _mark(unit_of_work, own, others[1].user_id)
        async with unit_of_work() as tx:
            await tx[Users].remove(leaving.tenant_id, leaving.id)
        assert [(await _seen(unit_of_work, review)).helpful for review in others] == [1, 0]
        assert set(await _listed(unit_of_work)) == {review.id for review in others}
        async with unit_of_work() as tx:
            assert await tx[Reviews].ratings() == Ratings((0, 0, 0, 2, 0))
            assert await tx[Reviews].of_user(leaving.id) is None

    async def test_a_review_or_a_mark_of_an_unknown_user_is_refused(self, unit_of_work: UnitOfWork) -> None:
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Reviews].add(builders.review())
        review = await _review(unit_of_work)
        with pytest.raises(NotFound):
            await _mark(unit_of_work, review, NOBODY)
        assert (await _seen(unit_of_work, review)).helpful == 0

    @alien_ids
    async def test_no_review_is_found_by_what_names_none(self, unit_of_work: UnitOfWork, alien: str) -> None:
        review, id = await _review(unit_of_work), ReviewId(alien)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Reviews].get(id, review.user_id)
            assert await tx[Reviews].of_user(UserId(alien)) is None
            assert await tx[Reviews].get(review.id, UserId(alien)) == ReviewForReader(review)
            assert [seen.marked for seen in await tx[Reviews].page(ReviewQuery(UserId(alien)))] == [False]
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Reviews].save(evolve(review, id=id))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Reviews].delete(id)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Reviews].mark_helpful(id, review.user_id, MOMENT)
        assert await _seen(unit_of_work, review) == ReviewForReader(review)
