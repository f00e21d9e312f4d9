"""What was checked, what held, what could not be had, and how long things took."""

from __future__ import annotations

import time
import traceback
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field
from rich.console import Console

from tests.live.peers import CannotInstall


@define
class Report:
    """`missing`: peers that could not be had, which is a failure too: nobody is to believe that they were checked."""

    console: Console = field(factory=Console)
    passed: int = 0
    failed: int = 0
    missing: list[str] = field(factory=list)

    async def run(self, peer: str, checks: Sequence[Callable[..., Awaitable[None]]], *given: Any) -> None:
        for check in checks:
            name = check.__name__.replace("_", " ")
            began = time.monotonic()
            try:
                await check(*given)
            except CannotInstall:
                raise
            except (Exception, pytest.fail.Exception) as error:
                self.failed += 1
                self.console.print(f"[red]FAILED[/] {peer}: {name}:", end=" ")
                self.console.print(repr(error) if error.args else _line(error), markup=False)
            else:
                self.passed += 1
                self.console.print(f"[green]passed[/] {peer}: {name} ({time.monotonic() - began:.1f} s)")

    @contextmanager
    def needs(self, peer: str) -> Iterator[None]:
        """Around what starts a peer and checks it; what cannot be installed is told, and the rest goes on."""
        try:
            yield
        except CannotInstall as error:
            self.missing.append(peer)
            self.console.print(f"[yellow]NOT CHECKED[/] {peer}:", end=" ")
            self.console.print(str(error), markup=False)

    @contextmanager
    def takes(self, peer: str, what: str) -> Iterator[None]:
        """Around what is worth a figure."""
        began = time.monotonic()
        yield
        self.console.print(f"{peer}: {time.monotonic() - began:.1f} s {what}")

    def close(self) -> int:
        """Say what came of it; the exit code."""
        lacking = f", not checked: {', '.join(self.missing)}" if self.missing else ""
        self.console.print(f"{self.passed} passed, {self.failed} failed{lacking}")
        return 1 if self.failed or self.missing else 0


def _line(error: BaseException) -> str:
    """Where it was raised, which says more than an error without words."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {frame.line}"
