"""The generated reference pages are those of the present code."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from contentgen_core.model import article, enrichment, publication
from contentgen_core.model.agent_event import AgentEventKind
from contentgen_grounded.settings_in_force import table
from contentgen_http.reference.pages import commands, pages
from contentgen_http.reference.states import MACHINES

FOLDER = Path(__file__).parents[2] / "docs" / "reference"


@cache
def generated() -> dict[str, str]:
    """When a test asks, not at import: every worker imports this file, and one runs it."""
    return pages()


@pytest.mark.parametrize("name", sorted(file.name for file in FOLDER.iterdir()))
def test_a_committed_page_is_what_would_be_generated_now(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == generated()[name], "run `make docs` and commit what it changes"


def test_no_page_is_left_that_nothing_generates() -> None:
    assert {file.name for file in FOLDER.iterdir()} == set(generated())


def test_pages_do_not_depend_on_the_process_or_its_environment(tmp_path: Path) -> None:
    environment = {"PYTHONHASHSEED": "1", "CONTENTGEN_PORT": "1234", "HOME": "/elsewhere"}
    subprocess.run([sys.executable, "-m", "contentgen_http.reference", str(tmp_path)], env=environment, check=True)
    assert {file.name: file.read_text("utf-8") for file in tmp_path.iterdir()} == generated()


def test_every_setting_and_every_command_is_on_its_page() -> None:
    assert all(f"`{variable}`" in generated()["settings.md"] for variable, _, _ in table())
    assert all(f"## contentgen {name}\n" in generated()["cli.md"] for name, _ in commands())


def test_options_stand_as_they_are_typed() -> None:
    assert "| `-o, --output` | path |" in generated()["cli.md"]
    assert "| `--json` |" in generated()["cli.md"]
    assert "| `--kb` | path | required |" in generated()["cli.md"]


def test_an_operation_is_either_there_or_listed_as_missing() -> None:
    there, missing = generated()["operations.md"].split("## Not in this version")
    assert "| POST | `/writer/generate-plan` |" in there
    assert "| POST | `/writer/generate-plan` |" not in missing
    assert "| POST | `/writer/{id}/translate` |" in there
    assert "| GET | `/public/trends` |" in there
    rows = [{line for line in part.splitlines() if line.startswith("| ") and "`" in line} for part in (there, missing)]
    assert not rows[0] & rows[1]


def test_every_error_says_what_it_means() -> None:
    rows = [line.split(" | ") for line in generated()["errors.md"].splitlines() if line.startswith("| `")]
    assert len(rows) > 20
    assert all(len(row) == 3 and row[2].removesuffix(" |").strip() for row in rows)


@pytest.mark.parametrize(
    ("name", "transitions"),
    [
        ("articles", article.TRANSITIONS),
        ("enrichments", enrichment.TRANSITIONS),
        ("publications", publication.TRANSITIONS),
    ],
)
def test_a_picture_of_states_says_what_the_table_says(
    name: str, transitions: Mapping[StrEnum, frozenset[StrEnum]]
) -> None:
    root = ElementTree.fromstring(generated()[f"states-{name}.svg"])
    arrows = [(line.get("data-from"), line.get("data-to")) for line in root.iterfind(".//{*}line")]
    boxes = [box.get("data-state") for box in root.iterfind(".//{*}rect") if box.get("data-state")]
    from_any = {after for here, after in arrows if here == "*"}
    drawn = {
        state: {after for here, after in arrows if here == state} | (from_any if after_it else set())
        for state, after_it in transitions.items()
    }
    assert len(boxes) == len(transitions)
    assert set(boxes) == set(transitions)
    assert len(arrows) == len(set(arrows))
    assert {here: after - {here} for here, after in drawn.items()} == {
        here: set(after) - {here} for here, after in transitions.items()
    }


def test_every_table_of_states_is_on_its_page() -> None:
    written = Path(__file__).parents[2].glob("src/contentgen_core/model/*.py")
    assert sum(bool(re.search(r"^TRANSITIONS\b", file.read_text("utf-8"), re.M)) for file in written) == len(MACHINES)
    assert all(f"| `{state}` |" in generated()["states.md"] for machine in MACHINES for state in machine.transitions)


def test_every_provider_says_what_was_not_verified() -> None:
    sections = generated()["providers.md"].split("\n## ")[1:]
    assert len(sections) == 14
    assert all("| not verified | " in section for section in sections)


def test_metrics_and_events_stand_with_their_meaning() -> None:
    assert (
        "| `contentgen_http_requests_total` | counter | `surface`, `status` | Requests answered. |"
        in (generated()["metrics.md"])
    )
    assert "| `contentgen_jobs_due` | gauge |" in generated()["metrics.md"]
    assert all(f"| `{kind.value}` |" in generated()["events.md"] for kind in AgentEventKind)
