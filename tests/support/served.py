"""An application behind the server's own connections, on a real port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from contentgen_http.server.connection import BoundedConnection, Bounds, RefusalPage


@asynccontextmanager
async def served(
    app: Any, page: RefusalPage | None = None, *, idle_seconds: int = 75, **bounds: Any
) -> AsyncIterator[int]:
    """Serve `app` and yield its port. `page`: of requests that are refused; `idle_seconds`: for which a connection is
    kept; `bounds`: those that differ from the usual ones.
    """
    limits = Bounds(**({"body_bytes": 1_000_000} | bounds))
    config = uvicorn.Config(app, ws="none", log_config=None, access_log=False, timeout_keep_alive=idle_seconds)
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: BoundedConnection(bounds=limits, page=page, config=config, server_state=state, app_state={}),
        "127.0.0.1",
        0,
    )
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for connection in list(state.connections):
            connection.transport.close()
        await asyncio.gather(*state.tasks, return_exceptions=True)
        await server.wait_closed()
