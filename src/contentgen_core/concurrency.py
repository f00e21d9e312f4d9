"""Running coroutines concurrently."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar, cast

from contentgen_core.errors import ProviderFailed

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


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


def _may_pass(failure: Exception) -> bool:
    return isinstance(failure, ProviderFailed) and failure.retryable
