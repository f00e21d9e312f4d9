"""What commands print of rows: the same as JSON, which loses nothing, and as a table, which shortens nothing."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest

from contentgen_http.commands.console import print_rows, print_values

MOMENT = datetime(2026, 3, 1, 13, 5, 9, 7, timezone(timedelta(hours=1)))
ROW = {"slug": "heat-pumps-in-older-houses" * 3, "at": MOMENT, "until": None}


def test_a_table_shortens_nothing_and_shows_moments_in_utc(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    print_rows([ROW], ("slug", "at", "until"), False)
    printed = capsys.readouterr().out
    cells = [line.split("│")[1:-1] for line in printed.splitlines() if line.startswith("│")]
    slug, at, until = ("".join(cell.strip() for cell in column) for column in zip(*cells, strict=True))
    assert (slug, at.replace(" ", ""), until) == (ROW["slug"], "2026-03-0112:05", "")
    assert "…" not in printed


def test_what_looks_like_markup_is_shown_as_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    print_rows([{"slug": "contentgen-grounded[semantic] [red]alert[/red] :smile:"}], ("slug",), False)
    assert "contentgen-grounded[semantic] [red]alert[/red] :smile:" in capsys.readouterr().out


def test_json_has_the_whole_moment(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([ROW], (), True)
    print_values(ROW, True)
    rows, values = map(json.loads, capsys.readouterr().out.splitlines())
    assert rows == [values]
    assert datetime.fromisoformat(values["at"]) == MOMENT


def test_values_of_nothing_are_empty(capsys: pytest.CaptureFixture[str]) -> None:
    print_values({"at": MOMENT, "until": None}, False)
    assert capsys.readouterr().out == "at: 2026-03-01 12:05\nuntil: \n"
