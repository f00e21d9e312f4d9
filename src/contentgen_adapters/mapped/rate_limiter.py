"""Per-minute rate limits, shared by the processes of one machine that map one file."""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Final

from contentgen_core.ports.counters import MINUTE, Allowance

SETS: Final = 8_192
WAYS: Final = 16
"""Places for buckets: a subject has its own set of so many, in which whoever asked longest ago makes room."""

_DIGEST_BYTES: Final = 16
_BUCKET: Final = struct.Struct(f"<{_DIGEST_BYTES}sdd")  # digest of the subject, tokens, when (0: never used)
_SET_BYTES: Final = WAYS * _BUCKET.size
SIZE: Final = SETS * _SET_BYTES


class MappedRateLimiter:
    """Token buckets in a file. A bucket that rested for a minute is full, and forgetting a full bucket changes nothing.

    `descriptor`: of a file of this limiter's own, empty or filled by one like it; it stays the caller's. `monotonic`:
    seconds that never go back, by a clock that all processes share."""

    def __init__(self, descriptor: int, monotonic: Callable[[], float] = time.monotonic) -> None:
        os.ftruncate(descriptor, SIZE)
        self._descriptor = descriptor
        self._monotonic = monotonic
        self._map = mmap.mmap(descriptor, SIZE)

    async def take(self, subject: str, per_minute: int) -> Allowance:
        """Raises ValueError for a limit below 1."""
        if per_minute < 1:
            raise ValueError("a limit is at least one request a minute")
        digest = blake2b(subject.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()
        start = int.from_bytes(digest[:4], "little") % SETS * _SET_BYTES
        with self._lock(start):
            now = self._monotonic()
            place, tokens = self._find(start, digest, per_minute, now)
            allowed = tokens >= 1
            left = tokens - 1 if allowed else tokens
            _BUCKET.pack_into(self._map, place, digest, left, now)
        return Allowance.of(allowed, left, per_minute)

    def _find(self, start: int, digest: bytes, per_minute: int, now: float) -> tuple[int, float]:
        """Return the position of the subject's bucket, existing or free, and the tokens in it."""
        oldest, oldest_at = start, float("inf")
        buckets = _BUCKET.iter_unpack(self._map[start : start + _SET_BYTES])
        for place, (found, tokens, at) in zip(range(start, start + _SET_BYTES, _BUCKET.size), buckets, strict=True):
            if found == digest and at:
                return place, min(float(per_minute), tokens + max(0.0, now - at) * per_minute / MINUTE)
            if at < oldest_at:
                oldest, oldest_at = place, at
        return oldest, float(per_minute)

    @contextmanager
    def _lock(self, start: int) -> Iterator[None]:
        """Holds one set. The kernel lets go of it when a process is killed."""
        fcntl.lockf(self._descriptor, fcntl.LOCK_EX, 1, start)
        try:
            yield
        finally:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, start)
