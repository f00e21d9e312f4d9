"""Ports over PostgreSQL and LanceDB: what is stored there stays."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from socket import socket

import structlog
from attrs import evolve

from contentgen_adapters.lance import location
from contentgen_adapters.lance.deferred import DeferredIndex
from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.objects.store import ArrowObjects
from contentgen_adapters.postgres import capacity
from contentgen_adapters.postgres.identity_changes import PostgresIdentityChanges
from contentgen_adapters.postgres.listen import notifications
from contentgen_adapters.postgres.pool import Pool, create_pool
from contentgen_adapters.postgres.repositories.agent_events import PostgresWakeUps
from contentgen_adapters.postgres.repositories.jobs import CHANNEL as JOBS_CHANNEL
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_adapters.shared.http import RequestHook
from contentgen_core.errors import ContentgenError, NotConfigured
from contentgen_core.ports.knowledge_base import Embedder, FormerModel
from contentgen_core.services import Ports
from contentgen_core.use_cases.integrations.sealing_keys import AgreeOnSealingKeys
from contentgen_grounded.bootstrap import providers
from contentgen_grounded.bootstrap.ports import local_ports
from contentgen_grounded.bootstrap.secrets import agree_on_secret, secret_box
from contentgen_grounded.settings import BadSetting, Settings

log = structlog.get_logger("contentgen_grounded.bootstrap")


@asynccontextmanager
async def stored_ports(
    settings: Settings,
    conninfo: str,
    request_hook: RequestHook | None = None,
    *,
    counted_in: int | None = None,
    askers: socket | None = None,
) -> AsyncIterator[tuple[Ports, Callable[[], Mapping[str, int]]]]:
    """Ports over PostgreSQL and LanceDB, with the adapters that the settings choose; and what gives the figures of the
    connection pool (psycopg_pool's `get_stats`). Opens nothing slow: the index opens at its first use.

    `conninfo`: what psycopg connects with. `request_hook`: entered around each request to another service.
    `counted_in`: see `providers.rate_limiter`. `askers`: see `chosen_embedder`. Raises BadSetting,
    NotConfigured, UnreadableFile, Unavailable."""
    async with (
        create_pool(conninfo, max_size=settings.database_pool) as pool,
        create_pool(conninfo, min_size=0, max_size=1) as watching,  # opens a connection when it is first asked
        _warning_of_shortage(pool),
    ):
        unit_of_work = PostgresUnitOfWork(pool)
        box = secret_box(settings)
        ports = evolve(
            local_ports(unit_of_work, await agree_on_secret(settings, unit_of_work)),
            watching_unit_of_work=PostgresUnitOfWork(watching),
            objects=ArrowObjects(settings.object_store or str(settings.data_dir / "objects")),
            secret_box=box,
            wake_ups=lambda: notifications(conninfo, JOBS_CHANNEL),
            agent_event_wake_ups=PostgresWakeUps(conninfo),
            identity_changes=PostgresIdentityChanges(conninfo),
        )
        await _warn_of_other_keys(AgreeOnSealingKeys(unit_of_work, box))
        async with providers.with_chosen_adapters(
            settings, ports, request_hook, apart=True, counted_in=counted_in, askers=askers
        ) as chosen:
            index = _deferred_index(settings, chosen.embedder)
            former = [(model.embedder, _deferred_index(settings, model.embedder)) for model in chosen.former_models]
            try:
                models = tuple(FormerModel(embedder, theirs) for embedder, theirs in former)
                yield evolve(chosen, index=index, former_models=models), pool.get_stats
            finally:
                for opened in (index, *(theirs for _, theirs in former)):
                    await opened.close()


def index_location(settings: Settings) -> tuple[str, dict[str, str] | None]:
    """Return the location of the search index, and LanceDB's options for it. Raises BadSetting."""
    try:
        chosen = location.check_location(settings.index_store or str(settings.data_dir / "index"))
    except ValueError as error:
        raise BadSetting(f"CONTENTGEN_INDEX_STORE: {error}.") from error
    return chosen, location.storage_options(chosen, os.environ)


def _deferred_index(settings: Settings, embedder: Embedder) -> DeferredIndex:
    address, storage = index_location(settings)
    return DeferredIndex(lambda: LanceIndex.open(address, embedder.model, embedder.dimension, storage))


async def _warn_of_other_keys(agree: AgreeOnSealingKeys) -> None:
    """Warn, without stopping: what needs no secret works, and the service's readiness reports the same."""
    try:
        await agree()
    except NotConfigured as error:
        log.error("stored secrets cannot be read", reason=error.log_text)


@asynccontextmanager
async def _warning_of_shortage(pool: Pool) -> AsyncIterator[None]:
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
