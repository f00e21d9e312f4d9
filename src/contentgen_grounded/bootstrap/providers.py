"""Adapters as the settings choose them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from functools import partial
from pathlib import Path
from socket import socket
from typing import Final

import httpx
import structlog
from attrs import evolve

from contentgen_adapters.documents.splitting import ProcessSplitter
from contentgen_adapters.documents.uploads import ProcessUploadReader
from contentgen_adapters.exporting.exporter import FileExporter
from contentgen_adapters.feeds.catalog import Feed, read_feeds, starter_feeds
from contentgen_adapters.feeds.finder import FeedFinder, FeedPolicy
from contentgen_adapters.images.catalog import ImageSettings, build_images
from contentgen_adapters.index_now import HttpIndexNow
from contentgen_adapters.mail.log import LogMailer
from contentgen_adapters.mapped.rate_limiter import MappedRateLimiter
from contentgen_adapters.memory.rate_limiter import MemoryRateLimiter
from contentgen_adapters.pages.catalog import open_page_reader
from contentgen_adapters.publishing.catalog import ProviderCatalog
from contentgen_adapters.publishing.diagram_pictures import DiagramPainter
from contentgen_adapters.publishing.public_articles import UnitOfWorkPublicArticles
from contentgen_adapters.rate_limits import FallbackRateLimiter
from contentgen_adapters.rendering import MarkdownRenderer
from contentgen_adapters.reranking.catalog import RerankerSettings, build_reranker
from contentgen_adapters.search_exports.console import HttpSearchConsole
from contentgen_adapters.search_exports.reading import ProcessSearchExports
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.http import CALLS_PER_HOST, RequestHook, make_client
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.sources.catalog import open_site_reader, open_surroundings, source_readers
from contentgen_adapters.text.language import LangidDetector
from contentgen_adapters.web_search.catalog import SearchSettings, build_web_search
from contentgen_adapters.webhooks.sender import ATTEMPT_SECONDS, HttpWebhookSender
from contentgen_core.errors import NotConfigured
from contentgen_core.ports.counters import RateLimiter
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.ports.exporting import ArticleExporter
from contentgen_core.ports.images import ConfiguredImageSearch
from contentgen_core.ports.knowledge_base import FormerModel
from contentgen_core.ports.mail import Mailer
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.publishing import PublishingTargets
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.reranking import Reranker
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.trends import TrendFinder
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.web_search import ConfiguredWebSearches
from contentgen_core.ports.webhooks import WebhookSender
from contentgen_core.services import Ports
from contentgen_core.use_cases.niches.catalogue import PRECONFIGURED
from contentgen_grounded.bootstrap.embedding import chosen_embedder
from contentgen_grounded.bootstrap.open_id import open_id_provider
from contentgen_grounded.bootstrap.options import public_url
from contentgen_grounded.bootstrap.outgoing import address_guard
from contentgen_grounded.bootstrap.queue import bad_redis_url
from contentgen_grounded.bootstrap.source_splitting import source_splitter
from contentgen_grounded.bootstrap.splitting import SPLITTING
from contentgen_grounded.bootstrap.writers import OTHER_CALLS, content_model, with_model
from contentgen_grounded.extras import from_extra
from contentgen_grounded.settings import BadSetting, Settings
from contentgen_grounded.version import VERSION

log = structlog.get_logger("contentgen_grounded.bootstrap")

WEBHOOK_CALLS: Final = 100
"""Deliveries under way at a time, in one process."""


def source_folders(settings: Settings) -> tuple[Path, ...]:
    """The folders that sources may be below. Raises BadSetting for one that is not absolute."""
    folders = tuple(Path(part.strip()) for part in (settings.source_folders or "").split(os.pathsep) if part.strip())
    for folder in folders:
        if not folder.is_absolute():
            raise BadSetting(f"CONTENTGEN_SOURCE_FOLDERS: {folder} is no absolute path.")
    return folders


def page_reader(
    settings: Settings, clock: Clock, pool: ProcessPool, request_hook: RequestHook | None = None
) -> AbstractAsyncContextManager[PageReader]:
    """A reader of web pages, to be opened on the event loop that uses it. `pool`: parses them. Raises BadSetting."""
    return open_page_reader(
        address_guard(settings), clock, pool, user_agent=_user_agent(settings), request_hook=request_hook
    )


@asynccontextmanager
async def feed_finder(
    settings: Settings, clock: Clock, pool: ProcessPool, request_hook: RequestHook | None = None
) -> AsyncIterator[TrendFinder]:
    """Return the finder of trends in feeds, over a client whose every address passes the guard. `pool`: processes that
    parse the feeds. Raises BadSetting.
    """
    feeds = trend_feeds(settings)
    policy = FeedPolicy(user_agent=_user_agent(settings))
    open_client = partial(guarded_client, address_guard(settings), read=10.0, request_hook=request_hook)
    finder = FeedFinder(open_client, feeds, clock, LangidDetector(), pool, policy)
    try:
        yield finder
    finally:
        await finder.aclose()


def trend_feeds(settings: Settings) -> tuple[Feed, ...]:
    """The feeds in which trends are looked for. Raises BadSetting."""
    niches = tuple(key for key, *_ in PRECONFIGURED)
    try:
        return read_feeds(settings.trends_feeds, niches) if settings.trends_feeds else starter_feeds(niches)
    except ValueError as error:
        raise BadSetting(f"CONTENTGEN_TRENDS_FEEDS: {error}.") from error


def _user_agent(settings: Settings) -> str:
    return settings.user_agent or f"contentgen/{VERSION}"


@asynccontextmanager
async def publishing_targets(
    settings: Settings,
    unit_of_work: UnitOfWork,
    clock: Clock,
    pool: ProcessPool,
    request_hook: RequestHook | None = None,
) -> AsyncIterator[PublishingTargets]:
    """Return every publishing provider, over one client whose every address passes the guard. Raises BadSetting."""
    public_articles_of = partial(
        UnitOfWorkPublicArticles, unit_of_work, clock.now, MarkdownRenderer().slug, public_url(settings)
    )
    async with guarded_client(
        address_guard(settings), read=30.0, request_hook=request_hook, connections=settings.posts + OTHER_CALLS
    ) as client:
        yield ProviderCatalog(client, clock.now, public_articles_of=public_articles_of, painter=DiagramPainter(pool))


@asynccontextmanager
async def webhook_sender(settings: Settings, request_hook: RequestHook | None = None) -> AsyncIterator[WebhookSender]:
    """Return the sender of events to webhook endpoints, over a client whose every address passes the guard. Raises
    BadSetting.
    """
    guard = address_guard(settings)
    async with guarded_client(
        guard, read=ATTEMPT_SECONDS, request_hook=request_hook, connections=WEBHOOK_CALLS + OTHER_CALLS
    ) as client:
        yield HttpWebhookSender(client, guard)


@asynccontextmanager
async def exporter(
    settings: Settings, renderer: ArticleRenderer, request_hook: RequestHook | None = None
) -> AsyncIterator[ArticleExporter]:
    """Return the maker of articles' files, over a client whose every address passes the guard. Raises BadSetting."""
    async with guarded_client(address_guard(settings), read=10.0, request_hook=request_hook) as client:
        yield FileExporter(renderer, client)


