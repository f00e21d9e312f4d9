"""The check of `make lint` that functions and files stay short."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import size_limits


def function(lines: int) -> str:
    return "def long():\n" + "    pass\n" * (lines - 1)


@pytest.mark.parametrize(
    ("name", "text", "faults"),
    [
        ("a.py", function(80), []),
        ("a.py", function(81), ["a.py:1: long has 81 lines, 80 at most"]),
        ("a.py", "if 1:\n async " + function(81), ["a.py:2: long has 81 lines, 80 at most"]),
        ("a.py", "x = 1\n" * 400, []),
        ("a.py", "x = 1\n" * 401, ["a.py: 401 lines, 400 at most"]),
        ("a.css", "a {}\n" * 401, ["a.css: 401 lines, 400 at most"]),
    ],
)
def test_what_is_too_long_is_named_with_its_place(tmp_path: Path, name: str, text: str, faults: list[str]) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    assert [fault.removeprefix(f"{tmp_path}/") for fault in size_limits.too_long(file)] == faults


def test_the_check_fails_where_something_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "short.py").write_text(function(80), "utf-8")
    assert size_limits.main() == 0
    (folder / "long.py").write_text(function(81), "utf-8")
    assert size_limits.main() == 1
