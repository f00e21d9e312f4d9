"""The one place that names adapters: from settings to services."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

import httpx
import pycountry
from attrs import define
from slugify import slugify

from contentgen_adapters.documents.catalog import FileReader
from contentgen_adapters.documents.uploads import FileUploadReader
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.entities.extractor import RuleExtractor
from contentgen_adapters.entities.graphs import NetworkxTools
from contentgen_adapters.http import make_client
from contentgen_adapters.lance.deferred import DeferredIndex
from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.llm import openai
from contentgen_adapters.llm.catalog import WriterSettings, build_writer
from contentgen_adapters.llm.extractive import writer as extractive
from contentgen_adapters.memory.objects import MemoryObjects
from contentgen_adapters.memory.pages import MemoryPageReader
from contentgen_adapters.memory.passage_index import MemoryIndex
from contentgen_adapters.memory.rate_limiter import MemoryRateLimiter
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.objects.store import ArrowObjects
from contentgen_adapters.outgoing.guard import AddressGuard, parse_hosts
from contentgen_adapters.pages.catalog import open_page_reader
from contentgen_adapters.postgres.embedded import EmbeddedPostgres
from contentgen_adapters.postgres.jobs import CHANNEL as JOBS_CHANNEL
from contentgen_adapters.postgres.listen import notifications
from contentgen_adapters.postgres.migrate import migrate
from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_adapters.queued import QueuedUnitOfWork
from contentgen_adapters.rendering.renderer import MarkdownRenderer
from contentgen_adapters.reranking.catalog import RerankerSettings, build_reranker
from contentgen_adapters.runtime import HmacKeyMaker, SystemClock, Uuid7Ids
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_adapters.text.language import LangidDetector
from contentgen_adapters.web_search.catalog import SETTINGS as WEB_SEARCHES
from contentgen_adapters.web_search.catalog import SearchSettings, build_web_search
from contentgen_core.errors import NotConfigured
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.counters import RateLimiter
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.ports.knowledge_base import Embedder, PassageIndex
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.reranking import Reranker
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.web_search import Searches
from contentgen_core.use_cases.agents.queries import ListAgents
from contentgen_core.use_cases.articles.admission import Admission
from contentgen_core.use_cases.articles.check_coverage import CheckCoverage
from contentgen_core.use_cases.articles.delete import DeleteArticle
from contentgen_core.use_cases.articles.edit import EditArticle
from contentgen_core.use_cases.articles.generate import GenerateArticle
from contentgen_core.use_cases.articles.grounding_receipt import GroundingReceipt
from contentgen_core.use_cases.articles.plan import PlanArticle
from contentgen_core.use_cases.articles.queries import ReadArticles
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlan
from contentgen_core.use_cases.articles.topics import SuggestTopics, ValidateTopic
from contentgen_core.use_cases.documents.add import AddDocument
from contentgen_core.use_cases.documents.edit import ManageDocuments
from contentgen_core.use_cases.documents.process import ProcessDocument
from contentgen_core.use_cases.documents.search import SearchKnowledge
from contentgen_core.use_cases.enrichment.run import RunEnrichment
from contentgen_core.use_cases.enrichment.start import ReadEnrichments, StartEnrichment
from contentgen_core.use_cases.generation.publish_scheduled import PublishScheduled
from contentgen_core.use_cases.generation.write_article import WriteArticle
from contentgen_core.use_cases.governance.evaluate import EvaluateGovernance
from contentgen_core.use_cases.jobs import JobFrame
from contentgen_core.use_cases.keys.authenticate import Authenticate
from contentgen_core.use_cases.keys.manage import ManageKeys
from contentgen_core.use_cases.knowledge.curate import CurateEntities
from contentgen_core.use_cases.knowledge.cut import CutDocument
from contentgen_core.use_cases.knowledge.import_sources import ImportSources
from contentgen_core.use_cases.knowledge.keep_index import ApplyIndexChanges, RebuildIndex
from contentgen_core.use_cases.knowledge.overview import ReadOverview
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.niches.catalogue import EnsureCatalogue
from contentgen_core.use_cases.niches.manage import ManageNiches
from contentgen_core.use_cases.tenants.administer import AdministerTenants
from contentgen_core.use_cases.tenants.queries import ReadTenant
from contentgen_core.use_cases.topic_coverage.compute import ComputeTopicCoverage
from contentgen_core.use_cases.topic_coverage.manage import ManageTopicCoverage
from contentgen_core.use_cases.topic_coverage.seeds import ArticleTopics, KnowledgeTopics, NicheKeywords
from contentgen_http.services import Services
from contentgen_http.settings import BadSetting, Settings

SECRET_FILE = "secret.key"  # noqa: S105 - the name of the file, not the secret


@define
class Database:
    """Where the truth lives; `embedded` is None when the operator's own server is used."""

    conninfo: str
    embedded: EmbeddedPostgres | None = None

    def migrate(self) -> list[str]:
        """Names of the migrations applied now. Raises MigrationError, Unavailable."""
        return migrate(self.conninfo)

    def ensure_running(self) -> bool:
        """Whether a private server had to be started again. Blocking. Raises EmbeddedPostgresError."""
        return self.embedded is not None and self.embedded.ensure_running()


