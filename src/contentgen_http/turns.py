"""Turns for the requests that take long: plans, searches, checks, uploads, edits, exports. No tenant has all threads
and connections of the process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, ParamSpec, TypeVar

from attrs import define, field

from contentgen_core.errors import TooManyAtOnce
from contentgen_http.trace import CURRENT, Trace, Turn

MOST_AT_ONCE: Final = 8
WAITING_FOR_EACH: Final = 2
PATIENCE_SECONDS: Final = 10.0
THREADS_FOR_OTHERS: Final = 8

P = ParamSpec("P")
R = TypeVar("R")


@define
class _Requests:
    """Those of one tenant. `present`: at work or waiting."""

    places: asyncio.Semaphore
    present: int = 0


@define
class Turns:
    """Gives each tenant `most_at_once` turns; WAITING_FOR_EACH times as many requests wait for one, up to `patience`
    seconds."""

    most_at_once: int = MOST_AT_ONCE
    patience: float = PATIENCE_SECONDS
    _of: dict[str, _Requests] = field(factory=dict, init=False)

    async def take(self, subject: str) -> Turn:
        """A turn, to be ended by the caller. `subject`: the tenant, or whoever else asks. Raises TooManyAtOnce."""
        requests = self._of.setdefault(subject, _Requests(asyncio.Semaphore(self.most_at_once)))
        if requests.present >= self.most_at_once * (1 + WAITING_FOR_EACH):
            raise TooManyAtOnce(self.most_at_once)
        requests.present += 1
        try:
            async with asyncio.timeout(self.patience):
                await requests.places.acquire()
        except BaseException as error:
            self._leave(subject)
            if isinstance(error, TimeoutError):
                raise TooManyAtOnce(self.most_at_once) from None
            raise

        def ended() -> None:
            requests.places.release()
            self._leave(subject)

        return Turn(ended)

    def _leave(self, subject: str) -> None:
        requests = self._of[subject]
        requests.present -= 1
        if requests.present == 0:
            del self._of[subject]


class CountedThreads(ThreadPoolExecutor):
    """The threads of `asyncio.to_thread`. One cannot be ended with the request that waits for it, so that request's
    turn lasts as long as the thread is at work."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future = super().submit(fn, *args, **kwargs)
        current = CURRENT.get()
        if isinstance(current, Trace) and current.turn is not None and current.turn.prolong():
            future.add_done_callback(_ends(current.turn, asyncio.get_running_loop()))
        return future


def _ends(turn: Turn, loop: asyncio.AbstractEventLoop) -> Callable[[Future[Any]], None]:
    def end(_: Future[Any]) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(turn.end)

    return end
