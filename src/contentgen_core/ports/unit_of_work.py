"""One transaction over all that must not be lost.

`async with unit_of_work() as tx:` commits when the block ends, rolls back when it raises. Nothing slow happens inside:
models and providers are called between transactions. Any method may raise Unavailable while the database is away.
Every method that takes a tenant sees that tenant's rows only (and the platform's where it says so)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.ids import (
    ApiKeyId,
    ArticleId,
    DocumentId,
    JobId,
    TenantId,
    UserId,
)
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.knowledge import (
    KbDocument,
    KbScope,
    KbView,
    Passage,
    RankedPassage,
    TermStatistics,
)
from contentgen_core.model.niche import Activation, Niche
from contentgen_core.model.tenant import ApiKey, PlanName, Tenant, User
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.plans import Quota
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.enrichments import Enrichments
from contentgen_core.ports.repositories.governance import GovernanceFacts
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages


class SortBy(StrEnum):
    CREATED_AT = "createdAt"
    UPDATED_AT = "updatedAt"
    PUBLISHED_AT = "publishedAt"


@frozen
class ArticleQuery:
    """`statuses`: any of these; empty: all. `search`: every word of it begins a word of the title or the content.
    A search without a word leaves nothing out.
    Articles without the date sorted by come last in either order; equal dates are ordered by id, in that order too."""

    tenant_id: TenantId
    page: int = 1
    limit: int = 20
    niche_key: str | None = None
    statuses: frozenset[ArticleStatus] = frozenset()
    search: str | None = None
    sort_by: SortBy = SortBy.CREATED_AT
    descending: bool = True


@frozen
class Page:
    """`articles` come without plan, sources, grounding and usage: those are for a single article."""

    articles: tuple[Article, ...]
    total: int


@frozen
class Identity:
    """What a key leads to."""

    key: ApiKey
    user: User
    tenant: Tenant


class Tenants(Protocol):
    async def add(self, tenant: Tenant) -> None: ...
    async def get(self, tenant_id: TenantId) -> Tenant:
        """Raises NotFound."""
        ...

    async def lock(self, tenant_id: TenantId) -> None:
        """Let no other transaction that locks this tenant run until this one ends. Raises NotFound."""
        ...

    async def set_plan(self, tenant_id: TenantId, plan: PlanName) -> None:
        """Raises NotFound."""
        ...

    async def find_by_name(self, name: str) -> Tenant | None:
        """The oldest tenant of this name."""
        ...


class Users(Protocol):
    async def add(self, user: User) -> None: ...
    async def get(self, tenant_id: TenantId, user_id: UserId) -> User:
        """Raises NotFound."""
        ...

    async def owner(self, tenant_id: TenantId) -> User:
        """The tenant's first owner. Raises NotFound."""
        ...

    async def count(self, tenant_id: TenantId) -> int: ...


class ApiKeys(Protocol):
    async def add(self, key: ApiKey) -> None: ...
    async def identify(self, digest: str) -> Identity | None:
        """The key of this digest with its user and tenant, usable or not."""
        ...

    async def identify_all(self, digests: Sequence[str]) -> dict[str, Identity]:
        """The same for several at once, by digest; unknown ones are left out."""
        ...

    async def list(self, tenant_id: TenantId) -> list[ApiKey]:
        """Newest first, at most 1,000."""
        ...

    async def revoke(self, tenant_id: TenantId, key_id: ApiKeyId, now: datetime) -> None:
        """Idempotent. Raises NotFound."""
        ...

    async def touch(self, key_id: ApiKeyId, now: datetime) -> None:
        """Record a use."""
        ...


class Niches(Protocol):
    """A tenant sees the preconfigured niches and its own, each with its own activation."""

    async def add(self, niche: Niche) -> None:
        """Raises AlreadyExists when the key is taken (by the platform, or within the tenant)."""
        ...

    async def get(self, tenant_id: TenantId, id_or_key: str) -> Niche:
        """Raises NotFound."""
        ...

    async def find_preconfigured(self, niche_key: str) -> Niche | None: ...

    async def list(self, tenant_id: TenantId) -> list[Niche]:
        """By name, at most 1,000."""
        ...

    async def set_activation(self, tenant_id: TenantId, niche: Niche, activation: Activation | None) -> None:
        """Replace the tenant's activation; None deactivates."""
        ...


