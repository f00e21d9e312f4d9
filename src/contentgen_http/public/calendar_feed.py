"""The calendar as a feed that calendar programs read (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from contentgen_core.model.calendar import CalendarEntry, CalendarKind
from contentgen_core.policies.text.mail_line import mail_line

MEDIA_TYPE: Final = "text/calendar"
_LENGTH: Final = timedelta(minutes=15)


def feed(entries: Iterable[CalendarEntry], now: datetime) -> bytes:
    """A calendar with an event each. An article keeps its UID when its time changes, so that programs move it."""
    from icalendar import Calendar, Event  # 80 modules, of which a service without such programs needs none

    calendar = Calendar()
    calendar.add("prodid", "-//Contentgen//Calendar//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", "Contentgen")
    calendar.add("x-published-ttl", "PT1H")
    for entry in entries:
        event = Event()
        event.add("uid", f"{entry.id}@contentgen")
        event.add("dtstamp", now)
        event.add("dtstart", entry.at)
        event.add("duration", _LENGTH)
        event.add("summary", _summary(entry))
        event.add("categories", [entry.kind.value])
        event.add("transp", "TRANSPARENT")
        if entry.url is not None:
            event.add("url", entry.url)
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _summary(entry: CalendarEntry) -> str:
    title = mail_line(entry.title or "")
    match entry.kind:
        case CalendarKind.PLANNED if entry.articles is not None:
            return f"Planned: {entry.articles} articles on {entry.niche_key}"
        case CalendarKind.PLANNED:
            return f"Waits for review: {title}"
        case CalendarKind.SCHEDULED:
            return f"Scheduled: {title}"
        case _:
            return f"Published: {title}" + (f" ({entry.provider})" if entry.provider else "")
