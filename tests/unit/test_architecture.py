"""The walls of the house, beyond what the import contracts say."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "src" / "contentgen_core"
NO_IO = {
    "http.client", "os", "random", "secrets", "socket", "sqlite3", "subprocess", "threading", "time", "urllib.request",
}  # fmt: skip
THIRD_PARTY = {"attrs", "contentgen_core"}
IN_TESTING = {"hypothesis", "pytest"}


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("file", sorted(CORE.rglob("*.py")), ids=lambda f: str(f.relative_to(CORE)))
def test_the_core_imports_attrs_and_the_pure_part_of_the_standard_library(file: Path) -> None:
    in_testing = "testing" in file.relative_to(CORE).parts
    allowed = THIRD_PARTY | (IN_TESTING if in_testing else set())
    for name in imports(file):
        top = name.split(".")[0]
        assert top in allowed or top in sys.stdlib_module_names, f"{file.name} imports {name}"
        if not in_testing:
            assert name not in NO_IO, f"{file.name} imports {name}"
