"""The counts behind public lists are those of the articles that everybody may read, whatever happens."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

import psycopg
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentgen_adapters.postgres.repositories.public_articles import PUBLIC
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound, TopicAlreadyGenerating
from contentgen_core.model.approval import Approval, ApprovalPolicy, ApprovalRules, ApprovalState
from contentgen_core.model.article import Article, ArticleStatus, PublicCategory
from contentgen_core.model.ids import ApprovalPolicyId
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Tenant
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.approval_policies import ApprovalPolicies
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery, PublicArticles
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store import given as stored

KEPT = (
    "SELECT language, category, sum(articles)::bigint FROM public_article_counts GROUP BY 1, 2"
    " HAVING sum(articles) <> 0 ORDER BY 1, 2"
)
COUNTED = (
    f"SELECT language, coalesce(public_category, ''), count(*) FROM articles WHERE {PUBLIC} GROUP BY 1, 2 ORDER BY 1, 2"
)


def require_equal_counts(conninfo: str) -> int:
    """How many articles are public."""
    with psycopg.connect(conninfo) as connection:
        kept, counted = (connection.execute(query.encode()).fetchall() for query in (KEPT, COUNTED))
    assert kept == counted
    return sum(n for *_, n in counted)


def some_article(tenant: Tenant, niche: Niche, chance: random.Random) -> Article:
    topic = f"Topic {chance.randrange(10**9)}"
    content = chance.choice(("", "Text.", "Text."))
    made = builders.article(
        topic,
        tenant_id=tenant.id,
        niche_key=niche.niche_key,
        brief=builders.brief(topic=topic, language=chance.choice((Language.EN, Language.FR))),
        status=chance.choice((ArticleStatus.PUBLISHED, ArticleStatus.GENERATED, ArticleStatus.GENERATING)),
        is_public=chance.random() < 0.8,
        is_free_generation=chance.random() < 0.2,
        public_category=chance.choice((None, PublicCategory.DATA_LEAKS)),
        slug=chance.choice((None, f"a-{chance.randrange(10**9)}", f"a-{chance.randrange(10**9)}")),
        content=content,
    )
    state = chance.choice((None, None, ApprovalState.IN_REVIEW, ApprovalState.APPROVED))
    return evolve(made, approval=state and Approval(state, MOMENT, text_hash=made.text_hash))


async def change(uow: PostgresUnitOfWork, tenant: Tenant, niches: list[Niche], chance: random.Random) -> None:
    niche = chance.choice(niches)
    with suppress(ConcurrentChange, TopicAlreadyGenerating):
        async with uow() as tx:
            found = (await tx[Articles].page(ArticleQuery(tenant.id, limit=100))).articles
            policy = await tx[ApprovalPolicies].of_niche(tenant.id, niche.niche_key)
            match chance.randrange(6) if found else 0:
                case 0 | 1:
                    await tx[Articles].add(some_article(tenant, niche, chance))
                case 2 | 3:
                    article, other = chance.choice(found), some_article(tenant, niche, chance)
                    whole = await tx[Articles].get(tenant.id, article.id)
                    await tx[Articles].save(evolve(other, id=whole.id, revision=whole.revision, created_at=MOMENT))
                case 4:
                    await tx[Articles].delete(tenant.id, chance.choice(found).id)
                case _ if policy is None:
                    id = ApprovalPolicyId(builders.new_id())
                    rules = ApprovalRules(required=chance.random() < 0.7)
                    await tx[ApprovalPolicies].add(
                        ApprovalPolicy(id, tenant.id, niche.id, niche.niche_key, MOMENT, MOMENT, rules)
                    )
                case _ if chance.random() < 0.3:
                    await tx[ApprovalPolicies].delete(tenant.id, policy.id)
                case _:
                    required = not policy.rules.required
                    await tx[ApprovalPolicies].save(evolve(policy, rules=ApprovalRules(required=required)))


async def given_niches(uow: PostgresUnitOfWork) -> list[Niche]:
    niches = [builders.niche(niche_key=f"{name}-{builders.new_id()[-8:]}") for name in ("boats", "cars")]
    async with uow() as tx:
        for niche in niches:
            await tx[Niches].add(niche)
    return niches


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), changes=st.integers(1, 40))
async def test_the_counts_are_those_of_the_public_articles_after_any_changes(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str, seed: int, changes: int
) -> None:
    chance = random.Random(seed)
    tenant, niches = await stored.given_tenant(postgres_unit_of_work), await given_niches(postgres_unit_of_work)
    for _ in range(changes):
        await change(postgres_unit_of_work, tenant, niches, chance)
        require_equal_counts(postgres_conninfo)
    async with postgres_unit_of_work() as tx:
        found = await tx[PublicArticles].page(PublicArticleQuery(limit=100))
        assert found.total == await tx[PublicArticles].count() == sum((await tx[PublicArticles].languages()).values())


async def test_simultaneous_changes_of_articles_and_of_what_niches_demand_leave_exact_counts(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    tenant, niches = await stored.given_tenant(postgres_unit_of_work), await given_niches(postgres_unit_of_work)

    async def work(chance: random.Random) -> None:
        for _ in range(25):
            with suppress(AlreadyExists, NotFound):  # of two that make or delete the same, one is told so
                await change(postgres_unit_of_work, tenant, niches, chance)

    await asyncio.gather(*(work(random.Random(seed)) for seed in range(6)))
    assert require_equal_counts(postgres_conninfo)


COPIES = """
INSERT INTO articles SELECT (jsonb_populate_record(a, jsonb_build_object(
    'id', lpad(n::text, 8, '0'), 'created_at', a.created_at - n * interval '1 minute', 'slug', 'copy-' || n,
    'language', CASE WHEN n % 3 = 0 THEN 'fr' ELSE 'en' END, 'is_public', n % 10 < 5
))).* FROM articles a, generate_series(1, 6000) AS n"""


async def test_a_page_of_public_articles_in_a_language_reads_little_more_than_itself(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    tenant = await stored.given_tenant(postgres_unit_of_work)
    await stored.given(postgres_unit_of_work, builders.article(tenant_id=tenant.id, content="Text."))
    with psycopg.connect(postgres_conninfo, autocommit=True) as connection:
        connection.execute(COPIES)
        connection.execute("VACUUM ANALYZE articles, public_article_counts")
        connection.execute("SELECT pg_stat_force_next_flush()")
        [before] = connection.execute(ROWS_READ).fetchone() or (0,)
    async with postgres_unit_of_work() as tx:
        found = await tx[PublicArticles].page(PublicArticleQuery(language=Language.FR))
    assert (found.total, len(found.articles)) == (1_000, 20)
    await asyncio.sleep(1.1)  # until the session has told what it read
    with psycopg.connect(postgres_conninfo) as connection:
        [after] = connection.execute(ROWS_READ).fetchone() or (0,)
    assert after - before <= 5 * 20


ROWS_READ = "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'articles'"
