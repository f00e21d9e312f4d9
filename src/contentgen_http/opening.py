"""The service's use cases over PostgreSQL and LanceDB, watched."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from contentgen.bootstrap import providers
from contentgen.bootstrap.stores import stored_ports
from contentgen.settings import Settings, describe_unknown, unknown_variables
from contentgen.version import VERSION
from contentgen_http.services import Services
from contentgen_http.telemetry.telemetry import Telemetry, open_tracing
from contentgen_http.telemetry.watch import watching

log = structlog.get_logger("contentgen.settings")


def warn_of_unknown_settings() -> None:
    """Log each variable of the environment that looks like a setting and is none."""
    for variable, nearest in unknown_variables().items():
        log.warning(describe_unknown(variable, nearest))


@asynccontextmanager
async def open_services(settings: Settings, conninfo: str, *, jobs_alone: bool = False) -> AsyncIterator[Services]:
    """The services over PostgreSQL and LanceDB. Opens nothing slow: the index opens in the background.

    `jobs_alone`: this process answers no requests, so jobs may have nearly all connections. Raises BadSetting,
    NotConfigured, Unavailable."""
    telemetry = Telemetry(tracing=open_tracing(os.environ, VERSION))
    async with (
        stored_ports(settings, conninfo, telemetry.request_hook) as (ports, pool_figures),
        watching(telemetry.metrics, pool_figures),
    ):
        places = settings.database_pool * 3 // 4 if jobs_alone else settings.database_pool // 2
        options = providers.options(settings, ports.model, places)
        try:
            yield Services.observed(ports, telemetry, options)
        finally:
            await asyncio.to_thread(telemetry.tracing.close)
