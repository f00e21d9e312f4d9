"""What only a database with transactions that truly run side by side has to prove."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from attrs import evolve

from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.errors import AlreadyExists, ContentgenError, TopicAlreadyGenerating, Unavailable
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.job import JobKind
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Passage
from contentgen_core.model.tenant import Quota, Tenant
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.idempotency import Idempotency, IdempotencyRecord
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given, given_tenant

KINDS = frozenset(JobKind)
LEASE = timedelta(seconds=30)
LAPSED = MOMENT + timedelta(seconds=31)


@pytest.fixture
async def tenant(postgres_unit_of_work: PostgresUnitOfWork) -> Tenant:
    return await given_tenant(postgres_unit_of_work)


async def test_twelve_simultaneous_consumers_of_the_last_three_get_exactly_three(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    window = MOMENT.date().replace(day=1)

    async def consume() -> bool:
        async with postgres_unit_of_work() as tx:
            counted = await tx[Quotas].consume(tenant.id, Quota.ARTICLES, window, 10)
            await asyncio.sleep(random.random() / 100)
            return counted

    for _ in range(7):
        assert await consume()
    assert sum(await asyncio.gather(*(consume() for _ in range(12)))) == 3
    async with postgres_unit_of_work() as tx:
        assert await tx[Quotas].used(tenant.id, Quota.ARTICLES, window) == 10


async def test_a_quota_taken_back_goes_to_the_one_who_waits(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    consumed, leave = asyncio.Event(), asyncio.Event()

    async def consume_and_fail() -> None:
        async with postgres_unit_of_work() as tx:
            assert await tx[Quotas].consume(tenant.id, Quota.ENRICHMENTS, MOMENT.date(), 1)
            consumed.set()
            await leave.wait()
            raise ZeroDivisionError

    async def consume() -> bool:
        async with postgres_unit_of_work() as tx:
            return await tx[Quotas].consume(tenant.id, Quota.ENRICHMENTS, MOMENT.date(), 1)

    failing = asyncio.create_task(consume_and_fail())
    await consumed.wait()
    waiting = asyncio.create_task(consume())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    leave.set()
    with pytest.raises(ZeroDivisionError):
        await failing
    assert await waiting


async def test_the_same_topic_added_by_many_at_once_generates_once(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    async def start(article: Article) -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Articles].add(article)
            await asyncio.sleep(random.random() / 100)

    articles = [builders.article("Wind", tenant_id=tenant.id, status=ArticleStatus.GENERATING) for _ in range(10)]
    outcomes = await asyncio.gather(*map(start, articles), return_exceptions=True)
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, TopicAlreadyGenerating) for outcome in outcomes) == 9


async def test_the_same_topic_entering_generation_by_a_save_and_an_add_generates_once(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    draft = builders.article("Wind", tenant_id=tenant.id)
    await given(postgres_unit_of_work, draft)

    async def save() -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Articles].save(evolve(draft, status=ArticleStatus.GENERATING))

    async def add() -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Articles].add(builders.article("Wind", tenant_id=tenant.id, status=ArticleStatus.GENERATING))

    outcomes = await asyncio.gather(save(), add(), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", "TopicAlreadyGenerating"]


async def test_term_statistics_are_exact_after_concurrent_imports_and_removals(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    rng = random.Random(4)  # a fixed choice of words: what differs from run to run is who comes first
    scopes = [KbScope(builders.NICHE_KEY, owner, country) for owner in (None, tenant.id) for country in (None, "GB")]
    vocabulary = [f"term{n}" for n in range(40)]

    def source(n: int) -> tuple[KbDocument, list[Passage]]:
        language = rng.choice([Language.EN, Language.FR])
        document = builders.kb_document(scope=rng.choice(scopes), source_key=f"source {n}", language=language)
        passages = [
            builders.passage(
                document,
                chunk_index=i,
                terms=tuple(rng.choices(vocabulary, k=rng.randrange(12))),
                head_terms=tuple(rng.choices(vocabulary, k=2)),
            )
            for i in range(rng.randrange(4))
        ]
        return document, passages

    sources = [source(n) for n in range(120)]
    kept = [source for n, source in enumerate(sources) if n % 3]

    async def import_and_remove(part: list[tuple[KbDocument, list[Passage]]]) -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Knowledge].add(part)
        async with postgres_unit_of_work() as tx:
            await tx[Knowledge].remove([document.id for document, passages in part if (document, passages) not in kept])

    await asyncio.gather(*(import_and_remove(sources[n::8]) for n in range(8)))
    view = KbView(builders.NICHE_KEY, tenant.id, frozenset({"GB"}))
    live = [passage for _, passages in kept for passage in passages]
    async with postgres_unit_of_work() as tx:
        statistics = await tx[Knowledge].statistics(view, dict.fromkeys(Language, vocabulary))
    for language in (Language.EN, Language.FR):
        spoken = [passage for passage in live if passage.document.language is language]
        lengths = [len(passage.terms) + len(passage.head_terms) for passage in spoken]
        counted = {term: sum(term in {*p.terms, *p.head_terms} for p in spoken) for term in vocabulary}
        assert statistics[language].passages == len(spoken)
        assert statistics[language].mean_length == pytest.approx(sum(lengths) / len(lengths))
        assert statistics[language].passages_with == {term: count for term, count in counted.items() if count}


async def test_statistics_forget_what_was_removed(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    documents = [builders.kb_document() for _ in range(3)]
    sources = [(document, [builders.passage(document)]) for document in documents]
    async with postgres_unit_of_work() as tx:
        await tx[Knowledge].add(sources)
        await tx[Knowledge].remove([document.id for document in documents])
    with psycopg.connect(postgres_conninfo) as connection:
        assert connection.execute("SELECT * FROM kb_terms").fetchall() == []
        assert connection.execute("SELECT passages, length FROM kb_corpora").fetchall() == [(0, 0)]


async def test_statistics_that_count_too_much_do_not_have_the_index_written_anew(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    documents = [builders.kb_document() for _ in range(3)]
    async with postgres_unit_of_work() as tx:
        await tx[Knowledge].add([(document, [builders.passage(document)]) for document in documents])
    async with postgres_unit_of_work() as tx:
        await tx[Knowledge].complete_changes("a", await tx[Knowledge].claim_changes("a", MOMENT, MOMENT + LEASE, 10))
    with psycopg.connect(postgres_conninfo) as connection:
        connection.execute("UPDATE kb_corpora SET passages = passages + 10")
    async with postgres_unit_of_work() as tx:
        assert await tx[Knowledge].more_indexed_than(2)
        assert not await tx[Knowledge].more_indexed_than(3)


async def test_the_same_source_imported_by_two_at_once_is_stored_once(
    postgres_unit_of_work: PostgresUnitOfWork,
) -> None:
    async def add() -> None:
        document = builders.kb_document(source_key="the same")
        async with postgres_unit_of_work() as tx:
            await tx[Knowledge].add([(document, [builders.passage(document)])])

    outcomes = await asyncio.gather(*(add() for _ in range(6)), return_exceptions=True)
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, AlreadyExists) for outcome in outcomes) == 5


async def test_terms_and_keys_too_long_for_an_index_are_kept_all_the_same(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    noise = "".join(random.Random(1).choices("abcdefghijklmnop", k=9_000))  # does not compress
    document = builders.kb_document(source_key=noise)
    passage = builders.passage(document, terms=(noise, "heat"))
    article = builders.article(noise, tenant_id=tenant.id, status=ArticleStatus.GENERATING)
    record = IdempotencyRecord(tenant.id, noise, "fingerprint", article.id, MOMENT)
    view = KbView(builders.NICHE_KEY)
    await given(postgres_unit_of_work, article)
    async with postgres_unit_of_work() as tx:
        await tx[Knowledge].add([(document, [passage])])
        await tx[Idempotency].add(record)
    async with postgres_unit_of_work() as tx:
        assert await tx[Knowledge].known(document.scope, [noise]) == {noise: document}
        statistics = await tx[Knowledge].statistics(view, {Language.EN: [noise, "heat", noise[:-1]]})
        assert statistics[Language.EN].passages_with == {noise: 1, "heat": 1}
        assert await tx[Idempotency].find(tenant.id, noise, MOMENT) == record
        assert await tx[Articles].is_generating(tenant.id, article.topic_key)


async def test_old_idempotency_keys_are_cleared_away(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant, postgres_conninfo: str
) -> None:
    async def use(key: str, days: int) -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Idempotency].add(
                IdempotencyRecord(tenant.id, key, "fingerprint", "result", MOMENT + timedelta(days=days))
            )

    for n in range(15):
        await use(f"key {n}", 0)
    await use("key 0", 2)
    await use("another", 2)
    with psycopg.connect(postgres_conninfo) as connection:
        rows = connection.execute("SELECT key FROM idempotency_keys ORDER BY key").fetchall()
    assert rows == [("another",), ("key 0",)]


async def test_a_transaction_that_only_reads_is_never_open(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant, postgres_conninfo: str
) -> None:
    def open_transactions() -> int:
        with psycopg.connect(postgres_conninfo, application_name="observer") as connection:
            query = (
                "SELECT FROM pg_stat_activity"
                " WHERE application_name LIKE 'contentgen %%' AND state LIKE 'idle in transaction%'"
            )
            return len(connection.execute(query).fetchall())

    async with postgres_unit_of_work() as tx:
        await tx[Tenants].get(tenant.id)
        assert await asyncio.to_thread(open_transactions) == 0
        await tx[Tenants].lock(tenant.id)
        assert await asyncio.to_thread(open_transactions) == 1


async def test_a_failure_that_a_caller_swallows_comes_back_instead_of_a_silent_rollback(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    async def consume_and_swallow() -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Quotas].consume(tenant.id, Quota.ARTICLES, MOMENT.date(), 3)
            with pytest.raises(AlreadyExists):
                await tx[Tenants].add(tenant)

    with pytest.raises(AlreadyExists):
        await consume_and_swallow()
    async with postgres_unit_of_work() as tx:
        assert await tx[Quotas].used(tenant.id, Quota.ARTICLES, MOMENT.date()) == 0


async def test_a_deadlock_is_broken_and_the_loser_may_try_again(
    postgres_unit_of_work: PostgresUnitOfWork,
) -> None:
    first, second = await given_tenant(postgres_unit_of_work), await given_tenant(postgres_unit_of_work)
    both = asyncio.Barrier(2)

    async def lock(*tenants: Tenant) -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Tenants].lock(tenants[0].id)
            await both.wait()
            await tx[Tenants].lock(tenants[1].id)

    outcomes = await asyncio.gather(lock(first, second), lock(second, first), return_exceptions=True)
    (loser,) = [outcome for outcome in outcomes if outcome is not None]
    assert isinstance(loser, Unavailable)
    assert loser.retry_after < 1


@pytest.mark.parametrize("limit", ["statement_seconds", "lock_seconds"])
async def test_waiting_too_long_for_anothers_rows_is_unavailable(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant, postgres_conninfo: str, limit: str
) -> None:
    async with create_pool(postgres_conninfo, min_size=1, max_size=1, **{limit: 0.05}) as hasty:
        async with postgres_unit_of_work() as tx:
            await tx[Tenants].lock(tenant.id)
            with pytest.raises(Unavailable):
                async with PostgresUnitOfWork(hasty)() as waiting:
                    await waiting[Tenants].lock(tenant.id)
        async with PostgresUnitOfWork(hasty)() as tx:
            await tx[Tenants].lock(tenant.id)


@pytest.mark.parametrize("text", ["nul \0", "half of a pair \ud800"])
async def test_what_is_no_text_is_refused_as_input(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant, text: str
) -> None:
    plan = builders.article_plan(title=text)
    everywhere: list[dict[str, Any]] = [{"title": text}, {"topic_key": text}, {"plan": plan}, {"content": text}]
    for changes in everywhere:
        with pytest.raises(ContentgenError) as refused:
            await given(postgres_unit_of_work, builders.article(**{"tenant_id": tenant.id, **changes}))
        assert refused.value.code == "invalid_input"
