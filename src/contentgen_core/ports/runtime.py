"""Clock, ids, time zones and keys, as ports so that tests can control them."""

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
        """A new UUIDv7 in its canonical form: later ones sort after earlier ones."""
        ...


class TimeZones(Protocol):
    """The time zones of the IANA database."""

    @property
    def names(self) -> Set[str]:
        """The names of all time zones."""

    def zone(self, name: str) -> tzinfo:
        """The rules of one of `names`, with an offset for any moment of this century and the next."""
        ...


class KeyMaker(Protocol):
    """Makes API keys and their digests."""

    def new_key(self) -> str:
        """A new API key with at least 128 bits of randomness."""
        ...

    def digest(self, key: str) -> str:
        """A keyed hash of a key, deterministic and not reversible."""
        ...
