"""The per-minute limiter of a single process."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from attrs import frozen

from contentgen_core.ports.counters import MINUTE, Allowance

MAX_SUBJECTS: Final = 100_000


@frozen
class _Bucket:
    """`tokens` there were at the moment `at` (seconds of the monotonic clock)."""

    tokens: float
    at: float


class MemoryRateLimiter:
    """One bucket a subject, `max_subjects` of them. Whoever asked longest ago is forgotten first: a bucket that rested
    for a minute is full, and forgetting a full bucket changes nothing."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, max_subjects: int = MAX_SUBJECTS) -> None:
        """`monotonic`: seconds that never go back."""
        if max_subjects < 1:
            raise ValueError("a limiter needs room for one subject at least")
        self._monotonic = monotonic
        self._max_subjects = max_subjects
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    async def take(self, subject: str, per_minute: int) -> Allowance:
        """Raises ValueError for a limit below 1."""
        if per_minute < 1:
            raise ValueError("a limit is at least one request a minute")
        now = self._monotonic()
        tokens = self._tokens(subject, per_minute, now)
        allowed = tokens >= 1
        left = tokens - 1 if allowed else tokens
        self._remember(subject, _Bucket(left, now))
        return Allowance.of(allowed, left, per_minute)

    def _tokens(self, subject: str, per_minute: int, now: float) -> float:
        bucket = self._buckets.get(subject)
        if bucket is None:
            return float(per_minute)
        return min(float(per_minute), bucket.tokens + (now - bucket.at) * per_minute / MINUTE)

    def _remember(self, subject: str, bucket: _Bucket) -> None:
        self._buckets[subject] = bucket
        self._buckets.move_to_end(subject)
        if len(self._buckets) > self._max_subjects:
            self._buckets.popitem(last=False)
