"""LanceDB without the package that checks its overrides."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from contentgen_adapters.lance import unchecked_overrides

LOADED = """
import sys
from contentgen_adapters.lance.index import load_library

load_library()
import lancedb.db
print("overrides" in sys.modules, lancedb.db.EnforceOverrides.__module__)
"""


def test_it_is_imported_without_the_package() -> None:
    ended = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, timeout=120)
    imported, checks = ended.stdout.split()
    assert imported == "False"
    assert checks == ("lancedb.db" if sys.version_info >= (3, 12) else unchecked_overrides.__name__)


def test_lancedb_takes_nothing_else_from_the_package() -> None:
    spec = find_spec("lancedb")
    assert spec is not None
    assert spec.origin is not None
    files = Path(spec.origin).parent.rglob("*.py")
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    taken = {
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "overrides"
        for alias in node.names
    }
    assert taken <= vars(unchecked_overrides).keys()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="LanceDB does not use it there")
def test_the_package_is_as_before_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "overrides", raising=False)  # another test may have imported it
    with unchecked_overrides.unchecked_overrides():
        stand_in = import_module("overrides")
    package = import_module("overrides")
    assert stand_in.override is unchecked_overrides.override
    assert package.override is not unchecked_overrides.override
