"""One state machine that drives two units of work alike and compares all they answer.

    TestMine = unit_of_work_machine(memory, mine).TestCase

Covered are articles, quotas and jobs, whose rules meet in one transaction; `tenancy_machine` covers who may do what
with which agents. How both compare is in `comparing`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, invariant, multiple, rule

from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import ArticleId, JobId, TenantId
from contentgen_core.model.job import Job, JobKind, Turn
from contentgen_core.model.tenant import Quota
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles, SortBy
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.comparing import ComparingMachine, Factory, RolledBack, compared

TOPICS: Final = ("Heat pumps", "Wind power", "Solar power at home")
SEARCHES: Final = (None, "heat", "pow", "POWER so", "home:*", "nothing")
WORKERS: Final = ("w1", "w2")
LIMIT: Final = 2
LEASE: Final = timedelta(seconds=30)
WINDOW: Final = MOMENT.date()

_tenants: Final = st.integers(0, 1)
_topics: Final = st.sampled_from(TOPICS)
_workers: Final = st.sampled_from(WORKERS)
_kinds: Final = st.sets(st.sampled_from(JobKind)).map(frozenset)
_seconds: Final = st.integers(0, 40)


class UnitOfWorkMachine(ComparingMachine):
    """`readings` are articles and `claims` are jobs as they were once read: most become stale, as with real callers."""

    articles = Bundle("articles")
    readings = Bundle("readings")
    jobs = Bundle("jobs")
    claims = Bundle("claims")

    # articles

    @rule(target=articles, tenant=_tenants, topic=_topics, status=st.sampled_from(ArticleStatus))
    def add(self, tenant: int, topic: str, status: ArticleStatus) -> Article:
        article = self._article(tenant, topic, status)
        self.on_both(lambda tx: tx[Articles].add(article))
        return article

    @rule(target=readings, article=articles, mine=st.booleans())
    def read(self, article: Article, mine: bool) -> object:
        tenant_id = article.tenant_id if mine else self._other(article.tenant_id)
        found = self.on_both(lambda tx: tx[Articles].get(tenant_id, article.id))
        return multiple() if found is None else found

    @rule(target=readings, reading=readings, status=st.sampled_from(ArticleStatus), topic=_topics)
    def move_and_save(self, reading: Article, status: ArticleStatus, topic: str) -> object:
        async def do(tx: Transaction) -> Article:
            return await tx[Articles].save(evolve(reading.moved_to(status, self._now), title=topic))

        saved = self.on_both(do)
        return multiple() if saved is None else saved

    @rule(target=readings, reading=readings, topic=_topics, free=st.booleans())
    def make_free_and_save(self, reading: Article, topic: str, free: bool) -> object:
        changed = evolve(reading, is_free_generation=free, free_topic=topic if free else None, updated_at=self._now)
        saved = self.on_both(lambda tx: tx[Articles].save(changed))
        return multiple() if saved is None else saved

    @rule(article=articles, progress=st.integers(0, 100), mine=st.booleans())
    def make_progress(self, article: Article, progress: int, mine: bool) -> None:
        tenant_id = article.tenant_id if mine else self._other(article.tenant_id)
        self.on_both(lambda tx: tx[Articles].set_progress(tenant_id, article.id, progress))

    @rule(article=articles)
    def delete(self, article: Article) -> None:
        self.on_both(lambda tx: tx[Articles].delete(article.tenant_id, article.id))

    @rule(
        tenant=_tenants,
        search=st.sampled_from(SEARCHES),
        statuses=st.sets(st.sampled_from(ArticleStatus), max_size=3).map(frozenset),
        sort_by=st.sampled_from(SortBy),
        descending=st.booleans(),
        page=st.integers(1, 3),
    )
    def list_articles(
        self,
        tenant: int,
        search: str | None,
        statuses: frozenset[ArticleStatus],
        sort_by: SortBy,
        descending: bool,
        page: int,
    ) -> None:
        query = ArticleQuery(
            self._tenants[tenant].id,
            page=page,
            limit=LIMIT,
            statuses=statuses,
            search=search,
            sort_by=sort_by,
            descending=descending,
        )
        self.on_both(lambda tx: tx[Articles].page(query))

    # quotas

    @rule(
        tenant=_tenants,
        quota=st.sampled_from([Quota.ARTICLES, Quota.ENRICHMENTS]),
        limit=st.none() | st.integers(0, 4),
        amount=st.integers(1, 3),
    )
    def consume(self, tenant: int, quota: Quota, limit: int | None, amount: int) -> None:
        self.on_both(lambda tx: tx[Quotas].consume(self._tenants[tenant].id, quota, WINDOW, limit, amount))

    @rule(tenant=_tenants, amount=st.integers(1, 3))
    def refund(self, tenant: int, amount: int) -> None:
        self.on_both(lambda tx: tx[Quotas].refund(self._tenants[tenant].id, Quota.ARTICLES, WINDOW, amount))

    # jobs

    @rule(target=jobs, tenant=_tenants, delay=_seconds, kind=st.sampled_from(JobKind))
    def enqueue(self, tenant: int, delay: int, kind: JobKind) -> Job:
        job = self._job(self._tenants[tenant].id, self._ids.new(), self._now + timedelta(seconds=delay), kind)
        self.on_both(lambda tx: tx[Jobs].enqueue(job))
        return job

    @rule(
        target=claims,
        worker=_workers,
        kinds=_kinds,
        limit=st.integers(1, 3),
        share=st.integers(0, 3) | st.just(Turn().share),
        after=st.none() | _tenants,
    )
    def claim(self, worker: str, kinds: frozenset[JobKind], limit: int, share: int, after: int | None) -> object:
        turn = Turn(share) if after is None else Turn(share, self._tenants[after].id)
        claimed = self.on_both(lambda tx: tx[Jobs].claim(worker, kinds, self._now, self._now + LEASE, limit, turn=turn))
        return multiple(*(claimed or ()))

    @rule(kinds=_kinds, limit=st.integers(1, 3), share=st.integers(0, 3))
    def dispatch(self, kinds: frozenset[JobKind], limit: int, share: int) -> None:
        self.on_both(lambda tx: tx[Jobs].dispatch(self._now, limit, kinds, Turn(share)))

    @rule(worker=_workers, seconds=_seconds)
    def renew(self, worker: str, seconds: int) -> None:
        self.on_both(lambda tx: tx[Jobs].renew(worker, self._now + timedelta(seconds=seconds)))

    @rule(worker=_workers)
    def release(self, worker: str) -> None:
        self.on_both(lambda tx: tx[Jobs].release(worker, self._now))

    @rule(job=claims, end=st.sampled_from(["hold", "finish", "fail", "retry"]), delay=_seconds)
    def end_a_claim(self, job: Job, end: str, delay: int) -> None:
        async def do(tx: Transaction) -> bool:
            held = await tx[Jobs].fence(job)
            match end:
                case "finish":
                    await tx[Jobs].finish(job)
                case "fail":
                    await tx[Jobs].fail(job, "failed")
                case "retry":
                    await tx[Jobs].retry(job, self._now + timedelta(seconds=delay), "busy")
            return held

        self.on_both(do)

    @rule(job=jobs)
    def cancel(self, job: Job) -> None:
        self.on_both(lambda tx: tx[Jobs].cancel(job.id))

    @rule(job=jobs, mine=st.booleans(), kind=st.sampled_from(JobKind))
    def cancel_subject(self, job: Job, mine: bool, kind: JobKind) -> None:
        tenant_id = job.tenant_id if mine else self._other(job.tenant_id)
        self.on_both(lambda tx: tx[Jobs].cancel_subject(tenant_id, job.subject_id, kind))

    # all of them in one transaction

    @rule(target=articles, tenant=_tenants, topic=_topics, taken_back=st.booleans())
    def start_a_generation(self, tenant: int, topic: str, taken_back: bool) -> Article:
        article = self._article(tenant, topic, ArticleStatus.GENERATING)
        job = self._job(article.tenant_id, article.id, self._now, JobKind.GENERATE_ARTICLE)

        async def do(tx: Transaction) -> bool:
            counted = await tx[Quotas].consume(article.tenant_id, Quota.ARTICLES, WINDOW, 3)
            if counted:
                await tx[Jobs].enqueue(job)
                await tx[Articles].add(article)
            if taken_back:
                raise RolledBack
            return counted

        self.on_both(do)
        return article

    @invariant()
    def both_show_the_same(self) -> None:
        async def state(tx: Transaction) -> object:
            of_tenants = [
                (
                    await tx[Articles].page(ArticleQuery(tenant.id, limit=100)),
                    [await tx[Quotas].used(tenant.id, quota, WINDOW) for quota in Quota],
                    [await tx[Articles].is_generating(tenant.id, topic_key(topic)) for topic in TOPICS],
                )
                for tenant in self._tenants
            ]
            return of_tenants, await tx[Jobs].backlog(self._now)

        self.on_both(state)

    def _article(self, tenant: int, topic: str, status: ArticleStatus) -> Article:
        return builders.article(
            topic,
            id=ArticleId(self._ids.new()),
            tenant_id=self._tenants[tenant].id,
            status=status,
            created_at=self._now,
            updated_at=self._now,
            published_at=self._now if status is ArticleStatus.PUBLISHED else None,
        )

    def _job(self, tenant_id: TenantId, subject_id: str, run_at: datetime, kind: JobKind) -> Job:
        return Job(JobId(self._ids.new()), kind, tenant_id, subject_id, run_at)


def unit_of_work_machine(reference: Factory, subject: Factory) -> type[UnitOfWorkMachine]:
    """The machine that compares `subject` with `reference`. Its `TestCase` is the test to collect."""
    return compared(UnitOfWorkMachine, reference, subject)
