"""Dates in the forms that web searches give: `2026-03-09T08:00:00Z`, `Mon, 09 Mar 2026 08:00 GMT`, `Mar 9, 2026`, `3
hours ago`."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

_MAX_LENGTH: Final = 60
_FORMATS: Final = ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%Y/%m/%d")
_AGO: Final = re.compile(r"(\d{1,3}|an?) (minute|min|hour|day|week|month|year)s? ago")
_UNITS: Final = {
    "minute": timedelta(minutes=1), "min": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1),
    "week": timedelta(weeks=1), "month": timedelta(days=30), "year": timedelta(days=365),
}  # fmt: skip


def parse_published_date(text: str | None, now: datetime) -> datetime | None:
    """The moment that a text states, in UTC and not after `now`; a date without a time counts from its start. None for
    a text that is missing, cannot be read or names no day of the calendar."""
    words = " ".join((text or "").split())
    if not words or len(words) > _MAX_LENGTH:
        return None
    with suppress(ValueError, OverflowError):
        found = _absolute(words) or _ago(words.lower(), now)
        if found is not None:
            aware = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
            return min(aware.astimezone(UTC), now)
    return None


def _absolute(words: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.fromisoformat(words)
    with suppress(ValueError):
        return parsedate_to_datetime(words)
    for form in _FORMATS:
        with suppress(ValueError):
            return datetime.strptime(words, form).replace(tzinfo=UTC)
    return None


def _ago(words: str, now: datetime) -> datetime | None:
    if words == "yesterday":
        return now - timedelta(days=1)
    match = _AGO.fullmatch(words)
    if match is None:
        return None
    count = int(match[1]) if match[1].isdigit() else 1
    return now - count * _UNITS[match[2]]