@contextmanager
def database(settings: Settings) -> Iterator[Database]:
    """The database of the settings, running. Raises EmbeddedPostgresError."""
    if settings.database_url:
        yield Database(settings.database_url)
        return
    embedded = EmbeddedPostgres(settings.data_dir)
    conninfo = embedded.start()
    try:
        yield Database(conninfo, embedded)
    finally:
        embedded.stop()


@asynccontextmanager
async def open_services(settings: Settings, conninfo: str) -> AsyncIterator[Services]:
    """The services over PostgreSQL and LanceDB. Opens nothing slow: the index opens in the background."""
    async with (
        make_client() as client,
        page_reader(settings) as pages,
        create_pool(conninfo, max_size=settings.database_pool) as pool,
    ):
        embedder = await _embedder(settings, client)
        place = str(settings.data_dir / "index")
        index = DeferredIndex(lambda: LanceIndex.open(place, embedder.model, embedder.dimension))
        try:
            yield assemble(
                unit_of_work=PostgresUnitOfWork(pool),
                index=index,
                embedder=embedder,
                model=_content_model(settings, client),
                secret=_secret(settings),
                page_reader=pages,
                objects=ArrowObjects(settings.object_store or str(settings.data_dir / "objects")),
                searches=_web_search(settings, client),
                reranker=_reranker(settings, client),
                entailment=await entailment_model(settings, client),
                wake_ups=lambda: notifications(conninfo, JOBS_CHANNEL),
                background_transactions=settings.database_pool // 2,
            )
        finally:
            await index.close()


@asynccontextmanager
async def in_memory(settings: Settings | None = None, model: ContentModel | None = None) -> AsyncIterator[Services]:
    """The services over memory: for embedding the core in a program, for the command `write`, and for tests."""
    settings = settings or Settings()
    async with make_client() as client, page_reader(settings) as pages:
        embedder = await _embedder(settings, client)
        services = assemble(
            unit_of_work=MemoryUnitOfWork(),
            index=MemoryIndex(),
            embedder=embedder,
            model=model or _content_model(settings, client),
            secret=secrets.token_bytes(32),
            page_reader=pages,
            objects=MemoryObjects(),
            searches=_web_search(settings, client),
            reranker=_reranker(settings, client),
            entailment=await entailment_model(settings, client),
        )
        await services.catalogue()
        yield services


