"""Stop work when the object it is for is deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from contentgen_core.errors import Unavailable

T = TypeVar("T")

LOOK_SECONDS = 1.0


async def while_there(work: Coroutine[Any, Any, T], check: Callable[[], Awaitable[object]]) -> T:
    """Return the result of the work. Raises what `check` raises, which is asked every second: the work, such as a
    call of a model, is then cancelled."""
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait([task], timeout=LOOK_SECONDS))[0]:
            with suppress(Unavailable):
                await check()
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait([task])
