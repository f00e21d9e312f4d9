"""Article schedules in words, and from the fields of a form."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from contentgen_core.model.schedule import DAYS, ArticleSchedule, Timing
from contentgen_core.model.vocabulary import Processing
from contentgen_http.console.visit import Form, whole_number
from contentgen_http.texts import Texts

WORKING_DAYS: Final = frozenset(range(5))
EVERY_DAY: Final = frozenset(range(7))
_TIME: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(:[0-5]\d)?", re.ASCII)


def in_words(timing: Timing, texts: Texts) -> str:
    """When a schedule starts: `Every Tuesday at 9:00 AM, Paris time`."""
    at = {"time": texts.clock(timing.hour, timing.minute), "place": texts.place(timing.time_zone)}
    if timing.days == EVERY_DAY:
        return texts("schedule-daily", **at)
    if timing.days == WORKING_DAYS:
        return texts("schedule-working-days", **at)
    return texts("schedule-weekly", days=texts.weekdays(timing.days), **at)


def moment_in_words(at: datetime, timing: Timing, texts: Texts) -> str:
    """A moment by the clocks of a schedule: `Tue, Dec 1, 9:00 AM`."""
    zone = timing.time_zone
    return texts("schedule-moment", day=texts.weekday(at, zone), time=texts.time(at, zone))


def next_in_words(schedule: ArticleSchedule | None, texts: Texts) -> str:
    """When a schedule starts next; empty where it does not."""
    if schedule is None or schedule.timing is None or schedule.next_fire_at is None:
        return ""
    return moment_in_words(schedule.next_fire_at, schedule.timing, texts)


def values_of(schedule: ArticleSchedule, zone: str) -> dict[str, Any]:
    """The fields of the form that say what a schedule says. `zone`: where it names none."""
    settings = schedule.settings
    hour, minute = settings.get("hour", 9), settings.get("minute", 0)
    return {
        "days": [day for day in DAYS if day in settings.get("days", ())],
        "time": f"{hour:02}:{minute:02}",
        "zone": settings.get("timeZone", zone),
        "articles": schedule.articles_per_run,
        "publish": schedule.autopublish,
        "batch": schedule.processing is Processing.BATCH,
    }


def typed(form: Form) -> dict[str, Any]:
    """The fields of the form as they were sent."""
    return {
        "days": [day for day in DAYS if day in form.texts("day")],
        "time": form.text("time"),
        "zone": form.text("zone"),
        "articles": form.text("articles"),
        "publish": form.text("publish") == "yes",
        "batch": form.text("batch") == "yes",
    }


def changes_of(form: Form) -> dict[str, Any] | None:
    """The settings of a schedule that is switched on; None without a day or a time. What they may be is checked by the
    use case."""
    values, at = typed(form), _TIME.fullmatch(form.text("time"))
    if not values["days"] or at is None:
        return None
    articles = values["articles"]
    return {
        "enabled": True,
        "days": values["days"],
        "hour": int(at[1]),
        "minute": int(at[2]),
        "timeZone": values["zone"],
        "articlesPerRun": whole_number(articles, 0),
        "autopublish": values["publish"],
        "processing": Processing.BATCH.value if values["batch"] else None,
    }
