"""Health of the service's parts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import structlog

from contentgen_core.errors import ContentgenError
from contentgen_http.wire.problem import ReadyPart

CHECK_SECONDS: Final = 2.0

log = structlog.get_logger("contentgen.ready")


async def state_of(checks: Mapping[str, Callable[[], Awaitable[None]]]) -> dict[str, ReadyPart]:
    """Runs all checks concurrently; a part whose check raises or takes longer than CHECK_SECONDS is away."""
    states = await asyncio.gather(*(_ask(name, check) for name, check in checks.items()))
    return dict(zip(checks, states, strict=True))


async def _ask(name: str, check: Callable[[], Awaitable[None]]) -> ReadyPart:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            await check()
    except TimeoutError:
        return ReadyPart(state="away", detail=f"gave no answer within {CHECK_SECONDS:g} s")
    except ContentgenError as error:
        return ReadyPart(state="away", detail=error.detail)
    except Exception as error:  # a check may raise anything; the page is public, so only the log has the reason
        log.warning("a part is away", part=name, exc_info=error)
        return ReadyPart(state="away", detail="see the log")
    return ReadyPart(state="up")
