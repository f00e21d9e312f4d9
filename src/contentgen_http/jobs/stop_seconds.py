"""How long a process may take to hand its jobs back when it stops."""

from __future__ import annotations

from typing import Final

from contentgen_grounded.settings import Settings

RELEASE_SECONDS: Final = 1.0  # for handing jobs back
QUEUE_CLOSE_SECONDS: Final = 3.0  # for returning fetched messages to the queue


def longest_stop_seconds(settings: Settings) -> float:
    """The most seconds from `stop()` to the end of a runner: closing the queue may take its grace period twice."""
    return 2 * (settings.drain_seconds + QUEUE_CLOSE_SECONDS) + RELEASE_SECONDS
