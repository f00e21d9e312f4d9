"""Dates as searches word them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_core.policies.text.published_dates import parse_published_date
from contentgen_core.testing import strategies
from contentgen_core.testing.runtime import MOMENT


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2026-03-09T08:00:00Z", datetime(2026, 3, 9, 8, tzinfo=UTC)),
        ("2026-03-09T08:00:00+02:00", datetime(2026, 3, 9, 6, tzinfo=UTC)),
        ("2026-03-09T08:00:00", datetime(2026, 3, 9, 8, tzinfo=UTC)),
        ("2026-03-09", datetime(2026, 3, 9, tzinfo=UTC)),
        ("Mon, 09 Mar 2026 08:00:00 GMT", datetime(2026, 3, 9, 8, tzinfo=UTC)),
        ("Mon, 09 Mar 2026 08:00:00 -0000", datetime(2026, 3, 9, 8, tzinfo=UTC)),
        ("Mar 9, 2026", datetime(2026, 3, 9, tzinfo=UTC)),
        ("March 9, 2026", datetime(2026, 3, 9, tzinfo=UTC)),
        (" 9  Mar 2026 ", datetime(2026, 3, 9, tzinfo=UTC)),
        ("3 hours ago", MOMENT - timedelta(hours=3)),
        ("1 day ago", MOMENT - timedelta(days=1)),
        ("A week ago", MOMENT - timedelta(weeks=1)),
        ("Yesterday", MOMENT - timedelta(days=1)),
        ("2031-01-01", MOMENT),
    ],
)
def test_what_searches_say_is_understood(text: str, meant: datetime) -> None:
    assert parse_published_date(text, MOMENT) == meant


@pytest.mark.parametrize("text", [None, "", "soon", "vor 3 Stunden", "13/13/2026", "2026", "9" * 100, "Mar 9", "\x00"])
def test_what_says_no_date_is_none(text: str | None) -> None:
    assert parse_published_date(text, MOMENT) is None


@given(st.text(max_size=80) | strategies.moments().map(lambda moment: moment.isoformat()))
@example("0001-01-01T00:00:00+14:00")
@example("9999-12-31T23:59:59-14:00")
@example("999 years ago")
def test_any_text_gives_a_moment_of_the_past_or_none(text: str) -> None:
    found = parse_published_date(text, MOMENT)
    assert found is None or (found <= MOMENT and found.utcoffset() == timedelta())
