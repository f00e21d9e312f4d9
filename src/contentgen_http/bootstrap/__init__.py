"""From settings to services. This package alone names adapters."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import structlog
from attrs import define

from contentgen_adapters.lance.deferred import DeferredIndex
from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.memory.objects import MemoryObjects
from contentgen_adapters.memory.passage_index import MemoryIndex
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.objects.store import ArrowObjects
from contentgen_adapters.postgres import capacity
from contentgen_adapters.postgres.agent_events import PostgresWakeUps
from contentgen_adapters.postgres.embedded import EmbeddedPostgres
from contentgen_adapters.postgres.embedded.errors import disk_full, has_no_room
from contentgen_adapters.postgres.identity_changes import PostgresIdentityChanges
from contentgen_adapters.postgres.jobs import CHANNEL as JOBS_CHANNEL
from contentgen_adapters.postgres.listen import notifications
from contentgen_adapters.postgres.migrate import migrate
from contentgen_adapters.postgres.pool import Pool, create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import ContentgenError, Unavailable
from contentgen_core.ports.content_model import ContentModel
from contentgen_http.bootstrap import providers
from contentgen_http.bootstrap.assembly import assemble
from contentgen_http.bootstrap.providers import check_redis_url, job_queue
from contentgen_http.services import Services
from contentgen_http.settings import Settings
from contentgen_http.telemetry.telemetry import Telemetry
from contentgen_http.telemetry.tracing import open_tracing
from contentgen_http.telemetry.watch import watching
from contentgen_http.version import VERSION

log = structlog.get_logger("contentgen.bootstrap")
__all__ = [
    "Database",
    "accept_secret",
    "assemble",
    "check_redis_url",
    "database",
    "in_memory",
    "job_queue",
    "open_services",
]


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
    """The database of the settings, running. Raises EmbeddedPostgresError, also for what could not reach the database
    because the disk it is on is full: PostgreSQL ends without the room for its log, and says so to nobody."""
    if settings.database_url:
        yield Database(settings.database_url)
        return
    embedded = EmbeddedPostgres(settings.data_dir)
    conninfo = embedded.start()
    try:
        yield Database(conninfo, embedded)
    except Unavailable as error:
        if has_no_room(settings.data_dir):
            raise disk_full(settings.data_dir) from error
        raise
    finally:
        embedded.stop()


@asynccontextmanager
async def open_services(settings: Settings, conninfo: str, *, jobs_alone: bool = False) -> AsyncIterator[Services]:
    """The services over PostgreSQL and LanceDB. Opens nothing slow: the index opens in the background.

    `jobs_alone`: nobody waits for an answer of this process, so jobs may have nearly all connections."""
    telemetry = Telemetry(tracing=open_tracing(os.environ, VERSION))
    async with (
        make_client(around=telemetry.outgoing) as client,
        providers.page_reader(settings, around=telemetry.outgoing) as pages,
        providers.exporter(settings, around=telemetry.outgoing) as exporter,
        providers.feed_finder(settings, around=telemetry.outgoing) as feeds,
        create_pool(conninfo, max_size=settings.database_pool) as pool,
        providers.publishing_targets(settings, PostgresUnitOfWork(pool), around=telemetry.outgoing) as targets,
        _told_of_shortage(pool),
        providers.rate_limiter(settings) as rate_limiter,
        watching(telemetry.metrics, pool.get_stats),
    ):
        unit_of_work = PostgresUnitOfWork(pool)
        secret = await providers.agree_on_secret(settings, unit_of_work)
        embedder = await providers.embedder(settings, client)
        place, options = providers.index_place(settings)
        index = DeferredIndex(lambda: LanceIndex.open(place, embedder.model, embedder.dimension, options))
        try:
            yield assemble(
                unit_of_work=unit_of_work,
                index=index,
                embedder=embedder,
                model=providers.content_model(settings, client),
                secret=secret,
                mailer=providers.mailer(settings),
                public_url=providers.public_url(settings),
                free_allowance=providers.free_allowance(settings),
                page_reader=pages,
                objects=ArrowObjects(settings.object_store or str(settings.data_dir / "objects")),
                searches=providers.web_search(settings, client),
                images=providers.images(settings, client),
                exporter=exporter,
                targets=targets,
                box=providers.secret_box(settings),
                reranker=providers.reranker(settings, client),
                entailment=await providers.entailment_model(settings, client),
                wake_ups=lambda: notifications(conninfo, JOBS_CHANNEL),
                identity_changes=PostgresIdentityChanges(conninfo),
                agent_event_wake_ups=PostgresWakeUps(conninfo),
                rate_limiter=rate_limiter,
                background_transactions=settings.database_pool * 3 // 4 if jobs_alone else settings.database_pool // 2,
                trend_finders=(feeds,),
                trend_searches=settings.trends_searches,
                trends_every=providers.trends_every(settings),
                telemetry=telemetry,
            )
        finally:
            await index.close()
            await asyncio.to_thread(telemetry.tracing.close)


async def accept_secret(settings: Settings, conninfo: str) -> None:
    """Make this process's secret that of the installation. Raises Unavailable."""
    async with create_pool(conninfo, max_size=2) as pool:
        await providers.agree_on_secret(settings, PostgresUnitOfWork(pool), accept=True)


@asynccontextmanager
async def _told_of_shortage(pool: Pool) -> AsyncIterator[None]:
    """Looks in the background, once: nothing waits for the answer, and it may be that the server is away."""

    async def look() -> None:
        with suppress(ContentgenError):
            if shortage := await capacity.shortage(pool):
                log.warning("the database may run out of connections", detail=shortage)

    looking = asyncio.create_task(look())
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


@asynccontextmanager
async def in_memory(settings: Settings | None = None, model: ContentModel | None = None) -> AsyncIterator[Services]:
    """The services over memory: for embedding the core in a program, for the command `write`, and for tests."""
    settings, unit_of_work = settings or Settings(), MemoryUnitOfWork()
    async with (
        make_client() as client,
        providers.page_reader(settings) as pages,
        providers.publishing_targets(settings, unit_of_work) as targets,
        providers.exporter(settings) as exporter,
        providers.feed_finder(settings) as feeds,
    ):
        embedder = await providers.embedder(settings, client)
        services = assemble(
            unit_of_work=unit_of_work,
            agent_event_wake_ups=unit_of_work.agent_event_wake_ups,
            index=MemoryIndex(),
            embedder=embedder,
            model=model or providers.content_model(settings, client),
            secret=secrets.token_bytes(32),
            page_reader=pages,
            objects=MemoryObjects(),
            mailer=providers.mailer(settings),
            public_url=providers.public_url(settings),
            free_allowance=providers.free_allowance(settings),
            searches=providers.web_search(settings, client),
            images=providers.images(settings, client),
            exporter=exporter,
            targets=targets,
            reranker=providers.reranker(settings, client),
            entailment=await providers.entailment_model(settings, client),
            trend_finders=(feeds,),
            trend_searches=settings.trends_searches,
            trends_every=providers.trends_every(settings),
        )
        await services.catalogue()
        yield services
