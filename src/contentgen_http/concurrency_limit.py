"""How many requests that take long (plans, searches, checks, uploads, edits, exports) a tenant has at work at a time.
No tenant has all threads and connections of the process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, ParamSpec, TypeVar

from attrs import define, field

from contentgen_core.errors import TooManyAtOnce
from contentgen_http.trace import CURRENT, Permit, Trace

MAX_CONCURRENT: Final = 8
WAITING_FOR_EACH: Final = 2
MAX_WAIT_SECONDS: Final = 10.0
THREADS_FOR_OTHERS: Final = 8

P = ParamSpec("P")
R = TypeVar("R")


@define
class _Requests:
    """Those of one tenant. `present`: at work or waiting."""

    places: asyncio.Semaphore
    present: int = 0


@define
class ConcurrencyLimit:
    """A semaphore for each tenant.

    `max_concurrent`: permits of a tenant; WAITING_FOR_EACH times as many requests wait for one.
    `max_wait`: seconds.
    """

    max_concurrent: int = MAX_CONCURRENT
    max_wait: float = MAX_WAIT_SECONDS
    _of: dict[str, _Requests] = field(factory=dict, init=False)

    async def acquire(self, subject: str) -> Permit:
        """A permit, to be released by the caller. `subject`: the tenant, or else the address. Raises TooManyAtOnce."""
        requests = self._of.setdefault(subject, _Requests(asyncio.Semaphore(self.max_concurrent)))
        if requests.present >= self.max_concurrent * (1 + WAITING_FOR_EACH):
            raise TooManyAtOnce(self.max_concurrent)
        requests.present += 1
        try:
            async with asyncio.timeout(self.max_wait):
                await requests.places.acquire()
        except BaseException as error:
            self._leave(subject)
            if isinstance(error, TimeoutError):
                raise TooManyAtOnce(self.max_concurrent) from None
            raise

        def released() -> None:
            requests.places.release()
            self._leave(subject)

        return Permit(released)

    def _leave(self, subject: str) -> None:
        requests = self._of[subject]
        requests.present -= 1
        if requests.present == 0:
            del self._of[subject]


class CountedThreads(ThreadPoolExecutor):
    """The threads of `asyncio.to_thread`. One cannot be ended with the request that waits for it, so that request's
    permit lasts as long as the thread is at work."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future = super().submit(fn, *args, **kwargs)
        current = CURRENT.get()
        if isinstance(current, Trace) and current.permit is not None and current.permit.retain():
            future.add_done_callback(_releases(current.permit, asyncio.get_running_loop()))
        return future


def _releases(permit: Permit, loop: asyncio.AbstractEventLoop) -> Callable[[Future[Any]], None]:
    def release(_: Future[Any]) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(permit.release)

    return release
