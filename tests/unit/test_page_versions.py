"""What is asked of a server that gave a page before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from contentgen_adapters.pages.version import BELIEVED, Version
from contentgen_adapters.shared.fetched_document import Validators

URL = "https://a.example/page"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
PAST, FUTURE = "Sun, 01 Mar 2026 11:59:59 GMT", "Sun, 01 Mar 2026 12:00:01 GMT"


def again(validators: Validators, url: str = URL, after: timedelta = timedelta(hours=1)) -> dict[str, str]:
    written = Version(URL, validators, NOW).written()
    return Version.read(written).validators_for(url, NOW + after).headers


def test_a_page_is_asked_for_by_what_its_server_named() -> None:
    assert again(Validators('W/"a"', PAST)) == {"If-None-Match": 'W/"a"', "If-Modified-Since": PAST}
    assert again(Validators(None, PAST)) == {"If-Modified-Since": PAST}
    assert Version(URL, Validators(), NOW).written() is None


@pytest.mark.parametrize(
    "date", [FUTURE, "yesterday", "", "Sun, 01 Mar 2026 11:00:00", "Sun, 99 Mar 9999 11:00:00 GMT"]
)
def test_a_date_that_no_clock_can_have_given_is_not_sent_back(date: str) -> None:
    assert again(Validators('"a"', date)) == {"If-None-Match": '"a"'}
    assert Version(URL, Validators(None, date), NOW).written() is None


@pytest.mark.parametrize("date", ["Wed, 31 Dec 1969 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT"])
def test_a_date_of_long_ago_is_a_name_like_any_other(date: str) -> None:
    assert again(Validators(None, date)) == {"If-Modified-Since": date}


def test_another_address_an_old_version_and_a_clock_that_was_set_back_need_the_whole_page() -> None:
    known = Validators('"a"')
    assert again(known, f"{URL}/other") == {}
    assert again(known, after=BELIEVED) == {}
    assert again(known, after=-timedelta(seconds=1)) == {}
    assert again(known, after=BELIEVED - timedelta(seconds=1)) != {}


@pytest.mark.parametrize("text", [None, "", "{}", "[1]", "null", '["https://a.example/page"]'])
def test_what_is_no_version_is_none(text: str | None) -> None:
    assert Version.read(text) == Version()
