"""One open stream: where it stands, what waits for it, and how it ends."""

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
"""Events that may wait for a reader. They are shared by all streams of the tenant: a buffer holds references."""


class Ended(StrEnum):
    """Why a stream ended, in words for whoever reads the stream."""

    STOPPING = "the service is stopping"
    SLOW = "events were not read in time"
    KEY = "the API key stopped working"
    AWAY = "the database is away"
    GONE = "the reader went away"


@frozen
class Lost:
    """What came after position `after` is not there, and the stream goes on after `position`."""

    after: int
    position: int


Item = AgentEvent | Lost


class Source(Protocol):
    """Where a stream gets what it missed, and where it reports to."""

    async def catch_up(self, stream: EventStream) -> Sequence[AgentEvent]:
        """The next events after the stream's position. Raises Unavailable."""
        ...

    def join(self, stream: EventStream) -> None:
        """From now on the stream is offered what comes."""
        ...

    def leave(self, stream: EventStream) -> None: ...


@define(eq=False)
class Topic:
    """What the streams of a tenant share. `position`: up to here the live ones have been offered everything. `wakes`:
    how often somebody said that there is more."""

    tenant_id: TenantId
    position: int = 0
    wakes: int = 0
    reading: bool = False
    streams: set[EventStream] = field(factory=set)
    live: set[EventStream] = field(factory=set)


class EventStream:
    """Begins behind: it reads what it missed page by page, at its reader's pace. Once it has all that is known of it
    is live: the hub offers it each event once, when it comes.

    `position`: of the last event given out. `known`: an event of this position was there. `wakes`: the topic's before
    anything was read, so that a word which came meanwhile is not forgotten. `unreached`: the position that was asked
    for, where the tenant has not come that far."""

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
        self.ended: Ended | None = None

    @property
    def live(self) -> bool:
        return self in self.topic.live

    async def next(self, seconds: float) -> list[Item]:
        """What comes next, in order; nothing when there was nothing for so many seconds.

        To be called within `until_end`. Raises Unavailable while it catches up."""
        while True:
            if self.ended is not None:
                await asyncio.get_running_loop().create_future()  # `until_end` leaves here
            if self.unreached is not None:
                lost, self.unreached = Lost(self.unreached, self.position), None
                return [lost]
            if self._buffer:
                events, self._buffer = self._buffer, []
                self._filled.clear()
                return list(self._given(events))
            if self.live:
                try:
                    async with asyncio.timeout(seconds):
                        await self._filled.wait()
                except TimeoutError:
                    return []
            elif self.position >= max(self.known, self.topic.position):
                self._source.join(self)
            elif events := list(await self._source.catch_up(self)):
                return list(self._given(events))
            else:  # there were some up to here, and all of them have been swept
                return [self._lost(max(self.known, self.topic.position))]

    def offer(self, events: Iterable[AgentEvent]) -> None:
        """Events that follow those offered before; what it has read already is left out."""
        last = self._buffer[-1].position if self._buffer else self.position
        self._buffer += (event for event in events if event.position > last)
        if len(self._buffer) > BUFFERED:
            self._buffer.clear()
            self.end(Ended.SLOW)
        elif self._buffer:
            self._filled.set()

    def end(self, why: Ended) -> None:
        """Whatever the stream waits for in `until_end` ends now; the first reason stands."""
        if self.ended is None:
            self.ended = why
            self.topic.live.discard(self)
            if self._scope is not None:
                self._scope.reschedule(0)

    @asynccontextmanager
    async def until_end(self) -> AsyncIterator[None]:
        """A block that is left, quietly, as soon as the stream has ended."""
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
        """Give the place up. May be called twice."""
        self.end(Ended.GONE)
        self._source.leave(self)

    def _lost(self, position: int) -> Lost:
        lost, self.position = Lost(self.position, position), position
        return lost

    def _given(self, events: Iterable[AgentEvent]) -> Iterator[Item]:
        for event in events:
            if event.position > self.position + 1:
                yield self._lost(event.position - 1)
            self.position = event.position
            yield event
