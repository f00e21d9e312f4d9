"""What a forge reads of the repository: its workflow and its forms are valid, and check what a contributor checks."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

ROOT: Final = Path(__file__).parents[2]
WORKFLOW: Final = ROOT / ".github/workflows/ci.yml"
FORMS: Final = ROOT / ".github/ISSUE_TEMPLATE"


def follows(schema: str, *files: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def workflow() -> dict[Any, Any]:
    read: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text("utf-8"))
    return read


@pytest.fixture(scope="module")
def job(workflow: dict[Any, Any]) -> dict[str, Any]:
    [only] = workflow["jobs"].values()
    return dict(only)


def test_the_workflow_follows_its_schema_and_ends(job: dict[str, Any]) -> None:
    follows("vendor.github-workflows", WORKFLOW)
    assert 0 < job["timeout-minutes"] <= 90


def test_the_forms_follow_their_schemas() -> None:
    config = FORMS / "config.yml"
    follows("vendor.github-issue-forms", *sorted(set(FORMS.iterdir()) - {config}))
    follows("vendor.github-issue-config", config)


def test_every_push_and_every_pull_request_is_checked_as_ci_checks(
    workflow: dict[Any, Any], job: dict[str, Any]
) -> None:
    assert set(workflow[True]) == {"push", "pull_request"}  # YAML 1.1 reads `on` as true
    assert [step["run"] for step in job["steps"] if "run" in step][-1] == ".ci/run"


def test_the_workflow_runs_each_python_that_the_package_allows(job: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    allowed = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", project["requires-python"])
    assert allowed is not None
    assert job["strategy"]["matrix"]["python"] == [f"3.{minor}" for minor in range(int(allowed[1]), int(allowed[2]))]


def test_the_workflow_may_only_read_and_its_actions_have_a_version(
    workflow: dict[Any, Any], job: dict[str, Any]
) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    assert "permissions" not in job
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]) for step in job["steps"] if "uses" in step)


def test_a_release_is_there_to_compare_migrations_with(job: dict[str, Any]) -> None:
    [checkout] = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
    assert checkout["with"]["fetch-depth"] == 0
