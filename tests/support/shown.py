"""Read the pages of the documentation: their fenced blocks, the commands in them, and whether an output is the one
shown.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "deploy/README.md"])

_FENCE: Final = re.compile(r"^(```+) *([^`\n]*)\n(.*?)^\1 *$", re.S | re.M)
_CUT: Final = re.compile(r",?…,?")
_CHANGING: Final = (
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"),
    (r"\b(?:[0-9a-f]{64}|[0-9a-f]{24})\b", "HEX"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", "TIME"),
    (r"(\d\.\d\d)\d+", r"\1"),
    (r"(\d)\.0\b", r"\1"),
    (r"(?m)^.*━.*$", ""),
    (r"\b(https?://)?(127\.0\.0\.1|localhost):\d+", "ADDRESS"),
    (r"\s+", ""),
)
"""What differs from run to run, and what stands for it in a comparison."""


@frozen
class Block:
    """`line`: of the opening fence. `note`: what its opening says after the language: how it is checked, where that is
    not by being run on the spot."""

    page: Path
    line: int
    language: str
    note: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page}:{self.line}"

    @property
    def not_run(self) -> str | None:
        """Why it cannot be."""
        return self._after("not-run:")

    @property
    def run_by(self) -> str | None:
        """The test that runs it elsewhere."""
        return self._after("run-by:")

    @property
    def is_answer(self) -> bool:
        """Whether it is what the block before it printed."""
        return self.note == "answer"

    def _after(self, word: str) -> str | None:
        return self.note.removeprefix(word).strip() if self.note.startswith(word) else None


@frozen
class Command:
    """A command that a reader types, and the output shown below it (empty if there is none)."""

    typed: str
    shown: str


@cache
def blocks(page: Path) -> tuple[Block, ...]:
    text = page.read_text("utf-8")
    found = []
    for fence in _FENCE.finditer(text):
        language, _, note = fence[2].strip().partition(" ")
        found.append(Block(page, text.count("\n", 0, fence.start()) + 1, language, note.strip(), fence[3]))
    return tuple(found)


def commands(block: Block) -> list[Command]:
    """Return the commands in order: of a `console` block the lines after `$ ` with their outputs, of a `sh` block
    all.
    """
    found: list[Command] = []
    typed: list[str] = []
    shown: list[str] = []
    for line in block.text.splitlines():
        if typed and not _complete("\n".join(typed)):
            typed.append(line)
        elif block.language == "sh" or line.startswith("$ "):
            _append(found, typed, shown)
            typed, shown = [line.removeprefix("$ ") if block.language == "console" else line], []
        else:
            assert typed, f"{block.place}: an output before the first command"
            shown.append(line)
    _append(found, typed, shown)
    return found


def _append(found: list[Command], typed: list[str], shown: list[str]) -> None:
    command = "\n".join(typed)
    if command.strip() and not command.lstrip().startswith("#"):
        found.append(Command(command, "\n".join(shown).strip("\n")))


def _complete(command: str) -> bool:
    """Whether a shell would run it, and not wait for more. It warns of a here-document without end."""
    if command.endswith("\\"):
        return False
    checked = subprocess.run(["bash", "-n"], input=command, capture_output=True, text=True, check=False)
    return checked.returncode == 0 and not checked.stderr


def agrees(shown: str, real: str) -> bool:
    """Whether `real` is what is shown, where `…` stands for anything, and ids, times, addresses, blanks what comes
    after two decimals and bars of progress do not count."""
    [first, *parts] = _CUT.split(_without_changing(shown))
    text = _without_changing(real)
    if not parts:
        return text == first
    if not text.startswith(first):
        return False
    at = len(first)
    *between, last = parts
    for part in between:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return text.endswith(last) and len(text) - len(last) >= at


def _without_changing(text: str) -> str:
    for pattern, instead in _CHANGING:
        text = re.sub(pattern, instead, text)
    return text
