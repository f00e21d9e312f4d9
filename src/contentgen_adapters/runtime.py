"""The real clock, ids and keys."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Set
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

_RANDOM_BITS: Final = 74  # what RFC 9562, section 5.7, leaves beside 48 bits of milliseconds, version and variant
_STEP_BITS: Final = 32


class SystemClock:
    """The clock port over the system's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251 - this adapter is where time comes from


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
