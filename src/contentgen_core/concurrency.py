"""Several pieces of work at once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar, cast

from contentgen_core.errors import ProviderFailed

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


async def side_by_side(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """What they return, in order. When one fails the others are cancelled; of several failures a final one is raised
    before one that may pass: trying again would meet it."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(piece) for piece in work]
    except ExceptionGroup as failed:
        failures = failed.exceptions
        raise next((failure for failure in failures if not _may_pass(failure)), failures[0]) from failed
    return [task.result() for task in tasks]


async def both(one: Coroutine[Any, Any, A], other: Coroutine[Any, Any, B]) -> tuple[A, B]:
    """What two of them return; failures as in `side_by_side`."""
    first, second = await side_by_side([one, other])
    return cast(A, first), cast(B, second)


def _may_pass(failure: Exception) -> bool:
    return isinstance(failure, ProviderFailed) and failure.retryable
