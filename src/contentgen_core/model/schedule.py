"""Article schedules: when the agents of a niche write for a tenant without being started by a person."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from attrs import field, frozen

from contentgen_core.model.ids import NicheId, TenantId, UserId
from contentgen_core.model.vocabulary import Processing

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""The names that requests use, in the order of `date.weekday()`."""


@frozen
class Timing:
    """A time of day on some days of each week. `days`: as `date.weekday()` counts, from 0 for Monday; never empty.
    `time_zone`: an IANA name."""

    days: frozenset[int]
    hour: int
    minute: int
    time_zone: str


@frozen
class ArticleSchedule:
    """A tenant's schedule for a niche. `settings`: as the tenant wrote them, known keys validated
    (`policies.tenancy.schedules`), others unchanged. `set_by`: the user who changed it last, for whom its articles are
    written. `next_fire_at`: when its agents start next; None while it is not enabled. `revision` grows with each stored
    change; 0: never stored."""

    tenant_id: TenantId
    niche_id: NicheId
    set_by: UserId
    settings: Mapping[str, Any] = field(factory=dict)
    next_fire_at: datetime | None = None
    revision: int = 0

    @property
    def enabled(self) -> bool:
        return self.settings.get("enabled") is True

    @property
    def timing(self) -> Timing | None:
        """The timing; None while the schedule is not enabled."""
        if not self.enabled:
            return None
        days = frozenset(DAYS.index(day) for day in self.settings["days"])
        return Timing(days, self.settings["hour"], self.settings.get("minute", 0), self.settings["timeZone"])

    @property
    def articles_per_run(self) -> int:
        """Articles that each agent writes in a run."""
        return int(self.settings.get("articlesPerRun", 1))

    @property
    def autopublish(self) -> bool:
        return self.settings.get("autopublish") is True

    @property
    def processing(self) -> Processing:
        """The processing of its articles: at once, or in a batch."""
        return Processing.BATCH if self.settings.get("processing") == Processing.BATCH else Processing.STANDARD
