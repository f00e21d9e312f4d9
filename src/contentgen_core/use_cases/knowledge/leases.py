"""Keeping the lease of work that takes long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from contentgen_core.errors import ContentgenError


@asynccontextmanager
async def keep_renewing(renew: Callable[[], Awaitable[object]], every: timedelta) -> AsyncIterator[None]:
    """Renew a lease periodically during the block."""

    async def repeat() -> None:
        while True:
            await asyncio.sleep(every.total_seconds())
            with suppress(ContentgenError):
                await renew()

    repeating = asyncio.create_task(repeat())
    try:
        yield
    finally:
        repeating.cancel()
        await asyncio.gather(repeating, return_exceptions=True)
