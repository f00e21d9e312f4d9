"""How far the vectors of a knowledge base have come."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

import msgspec
from litestar import Controller
from litestar.params import FromPath
from litestar.response import Stream

from contentgen_core import errors
from contentgen_core.model.knowledge import Understanding
from contentgen_core.model.tenant import Caller
from contentgen_http.api.operation import EVENT_STREAM, operation
from contentgen_http.api.requests import TenantRequest, path_id
from contentgen_http.services import Services
from contentgen_http.telemetry.context import trace_of
from contentgen_http.wire import knowledge as wire

LOOK_EVERY_SECONDS: Final = 1.0
STREAM_SECONDS: Final = 60.0
"""After which a stream ends, so that no key is believed for longer; clients of event streams connect again."""
MOST_STREAMS: Final = 10
"""Of a tenant, in one process."""
_HEADERS: Final = {"X-Accel-Buffering": "no", "Cache-Control": "no-cache"}


class UnderstandingRoutes(Controller):
    services: Services
    open_streams: Counter[str]

    @operation(
        "GET",
        "/kb/{nicheKey:str}/understanding",
        tag="Knowledge base",
        answer=wire.Understanding,
        media=EVENT_STREAM,
        raises=(errors.NotFound, errors.TooManyStreams),
    )
    async def follow_understanding(self, request: TenantRequest, nicheKey: FromPath[str]) -> Stream:
        """Follow how a knowledge base is understood.

        After an import insights are found by their words at once, and by their meaning as soon as a model has read
        them. A stream of server-sent events: `understanding` now and whenever the numbers change, `understood` when all
        are, and then it ends. It ends after a minute in any case: connect again.
        """
        key, caller = path_id("niche or agent", nicheKey), request.user
        found = await self.services.knowledge.overview.understanding(caller, key)
        tenant = caller.tenant_id
        if self.open_streams[tenant] >= MOST_STREAMS:
            raise errors.TooManyStreams(MOST_STREAMS)
        trace_of(request.scope).streams = True
        return Stream(self._events(caller, key, found), media_type=EVENT_STREAM, headers=_HEADERS)

    async def _events(self, caller: Caller, key: str, found: Understanding) -> AsyncIterator[bytes]:
        until, told = time.monotonic() + STREAM_SECONDS, None
        self.open_streams[caller.tenant_id] += 1
        try:
            while True:
                if found != told:
                    yield _event(found)
                    told = found
                if found.passages >= found.of or time.monotonic() > until:
                    return
                await asyncio.sleep(LOOK_EVERY_SECONDS)
                found = await self.services.knowledge.overview.understanding(caller, key)
        except errors.ContentgenError as error:  # the niche was deactivated, or the database is away
            yield f": {error.code}\n\n".encode()
        finally:
            self.open_streams[caller.tenant_id] -= 1
            if not self.open_streams[caller.tenant_id]:
                del self.open_streams[caller.tenant_id]


def _event(found: Understanding) -> bytes:
    name = "understood" if found.passages >= found.of else "understanding"
    data = msgspec.json.encode(wire.Understanding(understood=found.passages, total=found.of))
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
