"""Topic coverage and governance over a real database: one run whoever asks, and queries that stop at their limits."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import psycopg
import pytest

from contentgen_adapters.postgres.repositories import governance
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.area import Area
from contentgen_core.model.ids import TenantId
from contentgen_core.model.job import JobKind
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.tenant import Caller
from contentgen_core.model.topic_coverage import ComputationStatus
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT, ManualClock, SequentialIds
from contentgen_core.use_cases.topic_coverage.manage_topic_coverage import ManageTopicCoverage
from tests.contract.store.given import given, given_tenant
from tests.support.superuser import as_superuser

DAY = timedelta(days=1)


@pytest.fixture
async def caller(postgres_unit_of_work: PostgresUnitOfWork) -> Caller:
    """Of a tenant that uses a niche in two countries."""
    tenant = await given_tenant(postgres_unit_of_work)
    niche = builders.niche(niche_key=builders.NICHE_KEY)
    agent = builders.agent(tenant_id=tenant.id)
    await given(postgres_unit_of_work, niche, agent)
    async with postgres_unit_of_work() as tx:
        await tx[Niches].set_activation(tenant.id, niche, builders.activation(countries=("GB", "IE")))
    return builders.caller(tenant_id=tenant.id)


async def test_starts_and_readings_on_many_connections_make_one_run_an_area(
    postgres_unit_of_work: PostgresUnitOfWork, caller: Caller
) -> None:
    clock = ManualClock()
    topics = ManageTopicCoverage(postgres_unit_of_work, clock, SequentialIds())
    agent_key = str(AgentKey(builders.NICHE_KEY, "GB"))
    for started in range(1, 4):  # never computed, then twice over a result that is there
        asked = [
            ask(caller, key, builders.NICHE_KEY)
            for _ in range(8)
            for ask in (topics.read, topics.recompute)
            for key in (None, agent_key)
        ]
        answers = await asyncio.gather(*asked)
        by_area = {answer.area: answer.job_id for answer in answers}
        assert all(answer.job_id == by_area[answer.area] for answer in answers)
        async with postgres_unit_of_work() as tx:
            jobs = await tx[Jobs].claim("w", frozenset(JobKind), clock.now(), clock.now() + DAY, 100)
            assert Counter(job.kind for job in jobs) == {JobKind.COMPUTE_TOPIC_COVERAGE: 2}
            for job in jobs:
                await tx[Jobs].finish(job)
            for area in by_area:
                coverage = await tx[TopicCoverages].find(caller.tenant_id, area)
                assert coverage is not None
                assert coverage.status is ComputationStatus.COMPUTING
                await tx[TopicCoverages].save(coverage.with_candidates([]).completed(clock.now()))
        clock.advance(days=started)


@pytest.fixture(scope="module")
def busy_database(emptied_postgres: Callable[[], str]) -> str:
    """Ten tenants with 500 articles each in five niches, and 500 documents each in two of them."""
    conninfo = emptied_postgres()
    with psycopg.connect(as_superuser(conninfo)) as connection:
        connection.execute("SET session_replication_role = replica")  # tenants matter to no plan
        connection.execute(
            "INSERT INTO articles SELECT 'article' || n, 'tenant' || n %% 10, 'niche' || n / 10 %% 5, 'topic',"
            " 'en', 'casual', 'short', '{}', false, 'disabled', '{}', 'topic', sha256(n::text::bytea), 'title',"
            " CASE WHEN n / 50 %% 4 < 3 THEN 'published' ELSE 'draft' END, %(now)s + n * interval '1 minute',"
            " %(now)s, 'niche' || n / 10 %% 5, CASE WHEN n / 50 %% 2 = 0 THEN 'GB' ELSE 'IE' END, NULL, 'text', NULL,"
            " NULL, false, NULL, NULL, NULL, NULL, NULL,"
            " CASE WHEN n / 50 %% 4 < 3 THEN %(now)s + n * interval '1 minute' END, false, NULL, false, NULL, NULL,"
            " NULL, '[]', NULL, NULL, 0, 0, NULL, NULL, NULL, 0, array_to_tsvector(ARRAY['word'])"
            " FROM generate_series(1, 5000) n",
            {"now": MOMENT},
        )
        connection.execute(
            "INSERT INTO kb_scopes (niche_key, tenant_id) SELECT 'niche' || n, 'tenant' || t"
            " FROM generate_series(0, 1) n, generate_series(0, 9) t"
        )
        connection.execute(
            "INSERT INTO kb_documents (id, scope_id, source_key, source_digest, title, language, origin, content_hash,"
            " created_at) SELECT 'd' || n || '-' || s.id, s.id, 'key', sha256((n || '-' || s.id)::bytea), 'title',"
            " 'en', 'web', 'hash', %s + n * interval '1 minute' FROM kb_scopes s, generate_series(1, 500) n",
            (MOMENT,),
        )
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return conninfo


def plan_of(conninfo: str, query: str, country: str | None) -> str:
    parameters = {
        **governance.view_parameters(KbView("niche1", TenantId("tenant3"), frozenset({"GB", "IE"}))),
        **governance._parameters(TenantId("tenant3"), Area("niche1", country)),
        "since": MOMENT + timedelta(hours=1),
        "until": MOMENT + timedelta(hours=9),
        "limit": 20,
    }
    with psycopg.connect(conninfo) as connection:
        rows = connection.execute("EXPLAIN " + query, parameters).fetchall()
    return "\n".join(line for (line,) in rows)


@pytest.mark.parametrize("country", [None, "GB"])
class TestWhatAnEvaluationReads:
    def test_articles_are_read_from_an_index_in_its_order(self, busy_database: str, country: str | None) -> None:
        plan = plan_of(busy_database, governance.ARTICLES, country)
        assert "articles_of_niche" in plan
        assert country or "Sort" not in plan, "of one country there may be less than the limit"

    def test_published_ones_too(self, busy_database: str, country: str | None) -> None:
        plan = plan_of(busy_database, governance.PUBLISHED, country)
        assert "articles_published_of_niche" in plan
        assert country or "Sort" not in plan

    def test_they_are_counted_from_an_index(self, busy_database: str, country: str | None) -> None:
        plan = plan_of(busy_database, governance.COUNT, country)
        assert "articles_published_of_niche" in plan

    def test_documents_are_read_scope_by_scope_from_an_index_in_its_order(
        self, busy_database: str, country: str | None
    ) -> None:
        plan = plan_of(busy_database, governance.DOCUMENTS, country)
        assert "kb_documents_live_newest" in plan
        assert plan.count("Sort") <= 2, "only what the limits let through is sorted (its line and its key)"
        assert "Seq Scan on kb_documents" not in plan
