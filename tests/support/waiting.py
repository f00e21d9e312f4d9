"""Waits that take no time."""

from __future__ import annotations

import asyncio


async def no_wait(seconds: float) -> None:
    await asyncio.sleep(0)
