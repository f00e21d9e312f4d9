"""IANA's time zones, as this machine knows them."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import ZoneInfo


@lru_cache(1_000)
def knows_zone(name: str) -> bool:
    """Whether it is a time zone's name. The first time for each name reads a small file."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, no such name could be, a folder of zones
        return False
    return True
