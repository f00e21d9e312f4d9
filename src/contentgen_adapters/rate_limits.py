"""A limiter that several processes share, with one of the process's own behind it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import structlog

from contentgen_core.errors import ContentgenError
from contentgen_core.ports.counters import Allowance, RateLimiter

ASK_AGAIN_SECONDS: Final = 1.0

log = structlog.get_logger("contentgen.limits")


class SharedLimiter(RateLimiter, Protocol):
    async def check(self) -> None:
        """Raises Unavailable while it does not answer."""
        ...


class FallbackRateLimiter:
    """Asks the shared limiter, and the local one while that is away: limits then hold in each process by itself. Nobody
    waits for one that is away, but those who met its going; whether it is back is asked once a second, beside the
    requests."""

    def __init__(
        self, shared: SharedLimiter, local: RateLimiter, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._shared = shared
        self._local = local
        self._monotonic = monotonic
        self._away = False
        self._asked_at = 0.0
        self._asking: asyncio.Task[None] | None = None

    async def take(self, subject: str, per_minute: int) -> Allowance:
        """Raises ValueError for a limit below 1."""
        if not self._away:
            try:
                return await self._shared.take(subject, per_minute)
            except ContentgenError as error:
                self._gone(error)
        elif self._asking is None and self._monotonic() - self._asked_at >= ASK_AGAIN_SECONDS:
            self._asking = asyncio.create_task(self._ask())
        return await self._local.take(subject, per_minute)

    def _gone(self, error: ContentgenError) -> None:
        self._asked_at = self._monotonic()
        if not self._away:
            self._away = True
            log.warning("the shared limits are away; each process limits by itself meanwhile", reason=error.log_text)

    async def _ask(self) -> None:
        try:
            with suppress(ContentgenError):
                await self._shared.check()
                self._away = False
                log.warning("the shared limits are back")
        finally:
            self._asked_at = self._monotonic()
            self._asking = None
