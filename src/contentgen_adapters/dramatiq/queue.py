"""The job queue on Dramatiq and Redis.

Dramatiq's worker threads run inside our process and hand each message to the process's event loop, since jobs use the
connection pools and clients opened there. Dramatiq's retries and time limits are off: the database decides on both."""

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
from contentgen_core.ports.job_queue import QueueUnavailable

NAMESPACE: Final = "contentgen"
QUEUE: Final = "jobs"
ACTOR: Final = "carry_out"
HEARTBEAT_MILLISECONDS: Final = 5_000
"""A worker without a heartbeat for so long counts as dead: messages it fetched and did not begin go to others."""
MAINTENANCE_CHANCE: Final = 1_000_000
"""Out of 1,000,000: look for dead workers at every command. By Dramatiq's default chance it may take minutes."""
POLL_MILLISECONDS: Final = 100
TIMEOUT_SECONDS: Final = 1.0

T = TypeVar("T")


class DramatiqQueue:
    """The port `JobQueue`. Connects at its first use; close it with `close`.

    `url`: redis://…, rediss://… or unix://…; ValueError for another one. `namespace`: prefix of its keys in Redis.
    """

    def __init__(self, url: str, namespace: str = NAMESPACE) -> None:
        self._client = redis.Redis.from_url(
            url,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._broker = RedisBroker(  # type: ignore[no-untyped-call]
            client=self._client,
            namespace=namespace,
            middleware=[],
            heartbeat_timeout=HEARTBEAT_MILLISECONDS,
            maintenance_chance=MAINTENANCE_CHANCE,
        )
        self._redis_key = f"{namespace}:{QUEUE}"
        # Not the event loop's own threads: sending must not wait behind the CPU-bound work there.
        self._threads = ThreadPoolExecutor(2, "job-queue")

    async def waiting(self) -> int:
        return await self._run_in_thread(lambda: self._client.llen(self._redis_key))

    async def send(self, ids: Sequence[JobId]) -> None:
        messages = [
            dramatiq.Message[None](queue_name=QUEUE, actor_name=ACTOR, args=(id,), kwargs={}, options={}) for id in ids
        ]

        def send() -> None:
            for message in messages:
                self._broker.enqueue(message)

        await self._run_in_thread(send)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._client.close()

    @asynccontextmanager
    async def consume(
        self, handle: Callable[[JobId], Awaitable[None]], at_once: int, grace: float
    ) -> AsyncIterator[None]:
        """Implement the port. Call it once per process: Dramatiq keeps one event loop for all of its actors."""

        async def actor(job_id: str) -> None:
            await handle(JobId(job_id))

        self._broker.add_middleware(_RunningLoop(asyncio.get_running_loop()))
        dramatiq.actor(actor_name=ACTOR, queue_name=QUEUE, broker=self._broker)(actor)
        worker = dramatiq.Worker(self._broker, worker_timeout=POLL_MILLISECONDS, worker_threads=at_once)
        # Fetch no more than can start at once: another process may be free for what would wait here.
        worker.queue_prefetch = at_once
        worker.start()
        try:
            yield
        finally:
            await asyncio.to_thread(_stop, worker, grace)

    async def _run_in_thread(self, call: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except redis.RedisError as exc:
            raise QueueUnavailable("The queue of jobs is away.") from exc


def _stop(worker: dramatiq.Worker, grace: float) -> None:
    """Returns messages that were fetched and not begun. While the broker is away they stay, and go to others once the
    heartbeats are missing."""
    with suppress(redis.RedisError, BrokerConnectionError):
        worker.stop(timeout=round(1_000 * grace))


class _RunningLoop(AsyncIO):
    """Dramatiq's AsyncIO middleware on the running event loop instead of one in a thread of its own."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._thread = _RunningLoopThread(loop)

    def before_worker_boot(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        set_event_loop_thread(cast(Any, self._thread))

    def after_worker_shutdown(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        set_event_loop_thread(None)


class _RunningLoopThread:
    """Stands in for Dramatiq's EventLoopThread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def run_coroutine(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and wait for it. Dramatiq's threads call this; no middleware interrupts them, so waiting is
        safe.
        """
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()
