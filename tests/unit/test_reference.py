"""The generated reference pages are those of the present code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from contentgen_http.reference import commands, pages
from contentgen_http.settings import table

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
PAGES = pages()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_committed_page_is_what_would_be_generated_now(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == PAGES[name], "run `make docs` and commit what it changes"


def test_no_page_is_left_that_nothing_generates() -> None:
    assert {file.name for file in FOLDER.iterdir()} == set(PAGES)


def test_pages_do_not_depend_on_the_process_or_its_environment(tmp_path: Path) -> None:
    environment = {"PYTHONHASHSEED": "1", "CONTENTGEN_PORT": "1234", "HOME": "/elsewhere"}
    subprocess.run([sys.executable, "-m", "contentgen_http.reference", str(tmp_path)], env=environment, check=True)
    assert {file.name: file.read_text("utf-8") for file in tmp_path.iterdir()} == PAGES


def test_every_setting_and_every_command_is_on_its_page() -> None:
    assert all(f"`{variable}`" in PAGES["settings.md"] for variable, _, _ in table())
    assert all(f"## contentgen {name}\n" in PAGES["cli.md"] for name, _ in commands())


def test_options_stand_as_they_are_typed() -> None:
    assert "| `-o, --output` | path |" in PAGES["cli.md"]
    assert "| `--json` |" in PAGES["cli.md"]
    assert "| `--kb` | path | required |" in PAGES["cli.md"]


def test_an_operation_is_either_there_or_listed_as_missing() -> None:
    there, missing = PAGES["operations.md"].split("## Not in this version")
    assert "| POST | `/writer/generate-plan` |" in there
    assert "| POST | `/writer/generate-plan` |" not in missing
    assert "| POST | `/writer/{id}/translate` |" in there
    assert "| GET | `/public/trends` |" in there
    rows = [{line for line in part.splitlines() if line.startswith("| ") and "`" in line} for part in (there, missing)]
    assert not rows[0] & rows[1]


def test_every_error_says_what_it_means() -> None:
    rows = [line.split(" | ") for line in PAGES["errors.md"].splitlines() if line.startswith("| `")]
    assert len(rows) > 20
    assert all(len(row) == 3 and row[2].removesuffix(" |").strip() for row in rows)
