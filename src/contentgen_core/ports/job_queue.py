"""The queue in which jobs wait for one of many workers.

It carries ids only, and may lose or repeat them: attempts, leases and outcomes are in the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from contentgen_core.errors import Unavailable
from contentgen_core.model.ids import JobId


class QueueUnavailable(Unavailable):
    """The queue does not answer. Workers can poll the database instead."""


class JobQueue(Protocol):
    """A queue of job ids. Delivery is best effort."""

    async def waiting(self) -> int:
        """The number of messages that no worker has fetched yet. Raises QueueUnavailable."""
        ...

    async def send(self, ids: Sequence[JobId]) -> None:
        """Send a message for each job. Raises QueueUnavailable, also after sending some of them."""
        ...

    def consume(
        self, handle: Callable[[JobId], Awaitable[None]], at_once: int, grace: float
    ) -> AbstractAsyncContextManager[None]:
        """While the block runs, call `handle` on the present event loop for each message, at most `at_once` at a time.

        At its end no more are started, and those under way have `grace` seconds to end. While the queue is unavailable
        no message comes; reconnecting happens here. A message is acknowledged when `handle` returns or raises."""
        ...
