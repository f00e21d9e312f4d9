"""When the agents of a niche write by themselves: a tenant's article schedule."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from attrs import field, frozen

from contentgen_core.model.ids import NicheId, TenantId, UserId

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""As callers write them, in the order of `date.weekday()`."""


@frozen
class Timing:
    """At a time of day on some days of each week. `days`: as `date.weekday()` counts, from 0 for Monday; never empty.
    `time_zone`: an IANA name."""

    days: frozenset[int]
    hour: int
    minute: int
    time_zone: str


@frozen
class ArticleSchedule:
    """`settings`: what the tenant wrote, its known keys valid (`policies.tenancy.schedules`), others as they are.
    `set_by`: who changed it last, for whom its articles are written. `next_fire_at`: the next moment its agents start;
    None while it is not enabled. `revision` grows with each stored change; 0: never stored."""

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
        """None while the schedule is not enabled."""
        if not self.enabled:
            return None
        days = frozenset(DAYS.index(day) for day in self.settings["days"])
        return Timing(days, self.settings["hour"], self.settings.get("minute", 0), self.settings["timeZone"])

    @property
    def articles_per_run(self) -> int:
        """Of each agent."""
        return int(self.settings.get("articlesPerRun", 1))

    @property
    def autopublish(self) -> bool:
        return self.settings.get("autopublish") is True
