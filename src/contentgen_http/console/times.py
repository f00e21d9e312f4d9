"""Times as people type and read them: by the clocks of their team."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from contentgen_core.errors import InvalidInput


def moment_of(text: str, zone: str | None, field: str = "at") -> datetime:
    """The moment (UTC) of a date and time by the clocks of a zone (None: UTC), as `2026-11-25T09:30`. A time that the
    clocks skip is the one that they show instead; of one that they show twice it is the first. Raises InvalidInput."""
    try:
        local = datetime.fromisoformat(text)
        if local.tzinfo is not None:
            raise ValueError(text)
        return local.replace(tzinfo=ZoneInfo(zone or "UTC"), fold=0).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput.of(field, "a date and a time, such as 2026-11-25T09:30") from error


def typed(at: datetime, zone: str | None) -> str:
    """As `moment_of` reads it."""
    return at.astimezone(ZoneInfo(zone or "UTC")).strftime("%Y-%m-%dT%H:%M")
