"""Reviews over a real database: numbers that triggers keep, and lists that read an index."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import psycopg
import pytest
from attrs import evolve

from contentgen_adapters.postgres.repositories.reviews import RATINGS, page_query
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.ids import UserId
from contentgen_core.model.review import STARS, FlagReason, Ratings
from contentgen_core.model.tenant import User
from contentgen_core.ports.repositories.reviews import ReviewQuery, Reviews, ReviewSort
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given, given_tenant
from tests.support.superuser import as_superuser

REVIEWS = 20_000


async def _some_change(unit_of_work: PostgresUnitOfWork, users: list[User], chance: random.Random) -> None:
    user, other = chance.choice(users), chance.choice(users)
    flags = chance.choice(((), (FlagReason.LINK,)))
    with suppress(AlreadyExists, ConcurrentChange, NotFound):
        async with unit_of_work() as tx:
            theirs = await tx[Reviews].of_user(other.id)
            match chance.randrange(8):
                case 0 | 1:
                    await tx[Reviews].add(builders.review(user_id=user.id, rating=chance.choice(STARS), flags=flags))
                case 2 if theirs is not None:
                    await tx[Reviews].save(evolve(theirs.review, rating=chance.choice(STARS), flags=flags))
                case 3 if theirs is not None:
                    await tx[Reviews].delete(theirs.review.id)
                case 4 if chance.random() < 0.3:
                    await tx[Users].remove(user.tenant_id, user.id)
                case _ if theirs is not None and user != other:
                    await tx[Reviews].mark_helpful(theirs.review.id, user.id, MOMENT)


async def test_numbers_are_those_of_the_rows_whatever_happens_at_once(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    """A deadlock would be raised here as Unavailable."""
    tenant = await given_tenant(postgres_unit_of_work)
    users = [builders.user(tenant_id=tenant.id) for _ in range(30)]
    await given(postgres_unit_of_work, *users)

    async def busy(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(60):
            await _some_change(postgres_unit_of_work, users, chance)

    await asyncio.gather(*(busy(seed) for seed in range(12)))
    with psycopg.connect(postgres_conninfo) as connection:
        kept = {
            (flagged, rating): n
            for flagged, rating, n in connection.execute(
                "SELECT flagged, rating, sum(reviews)::bigint FROM review_counts GROUP BY 1, 2"
            )
            if n
        }
        rows = connection.execute("SELECT id, flagged, rating, helpful FROM reviews").fetchall()
        marks = Counter(id for (id,) in connection.execute("SELECT review_id FROM review_marks"))
    assert kept == Counter((flagged, rating) for _, flagged, rating, _ in rows)
    assert {id: helpful for id, _, _, helpful in rows if helpful} == marks
    assert rows
    assert marks


async def test_nobody_who_writes_waits_for_another_to_end(postgres_unit_of_work: PostgresUnitOfWork) -> None:
    tenant = await given_tenant(postgres_unit_of_work)
    users = [builders.user(tenant_id=tenant.id) for _ in range(3)]
    await given(postgres_unit_of_work, *users)
    reviews = [builders.review(user_id=user.id, rating=rating) for user, rating in zip(users, (4, 5, 5), strict=True)]
    async with postgres_unit_of_work() as tx:
        for review in reviews[:2]:
            await tx[Reviews].add(review)
    async with postgres_unit_of_work() as first:
        await first[Reviews].save(evolve(reviews[0], rating=5))

        async def meanwhile() -> None:
            async with postgres_unit_of_work() as second:
                await second[Reviews].save(evolve(reviews[1], rating=4))
                await second[Reviews].add(reviews[2])

        async with asyncio.timeout(3):
            await asyncio.create_task(meanwhile())
    async with postgres_unit_of_work() as tx:
        assert await tx[Reviews].ratings() == Ratings((0, 0, 0, 1, 2))


@pytest.fixture(scope="module")
def busy_database(emptied_postgres: Callable[[], str]) -> str:
    conninfo = emptied_postgres()
    with psycopg.connect(as_superuser(conninfo)) as connection:
        connection.execute("SET session_replication_role = replica")  # users matter to no plan
        connection.execute(
            "INSERT INTO reviews SELECT 'review' || n, 'user' || n, 1 + n %% 5, 'title', 'comment', NULL, '{}',"
            " n %% 50 = 0, n %% 7, %(now)s + n * interval '1 minute', %(now)s, 0 FROM generate_series(1, %(most)s) n",
            {"now": MOMENT, "most": REVIEWS},
        )
        connection.execute(
            "INSERT INTO review_counts (flagged, rating, reviews)"
            " SELECT flagged, rating, count(*) FROM reviews GROUP BY 1, 2"
        )
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return conninfo


@pytest.mark.parametrize("flagged", [False, True])
@pytest.mark.parametrize("sort", list(ReviewSort))
def test_a_page_is_read_from_the_index_of_its_order(busy_database: str, sort: ReviewSort, flagged: bool) -> None:
    query = ReviewQuery(UserId("user1"), sort=sort, flagged=flagged)
    parameters = {"reader": query.reader, "flagged": flagged, "limit": query.limit, "offset": 200}
    with psycopg.connect(busy_database) as connection:
        plan = "\n".join(line for (line,) in connection.execute("EXPLAIN " + page_query(sort), parameters))
    assert f"Index Only Scan using reviews_by_{sort}" in plan
    assert "Seq Scan on reviews" not in plan
    assert plan.count("Sort Key") <= 1, "only the page itself is put in order"


def test_averages_read_no_review(busy_database: str) -> None:
    with psycopg.connect(busy_database) as connection:
        plan = "\n".join(line for (line,) in connection.execute("EXPLAIN " + RATINGS, (False,)))
        counted = dict(connection.execute(RATINGS, (False,)).fetchall())
    assert "review_counts" in plan
    assert "on reviews" not in plan
    assert sum(counted.values()) == REVIEWS - REVIEWS // 50
