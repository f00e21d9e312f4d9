"""Ends streams soon after the key they were opened with stops working."""

from __future__ import annotations

import asyncio
from contextvars import Context
from typing import Final

from attrs import define, field

from contentgen_core.errors import ContentgenError, RateLimited, TenantSuspended, Unauthenticated
from contentgen_http.api.auth import CallerCache
from contentgen_http.api.event_streams.stream import EndReason, EventStream

LOOK_SECONDS: Final = 0.4
"""Together with the half second for which a key is cached, a revoked key is noticed within a second."""


@define
class _Watched:
    address: str
    streams: set[EventStream] = field(factory=set)


class KeyWatch:
    """Checks the key of each stream every LOOK_SECONDS; each key once, however many streams use it."""

    def __init__(self, callers: CallerCache) -> None:
        self._callers = callers
        self._watched: dict[str, _Watched] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, key: str, address: str, stream: EventStream) -> None:
        self._watched.setdefault(key, _Watched(address)).streams.add(stream)
        if self._task is None:
            self._task = asyncio.create_task(self._look(), context=Context())

    def discard(self, key: str, stream: EventStream) -> None:
        watched = self._watched.get(key)
        if watched is not None:
            watched.streams.discard(stream)
            if not watched.streams:
                del self._watched[key]

    async def _look(self) -> None:
        try:
            while self._watched:
                await asyncio.sleep(LOOK_SECONDS)
                for key, watched in list(self._watched.items()):
                    if not await self._works(key, watched.address):
                        for stream in list(watched.streams):
                            stream.end(EndReason.KEY)
        finally:
            self._task = None

    async def _works(self, key: str, address: str) -> bool:
        try:
            await self._callers.caller(key, lambda: address)
        except (Unauthenticated, TenantSuspended, RateLimited):  # refused: the address may have exceeded its failures
            return False
        except ContentgenError:  # unknown while the database is away
            return True
        return True
