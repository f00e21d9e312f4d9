"""A SIGTERM that comes while a program starts: it ends tidily."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Coroutine
from contextlib import closing
from traceback import walk_stack
from types import FrameType

import uvloop


class SigtermWhileStarting:
    """Ends a program tidily at a SIGTERM that comes while it starts: what is open is closed, and the status is 0.
    Without it the first process of a container would not end at all.

    It ends where it is, but not while a module is imported: imports run callbacks in which Python drops what is raised,
    and libraries that catch it. There the signal is noted, for `check` and `run`.
    """

    def __init__(self) -> None:
        self._came = False
        signal.signal(signal.SIGTERM, self._end)

    def check(self) -> None:
        """Raises SystemExit if the signal has come."""
        if self._came:
            sys.exit(0)

    def run(self, main: Coroutine[None, None, None]) -> None:
        """Runs it on an event loop, on which the signal cancels it until it takes signals itself. Raises SystemExit
        then, and what it raises."""
        signal.signal(signal.SIGTERM, self._note)  # a loop that is interrupted as it begins can neither run nor close
        with closing(main), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            try:
                runner.run(self._until_sigterm(main))
            except asyncio.CancelledError:
                self._came = True
        self.check()

    async def _until_sigterm(self, main: Coroutine[None, None, None]) -> None:
        loop, running = asyncio.get_running_loop(), asyncio.current_task()
        assert running is not None
        loop.add_signal_handler(signal.SIGTERM, running.cancel)
        if self._came:
            raise asyncio.CancelledError
        await main

    def _note(self, _number: int, _interrupted: FrameType | None) -> None:
        self._came = True

    def _end(self, number: int, interrupted: FrameType | None) -> None:
        self._note(number, interrupted)
        if not any(_imports(frame) for frame, _ in walk_stack(interrupted)):
            self.check()


def _imports(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith("<frozen importlib")