def assemble(
    *,
    unit_of_work: UnitOfWork,
    index: PassageIndex,
    embedder: Embedder,
    model: ContentModel,
    secret: bytes,
    page_reader: PageReader | None = None,
    objects: ObjectStore | None = None,
    searches: Searches | None = None,
    reranker: Reranker | None = None,
    entailment: EntailmentModel | None = None,
    clock: Clock | None = None,
    ids: Ids | None = None,
    rate_limiter: RateLimiter | None = None,
    wake_ups: Callable[[], AsyncIterator[None]] | None = None,
    background_transactions: int = 5,
) -> Services:
    """Wire the use cases over these adapters. Without a page reader and searches there is no web, without a store of
    objects they are kept in memory. `background_transactions`: how many of them jobs may have open at once;
    what is left of the database's connections is for whoever waits for an answer."""
    clock, ids = clock or SystemClock(), ids or Uuid7Ids()
    page_reader, objects = page_reader or MemoryPageReader({}, clock), objects or MemoryObjects()
    searches = searches or Searches(None, None, WEB_SEARCHES)
    analysis, renderer = IcuTextAnalysis(), MarkdownRenderer()
    retrieve = Retrieve(unit_of_work, index, embedder, analysis, reranker)
    queued = QueuedUnitOfWork(unit_of_work, background_transactions)
    apply_queued, uploads = ApplyIndexChanges(queued, index, embedder, clock), FileUploadReader()
    retrieve_queued = Retrieve(queued, index, embedder, analysis, reranker)
    cut, detector = CutDocument(MarkdownChunker(analysis), analysis, RuleExtractor(analysis)), LangidDetector()
    admission = Admission(unit_of_work, model, clock, ids)
    key_maker = HmacKeyMaker(secret)
    keys = ManageKeys(unit_of_work, key_maker, clock, ids)
    apply_changes = ApplyIndexChanges(unit_of_work, index, embedder, clock)

    async def database_answers() -> None:
        async with unit_of_work() as tx:
            await tx.jobs.backlog(clock.now())

    return Services(
        clock=clock,
        unit_of_work=unit_of_work,
        index=index,
        reader=FileReader(),
        rate_limiter=rate_limiter or MemoryRateLimiter(),
        authenticate=Authenticate(unit_of_work, key_maker, clock),
        keys=keys,
        tenants=AdministerTenants(unit_of_work, keys, clock, ids),
        tenant=ReadTenant(unit_of_work, clock),
        catalogue=EnsureCatalogue(unit_of_work, clock, ids),
        niches=ManageNiches(
            unit_of_work, clock, ids, slugify, frozenset(country.alpha_2 for country in pycountry.countries)
        ),
        agents=ListAgents(unit_of_work),
        articles=ReadArticles(unit_of_work, renderer),
        grounding_receipt=GroundingReceipt(unit_of_work),
        check_coverage=CheckCoverage(unit_of_work, retrieve, model, clock),
        suggest_topics=SuggestTopics(unit_of_work, model),
        validate_topic=ValidateTopic(unit_of_work, model, retrieve),
        plan_article=PlanArticle(unit_of_work, retrieve, model, admission, clock),
        generate_article=GenerateArticle(unit_of_work, retrieve, admission, clock),
        start_from_plan=StartFromPlan(unit_of_work, clock, ids),
        edit_article=EditArticle(unit_of_work, analysis, renderer, clock, ids),
        delete_article=DeleteArticle(unit_of_work),
        write_article=WriteArticle(
            JobFrame(queued, clock, "The generation"), retrieve_queued, model, analysis, renderer, entailment
        ),
        publish_scheduled=PublishScheduled(queued, clock),
        add_document=AddDocument(unit_of_work, objects, uploads, page_reader, clock, ids),
        documents=ManageDocuments(unit_of_work, objects, apply_changes, clock),
        process_document=ProcessDocument(
            JobFrame(queued, clock, "The processing of the document"),
            objects,
            uploads,
            page_reader,
            cut,
            detector,
            apply_queued,
        ),
        search=SearchKnowledge(unit_of_work, retrieve, analysis),
        topic_coverages=ManageTopicCoverage(unit_of_work, clock, ids),
        compute_topic_coverage=ComputeTopicCoverage(
            JobFrame(queued, clock, "The computation of the topic coverage"),
            Retrieve(queued, index, embedder, analysis),
            (NicheKeywords(), ArticleTopics(queued), KnowledgeTopics(queued, model)),
            analysis,
        ),
        evaluate_governance=EvaluateGovernance(unit_of_work, analysis, clock),
        overview=ReadOverview(unit_of_work, NetworkxTools(), clock, ids, curates=model.name != extractive.NAME),
        curate_entities=CurateEntities(JobFrame(queued, clock, "Looking through the entities"), model),
        start_enrichment=StartEnrichment(unit_of_work, retrieve, model, searches, clock, ids),
        enrichments=ReadEnrichments(unit_of_work),
        run_enrichment=RunEnrichment(
            JobFrame(queued, clock, "The enrichment"),
            searches,
            page_reader,
            ImportSources(queued, cut, detector, clock, ids),
            apply_queued,
            retrieve_queued,
            model,
            analysis,
        ),
        import_sources=ImportSources(unit_of_work, cut, detector, clock, ids),
        apply_index_changes=apply_changes,
        rebuild_index=RebuildIndex(unit_of_work, index, apply_changes),
        checks={"database": database_answers, "index": index.check},
        wake_ups=wake_ups,
    )


def address_guard(settings: Settings) -> AddressGuard:
    """The guard of all calls to addresses that somebody entered or a search found. Raises BadSetting."""
    try:
        return AddressGuard(parse_hosts(settings.allowed_private_hosts))
    except ValueError as error:
        raise BadSetting(f"CONTENTGEN_ALLOWED_PRIVATE_HOSTS: {error}.") from error


def page_reader(settings: Settings, clock: Clock | None = None) -> AbstractAsyncContextManager[PageReader]:
    """A reader of web pages, to be opened on the event loop that uses it. Raises BadSetting."""
    agent = settings.user_agent or f"contentgen/{version('contentgen')}"
    return open_page_reader(address_guard(settings), clock or SystemClock(), user_agent=agent)


