"""The generated clients against a running service, with the programs that docs/quickstart/clients.md shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from clients.generate import TOOLS, python_client, typescript_client

from contentgen_http.app import description
from tests.process.service import Service, environment
from tests.support.shown import ROOT, blocks

PAGE: Final = ROOT / "docs/quickstart/clients.md"
FOUND: Final = r"Choosing a heat pump for an older house\n\d+ words, \d+ sources, grounding (?:full|partial)\n"
SECONDS: Final = 240


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_bytes(description())
    return path


def shown(language: str) -> str:
    """The program in this language that the page shows."""
    [block] = [block for block in blocks(PAGE) if block.language == language]
    return block.text


def tools(group: str) -> None:
    """Install what generates."""
    subprocess.run(["make", "-s", f".tools/clients/.{group}"], cwd=ROOT, check=True, timeout=SECONDS)


def output(service: Service, *command: str, at: Path) -> str:
    env = environment({"SERVICE_URL": str(service.http.base_url), "API_KEY": service.demo_key})
    ran = subprocess.run(command, cwd=at, env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_python_client_plans_writes_and_reads(shared: Service, document: Path, tmp_path: Path) -> None:
    tools("python")
    made = tmp_path / "made"
    python_client(document, made)
    (made / "program.py").write_text(shown("python"), "utf-8")
    assert re.fullmatch(FOUND + "not_found\n", output(shared, sys.executable, "program.py", at=made))
    operations = sum("operationId" in method for path in _paths(document) for method in path.values())
    modules = [module for module in made.glob("contentgen_client/api/*/*.py") if module.name != "__init__.py"]
    assert len(modules) == operations


@pytest.mark.skipif("CONTENTGEN_TEST_NPM" not in os.environ, reason="needs the npm registry: make test-clients")
def test_the_typescript_client_plans_writes_and_reads(shared: Service, document: Path, tmp_path: Path) -> None:
    tools("typescript")
    made = tmp_path / "made"
    typescript_client(document, made)
    found = output(shared, str(TOOLS / "node"), "dist/examples/write.js", at=made)
    assert re.fullmatch(FOUND, found)


def test_the_page_shows_the_example_that_is_compiled() -> None:
    example = (ROOT / "clients/typescript/examples/write.ts").read_text("utf-8")
    assert shown("ts") == example.replace("../src/index.js", "contentgen-client")


def test_no_lock_file_names_a_registry_of_npm() -> None:
    locked = json.loads((ROOT / "clients/typescript/package-lock.json").read_text("utf-8"))
    assert len(locked["packages"]) > 1
    assert not [name for name, package in locked["packages"].items() if "resolved" in package]


def _paths(document: Path) -> list[dict[str, dict[str, object]]]:
    return list(json.loads(document.read_bytes())["paths"].values())
