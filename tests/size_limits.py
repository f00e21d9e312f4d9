"""Check that no function is longer than 80 lines and no file longer than 400: `python -m tests.size_limits`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

LINES_OF_FUNCTION: Final = 80
LINES_OF_FILE: Final = 400
FOLDERS: Final = ("src", "tests", "benchmarks", "clients")
SUFFIXES: Final = {".py", ".js", ".css", ".html", ".sql", ".ftl", ".ts"}


def too_long(file: Path) -> Iterator[str]:
    """The file and each function in it that is longer than allowed, with the place and the length."""
    text = file.read_text("utf-8")
    if (lines := len(text.splitlines())) > LINES_OF_FILE:
        yield f"{file}: {lines} lines, {LINES_OF_FILE} at most"
    if file.suffix != ".py":
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LINES_OF_FUNCTION:
                yield f"{file}:{node.lineno}: {node.name} has {lines} lines, {LINES_OF_FUNCTION} at most"


def main() -> int:
    files = (file for folder in FOLDERS for file in sorted(Path(folder).rglob("*")) if file.suffix in SUFFIXES)
    found = [fault for file in files for fault in too_long(file)]
    sys.stderr.writelines(f"{fault}\n" for fault in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
