"""The queue of jobs within one process, for programs and tests that want its shape without a broker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from contentgen_core.model.ids import JobId
from contentgen_core.ports.job_queue import QueueUnavailable


class MemoryJobQueue:
    """`away`: while set, nothing is sent and nothing arrives."""

    def __init__(self) -> None:
        self.away = False
        self._messages: asyncio.Queue[JobId] = asyncio.Queue()

    async def waiting(self) -> int:
        self._answer()
        return self._messages.qsize()

    async def send(self, ids: Sequence[JobId]) -> None:
        for id in ids:
            self._answer()
            self._messages.put_nowait(id)

    def lose(self) -> None:
        """Forget all messages, as a broker that starts again without its data."""
        self._messages = asyncio.Queue()

    @asynccontextmanager
    async def consume(
        self, handle: Callable[[JobId], Awaitable[None]], at_once: int, grace: float
    ) -> AsyncIterator[None]:
        ending = asyncio.Event()

        async def work() -> None:
            while not ending.is_set():
                if self.away or self._messages.empty():
                    await asyncio.sleep(0.005)
                    continue
                with suppress(Exception):
                    await handle(self._messages.get_nowait())

        tasks = [asyncio.create_task(work()) for _ in range(at_once)]
        try:
            yield
        finally:
            ending.set()
            _, left = await asyncio.wait(tasks, timeout=grace)
            for task in left:
                task.cancel()

    def _answer(self) -> None:
        if self.away:
            raise QueueUnavailable("The queue of jobs is away.")
