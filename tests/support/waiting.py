"""Waits that take no time, or no longer than what they wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def no_wait(seconds: float) -> None:
    await asyncio.sleep(0)


async def until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Until a condition holds that has no event. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.005)
