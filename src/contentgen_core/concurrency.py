"""Running coroutines concurrently, and beside those of others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, Final, TypeVar, cast

from contentgen_core.errors import AlreadyExists, ConcurrentChange, ProviderFailed

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")

ATTEMPTS: Final = 4
"""Of a transaction that another one was faster than."""


async def run_concurrently(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results of these coroutines, in order. If one fails, the others are cancelled; of several failures one that
    is not retryable is raised first, since a retry would end in it."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(piece) for piece in work]
    except ExceptionGroup as failed:
        failures = failed.exceptions
        raise next((failure for failure in failures if not _may_pass(failure)), failures[0]) from failed
    return [task.result() for task in tasks]


async def run_both(one: Coroutine[Any, Any, A], other: Coroutine[Any, Any, B]) -> tuple[A, B]:
    """The results of two coroutines; failures as in `run_concurrently`."""
    first, second = await run_concurrently([one, other])
    return cast(A, first), cast(B, second)


async def retry_overtaken(transaction: Callable[[], Awaitable[T]]) -> T:
    """Run a transaction that reads what it changes, and again where another one was faster, ATTEMPTS times at most; the
    later run finds what the other stored. Raises what the last attempt raised."""
    for _ in range(ATTEMPTS - 1):
        with suppress(AlreadyExists, ConcurrentChange):
            return await transaction()
    return await transaction()


def _may_pass(failure: Exception) -> bool:
    return isinstance(failure, ProviderFailed) and failure.retryable