def reranker(settings: Settings, client: httpx.AsyncClient) -> Reranker | None:
    """Return the chosen reranker of search results. Raises NotConfigured when it lacks its settings."""
    chosen = RerankerSettings(
        reranker=settings.reranker,
        reranker_api_key=settings.reranker_api_key,
        reranker_base_url=settings.reranker_base_url,
        reranker_model=settings.reranker_model,
    )
    return build_reranker(chosen, client)


def web_search(settings: Settings, client: httpx.AsyncClient) -> ConfiguredWebSearches:
    """Return the chosen web search. Raises NotConfigured when it lacks its settings."""
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


def images(settings: Settings, client: httpx.AsyncClient) -> ConfiguredImageSearch:
    """Return the chosen source of pictures. Raises NotConfigured when it lacks its key."""
    chosen = ImageSettings(
        images=settings.images,
        unsplash_api_key=settings.unsplash_api_key,
        unsplash_base_url=settings.unsplash_base_url,
        pexels_api_key=settings.pexels_api_key,
        pexels_base_url=settings.pexels_base_url,
    )
    return build_images(chosen, client)


async def entailment_model(settings: Settings, client: httpx.AsyncClient) -> EntailmentModel | None:
    """Return the model that judges what the rules of the grounding check leave open. Raises NotConfigured when the
    chosen one lacks its settings, UnreadableFile for a folder that holds no entailment model.
    """
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