class Agents(Protocol):
    async def add(self, agent: Agent) -> None:
        """Raises AlreadyExists when the tenant has that key already."""
        ...

    async def find(self, tenant_id: TenantId, key: AgentKey) -> Agent | None:
        """The tenant's own agent, else a system agent of a niche that the tenant activated."""
        ...

    async def list(
        self, tenant_id: TenantId, niche_key: str | None, enabled: bool | None, limit: int
    ) -> tuple[list[Agent], int]:
        """Own agents and the system agents of activated niches, by key; and how many there are without the limit."""
        ...

    async def count_own(self, tenant_id: TenantId) -> int: ...

    async def set_enabled(self, tenant_id: TenantId, niche_key: str, enabled: bool) -> None:
        """Switch all of the tenant's own agents of a niche."""
        ...


class Articles(Protocol):
    async def add(self, article: Article) -> None:
        """Raises TopicAlreadyGenerating."""
        ...

    async def get(self, tenant_id: TenantId, article_id: ArticleId) -> Article:
        """Raises NotFound."""
        ...

    async def save(self, article: Article) -> Article:
        """Store a changed article that was read at `article.revision`; gives it back with the next revision.
        Raises ConcurrentChange, NotFound, TopicAlreadyGenerating, DuplicateFreeArticle."""
        ...

    async def set_progress(self, tenant_id: TenantId, article_id: ArticleId, progress: int) -> None:
        """Move a generating article's progress forward (never back). No revision of its own."""
        ...

    async def delete(self, tenant_id: TenantId, article_id: ArticleId) -> None:
        """With all that belongs to it. Raises NotFound."""
        ...

    async def page(self, query: ArticleQuery) -> Page: ...

    async def is_generating(self, tenant_id: TenantId, topic_key: str) -> bool:
        """Whether an article of this topic is under way."""
        ...

    async def recent_topics(self, tenant_id: TenantId, niche_key: str, limit: int) -> list[str]:
        """Topics of the newest articles, newest first."""
        ...


class Generations(Protocol):
    """The checkpoints of articles under way: what a later attempt need not do again."""

    async def save_sources(self, article_id: ArticleId, sources: Sequence[RankedPassage]) -> None:
        """The outcome of retrieval, replacing a former one. Stored as copies of the passages."""
        ...

    async def sources(self, article_id: ArticleId) -> tuple[RankedPassage, ...] | None:
        """None: retrieval has not been done."""
        ...

    async def save_draft(self, article_id: ArticleId, position: int, draft: SectionDraft) -> None:
        """One written section, replacing a former one of this position."""
        ...

    async def drafts(self, article_id: ArticleId) -> dict[int, SectionDraft]: ...

    async def clear_drafts(self, article_id: ArticleId) -> None: ...


class Quotas(Protocol):
    """Counts of what was used, by window (first day of the month, or the day)."""

    async def consume(self, tenant_id: TenantId, quota: Quota, window: date, limit: int | None) -> bool:
        """Count one more unless that would pass the limit: exact under any concurrency. False: nothing counted."""
        ...

    async def give_back(self, tenant_id: TenantId, quota: Quota, window: date) -> None: ...

    async def used(self, tenant_id: TenantId, quota: Quota, window: date) -> int: ...


class Jobs(Protocol):
    """Enqueued inside the transaction that causes them. A claimed job is held by its worker until its lease ends.
    `finish`, `fail` and `retry` do nothing to a job that `hold` would refuse."""

    async def enqueue(self, job: Job) -> None: ...

    async def cancel(self, job_id: JobId) -> None:
        """Whoever works on it finds out at its next `hold`. Unknown or ended jobs are fine."""
        ...

    async def cancel_subject(self, tenant_id: TenantId, subject_id: str, kind: JobKind) -> None:
        """Cancel every job of a kind on a subject that has not ended."""
        ...

    async def claim(
        self, worker: str, kinds: frozenset[JobKind], now: datetime, leased_until: datetime, limit: int
    ) -> list[Job]:
        """Take jobs that are due, or whose lease ran out, the longest due first: RUNNING, one more attempt."""
        ...

    async def renew(self, worker: str, leased_until: datetime) -> None:
        """Prolong all leases of a worker."""
        ...

    async def hold(self, job: Job) -> bool:
        """Lock the job for this transaction. False when it is no longer this worker's at this attempt (cancelled,
        or its lease ran out and another took it): the caller then discards what it has."""
        ...

    async def finish(self, job: Job) -> None:
        """DONE."""
        ...

    async def fail(self, job: Job, error: str) -> None:
        """FAILED, for good."""
        ...

    async def retry(self, job: Job, run_at: datetime, error: str) -> None:
        """QUEUED again for later; the attempt stays counted."""
        ...

    async def release(self, worker: str, now: datetime) -> None:
        """Hand back all jobs of a worker that is shutting down: QUEUED, due now, the attempt not counted."""
        ...

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        """How many jobs are due and unclaimed, and since when the oldest is."""
        ...


