"""The allowance of each quota, its window, and the error when it is used up. Calendars are UTC's."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from contentgen_core.errors import DailyQuotaExceeded, PlanForbids, QuotaExceeded
from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.policies.tenancy.plans import PLANS

MONTHLY: Final = frozenset({Quota.ARTICLES, Quota.TRANSLATION_CREDITS})
DAILY: Final = frozenset({Quota.COVERAGE_CHECKS, Quota.ENRICHMENTS})

_NOUNS: Final[dict[Quota, str]] = {
    Quota.ARTICLES: "articles",
    Quota.AGENTS: "agents",
    Quota.COVERAGE_CHECKS: "coverage checks",
    Quota.ENRICHMENTS: "enrichments",
    Quota.TRANSLATION_CREDITS: "translation credits",
    Quota.DOCUMENTS: "private documents",
    Quota.INTEGRATIONS: "integrations",
    Quota.TEAM_MEMBERS: "team members",
}


def day_window(now: datetime) -> date:
    """The UTC day that `now` (aware) falls into: the key a daily counter is kept under."""
    return now.astimezone(UTC).date()


def month_window(now: datetime) -> date:
    """The first day of the UTC month that `now` (aware) falls into: the key of a monthly counter."""
    return day_window(now).replace(day=1)


def day_resets_at(now: datetime) -> datetime:
    """The next midnight UTC after `now`."""
    return _midnight(day_window(now) + timedelta(days=1))


def month_resets_at(now: datetime) -> datetime:
    """Midnight UTC of the first day of the month after that of `now`."""
    in_next_month = month_window(now) + timedelta(days=31)
    return _midnight(in_next_month.replace(day=1))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)


def limit_of(plan: PlanName, quota: Quota) -> int | None:
    """The plan's allowance: None is unlimited, 0 is not included."""
    return PLANS[plan].limits[quota]


def check_included(plan: PlanName, quota: Quota) -> None:
    """Check that the plan's allowance is above 0. Raises PlanForbids, naming the plans that include the quota."""
    if limit_of(plan, quota) == 0:
        offering = [name for name in PlanName if limit_of(name, quota) != 0]
        raise PlanForbids(
            f"The {plan.capitalize()} plan does not include {_NOUNS[quota]}. Plans that do: {plan_names(offering)}."
        )


def plan_names(plans: list[PlanName]) -> str:
    """Plans as a message lists them: `Starter, Pro, Business`."""
    return ", ".join(plan.capitalize() for plan in plans)


def window_of(quota: Quota, now: datetime) -> date | None:
    """The key of the quota's present window; None for a standing quota, which counts what exists at the moment."""
    if quota in MONTHLY:
        return month_window(now)
    return day_window(now) if quota in DAILY else None


def resets_at(quota: Quota, now: datetime) -> datetime | None:
    """Return the end of the present window; None for a standing quota."""
    if quota in MONTHLY:
        return month_resets_at(now)
    return day_resets_at(now) if quota in DAILY else None


def quota_error(plan: PlanName, quota: Quota, used: int, now: datetime) -> QuotaExceeded | DailyQuotaExceeded:
    """The error to raise when `used` leaves too little of the quota: DailyQuotaExceeded for a daily one, else
    QuotaExceeded. AssertionError for a quota without a limit."""
    limit = limit_of(plan, quota)
    assert limit is not None, f"{quota} is unlimited on {plan}"
    reset = resets_at(quota, now)
    allowance = f"The {plan.capitalize()} plan includes {limit} {_NOUNS[quota]}"
    if quota in DAILY:
        message = f"{allowance} a day and {used} are used. More at {reset:%Y-%m-%d %H:%M} UTC, or with a larger plan."
        return DailyQuotaExceeded(message, limit=limit, used=used, resets_at=reset)
    if quota in MONTHLY:
        message = f"{allowance} a month and {used} are used. More on {reset:%Y-%m-%d} (UTC), or with a larger plan."
    else:
        message = f"{allowance} and {used} exist. Remove one, or change to a larger plan."
    return QuotaExceeded(message, limit=limit, used=used, resets_at=reset)
