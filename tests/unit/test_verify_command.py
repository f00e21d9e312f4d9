"""`contentgen verify` over files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from contentgen_http.cli import app
from contentgen_http.telemetry import logs

SHEET = "# Data sheet\n\nThe heat pump Aero weighs 82 kg and stands on four feet.\n"
DRAFT = "The heat pump Aero weighs 82 kg. Aero hums at 31 dB.\n"


@pytest.fixture(autouse=True)
def _logs_of_this_process_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "configure_logging", lambda level: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sheet.md").write_text(SHEET, "utf-8")
    (tmp_path / "draft.md").write_text(DRAFT, "utf-8")
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["verify", *map(str, arguments)])


def test_each_sentence_is_told_with_its_source_or_what_is_not_found(folder: Path) -> None:
    done = run(folder / "draft.md", "--source", folder / "sheet.md")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "supported: The heat pump Aero weighs 82 kg. [1]"
    assert lines[1].startswith("unsupported: Aero hums at 31 dB. (not found: ")
    assert lines[2].startswith("[1] ")
    assert "partial: 50% of 2 sentences supported" in done.stderr


def test_as_json_it_is_what_the_operation_answers(folder: Path) -> None:
    found = json.loads(run(folder / "draft.md", "--source", folder / "sheet.md", "--json").stdout)
    assert set(found) == {"level", "language", "verifier", "totals", "sources", "sentences"}
    assert found["sources"][0]["number"] == found["sentences"][0]["citations"][0] == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "exactly one of --source, --niche and --document"),
        (["--source", "sheet.md", "--niche", "home-energy"], "exactly one of --source, --niche and --document"),
        (["--niche", "home-energy"], "name it with --tenant"),
        (["--document", "some"], "name it with --tenant"),
        (["--source", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_checked_is_one_clear_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], told: str
) -> None:
    monkeypatch.chdir(folder)
    done = run("draft.md", *options)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
