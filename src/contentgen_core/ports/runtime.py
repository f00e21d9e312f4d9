"""Time, ids and secrets: what makes a program depend on its moment, as ports."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The present in UTC, timezone-aware."""
        ...


class Ids(Protocol):
    def new(self) -> str:
        """A fresh UUIDv7 in its canonical form: later ones sort after earlier ones."""
        ...


class KeyMaker(Protocol):
    """Makes API keys and the digests we keep of them."""

    def new_key(self) -> str:
        """A fresh API key with at least 128 bits of randomness."""
        ...

    def digest(self, key: str) -> str:
        """A keyed hash of a key: the same key always gives the same digest, a digest never gives the key."""
        ...
