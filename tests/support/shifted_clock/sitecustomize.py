"""Makes the clock of a process wrong: by so many seconds as the file says that TESTS_CLOCK names.

Python imports this at its start where PYTHONPATH names its folder, and so reaches processes that start processes."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path


def shift_clock() -> None:
    """Of this process, from now on, if the environment says so."""
    if (named := os.environ.get("TESTS_CLOCK")) is None:
        return
    from contentgen_adapters.runtime import SystemClock

    file = Path(named)

    right = SystemClock.now

    def now(clock: SystemClock) -> datetime:
        with suppress(OSError, ValueError):
            return right(clock) + timedelta(seconds=float(file.read_text()))
        return right(clock)

    SystemClock.now = now  # type: ignore[method-assign]


shift_clock()
