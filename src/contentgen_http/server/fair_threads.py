"""The threads of `asyncio.to_thread`, which tenants get in turn, whichever way their requests and jobs came in."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, ParamSpec, TypeVar

from attrs import frozen

from contentgen_http.telemetry.context import CURRENT, Permit, Trace

THREADS: Final = 18
THREADS_OF_HOUSE: Final = 2
"""That no tenant and no visitor gets: what watches the process finds one free, however many others are at work."""
THREADS_OF_ONE: Final = 2
"""Few: each thread that computes makes the event loop, which answers all others, wait for the interpreter's lock."""
SWITCH_SECONDS: Final = 0.001
"""After which a thread that computes gives that lock to one that waits for it (`sys.setswitchinterval`)."""
_HOUSE: Final = ""
"""Owner of the work that the service does for itself, not for a tenant or a visitor."""

P = ParamSpec("P")
R = TypeVar("R")


@frozen(eq=False)
class _Piece:
    """One call that waits for a thread. `owner`: the tenant that it is done for."""

    owner: str
    call: Callable[[], Any]
    future: Future[Any]

    def run(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            result = self.call()
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class FairThreads(ThreadPoolExecutor):
    """A thread pool that takes one call from each owner who has some, in turn; an owner's calls in their order.

    A thread cannot be ended with the request that waits for it: the request's permit lasts as long as its call does.
    """

    def __init__(self, threads: int, most_of_one: int, name: str, *, of_house: int = 0) -> None:
        """`most_of_one`: threads that one owner has at a time. `of_house`: those of `threads` that are kept for work
        without an owner."""
        super().__init__(threads, name)
        self._most_of_one, self._most_of_owners = most_of_one, threads - of_house
        self._turns = threading.Lock()
        self._at_work: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[_Piece]] = OrderedDict()  # who is next comes first

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        current = CURRENT.get()
        owner = _HOUSE if current is None else current.owner
        piece = _Piece(owner, lambda: fn(*args, **kwargs), Future())
        with self._turns:
            self._waiting.setdefault(owner, deque()).append(piece)
        super().submit(self._work)
        if isinstance(current, Trace) and current.permit is not None and current.permit.retain():
            piece.future.add_done_callback(_releases(current.permit, asyncio.get_running_loop()))
        return piece.future

    def _work(self) -> None:
        """Run what is next for as long as something is: a call that may not begin yet is left to the threads
        whose end it waits for."""
        while (piece := self._next()) is not None:
            try:
                piece.run()
            finally:
                with self._turns:
                    self._at_work[piece.owner] -= 1
                    if not self._at_work[piece.owner]:
                        del self._at_work[piece.owner]

    def _next(self) -> _Piece | None:
        with self._turns:
            owner = next((each for each in self._waiting if self._may_begin(each)), None)
            if owner is None:
                return None
            pieces = self._waiting[owner]
            piece = pieces.popleft()
            if pieces:
                self._waiting.move_to_end(owner)
            else:
                del self._waiting[owner]
            self._at_work[owner] += 1
            return piece

    def _may_begin(self, owner: str) -> bool:
        if self._at_work[owner] >= self._most_of_one:
            return False
        return owner == _HOUSE or self._at_work.total() - self._at_work[_HOUSE] < self._most_of_owners


def _releases(permit: Permit, loop: asyncio.AbstractEventLoop) -> Callable[[Future[Any]], None]:
    def release(_: Future[Any]) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(permit.release)

    return release