@asynccontextmanager
async def rate_limiter(settings: Settings, counted_in: int | None = None) -> AsyncIterator[RateLimiter]:
    """Return the counter of requests a minute. `counted_in`: descriptor of a file that the processes of this machine
    count in; None where there is one process. Raises BadSetting.
    """
    local = MemoryRateLimiter() if counted_in is None else MappedRateLimiter(counted_in)
    if settings.redis_url is None:
        yield local
        return
    with from_extra("server"):
        from contentgen_adapters.redis.rate_limiter import open_rate_limiter

    async with AsyncExitStack() as stack:
        try:
            shared = await stack.enter_async_context(open_rate_limiter(settings.redis_url))
        except ValueError as error:
            raise bad_redis_url() from error
        yield FallbackRateLimiter(shared, local)


def mailer(settings: Settings) -> Mailer:
    """Return the sender of mail. Raises BadSetting.

    A link in a mail never begins with the address that a request came to: whoever sends the request chooses that
    address.
    """
    if settings.smtp_url is None:
        return LogMailer()
    from contentgen_adapters.mail.smtp import SmtpMailer, SmtpServer, sender

    if settings.mail_from is None or settings.public_url is None:
        missing = "CONTENTGEN_MAIL_FROM" if settings.mail_from is None else "CONTENTGEN_PUBLIC_URL"
        raise BadSetting(f"CONTENTGEN_SMTP_URL: sending mail needs {missing}, too.")
    try:
        server = SmtpServer.parse(settings.smtp_url)
    except ValueError as error:
        raise BadSetting(f"CONTENTGEN_SMTP_URL: {error}.") from None  # whose cause may hold the password
    try:
        return SmtpMailer(server, sender(settings.mail_from))
    except ValueError as error:
        raise BadSetting(f"CONTENTGEN_MAIL_FROM: {error}.") from error


@asynccontextmanager
async def with_chosen_adapters(
    settings: Settings,
    ports: Ports,
    request_hook: RequestHook | None = None,
    *,
    apart: bool = False,
    counted_in: int | None = None,
    askers: socket | None = None,
) -> AsyncIterator[Ports]:
    """The ports with every adapter that the settings choose; their connections and processes end with the block.

    `request_hook`: entered around each request to another service. `apart`, `askers`: see `chosen_embedder`.
    `counted_in`: see `rate_limiter`. Raises BadSetting, NotConfigured, UnreadableFile.
    """
    async with (
        make_client(request_hook=request_hook, calls_per_host=CALLS_PER_HOST) as client,
        make_client(connections=settings.model_calls, request_hook=request_hook) as model_client,
        aclosing(ProcessPool()) as pool,
        page_reader(settings, ports.clock, pool, request_hook) as pages,
        open_site_reader(address_guard(settings), pool, pages, _user_agent(settings), request_hook) as site,
        open_surroundings(
            address_guard(settings), pool, ProcessUploadReader(pool), ports.clock, request_hook
        ) as around,
        exporter(settings, ports.renderer, request_hook) as files,
        feed_finder(settings, ports.clock, pool, request_hook) as feeds,
        publishing_targets(settings, ports.unit_of_work, ports.clock, pool, request_hook) as targets,
        webhook_sender(settings, request_hook) as webhooks,
        open_id_provider(settings, ports.clock, request_hook) as open_id,
        rate_limiter(settings, counted_in) as limiter,
        chosen_embedder(settings, client, apart=apart, askers=askers) as embeds,
    ):
        uploads = ProcessUploadReader(pool)
        yield evolve(
            with_model(ports, content_model(settings, model_client)),
            embedder=embeds.embedder,
            embedder_note=embeds.note,
            former_models=tuple(FormerModel(other, ports.index) for other in embeds.others),
            reranker=reranker(settings, client),
            entailment=await entailment_model(settings, client),
            mailer=mailer(settings),
            uploads=uploads,
            splitter=ProcessSplitter(pool, SPLITTING),
            source_splitter=source_splitter(pool),
            pages=pages,
            sources=source_readers(source_folders(settings), uploads, pages, site, around),
            search_exports=ProcessSearchExports(pool),
            search_console=HttpSearchConsole(client, ports.clock),
            index_now=HttpIndexNow(client, settings.index_now_url),
            searches=web_search(settings, client),
            images=images(settings, client),
            exporter=files,
            targets=targets,
            webhook_sender=webhooks,
            open_id=open_id,
            trend_finders=(feeds,),
            rate_limiter=limiter,
        )
