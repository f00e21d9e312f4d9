"""A few places that many share, of which nobody gets all."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class NoPlace(Exception):
    """Too many wait already, in all or of this key."""


class FairPlaces:
    """Places for work, given out in turns among the keys that wait, the longest wait first. For one event loop.

    `places`: how many work at a time; one key has at most all but one of them, so that another finds one free.
    `waiting`, `waiting_per_key`: how many may wait in all, and of one key.
    """

    def __init__(self, places: int, waiting: int, waiting_per_key: int) -> None:
        self._places, self._per_key = places, max(1, places - 1)
        self._waiting, self._waiting_per_key = waiting, waiting_per_key
        self._busy: Counter[str] = Counter()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def busy(self) -> int:
        """The number of places taken."""
        return self._busy.total()

    @property
    def waiting(self) -> int:
        """The number of jobs that wait for a place."""
        return sum(map(len, self._queues.values()))

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """A place, for the duration of the block. Raises NoPlace."""
        await self._take(key)
        try:
            yield
        finally:
            self._give_back(key)

    @asynccontextmanager
    async def try_of(self, key: str) -> AsyncIterator[bool]:
        """Take a place for the duration of the block, if one is free at once; yield whether there was one."""
        found = self._take_free(key)
        try:
            yield found
        finally:
            if found:
                self._give_back(key)

    def _take_free(self, key: str) -> bool:
        if not self._is_free(key) or key in self._queues:
            return False
        self._busy[key] += 1
        return True

    async def _take(self, key: str) -> None:
        if self._take_free(key):
            return
        queue = self._queues.get(key, deque())
        if len(queue) >= self._waiting_per_key or self.waiting >= self._waiting:
            raise NoPlace
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        self._queues[key] = queue
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back(key)  # the place came in the moment of the cancellation
            else:
                self._leave(key, turn)
            raise

    def _is_free(self, key: str) -> bool:
        return self.busy < self._places and self._busy[key] < self._per_key

    def _give_back(self, key: str) -> None:
        self._busy[key] -= 1
        if not self._busy[key]:
            del self._busy[key]
        while (following := next((key for key in self._queues if self._is_free(key)), None)) is not None:
            turn = self._queues[following].popleft()
            if self._queues[following]:
                self._queues.move_to_end(following)
            else:
                del self._queues[following]
            if not turn.done():
                self._busy[following] += 1
                turn.set_result(None)

    def _leave(self, key: str, turn: asyncio.Future[None]) -> None:
        queue = self._queues.get(key)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[key]
