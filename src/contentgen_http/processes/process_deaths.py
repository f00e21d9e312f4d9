"""Processes that die again and again: whoever starts them writes it down, and GET /health of any of them tells it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from contentgen_http.processes.shared_file import SharedFile

MOST_DEATHS: Final = 5
"""In a row. Fewer are a crash that a new start mends."""
LONG_LIFE_SECONDS: Final = 120.0
"""A process that lives so long does its work: its former deaths count no longer."""
EMBEDDING: Final = "that embeds"
_SIZE: Final = 4096
_ATTEMPTS: Final = 3


class ProcessDeaths:
    """The deaths of processes in a file that all of them read. `monotonic`: seconds, by a clock that they share."""

    def __init__(self, file: SharedFile, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._monotonic = monotonic
        self._deaths: dict[str, tuple[int, str, float]] = {}

    def record(self, name: str, lived: float, status: object, pause: float = 0.0) -> None:
        """Count the death of a process that lived for so many seconds. `pause`: after which it is started again."""
        before, _, _ = self._deaths.get(name, (0, "", 0.0))
        deaths = 1 if lived >= LONG_LIFE_SECONDS else before + 1
        self._deaths[name] = (deaths, str(status)[:200], self._monotonic() + pause)
        failing = sorted(
            ((name, *death) for name, death in self._deaths.items() if death[0] >= MOST_DEATHS),
            key=lambda death: death[3],
            reverse=True,
        )
        while len(text := json.dumps(failing).encode()) > _SIZE:
            failing.pop()
        os.pwrite(self._file.descriptor, text.ljust(_SIZE), 0)

    def fault(self) -> str | None:
        """Return which process dies again and again, and how it ended; None while all live."""
        now = self._monotonic()
        for name, deaths, status, started_at in self._read():
            if now < started_at + LONG_LIFE_SECONDS:
                return (
                    f"The process {name} has ended {deaths} times in a row, each time less than"
                    f" {LONG_LIFE_SECONDS:g} s after its start, at last with status {status}. The log says why."
                )
        return None

    def _read(self) -> list[tuple[str, int, str, float]]:
        for _ in range(_ATTEMPTS):  # it may just be written
            with suppress(ValueError):
                text = os.pread(self._file.descriptor, _SIZE, 0)
                return [tuple(each) for each in json.loads(text or b"[]")]
        return []
