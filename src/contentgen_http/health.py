"""Health of the service's parts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import structlog

from contentgen_core.errors import ContentgenError, Unavailable
from contentgen_http.wire.problem import ReadyPart

CHECK_SECONDS: Final = 2.0

log = structlog.get_logger("contentgen.ready")


async def state_of(checks: Mapping[str, Callable[[], Awaitable[None]]]) -> dict[str, ReadyPart]:
    """Runs all checks concurrently; a part whose check raises or takes longer than CHECK_SECONDS is away."""
    states = await asyncio.gather(*(_ask(name, check) for name, check in checks.items()))
    return dict(zip(checks, states, strict=True))


async def thread_is_free() -> None:
    """Raises Unavailable when those who need a thread have to wait: all are at work, or stand still."""
    try:
        async with asyncio.timeout(CHECK_SECONDS * 0.9):
            await asyncio.to_thread(lambda: None)
    except TimeoutError as error:
        raise Unavailable(
            f"Requests wait for a thread for longer than {CHECK_SECONDS:g} s: all are busy, or a disk stands still.",
            retry_after=CHECK_SECONDS,
        ) from error


async def _ask(name: str, check: Callable[[], Awaitable[None]]) -> ReadyPart:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            await check()
    except TimeoutError:
        detail = f"gave no answer within {CHECK_SECONDS:g} s: it stands still, or requests wait for a free connection"
        return ReadyPart(state="away", detail=detail)
    except ContentgenError as error:
        return ReadyPart(state="away", detail=error.detail)
    except Exception as error:  # a check may raise anything; the page is public, so only the log has the reason
        log.warning("a part is away", part=name, exc_info=error)
        return ReadyPart(state="away", detail="see the log")
    return ReadyPart(state="up")
