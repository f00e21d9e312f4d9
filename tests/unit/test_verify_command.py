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


@pytest.mark.parametrize(("least", "ends_with"), [("0", 0), (".5", 0), (".505", 1), ("1", 1)])
def test_a_text_with_too_few_supported_sentences_ends_with_one(folder: Path, least: str, ends_with: int) -> None:
    done = run(folder / "draft.md", "--source", folder / "sheet.md", "--fail-under", least)
    assert done.exit_code == ends_with, done.output
    assert len(done.stdout.splitlines()) == 3  # the sentences are listed either way
    assert (f"less than {100 * float(least):g}% of the sentences are supported" in done.stderr) is bool(ends_with)


@pytest.mark.parametrize("least", ["95", "-1", "nan", "most"])
def test_what_is_no_share_is_no_bound(folder: Path, least: str) -> None:
    assert run(folder / "draft.md", "--source", folder / "sheet.md", "--fail-under", least).exit_code == 2


@pytest.mark.parametrize(
    "lie",
    [
        "Heat pumps cause cancer.",
        "Heat pumps are forbidden.",
        "Heat pumps explode.",
        "High flow temperature paints poor heat pump efficiency.",
        "High flow temperature is the most frequent cause of poor eyesight.",
    ],
)
def test_what_no_source_says_of_a_known_subject_is_not_supported(
    folder: Path, monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    true = "High flow temperature is the most frequent cause of poor heat pump efficiency."
    (folder / "note.md").write_text(f"# Heat pumps\n\n{true} A heat pump needs large radiators.\n", "utf-8")
    (folder / "lie.md").write_text(f"{lie} {true}\n", "utf-8")
    for embeddings in ("hashed", "auto"):
        monkeypatch.setenv("CONTENTGEN_EMBEDDINGS", embeddings)
        done = run(folder / "lie.md", "--source", folder / "note.md", "--fail-under", "1")
        assert done.exit_code == 1, done.output
        first, second = done.stdout.splitlines()[:2]
        assert first.startswith(f"unsupported: {lie} (not found: ")
        assert second == f"supported: {true} [1]"


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
