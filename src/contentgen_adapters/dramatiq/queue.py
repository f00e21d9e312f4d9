"""The queue of jobs on Dramatiq and Redis.

Dramatiq's worker runs inside our process, on threads that wait for the process's own event loop: jobs use the pools
and clients that were opened there. Its retries and time limits are left out; the database says what is tried again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar, cast

import dramatiq
import redis
from dramatiq.asyncio import set_event_loop_thread
from dramatiq.brokers.redis import RedisBroker
from dramatiq.errors import BrokerConnectionError
from dramatiq.middleware import AsyncIO
from redis.backoff import NoBackoff
from redis.retry import Retry

from contentgen_core.model.ids import JobId
from contentgen_core.ports.job_queue import QueueAway

NAMESPACE: Final = "contentgen"
QUEUE: Final = "jobs"
ACTOR: Final = "carry_out"
HEARTBEAT_MILLISECONDS: Final = 5_000
"""A worker that was silent for so long is dead: what it had fetched and not begun goes to others."""
ALWAYS: Final = 1_000_000
"""Look for dead workers at every command: by chance alone it may take minutes."""
POLL_MILLISECONDS: Final = 100
ANSWER_SECONDS: Final = 1.0

T = TypeVar("T")


class DramatiqQueue:
    """`url`: redis://…, rediss://… or unix://…. Opens no connection before the first use."""

    def __init__(self, url: str, namespace: str = NAMESPACE) -> None:
        """Raises ValueError for an address that cannot be used."""
        self._client = redis.Redis.from_url(
            url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._broker = RedisBroker(  # type: ignore[no-untyped-call]
            client=self._client,
            namespace=namespace,
            middleware=[],
            heartbeat_timeout=HEARTBEAT_MILLISECONDS,
            maintenance_chance=ALWAYS,
        )
        self._line = f"{namespace}:{QUEUE}"
        # Not the loop's own threads, where texts are embedded and pages read: sending must not wait behind them.
        self._threads = ThreadPoolExecutor(2, "job-queue")

    async def waiting(self) -> int:
        return await self._asked(lambda: self._client.llen(self._line))

    async def send(self, ids: Sequence[JobId]) -> None:
        messages = [
            dramatiq.Message[None](queue_name=QUEUE, actor_name=ACTOR, args=(id,), kwargs={}, options={}) for id in ids
        ]

        def send() -> None:
            for message in messages:
                self._broker.enqueue(message)

        await self._asked(send)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._client.close()

    @asynccontextmanager
    async def consume(
        self, carry_out: Callable[[JobId], Awaitable[None]], at_once: int, patience: float
    ) -> AsyncIterator[None]:
        """Once in the life of a process: Dramatiq keeps one event loop for all of its actors."""

        async def actor(job_id: str) -> None:
            await carry_out(JobId(job_id))

        self._broker.add_middleware(_PresentLoop(asyncio.get_running_loop()))
        dramatiq.actor(actor_name=ACTOR, queue_name=QUEUE, broker=self._broker)(actor)
        worker = dramatiq.Worker(self._broker, worker_timeout=POLL_MILLISECONDS, worker_threads=at_once)
        # No more than it can begin at once: what waits behind a long article may be done by another process.
        worker.queue_prefetch = at_once
        worker.start()
        try:
            yield
        finally:
            await asyncio.to_thread(_stop, worker, patience)

    async def _asked(self, question: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, question)
        except redis.RedisError as exc:
            raise QueueAway("The queue of jobs is away.") from exc


def _stop(worker: dramatiq.Worker, patience: float) -> None:
    """Messages that were fetched and not begun go back, unless the broker is away: then others get them when the
    heartbeats are missed."""
    with suppress(redis.RedisError, BrokerConnectionError):
        worker.stop(timeout=round(1_000 * patience))


class _PresentLoop(AsyncIO):
    """Runs actors on the event loop that is there already instead of a thread of its own."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._bridge = _Bridge(loop)

    def before_worker_boot(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        set_event_loop_thread(cast(Any, self._bridge))

    def after_worker_shutdown(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        set_event_loop_thread(None)


class _Bridge:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def run_coroutine(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Called by Dramatiq's threads. Nothing interrupts them, so there is nothing to look for meanwhile."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()
