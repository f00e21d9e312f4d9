"""An evaluation as JSON, JUnit XML and a picture, and the last ones kept in a folder."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree as Xml

import msgspec
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import InvalidInput
from contentgen_core.model.evaluation import Cases, Evaluation, Figure, Interval, Outcome, Part, Setup
from contentgen_core.policies.evaluation.comparison import Limits, compare
from contentgen_http.commands.evaluation import history
from contentgen_http.commands.evaluation.document import decoded, encoded, load
from contentgen_http.commands.evaluation.junit import junit
from contentgen_http.commands.evaluation.picture import picture

CASES = Cases("notes", 7, 100, 5)
HOSTILE = "<b>&\x00\x1b[31m\ud800‮ ]]> \"'"


def run(value: float = 1.0, failed: str = "", cases: Cases = CASES, hours: int = 0) -> Evaluation:
    setup = Setup(cases, frozenset(Part), "1", "hashed", "", "", "", "abc", 10, 20, 10)
    outcomes = tuple(Outcome(f"case {n}", value, failed) for n in range(30))
    figures = (
        Figure("grounding.refused", outcomes, Interval(round(0.9 * value, 4), value)),
        Figure("articles.unresolved", (Outcome("a", 4.0, "begins with It"),), Interval(0.0, 8.0), rises=False),
    )
    return Evaluation(setup, datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hours), 1.5, figures, ("a note",))


def test_what_is_written_is_read_again() -> None:
    assert decoded(encoded(run(failed="it was accepted"))) == run(failed="it was accepted")
    compared = compare(run(0.5), run(), Limits())
    document = json.loads(encoded(run(0.5), compared))
    assert document["compared"][0]["why"].startswith("1.000 before")
    assert decoded(encoded(run(0.5), compared)) == run(0.5)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"format": 2}',
        encoded(run())[:-40],
        encoded(run()).replace(b'"grounding.refused"', b'"grounding.unknown"'),
        encoded(run()).replace(b'"articles.unresolved"', b'"grounding.refused"'),
        encoded(run()).replace(b'"value": 1.0', b'"value": 1e400'),
        encoded(run()).replace(b'"seed": 7', b'"seed": "7"'),
    ],
)
def test_a_broken_baseline_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_bytes(content)
    with pytest.raises(InvalidInput) as told:
        load(tmp_path / "old.json")
    assert "is no evaluation" in told.value.detail
    with pytest.raises(InvalidInput, match="cannot be read"):
        load(tmp_path / "none.json")


@given(st.binary(max_size=200))
def test_whatever_stands_in_a_baseline_ends_in_one_of_two_errors(content: bytes) -> None:
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)):
        decoded(content)


def test_junit_has_a_test_for_each_figure_and_what_failed() -> None:
    now = run(0.0, failed=HOSTILE)
    root = Xml.fromstring(junit(now, compare(now, run(), Limits())))
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "2", "1")
    assert [suite.get("name") for suite in root] == ["grounding", "articles"]
    [refused] = root.findall("testsuite/testcase[@name='refused']")
    failure = refused.find("failure")
    assert failure is not None
    assert failure.get("message") == "1.000 before: worse by 1.000, where 0.02 is allowed"
    assert (failure.text or "").count("\n- <b>&") == 20
    assert "and 10 more" in (failure.text or "")
    [unresolved] = root.findall("testsuite/testcase[@name='unresolved']")
    assert unresolved.find("failure") is None


def test_a_picture_is_xml_that_shows_each_figure_and_nothing_of_what_texts_hold() -> None:
    now = run(0.0, failed=HOSTILE, cases=evolve(CASES, subject=HOSTILE))
    for before in (None, run()):
        root = Xml.fromstring(picture(now, compare(now, before, Limits())))
        shown = " ".join(root.itertext())
        assert "grounding.refused" in shown
        assert "articles.unresolved (less is better)" in shown
        assert shown.rstrip().count("0.000  fell") == (before is not None)
        assert "Evaluation of <b>&" in shown
        circles = root.findall(".//{http://www.w3.org/2000/svg}circle")
        assert all(0 <= float(circle.get("cx", "-1")) <= 920 for circle in circles)
    Xml.fromstring(picture(evolve(now, figures=()), ()))


def test_the_last_runs_of_the_same_cases_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "KEPT_OF_EACH", 3)
    monkeypatch.setattr(history, "KEPT", 5)
    assert history.last(tmp_path, CASES) is None
    for hours in range(5):
        history.keep(tmp_path, run(hours / 10, hours=hours))
    assert history.last(tmp_path, CASES) == run(0.4, hours=4)
    assert len(list((tmp_path / history.FOLDER).iterdir())) == 3
    other = evolve(CASES, seed=8)
    for hours in range(5):
        history.keep(tmp_path, run(cases=other, hours=10 + hours))
    assert len(list((tmp_path / history.FOLDER).iterdir())) == 5
    assert history.last(tmp_path, other) == run(cases=other, hours=14)
    assert history.last(tmp_path, CASES) == run(0.4, hours=4)


def test_a_run_that_was_spoilt_is_passed_over(tmp_path: Path) -> None:
    history.keep(tmp_path, run(0.5))
    history.keep(tmp_path, run(hours=1)).write_text("{")
    assert history.last(tmp_path, CASES) == run(0.5)
