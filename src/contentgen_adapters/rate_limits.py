"""A rate limiter shared by several processes, with a local one as its fallback."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import structlog

from contentgen_core.errors import ContentgenError
from contentgen_core.ports.counters import Allowance, RateLimiter

CHECK_SECONDS: Final = 1.0

log = structlog.get_logger("contentgen.limits")


class SharedLimiter(RateLimiter, Protocol):
    """A rate limiter that may be unavailable."""

    async def check(self) -> None:
        """Raises Unavailable while the limiter does not answer."""
        ...


class FallbackRateLimiter:
    """Uses the shared limiter, and the local one while that is unavailable: each process then limits by itself.

    Only requests under way when it fails wait for its timeout; a background task checks every CHECK_SECONDS whether it
    is back. `monotonic`: clock, in seconds.
    """

    def __init__(
        self, shared: SharedLimiter, local: RateLimiter, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._shared = shared
        self._local = local
        self._monotonic = monotonic
        self._shared_away = False
        self._checked_at = 0.0
        self._check: asyncio.Task[None] | None = None

    async def take(self, subject: str, per_minute: int) -> Allowance:
        """Raises ValueError for a limit below 1."""
        if not self._shared_away:
            try:
                return await self._shared.take(subject, per_minute)
            except ContentgenError as error:
                self._switch_to_local(error)
        elif self._check is None and self._monotonic() - self._checked_at >= CHECK_SECONDS:
            self._check = asyncio.create_task(self._check_shared())
        return await self._local.take(subject, per_minute)

    def _switch_to_local(self, error: ContentgenError) -> None:
        self._checked_at = self._monotonic()
        if not self._shared_away:
            self._shared_away = True
            log.warning("the shared limits are away; each process limits by itself meanwhile", reason=error.log_text)

    async def _check_shared(self) -> None:
        try:
            with suppress(ContentgenError):
                await self._shared.check()
                self._shared_away = False
                log.warning("the shared limits are back")
        finally:
            self._checked_at = self._monotonic()
            self._check = None