def _content_model(settings: Settings, client: httpx.AsyncClient) -> ContentModel:
    """Who writes. Raises NotConfigured when a model was chosen that lacks its settings."""
    chosen = WriterSettings(
        content_model=settings.content_model,
        openai_api_key=settings.openai_api_key,
        openai_base_url=settings.openai_base_url,
        openai_model=settings.openai_model,
        anthropic_api_key=settings.anthropic_api_key,
        anthropic_base_url=settings.anthropic_base_url,
        anthropic_model=settings.anthropic_model,
        model_timeout=settings.model_timeout,
    )
    return build_writer(chosen, IcuTextAnalysis(), client)


async def _embedder(settings: Settings, client: httpx.AsyncClient) -> Embedder:
    """Who embeds. Raises NotConfigured when an embedder was chosen that lacks its settings."""
    match settings.embeddings:
        case "openai":
            from contentgen_adapters.embeddings.openai_compatible import OpenAIEmbedder

            return OpenAIEmbedder(
                settings.openai_base_url or openai.OPENAI,
                settings.openai_api_key or "",
                settings.embedding_model,
                settings.embedding_dimension,
                client,
            )
        case "onnx":
            from contentgen_adapters.embeddings.onnx_folder import OnnxEmbedder

            if settings.onnx_model_dir is None:
                raise NotConfigured("embeddings=onnx needs a model folder.", "CONTENTGEN_ONNX_MODEL_DIR")
            return await OnnxEmbedder.open(settings.onnx_model_dir)
        case _:
            return HashedEmbedder()


def _reranker(settings: Settings, client: httpx.AsyncClient) -> Reranker | None:
    """Who reads again what a search found. Raises NotConfigured when one was chosen that lacks its settings."""
    chosen = RerankerSettings(
        reranker=settings.reranker,
        reranker_api_key=settings.reranker_api_key,
        reranker_base_url=settings.reranker_base_url,
        reranker_model=settings.reranker_model,
    )
    return build_reranker(chosen, client)


def _web_search(settings: Settings, client: httpx.AsyncClient) -> Searches:
    """Who searches the web. Raises NotConfigured when a search was chosen that lacks its settings."""
    chosen = SearchSettings(
        web_search=settings.web_search,
        serper_api_key=settings.serper_api_key,
        serper_base_url=settings.serper_base_url,
        brave_api_key=settings.brave_api_key,
        brave_base_url=settings.brave_base_url,
        tavily_api_key=settings.tavily_api_key,
        tavily_base_url=settings.tavily_base_url,
        searxng_base_url=settings.searxng_base_url,
        openai_api_key=settings.openai_api_key,
        openai_base_url=settings.openai_base_url,
        premium_search_model=settings.premium_search_model,
    )
    return build_web_search(chosen, client)


async def entailment_model(settings: Settings, client: httpx.AsyncClient) -> EntailmentModel | None:
    """Who judges what the grounding check's rules leave open. Raises NotConfigured when one was chosen that lacks its
    settings, UnreadableFile for a folder that holds no entailment model."""
    match settings.entailment:
        case "tei":
            from contentgen_adapters.entailment.labels import Labels
            from contentgen_adapters.entailment.tei import TeiEntailment

            if settings.entailment_base_url is None:
                raise NotConfigured("entailment=tei needs a server.", "CONTENTGEN_ENTAILMENT_BASE_URL")
            return TeiEntailment(
                settings.entailment_base_url,
                settings.entailment_api_key,
                settings.entailment_model,
                client,
                labels=Labels.of(settings.entailment_labels),
            )
        case "onnx":
            from contentgen_adapters.entailment.labels import Labels
            from contentgen_adapters.entailment.onnx_folder import OnnxEntailment

            if settings.entailment_model_dir is None:
                raise NotConfigured("entailment=onnx needs a model folder.", "CONTENTGEN_ENTAILMENT_MODEL_DIR")
            return await OnnxEntailment.open(settings.entailment_model_dir, Labels.of(settings.entailment_labels))
        case _:
            return None


def _secret(settings: Settings) -> bytes:
    """The secret behind key digests: the operator's, or that of the data directory, made at its first use."""
    if settings.secret_key:
        return settings.secret_key.encode()
    path: Path = settings.data_dir / SECRET_FILE
    if not path.exists():
        # Written aside and linked into place: two first starts agree on one secret, and nobody reads half of it.
        made = path.with_suffix(f".{secrets.token_hex(4)}")
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        with suppress(FileExistsError):
            os.link(made, path)
        made.unlink()
    return path.read_text().strip().encode()
