"""An open event stream: its position, its buffer and its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Final, Protocol

from attrs import define, field, frozen

from contentgen_core.model.agent_event import AgentEvent
from contentgen_core.model.ids import TenantId

BUFFERED: Final = 1_000
"""Events buffered for a slow reader. Buffers hold references: the streams of a tenant share the events."""


class EndReason(StrEnum):
    """Why a stream ended; the text is sent to its reader."""

    STOPPING = "the service is stopping"
    SLOW = "events were not read in time"
    KEY = "the API key stopped working"
    AWAY = "the database is away"
    GONE = "the reader went away"


@frozen
class Lost:
    """Events after position `after` are no longer available; the stream continues after `position`."""

    after: int
    position: int


Item = AgentEvent | Lost


class Source(Protocol):
    """The source that a stream reads from: the hub."""

    async def catch_up(self, stream: EventStream) -> Sequence[AgentEvent]:
        """The next page of events after the stream's position. Raises Unavailable."""
        ...

    def join(self, stream: EventStream) -> None:
        """Makes the stream live: it is offered new events from now on."""
        ...

    def leave(self, stream: EventStream) -> None: ...


@define(eq=False)
class Topic:
    """The state that a tenant's streams share.

    `position`: of the last event offered to the live streams. `wakes`: number of notifications. `reading`: whether a
    query is under way. `live`: the streams that are offered new events.
    """

    tenant_id: TenantId
    position: int = 0
    wakes: int = 0
    reading: bool = False
    streams: set[EventStream] = field(factory=set)
    live: set[EventStream] = field(factory=set)


class EventStream:
    """The events of a tenant for one reader. A stream first catches up, page by page and at its reader's pace. When it
    has all known events it becomes live: the hub offers it each new event once.

    `position`: of the last event returned. `known`: a position at which an event has existed. `wakes`: the topic's
    count before anything was read, to detect notifications that came meanwhile. `unreached`: the requested position, if
    the tenant has not reached it.
    """

    __slots__ = (
        "__weakref__",
        "_buffer",
        "_filled",
        "_scope",
        "_source",
        "ended",
        "known",
        "position",
        "topic",
        "unreached",
        "wakes",
    )

    def __init__(self, source: Source, topic: Topic) -> None:
        self._source = source
        self._buffer: list[AgentEvent] = []
        self._filled = asyncio.Event()
        self._scope: asyncio.Timeout | None = None
        self.topic = topic
        self.wakes = topic.wakes
        self.position = self.known = 0
        self.unreached: int | None = None
        self.ended: EndReason | None = None

    @property
    def live(self) -> bool:
        return self in self.topic.live

    async def next(self, seconds: float) -> list[Item]:
        """Return the next items in order; none if there were none within so many seconds.

        To be called within `until_end`. Raises Unavailable while it catches up.
        """
        while True:
            if self.ended is not None:
                await asyncio.get_running_loop().create_future()  # cancelled by `until_end`
            if self.unreached is not None:
                lost, self.unreached = Lost(self.unreached, self.position), None
                return [lost]
            if self._buffer:
                events, self._buffer = self._buffer, []
                self._filled.clear()
                return list(self._advance(events))
            if self.live:
                try:
                    async with asyncio.timeout(seconds):
                        await self._filled.wait()
                except TimeoutError:
                    return []
            elif self.position >= max(self.known, self.topic.position):
                self._source.join(self)
            elif events := list(await self._source.catch_up(self)):
                return list(self._advance(events))
            else:  # all events up to there were deleted meanwhile
                return [self._report_loss(max(self.known, self.topic.position))]

    def offer(self, events: Iterable[AgentEvent]) -> None:
        """Buffer new events; those at or before its position are skipped. Ends the stream when the buffer is full."""
        last = self._buffer[-1].position if self._buffer else self.position
        self._buffer += (event for event in events if event.position > last)
        if len(self._buffer) > BUFFERED:
            self._buffer.clear()
            self.end(EndReason.SLOW)
        elif self._buffer:
            self._filled.set()

    def end(self, why: EndReason) -> None:
        """Ends the stream, and leaves its `until_end` block. The first reason is kept."""
        if self.ended is None:
            self.ended = why
            self.topic.live.discard(self)
            if self._scope is not None:
                self._scope.reschedule(0)

    @asynccontextmanager
    async def until_end(self) -> AsyncIterator[None]:
        """A block that is left without an exception as soon as the stream ends."""
        try:
            async with asyncio.timeout(None) as scope:
                self._scope = scope
                if self.ended is not None:
                    scope.reschedule(0)
                try:
                    yield
                finally:
                    self._scope = None
        except TimeoutError:
            if not scope.expired():
                raise

    def close(self) -> None:
        """Removes the stream from the hub. May be called twice."""
        self.end(EndReason.GONE)
        self._source.leave(self)

    def _report_loss(self, position: int) -> Lost:
        lost, self.position = Lost(self.position, position), position
        return lost

    def _advance(self, events: Iterable[AgentEvent]) -> Iterator[Item]:
        for event in events:
            if event.position > self.position + 1:
                yield self._report_loss(event.position - 1)
            self.position = event.position
            yield event
