"""The adapters and options that the use cases are composed over."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import timedelta

from attrs import field, frozen

from contentgen_core.model.budget import WritingCosts
from contentgen_core.model.site import Site
from contentgen_core.model.text import TextAnalysis
from contentgen_core.ports.agent_events import AgentEventWakeUps
from contentgen_core.ports.batched_model import BatchedModel
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.counters import RateLimiter
from contentgen_core.ports.documents import (
    Chunker,
    DocumentReader,
    DocumentSplitter,
    LanguageDetector,
    SourceSplitter,
    UploadReader,
)
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.ports.entities import EntityExtractor, GraphTools
from contentgen_core.ports.exporting import ArticleExporter
from contentgen_core.ports.identity_changes import IdentityChanges
from contentgen_core.ports.images import ConfiguredImageSearch
from contentgen_core.ports.index_now import IndexNow
from contentgen_core.ports.knowledge_base import Embedder, FormerModel, PassageIndex
from contentgen_core.ports.mail import Addresses, AlertTokens, InvitationTokens, Mailer, SignInTokens
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.ports.open_id import OpenIdProvider, OpenIdRequests
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.publishing import PublishingTargets
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.reranking import Reranker
from contentgen_core.ports.runtime import Clock, Ids, KeyMaker, TimeZones
from contentgen_core.ports.sealing import SecretBox
from contentgen_core.ports.search_console import SearchConsoleReader
from contentgen_core.ports.search_exports import SearchExportReader
from contentgen_core.ports.signing import DocumentSigner
from contentgen_core.ports.source_reading import SourceReader
from contentgen_core.ports.trends import TrendFinder
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.web_search import ConfiguredWebSearches
from contentgen_core.ports.webhooks import WebhookSender
from contentgen_core.use_cases.free_articles.from_link import FreeAllowance
from contentgen_core.use_cases.host_places import CALLS_PER_HOST
from contentgen_core.use_cases.publishing.start import WAIT_SECONDS
from contentgen_core.use_cases.sign_in.open_id import OpenIdRules


@frozen(kw_only=True)
class Ports:
    """The adapters, each under the contract of its port.

    `watching_unit_of_work`: transactions that say whether the database answers, on a connection of their own; None:
    those of all others. `embedder_note`: which embedder was chosen and why, for an operator.
    `former_models`: those that may have been used
    before, see `Retrieve`. `splitter`: of uploads; None: the chunker in a thread. `source_splitter`: of large imports,
    beside the chunker in a thread; None: that alone. `wake_ups`: yields whenever any process may have enqueued a job;
    None: only polling finds jobs. `agent_event_wake_ups`: the same for events of agents. `batched_planner`,
    `batched_model`: what plans and what writes in `model`, asked in batches; both or none. `identity_changes`: None
    where changed keys are not notified. `slug`: makes the slug of a title. `strip_tracking`: removes tracking
    parameters from an address. `new_salt`: 32 random bytes. `countries`: the ISO 3166 alpha-2 codes."""

    unit_of_work: UnitOfWork
    watching_unit_of_work: UnitOfWork | None = None
    index: PassageIndex
    embedder: Embedder
    embedder_note: str = ""
    former_models: tuple[FormerModel, ...] = ()
    reranker: Reranker | None = None
    entailment: EntailmentModel | None = None
    model: ContentModel
    batched_planner: BatchedModel | None = None
    batched_model: BatchedModel | None = None
    analysis: TextAnalysis
    detector: LanguageDetector
    chunker: Chunker
    entities: EntityExtractor
    graph_tools: GraphTools
    documents: DocumentReader
    uploads: UploadReader
    splitter: DocumentSplitter | None = None
    source_splitter: SourceSplitter | None = None
    objects: ObjectStore
    pages: PageReader
    sources: SourceReader
    search_exports: SearchExportReader
    search_console: SearchConsoleReader
    index_now: IndexNow
    searches: ConfiguredWebSearches
    trend_finders: tuple[TrendFinder, ...] = ()
    images: ConfiguredImageSearch
    renderer: ArticleRenderer
    exporter: ArticleExporter
    targets: PublishingTargets
    webhook_sender: WebhookSender
    secret_box: SecretBox
    signer: DocumentSigner
    key_maker: KeyMaker
    invitation_tokens: InvitationTokens
    sign_in_tokens: SignInTokens
    open_id_requests: OpenIdRequests
    open_id: OpenIdProvider | None = None
    alert_tokens: AlertTokens
    mailer: Mailer
    addresses: Addresses
    rate_limiter: RateLimiter
    clock: Clock
    ids: Ids
    time_zones: TimeZones
    countries: frozenset[str]
    slug: Callable[[str], str]
    strip_tracking: Callable[[str], str]
    new_salt: Callable[[], bytes]
    wake_ups: Callable[[], AsyncIterator[None]] | None = None
    agent_event_wake_ups: AgentEventWakeUps | None = None
    identity_changes: IdentityChanges | None = None


@frozen(kw_only=True)
class Options:
    """Options of the use cases. `public_url`: the public address of the service, without a slash at its end; None if
    unknown. `site`: how its public pages present themselves. `background_transactions`: how many transactions of jobs
    may be open at once; the other connections are for requests. `publish_wait`: seconds that a request to publish waits
    for the outcome. `free_allowance`: the free articles per day. `trend_searches`: web searches per refresh of trends.
    `history_kept`: how long what is over is kept; None: for ever.
    `trends_every`: the interval of refreshes; None: only on request. `curates_entities`: whether the content model
    curates entities, which takes a language model; `crosses_languages`: whether it writes in another language than its
    sources; `forecasts_by_writing`: whether it is asked what it would write, to forecast the words of an article;
    `ignored_fields`: the fields of requests and plans that it makes nothing of. `provider_wait`: how long articles wait
    for a provider that is away. `open_id`: whom the provider of OpenID
    Connect signs in, where there is one. `writing_costs`: what budgets reckon with.
    `calls_per_host`: see `HostPlaces`."""

    public_url: str | None = None
    site: Site = field(factory=Site)
    background_transactions: int = 5
    publish_wait: float = WAIT_SECONDS
    free_allowance: FreeAllowance = field(factory=FreeAllowance)
    trend_searches: int = 0
    trends_every: timedelta | None = None
    history_kept: timedelta | None = None
    curates_entities: bool = True
    crosses_languages: bool = True
    forecasts_by_writing: bool = False
    ignored_fields: frozenset[str] = frozenset()
    provider_wait: timedelta = timedelta(minutes=20)
    open_id: OpenIdRules = field(factory=OpenIdRules)
    writing_costs: WritingCosts = field(factory=WritingCosts)
    calls_per_host: int = CALLS_PER_HOST
