"""What the documentation shows is run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_embedding_example_runs_and_is_short() -> None:
    page = (ROOT / "docs/howto/embed.md").read_text("utf-8")
    [code] = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    assert "80 °C" in run.stdout
    assert "citation_recall" in run.stdout


def test_every_decision_is_listed_and_every_listed_one_exists() -> None:
    folder = ROOT / "docs/decisions"
    listed = set(re.findall(r"\]\((\d{4}-[a-z-]+\.md)\)", (folder / "README.md").read_text("utf-8")))
    assert listed == {file.name for file in folder.glob("0*.md")}
