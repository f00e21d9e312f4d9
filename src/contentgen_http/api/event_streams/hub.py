"""Reads new agent events, once for each tenant with open streams, and passes them to all of these."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import aclosing
from contextvars import Context
from itertools import islice
from typing import Any, Final

import structlog

from contentgen_core.errors import ContentgenError, TooManyStreams, Unavailable
from contentgen_core.model.agent_event import AgentEvent
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.agent_events import AgentEventWakeUps
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_http.api.event_streams.stream import EndReason, EventStream, Topic

MOST_OPEN: Final = 4_000
MOST_OF_TENANT: Final = 200
PAGE: Final = 100
READS_AT_ONCE: Final = 3  # queries of this process at a time, so that requests get connections too
POLL_SECONDS: Final = 10.0
RETRY_SECONDS: Final = 1.0
_POLLED_AT_ONCE: Final = 1_000

log = structlog.get_logger("contentgen.events")


class EventHub:
    """The source of all event streams of a process, for one event loop. Starts listening with the first stream.

    A notification of new events, from any process, leads to one query for its tenant, however many streams that has. In
    case a notification is lost, one query for all tenants with open streams runs every `poll_seconds`.

    `wake_ups`: the notifications; None polls only. `most_open`, `most_of_tenant`: streams open at a time.
    `count(open)`: called with the number of open streams whenever it changes.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        wake_ups: AgentEventWakeUps | None,
        *,
        most_open: int = MOST_OPEN,
        most_of_tenant: int = MOST_OF_TENANT,
        poll_seconds: float = POLL_SECONDS,
        count: Callable[[int], object] = bool,
    ) -> None:

        self._unit_of_work, self._wake_ups = unit_of_work, wake_ups
        self._most_open, self._most_of_tenant = most_open, most_of_tenant
        self._poll_seconds, self._count = poll_seconds, count
        self._places = asyncio.Semaphore(READS_AT_ONCE)
        self._topics: dict[TenantId, Topic] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._started = self._closed = False
        self.open = 0

    async def follow(self, tenant_id: TenantId, after: int | None = None) -> EventStream:
        """Opens a stream of a tenant's events. The caller closes it.

        `after`: the position behind which it begins; None for new events only. A position that the tenant has not
        reached yet (after a database was restored, say) yields a `Lost`, and the stream continues at the present one.
        Raises TooManyStreams for the tenant, Unavailable also when the process has too many.
        """
        if self._closed:
            raise Unavailable("The service is stopping.", retry_after=1.0)
        if self.open >= self._most_open:
            raise Unavailable(f"This process keeps {self._most_open} event streams open, and no more.")
        topic = self._topics.setdefault(tenant_id, Topic(tenant_id))
        if len(topic.streams) >= self._most_of_tenant:
            raise TooManyStreams(self._most_of_tenant)
        stream = EventStream(self, topic)
        topic.streams.add(stream)
        self.open += 1
        self._count(self.open)
        try:
            self._start()
            async with self._places, self._unit_of_work() as tx:
                last = await tx[AgentEvents].last_position(tenant_id)
        except BaseException:
            stream.close()
            raise
        stream.position = last if after is None else min(after, last)
        stream.unreached = after if after is not None and after > last else None
        stream.known = last
        return stream

    def close(self) -> None:
        """Ends all streams and refuses new ones."""
        self._closed = True
        for topic in list(self._topics.values()):
            for stream in list(topic.streams):
                stream.end(EndReason.STOPPING)
        for task in self._tasks:
            task.cancel()

    async def aclose(self) -> None:
        """Closes, and waits until the hub's tasks have ended."""
        self.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # The interface of streams (`Source`)

    async def catch_up(self, stream: EventStream) -> Sequence[AgentEvent]:
        async with self._places, self._unit_of_work() as tx:
            events = await tx[AgentEvents].after(stream.topic.tenant_id, stream.position, PAGE)
        if events:
            stream.known = max(stream.known, events[-1].position)
        return events

    def join(self, stream: EventStream) -> None:
        topic = stream.topic
        if not topic.live and not topic.reading:
            topic.position = max(topic.position, stream.position)
        topic.live.add(stream)
        if topic.wakes != stream.wakes:
            self._look(topic)

    def leave(self, stream: EventStream) -> None:
        topic = stream.topic
        if stream in topic.streams:
            topic.streams.discard(stream)
            topic.live.discard(stream)
            self.open -= 1
            self._count(self.open)
            if not topic.streams:
                self._topics.pop(topic.tenant_id, None)

    # Reading

    def wake(self, tenant_id: TenantId) -> None:
        """Reads the tenant's new events, since there may be some."""
        topic = self._topics.get(tenant_id)
        if topic is not None:
            topic.wakes += 1
            self._look(topic)

    def _look(self, topic: Topic) -> None:
        if topic.live and not topic.reading:
            topic.reading = True
            self._spawn(self._read(topic))

    async def _read(self, topic: Topic) -> None:
        try:
            while topic.live:
                wakes = topic.wakes
                try:
                    async with self._places, self._unit_of_work() as tx:
                        events = await tx[AgentEvents].after(topic.tenant_id, topic.position, PAGE)
                except ContentgenError as error:
                    log.warning("events were not read", tenantId=topic.tenant_id, reason=error.detail)
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                if events:
                    topic.position = max(topic.position, events[-1].position)
                    for stream in list(topic.live):
                        stream.offer(events)
                if len(events) < PAGE and topic.wakes == wakes:
                    return
        finally:
            topic.reading = False

    async def _poll(self) -> None:
        waiting = (topic.tenant_id for topic in list(self._topics.values()) if topic.live)
        while chunk := list(islice(waiting, _POLLED_AT_ONCE)):
            async with self._places, self._unit_of_work() as tx:
                positions = await tx[AgentEvents].last_positions(chunk)
            for tenant_id, position in positions.items():
                topic = self._topics.get(tenant_id)
                if topic is not None and position > topic.position:
                    self.wake(tenant_id)

    async def _listen(self, wake_ups: AgentEventWakeUps) -> None:
        async with aclosing(wake_ups()) as wake_up_items:
            async for tenant_id in wake_up_items:
                if tenant_id is None:
                    await self._poll()
                else:
                    self.wake(tenant_id)

    def _start(self) -> None:
        if not self._started:
            self._started = True
            self._spawn(self._repeat(self._poll))
            if (wake_ups := self._wake_ups) is not None:
                self._spawn(self._repeat(lambda: self._listen(wake_ups)))

    async def _repeat(self, step: Callable[[], Awaitable[None]]) -> None:
        """Repeats a step every `poll_seconds`, whatever fails: polling and notifications complement each other."""
        while True:
            try:
                await step()
            except ContentgenError as error:
                log.warning("looking for events failed", reason=error.detail)
            except Exception:
                log.exception("looking for events failed unexpectedly")
            await asyncio.sleep(self._poll_seconds)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        # A new context: the task serves all streams and must not log in the name of the request that started it.
        task = asyncio.create_task(work, context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
