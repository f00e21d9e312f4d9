"""Whether a process takes more jobs: as long as its event loop keeps up, whatever number it is allowed.

Jobs that wait for a model cost nothing, and jobs that compute make the loop late, so that a number of places is either
too low for the ones or too high for the others. In a late loop connections are given up and models' answers lie around;
a loop is also late where the machine has no core left."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from math import expm1
from typing import Final

from attrs import define, field

EVERY_SECONDS: Final = 0.1
REMEMBERED_SECONDS: Final = 1.0
LATE_SECONDS: Final = 0.1
"""On the average of the last second. A single piece of work may take as long without harm."""
AT_ONCE: Final = 4
"""Claimed at a time: other processes get their part of what comes together, and the loop shows what these cost."""
IN_ANY_CASE: Final = 8
"""Jobs at a time that a process takes however late it is: others on the machine must not keep it from its work."""


@define
class Admission:
    """`late`: seconds that the event loop was late, on the average of the last second."""

    late: float = 0.0
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    async def watch(self) -> None:
        """Measures for ever."""
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(EVERY_SECONDS)
            self.note(time.perf_counter() - begun)

    def note(self, seconds: float) -> None:
        """One measurement: the seconds that EVERY_SECONDS took."""
        weight = -expm1(-seconds / REMEMBERED_SECONDS)
        self.late += (max(0.0, seconds - EVERY_SECONDS) - self.late) * weight

    def room(self, running: int) -> int:
        """How many jobs may begin now, beside `running` ones."""
        if running < IN_ANY_CASE:
            return min(AT_ONCE, IN_ANY_CASE - running)
        return 0 if self.late > LATE_SECONDS else AT_ONCE

    def paced(self, running: int) -> bool:
        """Whether to wait for a measurement before more jobs begin."""
        return running >= IN_ANY_CASE

    async def turn(self, running: Callable[[], int]) -> None:
        """Waits until one more job may begin. `running`: says how many are under way."""
        async with self._turn:
            while not self.room(running()):  # noqa: ASYNC110 - what it waits for is measured at intervals, too
                await asyncio.sleep(EVERY_SECONDS)
            if self.paced(running()):
                await asyncio.sleep(EVERY_SECONDS / AT_ONCE)
