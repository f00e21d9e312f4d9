"""The line in which jobs wait for a worker, where there are many of them.

It carries ids and nothing else, and may lose or repeat them: attempts, leases and what became of a job are facts of the
database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from contentgen_core.errors import Unavailable
from contentgen_core.model.ids import JobId


class QueueAway(Unavailable):
    """The queue does not answer. Whoever waits for it can look into the database instead."""


class JobQueue(Protocol):
    async def waiting(self) -> int:
        """How many messages no worker has fetched yet. Raises QueueAway."""
        ...

    async def send(self, ids: Sequence[JobId]) -> None:
        """Tell some worker of each job. Raises QueueAway, also when some of them were sent."""
        ...

    def consume(
        self, carry_out: Callable[[JobId], Awaitable[None]], at_once: int, patience: float
    ) -> AbstractAsyncContextManager[None]:
        """While the block runs, call `carry_out` on the present event loop for what arrives, `at_once` at a time.

        Its end lets no more begin, and waits `patience` seconds for what is under way. While the queue is away nothing
        arrives; that it is back is found out here. A message whose `carry_out` returned or raised is done with."""
        ...
