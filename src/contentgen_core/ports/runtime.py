"""Time, ids and secrets: what makes a program depend on its moment, as ports."""

from __future__ import annotations

from collections.abc import Set
from datetime import datetime, tzinfo
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The present in UTC, timezone-aware."""
        ...


class Ids(Protocol):
    def new(self) -> str:
        """A fresh UUIDv7 in its canonical form: later ones sort after earlier ones."""
        ...


class TimeZones(Protocol):
    """The time zones of the IANA database."""

    @property
    def names(self) -> Set[str]: ...

    def zone(self, name: str) -> tzinfo:
        """The rules of one of `names`; any moment of this century and the next has an offset in it."""
        ...


class KeyMaker(Protocol):
    """Makes API keys and the digests we keep of them."""

    def new_key(self) -> str:
        """A fresh API key with at least 128 bits of randomness."""
        ...

    def digest(self, key: str) -> str:
        """A keyed hash of a key: the same key always gives the same digest, a digest never gives the key."""
        ...
