"""A clock and ids that a test controls."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

MOMENT: Final = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


class ManualClock:
    """A clock that stands still until it is set."""

    def __init__(self, now: datetime = MOMENT) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def set(self, now: datetime) -> None:
        if now.tzinfo is None:
            raise ValueError("a clock's time is timezone-aware")
        self._now = now

    def advance(self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> datetime:
        self._now += timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        return self._now


class SequentialIds:
    """UUIDs of version 7 that count up, one millisecond apart: the same in every run."""

    def __init__(self, start: datetime = MOMENT) -> None:
        self._milliseconds = int(start.timestamp() * 1000)
        self._count = 0

    def new(self) -> str:
        self._count += 1
        version, variant = 7 << 76, 0b10 << 62
        return str(UUID(int=(self._milliseconds + self._count) << 80 | version | variant | self._count))
