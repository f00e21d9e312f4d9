from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import DailyQuotaExceeded, PlanForbids, QuotaExceeded
from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.policies.tenancy.quotas import (
    check_included,
    day_resets_at,
    day_window,
    limit_of,
    month_resets_at,
    month_window,
    quota_error,
    resets_at,
    window_of,
)

NOON = datetime(2026, 12, 31, 12, tzinfo=UTC)
aware = st.datetimes(
    min_value=datetime(2000, 1, 2),  # noqa: DTZ001 - strategies take naive bounds
    max_value=datetime(2100, 1, 1),  # noqa: DTZ001
    timezones=st.integers(-12, 14).map(lambda h: timezone(timedelta(hours=h))),
)


def test_windows_are_those_of_the_calendar_in_utc() -> None:
    late_in_tokyo = datetime(2027, 1, 1, 3, tzinfo=timezone(timedelta(hours=9)))
    assert day_window(late_in_tokyo) == date(2026, 12, 31)
    assert month_window(late_in_tokyo) == date(2026, 12, 1)
    assert month_resets_at(late_in_tokyo) == datetime(2027, 1, 1, tzinfo=UTC)
    assert day_resets_at(NOON) == datetime(2027, 1, 1, tzinfo=UTC)


@given(aware)
def test_a_window_ends_after_now_and_the_next_one_starts_there(now: datetime) -> None:
    for window, reset in ((day_window, day_resets_at), (month_window, month_resets_at)):
        end = reset(now)
        assert end > now
        assert window(end) > window(now)
        assert window(end - timedelta(microseconds=1)) == window(now)


def test_each_quota_has_its_own_window() -> None:
    assert window_of(Quota.ARTICLES, NOON) == date(2026, 12, 1)
    assert window_of(Quota.COVERAGE_CHECKS, NOON) == date(2026, 12, 31)
    assert window_of(Quota.AGENTS, NOON) is None
    assert resets_at(Quota.AGENTS, NOON) is None
    assert resets_at(Quota.ENRICHMENTS, NOON) == day_resets_at(NOON)
    assert resets_at(Quota.TRANSLATION_CREDITS, NOON) == month_resets_at(NOON)


def test_limits_are_those_of_the_plan() -> None:
    assert limit_of(PlanName.STARTER, Quota.COVERAGE_CHECKS) == 5
    assert limit_of(PlanName.BUSINESS, Quota.COVERAGE_CHECKS) is None


def test_what_a_plan_does_not_include_names_the_plans_that_do() -> None:
    with pytest.raises(PlanForbids, match=r"Free plan does not include enrichments\. Plans that do: Pro, Business\."):
        check_included(PlanName.FREE, Quota.ENRICHMENTS)
    check_included(PlanName.PRO, Quota.ENRICHMENTS)
    check_included(PlanName.BUSINESS, Quota.COVERAGE_CHECKS)


def test_a_used_up_quota_says_how_much_and_until_when() -> None:
    monthly = quota_error(PlanName.FREE, Quota.ARTICLES, 3, NOON)
    assert isinstance(monthly, QuotaExceeded)
    assert (monthly.limit, monthly.used, monthly.resets_at) == (3, 3, datetime(2027, 1, 1, tzinfo=UTC))
    assert "3 articles a month" in str(monthly)
    assert "2027-01-01" in str(monthly)

    daily = quota_error(PlanName.PRO, Quota.ENRICHMENTS, 10, NOON)
    assert isinstance(daily, DailyQuotaExceeded)
    assert "10 enrichments a day" in str(daily)

    standing = quota_error(PlanName.FREE, Quota.AGENTS, 1, NOON)
    assert isinstance(standing, QuotaExceeded)
    assert standing.resets_at is None
    assert "Remove one" in str(standing)