class Knowledge(Protocol):
    """The truth of the knowledge base. Adding and removing documents also puts them into the index outbox and keeps
    the term statistics exact, in the same transaction."""

    async def add(self, documents: Sequence[tuple[KbDocument, Sequence[Passage]]]) -> None:
        """Raises AlreadyExists when a live document of that scope has the same source_key."""
        ...

    async def remove(self, documents: Iterable[DocumentId]) -> None:
        """Tombstone documents with their passages. Idempotent."""
        ...

    async def known(self, scope: KbScope, source_keys: Sequence[str]) -> dict[str, KbDocument]:
        """The live documents of exactly this scope that have one of these keys, by key."""
        ...

    async def known_content(self, scope: KbScope, content_hashes: Sequence[str]) -> set[str]:
        """Which of these contents exist already as live documents of exactly this scope."""
        ...

    async def passages(self, view: KbView, refs: Sequence[SourceRef]) -> dict[SourceRef, Passage]:
        """Those of the named passages that are live and that the view sees, with their terms."""
        ...

    async def passages_of(self, documents: Sequence[DocumentId]) -> list[Passage]:
        """All live passages of these documents, whoever owns them: for the index."""
        ...

    async def sample(self, view: KbView, limit: int) -> list[Passage]:
        """First passages of different documents, the newest documents first: what the KB is about."""
        ...

    async def statistics(self, view: KbView, terms: Mapping[Language, Sequence[str]]) -> dict[Language, TermStatistics]:
        """BM25's figures for the view; a language without passages is left out."""
        ...

    async def languages(self, view: KbView) -> frozenset[Language]:
        """The languages that the view has passages in."""
        ...

    async def all_documents(self, after: DocumentId | None, limit: int) -> list[DocumentId]:
        """Ids of live documents in order, for a rebuild."""
        ...

    async def claim_changes(self, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[DocumentId]:
        """Documents whose index entry is out of date (added or removed), oldest change first, leased to the worker."""
        ...

    async def changes_applied(self, worker: str, documents: Sequence[DocumentId]) -> None:
        """The index now shows these documents as they were when claimed; a change made since stays pending."""
        ...

    async def pending_changes(self) -> int:
        """How many documents' index entries are out of date, those leased to a worker included."""
        ...


@frozen
class IdempotencyRecord:
    """`fingerprint`: hash of the operation and its body; `result_id`: the article that the first call made."""

    tenant_id: TenantId
    key: str
    fingerprint: str
    result_id: str
    created_at: datetime


class Idempotency(Protocol):
    async def find(self, tenant_id: TenantId, key: str, now: datetime) -> IdempotencyRecord | None:
        """The record of a key used in the last 24 hours."""
        ...

    async def add(self, record: IdempotencyRecord) -> None:
        """Raises AlreadyExists when the key was used in the last 24 hours; waits for a transaction that is using it.
        A record older than that is replaced."""
        ...


class Transaction(Protocol):
    @property
    def tenants(self) -> Tenants: ...
    @property
    def users(self) -> Users: ...
    @property
    def api_keys(self) -> ApiKeys: ...
    @property
    def niches(self) -> Niches: ...
    @property
    def agents(self) -> Agents: ...
    @property
    def articles(self) -> Articles: ...
    @property
    def generations(self) -> Generations: ...
    @property
    def quotas(self) -> Quotas: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def knowledge(self) -> Knowledge: ...
    @property
    def idempotency(self) -> Idempotency: ...
    @property
    def enrichments(self) -> Enrichments: ...
    @property
    def documents(self) -> Documents: ...
    @property
    def topic_coverages(self) -> TopicCoverages: ...
    @property
    def governance(self) -> GovernanceFacts: ...
    @property
    def overview(self) -> Overview: ...


class UnitOfWork(Protocol):
    def __call__(self) -> AbstractAsyncContextManager[Transaction]: ...
