"""From settings to services. This package alone names adapters."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from attrs import define

from contentgen_adapters.http import make_client
from contentgen_adapters.lance.deferred import DeferredIndex
from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.memory.objects import MemoryObjects
from contentgen_adapters.memory.passage_index import MemoryIndex
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.objects.store import ArrowObjects
from contentgen_adapters.postgres.agent_events import PostgresWakeUps
from contentgen_adapters.postgres.embedded import EmbeddedPostgres
from contentgen_adapters.postgres.jobs import CHANNEL as JOBS_CHANNEL
from contentgen_adapters.postgres.listen import notifications
from contentgen_adapters.postgres.migrate import migrate
from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.ports.content_model import ContentModel
from contentgen_http.bootstrap import providers
from contentgen_http.bootstrap.assembly import assemble
from contentgen_http.services import Services
from contentgen_http.settings import Settings

__all__ = ["Database", "accept_secret", "assemble", "database", "in_memory", "open_services"]


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
        providers.page_reader(settings) as pages,
        create_pool(conninfo, max_size=settings.database_pool) as pool,
    ):
        unit_of_work = PostgresUnitOfWork(pool)
        secret = await providers.agree_on_secret(settings, unit_of_work)
        embedder = await providers.embedder(settings, client)
        place = str(settings.data_dir / "index")
        index = DeferredIndex(lambda: LanceIndex.open(place, embedder.model, embedder.dimension))
        try:
            yield assemble(
                unit_of_work=unit_of_work,
                index=index,
                embedder=embedder,
                model=providers.content_model(settings, client),
                secret=secret,
                mailer=providers.mailer(settings),
                public_url=providers.public_url(settings),
                page_reader=pages,
                objects=ArrowObjects(settings.object_store or str(settings.data_dir / "objects")),
                searches=providers.web_search(settings, client),
                reranker=providers.reranker(settings, client),
                entailment=await providers.entailment_model(settings, client),
                wake_ups=lambda: notifications(conninfo, JOBS_CHANNEL),
                agent_event_wake_ups=PostgresWakeUps(conninfo),
                background_transactions=settings.database_pool // 2,
            )
        finally:
            await index.close()


async def accept_secret(settings: Settings, conninfo: str) -> None:
    """Make this process's secret that of the installation. Raises Unavailable."""
    async with create_pool(conninfo, max_size=2) as pool:
        await providers.agree_on_secret(settings, PostgresUnitOfWork(pool), accept=True)


@asynccontextmanager
async def in_memory(settings: Settings | None = None, model: ContentModel | None = None) -> AsyncIterator[Services]:
    """The services over memory: for embedding the core in a program, for the command `write`, and for tests."""
    settings = settings or Settings()
    async with make_client() as client, providers.page_reader(settings) as pages:
        embedder = await providers.embedder(settings, client)
        unit_of_work = MemoryUnitOfWork()
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
            searches=providers.web_search(settings, client),
            reranker=providers.reranker(settings, client),
            entailment=await providers.entailment_model(settings, client),
        )
        await services.catalogue()
        yield services
