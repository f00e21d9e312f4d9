"""Health of the service's parts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextvars import copy_context
from typing import Final

import structlog

from contentgen_core.errors import ContentgenError, Unavailable
from contentgen_http.telemetry.context import CURRENT
from contentgen_http.wire.problem import ReadyPart

CHECK_SECONDS: Final = 2.0

log = structlog.get_logger("contentgen.ready")

CAPABILITIES: Final[Mapping[str, tuple[str, ...]]] = {
    "read": ("database",),
    "search": ("database", "index"),
    "write": ("database", "index", "threads"),
    "upload": ("database", "objects", "threads"),
    "publish": ("database", "sealingKeys"),
}
"""What a process can do, and the parts that it needs for that."""
DONE_BY_JOBS: Final = ("write", "upload", "publish")
"""Capabilities whose work is done by jobs."""


async def state_of(checks: Mapping[str, Callable[[], Awaitable[None]]]) -> dict[str, ReadyPart]:
    """Runs all checks concurrently; a part whose check raises or takes longer than CHECK_SECONDS is away.

    They are the process's own work, with its own threads: the requests of others do not make them wait.
    """
    context = copy_context()
    context.run(CURRENT.set, None)
    asked = [asyncio.create_task(_ask(name, check), context=context.copy()) for name, check in checks.items()]
    return dict(zip(checks, await asyncio.gather(*asked), strict=True))


def capabilities(parts: Mapping[str, ReadyPart], *, no_jobs: bool = False) -> dict[str, bool]:
    """Whether the process can do each of CAPABILITIES while its parts are in these states. `no_jobs`: whether nobody
    does jobs for this instance."""
    away = {name for name, part in parts.items() if part.state != "up"}
    can = {name: away.isdisjoint(needed) for name, needed in CAPABILITIES.items()}
    return can | dict.fromkeys(DONE_BY_JOBS, False) if no_jobs else can


async def thread_is_free() -> None:
    """Raises Unavailable when the process's own work has to wait for a thread: those that are kept for it stand
    still."""
    try:
        async with asyncio.timeout(CHECK_SECONDS * 0.9):
            await asyncio.to_thread(lambda: None)
    except TimeoutError as error:
        raise Unavailable(
            f"The process waits for a thread for longer than {CHECK_SECONDS:g} s: a disk stands still.",
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
