"""The real clock, ids and keys."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable, Set
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from importlib import resources
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from contentgen_core.ports.runtime import Clock

KEY_PREFIX: Final = "cg_"
KEY_BYTES: Final = 32
MIN_SECRET_BYTES: Final = 16

JUMP_SECONDS: Final = 60.0
_JUMP: Final = 1.0  # seconds: a smaller correction is followed at once

_RANDOM_BITS: Final = 74  # what RFC 9562, section 5.7, leaves beside 48 bits of milliseconds, version and variant
_STEP_BITS: Final = 32


def _running() -> float:
    """Seconds since some moment, which no correction of the clock changes. Where the system can tell, those in which
    the machine slept are among them."""
    return time.clock_gettime(_BOOTTIME) if _BOOTTIME is not None else time.monotonic()


_BOOTTIME: Final = getattr(time, "CLOCK_BOOTTIME", None)


class SystemClock:
    """The clock port over the system's clock. A jump of it is believed once it has stood for JUMP_SECONDS: what is
    written down during one that is soon undone would else be due an hour too late, or expire at once.

    `wall`: the system's clock, in seconds since the epoch. `running`: seconds that pass evenly."""

    def __init__(
        self, wall: Callable[[], float] = lambda: wall_seconds(), running: Callable[[], float] = _running
    ) -> None:
        self._wall, self._running = wall, running
        self._offset = wall() - running()
        self._jumped: tuple[float, float] | None = None  # to which offset, and when that was first seen

    def now(self) -> datetime:
        running = self._running()
        offset = self._wall() - running
        if abs(offset - self._offset) < _JUMP:
            self._offset, self._jumped = offset, None
        elif self._jumped is None or abs(offset - self._jumped[0]) >= _JUMP:
            self._jumped = offset, running
        elif running - self._jumped[1] >= JUMP_SECONDS:
            self._offset, self._jumped = offset, None
        return datetime.fromtimestamp(running + self._offset, UTC)


def wall_seconds() -> float:
    """The system's clock, in seconds since the epoch."""
    return time.time()


class Uuid7Ids:
    """UUIDs of version 7 (RFC 9562, section 5.7), strictly increasing in this process: within a millisecond, or when
    the clock goes back, a random step is added to the last one (section 6.2, method 2). Thread-safe."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> str:
        milliseconds = int(self._clock.now().timestamp() * 1000)
        with self._lock:
            fresh = milliseconds << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
            self._last = max(fresh, self._last + 1 + secrets.randbits(_STEP_BITS))
            return str(_uuid7(self._last))


class IanaTimeZones:
    """The time zones port. Names come from the package tzdata, so that all processes of an installation agree; rules
    from the operating system where it has them. Both are cached."""

    @cached_property
    def names(self) -> Set[str]:
        return frozenset(resources.files("tzdata").joinpath("zones").read_text("utf-8").split()) - {"Factory"}

    def zone(self, name: str) -> tzinfo:
        return ZoneInfo(name)


def _uuid7(value: int) -> UUID:
    """The layout of RFC 9562, figure 11: 48 bits of time, version, 12 bits, variant, 62 bits."""
    head, tail = value >> 62, value & (1 << 62) - 1
    time, middle = head >> 12, head & 0xFFF
    return UUID(int=time << 80 | 0x7 << 76 | middle << 64 | 0b10 << 62 | tail)


class HmacKeyMaker:
    """API keys of 256 random bits, and their HMAC-SHA256 under the installation's secret.

    A fast hash suffices: such a key cannot be guessed, and it is checked on every request. Without the secret, a copy
    of the database does not allow testing keys. `secret`: at least 16 bytes, else ValueError.
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) < MIN_SECRET_BYTES:
            raise ValueError(f"the secret for API keys needs at least {MIN_SECRET_BYTES} bytes")
        self._secret = secret

    def new_key(self) -> str:
        return KEY_PREFIX + secrets.token_urlsafe(KEY_BYTES)

    @property
    def fingerprint(self) -> str:
        """Identifies the secret without revealing it: the digest of a text that no client can send as a key."""
        return self.digest("\0fingerprint")

    def digest(self, key: str) -> str:
        """The HMAC of a key as 64 hexadecimal digits. `key`: any text that a client may send."""
        return hmac.digest(self._secret, key.encode("utf-8", "surrogatepass"), "sha256").hex()
