"""The service's use cases over PostgreSQL and LanceDB, watched."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from socket import socket

from contentgen_grounded.bootstrap.holding_back import holding_back
from contentgen_grounded.bootstrap.options import chosen_options
from contentgen_grounded.bootstrap.stores import stored_ports
from contentgen_grounded.settings import Settings
from contentgen_grounded.version import VERSION
from contentgen_http.services import Services
from contentgen_http.telemetry.telemetry import Telemetry, open_tracing
from contentgen_http.telemetry.watch import watching


@asynccontextmanager
async def open_services(
    settings: Settings,
    conninfo: str,
    *,
    jobs_alone: bool = False,
    counted_in: int | None = None,
    askers: socket | None = None,
    sends_nothing: bool = False,
) -> AsyncIterator[Services]:
    """The services over PostgreSQL and LanceDB. Opens nothing slow: the index opens in the background.

    `jobs_alone`: this process answers no requests, so jobs may have nearly all connections. `counted_in`: descriptor
    of the file in which the processes of this machine count the minute's requests, where there are several. `askers`:
    of the process that embeds for all of them; without, this one starts its own. `sends_nothing`: requests neither mail
    nor call targets or webhooks. Raises BadSetting, NotConfigured, Unavailable."""
    telemetry = Telemetry(tracing=open_tracing(os.environ, VERSION))
    async with (
        stored_ports(settings, conninfo, telemetry.request_hook, counted_in=counted_in, askers=askers) as (
            ports,
            pool_figures,
        ),
        watching(telemetry.metrics, pool_figures),
    ):
        places = settings.database_pool * 3 // 4 if jobs_alone else settings.database_pool // 2
        options = chosen_options(settings, ports.model, places)
        if sends_nothing:
            ports = holding_back(ports)
        try:
            yield Services.observed(ports, telemetry, options)
        finally:
            await asyncio.to_thread(telemetry.tracing.close)
