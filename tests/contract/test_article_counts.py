"""The counts behind the totals of lists are those of the articles, whatever happens; no list reads all of them."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from itertools import product
from typing import Final, LiteralString

import psycopg
import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo

from contentgen_adapters.postgres.migrate import load_migrations, migrate
from contentgen_adapters.postgres.pool import Pool, create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.errors import ConcurrentChange, TopicAlreadyGenerating
from contentgen_core.model.approval import Approval, ApprovalState
from contentgen_core.model.article import WRITTEN, Article, ArticleStatus
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Quota, Tenant
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles, SortBy
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store import given as stored
from tests.support.superuser import as_superuser

KEY = "tenant_id, niche_key, status, language, approval_state"
KEPT = f"SELECT {KEY}, sum(articles)::bigint FROM article_counts GROUP BY {KEY}"
COUNTED = f"SELECT {KEY}, count(*) FROM articles GROUP BY {KEY}"
NICHES = ("boats", "cars", "a'b")


def require_equal_counts(conninfo: str) -> None:
    with psycopg.connect(conninfo) as connection:
        kept = {tuple(key): n for *key, n in connection.execute(KEPT.encode()).fetchall() if n}
        counted = {tuple(key): n for *key, n in connection.execute(COUNTED.encode()).fetchall()}
        [all_written] = connection.execute("SELECT coalesce(sum(articles), 0) FROM written_articles").fetchone() or (
            None,
        )
    assert kept == counted
    assert all_written == sum(n for (_, _, status, *_), n in counted.items() if ArticleStatus(status) in WRITTEN)


class _TakenBack(Exception):
    pass


@pytest.fixture
async def tenant(postgres_unit_of_work: PostgresUnitOfWork) -> Tenant:
    return await stored.given_tenant(postgres_unit_of_work)


def some_article(tenant_id: TenantId, chance: random.Random) -> Article:
    topic = chance.choice(("Wind", "Sun"))
    state = chance.choice((None, ApprovalState.IN_REVIEW, ApprovalState.CHANGES_REQUESTED))
    return builders.article(
        topic,
        brief=builders.brief(topic=topic, language=chance.choice((Language.EN, Language.FR))),
        tenant_id=tenant_id,
        niche_key=chance.choice(NICHES),
        status=chance.choice(list(ArticleStatus)),
        approval=state and Approval(state, MOMENT),
    )


async def change(uow: PostgresUnitOfWork, tenant_id: TenantId, chance: random.Random, steps: int, fail: bool) -> None:
    """A transaction of some changes, taken back or not."""
    with suppress(_TakenBack, TopicAlreadyGenerating, ConcurrentChange):
        async with uow() as tx:
            for _ in range(steps):
                found = (await tx[Articles].page(ArticleQuery(tenant_id, limit=100))).articles
                match chance.randrange(4) if found else 0:
                    case 0 | 1:
                        await tx[Articles].add(some_article(tenant_id, chance))
                    case 2:
                        article = await tx[Articles].get(tenant_id, chance.choice(found).id)
                        other = some_article(tenant_id, chance)
                        moved = evolve(article, status=other.status, niche_key=other.niche_key)
                        await tx[Articles].save(evolve(moved, brief=other.brief, approval=other.approval))
                    case _:
                        await tx[Articles].delete(tenant_id, chance.choice(found).id)
            if fail:
                raise _TakenBack


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), transactions=st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=12))
async def test_the_counts_are_those_of_the_articles_after_any_changes_also_those_taken_back(
    postgres_unit_of_work: PostgresUnitOfWork,
    postgres_conninfo: str,
    seed: int,
    transactions: list[tuple[int, bool]],
) -> None:
    chance = random.Random(seed)
    tenants = [await stored.given_tenant(postgres_unit_of_work) for _ in range(2)]
    for steps, fail in transactions:
        await change(postgres_unit_of_work, chance.choice(tenants).id, chance, steps, fail)
        require_equal_counts(postgres_conninfo)


async def test_fifty_who_change_a_tenants_articles_at_once_leave_exact_counts(
    postgres_conninfo: str, tenant: Tenant
) -> None:
    async with create_pool(postgres_conninfo, min_size=1, max_size=50) as pool:
        uow = PostgresUnitOfWork(pool)
        articles = [builders.article(f"Topic {n}", tenant_id=tenant.id) for n in range(50)]
        await stored.given(uow, *articles)

        async def work(article: Article, chance: random.Random) -> None:
            for _ in range(10):
                with suppress(_TakenBack):
                    async with uow() as tx:
                        moved = await tx[Articles].save(evolve(article, status=chance.choice(list(ArticleStatus))))
                        if chance.random() < 0.3:
                            raise _TakenBack
                    article = moved

        await asyncio.gather(*(work(article, random.Random(n)) for n, article in enumerate(articles)))
    require_equal_counts(postgres_conninfo)
    with psycopg.connect(postgres_conninfo) as connection:
        query = f"SELECT max(n) FROM (SELECT count(*) AS n FROM article_counts GROUP BY {KEY})"
        assert (connection.execute(query.encode()).fetchone() or (0,))[0] <= 50


async def test_transactions_that_count_in_opposite_orders_do_not_wait_for_each_other(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    """Also with the quota, which one takes before it counts and the other gives back after."""
    both = asyncio.Barrier(2)
    window = MOMENT.date()

    async def one() -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Articles].add(builders.article("A", tenant_id=tenant.id, status=ArticleStatus.DRAFT))
            await both.wait()
            await tx[Articles].add(builders.article("B", tenant_id=tenant.id, status=ArticleStatus.FAILED))
            await tx[Quotas].refund(tenant.id, Quota.ARTICLES, window)

    async def other() -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Quotas].consume(tenant.id, Quota.ARTICLES, window, None)
            await tx[Articles].add(builders.article("C", tenant_id=tenant.id, status=ArticleStatus.FAILED))
            await both.wait()
            await tx[Articles].add(builders.article("D", tenant_id=tenant.id, status=ArticleStatus.DRAFT))

    async with asyncio.timeout(5):
        await asyncio.gather(one(), other())
    async with postgres_unit_of_work() as tx:
        assert (await tx[Articles].page(ArticleQuery(tenant.id))).total == 4


async def test_a_transaction_counts_what_it_changed_itself(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    async with postgres_unit_of_work() as tx:
        for n in range(3):
            await tx[Articles].add(builders.article(f"Topic {n}", tenant_id=tenant.id))
            assert (await tx[Articles].page(ArticleQuery(tenant.id, limit=1))).total == n + 1
        async with postgres_unit_of_work() as elsewhere:
            assert (await elsewhere[Articles].page(ArticleQuery(tenant.id))).total == 0


@pytest.fixture
def database_before(postgres_server: str) -> Iterator[str]:
    """A database as it was before there were counts."""
    with psycopg.connect(as_superuser(postgres_server), autocommit=True) as connection:
        connection.execute("CREATE DATABASE before_counts OWNER contentgen")
        conninfo = make_conninfo(postgres_server, dbname="before_counts")
        migrate(conninfo, tuple(m for m in load_migrations() if m.number < _of_counts()))
        # columns that came later, and are written today
        _change_table(conninfo, _LATER_COLUMNS)
        _change_table(conninfo, "ALTER TABLE tenants ADD COLUMN suspended_at timestamptz")
        yield conninfo
        connection.execute("DROP DATABASE before_counts WITH (FORCE)")


_LATER_COLUMNS: Final = (
    "ALTER TABLE articles ADD COLUMN translation_of text, ADD COLUMN image_credit jsonb,"
    " ADD COLUMN coverage_level text, ADD COLUMN coverage_score double precision, ADD COLUMN coverage_missing text[],"
    " ADD COLUMN voice jsonb, ADD COLUMN voice_deviations text[],"
    " ADD COLUMN approval jsonb, ADD COLUMN approval_state text NOT NULL DEFAULT 'none',"
    " ADD COLUMN processing text, ADD COLUMN waiting jsonb,"
    " ADD COLUMN coverage_provisional boolean NOT NULL DEFAULT false"
)
_WITHOUT_LATER_COLUMNS: Final = (
    "ALTER TABLE articles DROP COLUMN translation_of, DROP COLUMN image_credit,"
    " DROP COLUMN coverage_level, DROP COLUMN coverage_score, DROP COLUMN coverage_missing,"
    " DROP COLUMN voice, DROP COLUMN voice_deviations,"
    " DROP COLUMN approval, DROP COLUMN approval_state, DROP COLUMN processing, DROP COLUMN waiting,"
    " DROP COLUMN coverage_provisional"
)


def _change_table(conninfo: str, statement: LiteralString) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(statement)


def _of_counts() -> int:
    [migration] = [m for m in load_migrations() if m.name.endswith("_article_counts")]
    return migration.number


async def test_articles_that_are_there_before_the_counts_are_counted(database_before: str) -> None:
    async with create_pool(database_before, min_size=1, max_size=1) as pool:
        uow = PostgresUnitOfWork(pool)
        tenants = await stored.given_tenants(uow)
        chance = random.Random(5)
        for n in range(60):
            article = some_article(chance.choice(tenants).id, chance)
            await stored.given(uow, evolve(article, topic_key=f"topic {n}"))
    _change_table(database_before, _WITHOUT_LATER_COLUMNS)
    _change_table(database_before, "ALTER TABLE tenants DROP COLUMN suspended_at")
    assert migrate(database_before)
    require_equal_counts(database_before)
    async with create_pool(database_before, min_size=1, max_size=1) as pool:
        await change(PostgresUnitOfWork(pool), tenants[0].id, chance, 20, fail=False)
    require_equal_counts(database_before)


async def test_statements_over_many_articles_are_counted(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str, tenant: Tenant
) -> None:
    await stored.given(postgres_unit_of_work, builders.article(tenant_id=tenant.id))
    for statement in (
        COPIES.format(number=500),
        "UPDATE articles SET status = 'failed' WHERE id < '00000100'",
        "UPDATE articles SET niche_key = 'moved' WHERE id > '00000300'",
        "UPDATE articles SET language = 'fr' WHERE id > '00000350'",
        "UPDATE articles SET approval_state = 'inReview' WHERE id > '00000370'",
        "DELETE FROM articles WHERE id > '00000400'",
        "TRUNCATE articles CASCADE",
    ):
        with psycopg.connect(postgres_conninfo, autocommit=True) as connection:
            connection.execute(statement.encode())
        require_equal_counts(postgres_conninfo)


COPIES = """
INSERT INTO articles SELECT (jsonb_populate_record(a, jsonb_build_object(
    'id', lpad(n::text, 8, '0'), 'created_at', a.created_at - n * interval '1 minute',
    'published_at', a.created_at - n * interval '1 minute', 'niche_key', 'niche-' || n % 7,
    'status', CASE WHEN n % 20 = 0 THEN 'draft' ELSE 'published' END,
    'language', CASE WHEN n % 3 = 0 THEN 'fr' ELSE 'en' END,
    'approval_state', CASE WHEN n % 4 = 0 THEN 'inReview' ELSE 'none' END
))).* FROM articles a, generate_series(1, {number}) AS n"""


@pytest.fixture
async def one_connection(postgres_conninfo: str) -> AsyncIterator[Pool]:
    async with create_pool(postgres_conninfo, min_size=1, max_size=1) as pool:
        yield pool


async def read_from_articles(pool: Pool) -> Counter[str]:
    """Scans of the whole table and rows read, by all so far."""
    async with pool.connection() as connection:
        await connection.execute("SELECT pg_stat_force_next_flush()")
        cursor = await connection.execute(
            "SELECT seq_scan, seq_tup_read, idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'articles'"
        )
        scans, scanned, fetched = await cursor.fetchone() or (0, 0, 0)
        return Counter(scans=scans, rows=scanned + (fetched or 0))


async def test_no_list_reads_the_whole_table_and_a_first_page_reads_little_more_than_itself(
    one_connection: Pool, postgres_conninfo: str
) -> None:
    """Each query often enough that the server may also plan it for all parameters alike."""
    uow = PostgresUnitOfWork(one_connection)
    tenants = [await stored.given_tenant(uow) for _ in range(8)]
    for tenant in tenants:
        words = "heat pumps" if tenant is tenants[0] else "wind"
        await stored.given(uow, builders.article(tenant_id=tenant.id, content=words))
    with psycopg.connect(postgres_conninfo, autocommit=True) as connection:
        connection.execute(COPIES.replace("lpad", "a.id || lpad").format(number=1_300).encode())
        connection.execute("VACUUM ANALYZE articles, article_counts")
    for niche, statuses, search, sort_by, descending, page in product(
        (None, "niche-3"),
        ((), (ArticleStatus.DRAFT,), (ArticleStatus.DRAFT, ArticleStatus.GENERATED)),
        (None, "hea"),
        SortBy,
        (True, False),
        (1, 60),
    ):
        query = ArticleQuery(
            tenants[0].id, page, 20, niche, frozenset(statuses), search=search, sort_by=sort_by, descending=descending
        )
        before = await read_from_articles(one_connection)
        for _ in range(7):
            async with uow() as tx:
                found = await tx[Articles].page(query)
        read = await read_from_articles(one_connection) - before
        assert read["scans"] == 0, query
        assert found.total or niche
        if not (niche or statuses or search) and page == 1:
            assert read["rows"] <= 7 * 2 * 20, query


async def test_the_total_of_a_list_in_a_language_or_in_review_is_not_counted(
    one_connection: Pool, postgres_conninfo: str
) -> None:
    uow = PostgresUnitOfWork(one_connection)
    tenant = await stored.given_tenant(uow)
    await stored.given(uow, builders.article(tenant_id=tenant.id))
    with psycopg.connect(postgres_conninfo, autocommit=True) as connection:
        connection.execute(COPIES.format(number=3_000).encode())
        connection.execute("VACUUM ANALYZE articles, article_counts")
    for query, total in (
        (ArticleQuery(tenant.id, language=Language.FR, sort_by=SortBy.UPDATED_AT), 1_000),
        (ArticleQuery(tenant.id, approval=ApprovalState.IN_REVIEW), 750),
        (ArticleQuery(tenant.id, language=Language.FR, approval=ApprovalState.IN_REVIEW), 250),
    ):
        before = await read_from_articles(one_connection)
        async with uow() as tx:
            assert (await tx[Articles].page(query)).total == total
        assert (await read_from_articles(one_connection) - before)["rows"] <= 5 * 20, query
