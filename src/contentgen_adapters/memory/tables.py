"""What the in-memory unit of work stores, and how a transaction sees it before its commit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any, Final, Generic, Protocol, TypeVar, cast

from attrs import field, frozen, mutable

from contentgen_core.model.agent import Agent
from contentgen_core.model.agent_event import AgentEvent
from contentgen_core.model.area import Area
from contentgen_core.model.article import Article
from contentgen_core.model.article_comment import SentenceReview
from contentgen_core.model.article_link import ArticleLink
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_update import ArticleUpdate, RefreshPolicy
from contentgen_core.model.article_version import ArticleVersion, VersionText
from contentgen_core.model.budget import Budget, Reservation, Spending
from contentgen_core.model.calendar import CalendarLink
from contentgen_core.model.circuit import Circuit
from contentgen_core.model.conflict import Conflict, ConflictSearch, ExaminedDocument
from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.document import PrivateDocument
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.enrichment import Enrichment, EnrichmentPage
from contentgen_core.model.entity import Curation
from contentgen_core.model.ids import (
    AgentId,
    ApiKeyId,
    ArticleId,
    ArticleLinkId,
    ArticleUpdateId,
    BatchedPartId,
    ConflictId,
    ConflictSearchId,
    DocumentId,
    EnrichmentId,
    IndexNowSiteId,
    InvitationId,
    JobId,
    ModelBatchId,
    NicheId,
    NicheRequestId,
    PublicationId,
    RefreshPolicyId,
    ReviewId,
    SearchDemandId,
    SearchEntryId,
    SearchReportId,
    SigningKeyId,
    SignInLinkId,
    SyncedSourceId,
    TenantId,
    TopicCoverageId,
    TranslationId,
    UserId,
    WebhookEndpointId,
    WebhookMessageId,
    WebSessionId,
)
from contentgen_core.model.index_now import IndexNowSite
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import (
    DocumentVersion,
    KbDocument,
    KbScope,
    Passage,
    PassageVersion,
    RankedPassage,
    VectorSpace,
)
from contentgen_core.model.model_batch import BatchedPart, ModelBatch
from contentgen_core.model.niche import Activation, Niche, NichePreferences, NicheRequest
from contentgen_core.model.publication import Publication
from contentgen_core.model.review import Review
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.search_demand import SearchDemand, SearchEntry
from contentgen_core.model.search_report import SearchFigures, SearchReport
from contentgen_core.model.sign_in import SignInLink, WebSession
from contentgen_core.model.signing_key import SigningKey
from contentgen_core.model.similar_article import ReadTopic
from contentgen_core.model.synced_source import SyncedItem, SyncedSource
from contentgen_core.model.team import Invitation
from contentgen_core.model.tenant import ApiKey, Quota, Tenant, User
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.model.translation import TranslatedPart, Translation
from contentgen_core.model.trend import Trend, TrendSlug
from contentgen_core.model.trend_alert import TrendAlert, TrendAlertId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.webhook import WebhookDelivery, WebhookEndpoint
from contentgen_core.model.writing import StageRecord, WritingFigures
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.ports.repositories.idempotency import IdempotencyRecord

K = TypeVar("K")
V = TypeVar("V")

_GONE: Final = object()


class Table(Generic[K, V]):
    """Rows by key as one transaction sees them: the committed ones under its own changes.

    Rows are immutable values, so a change replaces a row. Only the changes are kept here: a transaction costs what it
    touches, whatever the size of the table."""

    __slots__ = ("_changes", "_committed")

    def __init__(self, committed: dict[K, V]) -> None:
        self._committed = committed
        self._changes: dict[K, object] = {}

    def get(self, key: K) -> V | None:
        if key in self._changes:
            change = self._changes[key]
            return None if change is _GONE else cast(V, change)
        return self._committed.get(key)

    def put(self, key: K, row: V) -> None:
        self._changes[key] = row

    def drop(self, key: K) -> None:
        """Unknown keys are fine."""
        self._changes[key] = _GONE

    def rows(self) -> Iterator[V]:
        if not self._changes:
            yield from self._committed.values()
            return
        yield from (row for _, row in self.items())

    def items(self) -> Iterator[tuple[K, V]]:
        yield from ((key, row) for key, row in self._committed.items() if key not in self._changes)
        yield from ((key, cast(V, change)) for key, change in self._changes.items() if change is not _GONE)

    def commit(self) -> None:
        for key, change in self._changes.items():
            if change is _GONE:
                self._committed.pop(key, None)
            else:
                self._committed[key] = cast(V, change)
        self._changes.clear()


@frozen
class CorpusSize:
    """How many live passages a scope has in a language, and their length in terms, all together."""

    passages: int = 0
    length: int = 0


@frozen
class SpaceRow:
    """A space of vectors that is used. `whole`: all documents that were there before have been queued."""

    space: VectorSpace
    whole: bool
    used_at: datetime


@frozen
class WaitingDocument:
    """A document that waits for its vectors. `embedded`: how many of its passages have one; `attempts`: that failed."""

    space: VectorSpace
    document_id: DocumentId
    place: int
    asked: bool = False
    embedded: int = 0
    attempts: int = 0
    worker: str | None = None
    leased_until: datetime | None = None


@frozen
class KeptVectorRow:
    space: VectorSpace
    ref: SourceRef
    text_hash: bytes
    vector: Vector


@frozen
class Change:
    """A document whose index entry is out of date. `number` grows with each change; `claimed` is the number that the
    worker saw when it took the lease."""

    document_id: DocumentId
    number: int
    worker: str | None = None
    leased_until: datetime | None = None
    claimed: int | None = None


@frozen
class WorkLease:
    """Without a worker: put off until then."""

    worker: str | None
    until: datetime


@frozen
class FreeLink:
    link: str
    article_id: ArticleId


@frozen
class FreeGeneration:
    article_id: ArticleId
    day: date
    visitor: str


@frozen
class MailCount:
    day: date
    mailbox: str
    sent: int


@frozen
class FreeCount:
    day: date
    subject: str
    used: int


@frozen
class ClaimedDelivery:
    """`worker`: who has it; None: nobody."""

    delivery: WebhookDelivery
    worker: str | None = None

    @property
    def tenant_id(self) -> TenantId:
        return self.delivery.tenant_id


@frozen
class ReviewMark:
    """A user found a review helpful."""

    review_id: ReviewId
    user_id: UserId
    created_at: datetime


QuotaKey = tuple[TenantId, Quota, date]
ScopeLanguage = tuple[KbScope, Language]


@mutable
class Store:
    """The committed rows."""

    tenants: dict[TenantId, Tenant] = field(factory=dict)
    users: dict[UserId, User] = field(factory=dict)
    api_keys: dict[ApiKeyId, ApiKey] = field(factory=dict)
    keys_by_digest: dict[str, ApiKeyId] = field(factory=dict)
    invitations: dict[InvitationId, Invitation] = field(factory=dict)
    sign_in_links: dict[SignInLinkId, SignInLink] = field(factory=dict)
    web_sessions: dict[WebSessionId, WebSession] = field(factory=dict)
    signing_keys: dict[SigningKeyId, SigningKey] = field(factory=dict)
    installation: dict[str, str] = field(factory=dict)
    niches: dict[NicheId, Niche] = field(factory=dict)
    activations: dict[tuple[TenantId, str], Activation] = field(factory=dict)
    niche_preferences: dict[tuple[TenantId, str], NichePreferences] = field(factory=dict)
    niche_requests: dict[NicheRequestId, NicheRequest] = field(factory=dict)
    agents: dict[AgentId, Agent] = field(factory=dict)
    agent_events: dict[tuple[TenantId, int], AgentEvent] = field(factory=dict)
    agent_event_positions: dict[TenantId, int] = field(factory=dict)
    article_schedules: dict[tuple[TenantId, NicheId], ArticleSchedule] = field(factory=dict)
    articles: dict[ArticleId, Article] = field(factory=dict)
    generating: dict[tuple[TenantId, str], ArticleId] = field(factory=dict)
    free_topics: dict[str, ArticleId] = field(factory=dict)
    free_links: dict[str, FreeLink] = field(factory=dict)
    free_generations: dict[ArticleId, FreeGeneration] = field(factory=dict)
    free_counts: dict[tuple[date, str], FreeCount] = field(factory=dict)
    topic_words: dict[ArticleId, tuple[str, Language, frozenset[str]]] = field(factory=dict)
    fresh_articles: dict[ArticleId, datetime] = field(factory=dict)
    sources: dict[ArticleId, tuple[RankedPassage, ...]] = field(factory=dict)
    drafts: dict[ArticleId, dict[int, SectionDraft]] = field(factory=dict)
    stages: dict[ArticleId, tuple[StageRecord, ...]] = field(factory=dict)
    writing_months: dict[tuple[TenantId, date, str, str], WritingFigures] = field(factory=dict)
    budgets: dict[tuple[TenantId, str], Budget] = field(factory=dict)
    circuits: dict[str, Circuit] = field(factory=dict)
    mail_counts: dict[tuple[date, str], MailCount] = field(factory=dict)
    model_spending: dict[tuple[TenantId, date, str, str], Spending] = field(factory=dict)
    budget_reservations: dict[str, Reservation] = field(factory=dict)
    model_batches: dict[ModelBatchId, ModelBatch] = field(factory=dict)
    batched_parts: dict[BatchedPartId, BatchedPart] = field(factory=dict)
    quotas: dict[QuotaKey, int] = field(factory=dict)
    jobs: dict[JobId, Job] = field(factory=dict)
    dispatched: dict[JobId, datetime] = field(factory=dict)
    documents: dict[DocumentId, KbDocument] = field(factory=dict)
    passages: dict[DocumentId, tuple[Passage, ...]] = field(factory=dict)
    documents_by_key: dict[tuple[KbScope, str], DocumentId] = field(factory=dict)
    contents: dict[tuple[KbScope, str], int] = field(factory=dict)
    corpora: dict[ScopeLanguage, CorpusSize] = field(factory=dict)
    term_counts: dict[tuple[KbScope, Language, str], int] = field(factory=dict)
    changes: dict[DocumentId, Change] = field(factory=dict)
    change_numbers: dict[str, int] = field(factory=dict)
    spaces: dict[VectorSpace, SpaceRow] = field(factory=dict)
    waiting_documents: dict[tuple[VectorSpace, DocumentId], WaitingDocument] = field(factory=dict)
    waiting_places: dict[VectorSpace, int] = field(factory=dict)
    passage_versions: dict[DocumentId, tuple[PassageVersion, ...]] = field(factory=dict)
    document_versions: dict[DocumentId, tuple[DocumentVersion, ...]] = field(factory=dict)
    next_chunks: dict[DocumentId, int] = field(factory=dict)
    passage_vectors: dict[tuple[VectorSpace, SourceRef], KeptVectorRow] = field(factory=dict)
    idempotency: dict[tuple[TenantId, str], IdempotencyRecord] = field(factory=dict)
    enrichments: dict[EnrichmentId, Enrichment] = field(factory=dict)
    enrichment_pages: dict[EnrichmentId, dict[int, EnrichmentPage]] = field(factory=dict)
    private_documents: dict[DocumentId, PrivateDocument] = field(factory=dict)
    topic_coverages: dict[TopicCoverageId, TopicCoverage] = field(factory=dict)
    topic_coverages_of: dict[tuple[TenantId, Area], TopicCoverageId] = field(factory=dict)
    publications: dict[PublicationId, Publication] = field(factory=dict)
    translations: dict[TranslationId, Translation] = field(factory=dict)
    translation_parts: dict[TranslationId, dict[int, TranslatedPart]] = field(factory=dict)
    synced_sources: dict[SyncedSourceId, SyncedSource] = field(factory=dict)
    synced_items: dict[tuple[SyncedSourceId, str], SyncedItem] = field(factory=dict)
    search_reports: dict[SearchReportId, SearchReport] = field(factory=dict)
    index_now_sites: dict[IndexNowSiteId, IndexNowSite] = field(factory=dict)
    noted_addresses: dict[IndexNowSiteId, dict[str, datetime]] = field(factory=dict)
    search_figures: dict[SearchReportId, tuple[SearchFigures, ...]] = field(factory=dict)
    article_links: dict[ArticleLinkId, ArticleLink] = field(factory=dict)
    article_topics: dict[ArticleId, tuple[VectorSpace | None, ReadTopic]] = field(factory=dict)
    search_demands: dict[SearchDemandId, SearchDemand] = field(factory=dict)
    search_coverages: dict[SearchDemandId, dict[str, tuple[str, ArticleCoverage]]] = field(factory=dict)
    search_entries: dict[SearchEntryId, SearchEntry] = field(factory=dict)
    article_updates: dict[ArticleUpdateId, ArticleUpdate] = field(factory=dict)
    refresh_policies: dict[RefreshPolicyId, RefreshPolicy] = field(factory=dict)
    conflict_searches: dict[ConflictSearchId, ConflictSearch] = field(factory=dict)
    conflicts: dict[ConflictId, Conflict] = field(factory=dict)
    conflicts_due: dict[ConflictSearchId, datetime] = field(factory=dict)
    examined_documents: dict[tuple[ConflictSearchId, DocumentId], ExaminedDocument] = field(factory=dict)
    calendar_links: dict[UserId, CalendarLink] = field(factory=dict)
    webhook_endpoints: dict[WebhookEndpointId, WebhookEndpoint] = field(factory=dict)
    webhook_deliveries: dict[tuple[WebhookEndpointId, WebhookMessageId], ClaimedDelivery] = field(factory=dict)
    article_versions: dict[tuple[ArticleId, int], tuple[ArticleVersion, VersionText]] = field(factory=dict)
    sentence_reviews: dict[tuple[ArticleId, str, UserId], tuple[TenantId, ArticleId, SentenceReview]] = field(
        factory=dict
    )
    reviews: dict[ReviewId, Review] = field(factory=dict)
    review_marks: dict[tuple[ReviewId, UserId], ReviewMark] = field(factory=dict)
    curations: dict[tuple[TenantId, str], Curation] = field(factory=dict)
    trends: dict[TrendSlug, Trend] = field(factory=dict)
    trend_texts: dict[TrendSlug, dict[str, str]] = field(factory=dict)
    trend_alerts: dict[TrendAlertId, TrendAlert] = field(factory=dict)
    click_salts: dict[date, tuple[date, bytes]] = field(factory=dict)
    clicks: dict[tuple[date, bytes], tuple[date, bytes]] = field(factory=dict)
    work_leases: dict[str, WorkLease] = field(factory=dict)
    aggregates: dict[str, dict[str, Any]] = field(factory=lambda: defaultdict(dict))
    """By table the rows of declared aggregates."""


class KeepsStore(Protocol):
    @property
    def store(self) -> Store: ...


class TableOf(Generic[K, V]):
    """A table of a session, which makes it when it is first asked for: most transactions need few of the hundred."""

    def __init__(self, committed: Callable[[Store], dict[K, V]]) -> None:
        self._committed = committed

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, session: KeepsStore, owner: type) -> Table[K, V]:
        table = vars(session)[self._name] = Table(self._committed(session.store))
        return table
