"""How a process ends: how long it may take, and at a signal that comes while it starts."""

from __future__ import annotations

import signal
import sys
from typing import Final

from contentgen.settings import Settings

SHUTDOWN_SECONDS: Final = 2  # for requests under way
RELEASE_SECONDS: Final = 1.0  # for handing jobs back
QUEUE_CLOSE_SECONDS: Final = 3.0  # for returning fetched messages to the queue


def longest_stop_seconds(settings: Settings) -> float:
    """The most seconds from `stop()` to the end of a runner: closing the queue may take its grace period twice."""
    return 2 * (settings.drain_seconds + QUEUE_CLOSE_SECONDS) + RELEASE_SECONDS


def end_at_sigterm() -> None:
    """Have a SIGTERM end the program tidily until an event loop takes signals: what is open is closed, and the status
    is 0. Without it the first process of a container would not end at all."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
