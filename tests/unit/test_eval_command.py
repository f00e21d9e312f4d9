"""`contentgen eval` over files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve
from typer.testing import CliRunner, Result

from contentgen_core.model.grounding import Verdict
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_http.cli import app
from contentgen_http.demo.tenant import samples
from contentgen_http.telemetry import logs

FEW = ("--size", 20, "--only", "grounding", "--articles", 0)


@pytest.fixture(autouse=True)
def _this_process_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(logs, "configure_logging", lambda level: None)
    monkeypatch.setenv("CONTENTGEN_EMBEDDINGS", "hashed")
    monkeypatch.setenv("CONTENTGEN_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number, source in enumerate(samples("home-energy")):
        (folder / f"{number}.md").write_text(f"# {source.title}\n\n{source.text}\n", "utf-8")
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["eval", *map(str, arguments)])


def test_figures_are_shown_kept_and_compared(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("--kb", notes, *FEW, "--baseline", "last")
    assert first.exit_code == 0, first.output
    assert "there is nothing to compare with yet" in first.stderr
    assert "grounding.refused_number" in first.stdout
    again = run("--kb", notes, *FEW, "--baseline", "last")
    assert again.exit_code == 0, again.output
    assert "same" in again.stdout
    check = Verifier.check
    monkeypatch.setattr(Verifier, "check", lambda *given: evolve(check(*given), verdict=Verdict.SUPPORTED))
    fallen = run("--kb", notes, *FEW, "--baseline", "last")
    assert fallen.exit_code == 1
    assert "fell: grounding.refused:" in fallen.stderr
    assert "  - accepted: " in fallen.stderr


def test_files_are_written_and_are_a_baseline(notes: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / f"out.{name}" for name in ("json", "xml", "svg")}
    outputs = ("--json", files["json"], "--junit", files["xml"], "--picture", files["svg"])
    assert run("--kb", notes, *FEW, *outputs).exit_code == 0
    assert json.loads(files["json"].read_text())["setup"]["size"] == 20
    assert files["xml"].read_text().startswith("<?xml")
    assert files["svg"].read_text().startswith("<svg")
    assert run("--kb", notes, *FEW, "--baseline", files["json"]).exit_code == 0
    other = run("--kb", notes, *FEW, "--seed", 8, "--baseline", files["json"])
    assert other.exit_code == 2
    assert "asked other cases: seed was 7 and is 8" in other.stderr


def test_a_bound_that_is_not_held_ends_with_one(notes: Path) -> None:
    assert run("--kb", notes, *FEW, "--fail-under", "grounding.refused=.5").exit_code == 0
    done = run("--kb", notes, *FEW, "--fail-under", "grounding.refused_date=.5")
    assert done.exit_code == 1
    assert "fell: grounding.refused_date: not measured in this run" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "give either --kb or --niche"),
        (("--niche", "home-energy"), "name it with --tenant"),
        (("--kb", "NOTES", "--niche", "x"), "give either --kb or --niche"),
        (("--kb", "NOTES", "--only", "speed"), "speed is no part"),
        (("--kb", "NOTES", "--only", ""), "nothing is no part"),
        (("--kb", "NOTES", "--fail-under", "grounding.refsed=.9"), "grounding.refsed is no figure"),
        (("--kb", "NOTES", "--fail-over", "articles.unresolved"), "'' is no number"),
        (("--kb", "NOTES", "--tolerance", "nan"), "'nan' is no number"),
        (("--kb", "NOTES", "--baseline", "none.json"), "cannot be read"),
        (("--kb", "NOTES", "--json", "no/such/folder.json"), "there is no folder"),
        (("--kb", "nowhere"), "nowhere"),
        (("--kb", "EMPTY"), "EMPTY"),
        (("--size", "0"), "size"),
    ],
)
def test_what_cannot_be_measured_ends_with_two(
    arguments: tuple[str, ...], told: str, notes: Path, tmp_path: Path
) -> None:
    (tmp_path / "EMPTY").mkdir()
    places = {"NOTES": str(notes), "EMPTY": str(tmp_path / "EMPTY")}
    done = run(*(places.get(argument, argument) for argument in arguments))
    assert done.exit_code == 2, done.output
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_baseline_is_told_before_anything_is_measured(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("{}")
    done = run("--kb", notes, *FEW, "--baseline", tmp_path / "old.json")
    assert done.exit_code == 2
    assert "is no evaluation of this program" in done.stderr
