"""Report the figures of a benchmark, as a table on the terminal and in the documentation."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Final

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.configuration import DEFAULT, HASHED, described

PAGE: Final = Path(__file__).parent.parent / "docs" / "benchmarks.md"
MARKERS: Final = "<!-- {}: begin -->", "<!-- {}: end -->"
COLUMNS: Final = ("Benchmark", "What", "Product", "Reference", "Result", "Target", "", "By default")


@frozen
class Figure:
    """One line of the table. `result` is what is compared with `target`; `met` is None for information."""

    what: str
    product: str
    reference: str = ""
    result: str = ""
    target: str = ""
    met: bool | None = None

    def briefly(self) -> str:
        """Return it as one cell: what the product took, what is compared where that is another figure, the verdict."""
        result = self.result if self.met is not None and self.result not in self.product else ""
        return "; ".join(filter(None, (self.product, result, _verdict(self.met))))


@frozen
class Outcome:
    """The figures of one benchmark.

    `embeddings`: what they were measured with; None where it says so itself. `by_default`: the same figures with the
    default settings, where these were measured as well.
    """

    benchmark: str
    figures: Sequence[Figure]
    embeddings: str | None = HASHED
    by_default: Sequence[Figure] = ()

    def rows(self) -> list[tuple[str, ...]]:
        beside = [f.briefly() for f in self.by_default] or [""] * len(self.figures)
        return [
            (self.benchmark, f.what, f.product, f.reference, f.result, f.target, _verdict(f.met), default)
            for f, default in zip(self.figures, beside, strict=True)
        ]


def at_most(what: str, value: float, limit: float, unit: str, *, product: str, reference: str) -> Figure:
    """A figure that is good when it is small."""
    return Figure(what, product, reference, f"{value:.3g}{unit}", f"≤ {limit:g}{unit}", value <= limit)


def at_least(what: str, value: float, limit: float, unit: str, *, product: str, reference: str) -> Figure:
    """A figure that is good when it is large."""
    return Figure(what, product, reference, f"{value:.3g}{unit}", f"≥ {limit:g}{unit}", value >= limit)


def show(outcomes: Sequence[Outcome]) -> None:
    table = Table(*COLUMNS)
    for outcome in outcomes:
        for row in outcome.rows():
            table.add_row(*row)
        table.add_section()
    Console(width=max(160, Console().width)).print(table)


def write(outcomes: Sequence[Outcome], command: str, place: str = "measured") -> None:
    """Write the table between the markers of that name on the documentation's page; the rest of the page stays."""
    begin, end = (marker.format(place) for marker in MARKERS)
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    PAGE.write_text(f"{before}{begin}\n{_section(outcomes, command)}\n{end}{after}", "utf-8")


def _section(outcomes: Sequence[Outcome], command: str) -> str:
    lines = [
        f"Measured on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC with `{command}` on {_machine()}"  # noqa: TID251
        f"{_configuration(outcomes)}.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
    ]
    lines += [f"| {' | '.join(row)} |" for outcome in outcomes for row in outcome.rows()]
    return "\n".join(lines)


def _configuration(outcomes: Sequence[Outcome]) -> str:
    names = dict.fromkeys(outcome.embeddings for outcome in outcomes if outcome.embeddings)
    measured = " and ".join(described(name) for name in names)
    beside = f"; the last column: with {described(DEFAULT)}" if any(o.by_default for o in outcomes) else ""
    return f", with {measured}{beside}" if measured else ""


def _machine() -> str:
    return (
        f"{os.cpu_count()} cores ({_processor()}), {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, where ten million additions in a Python loop take {_loop_seconds():.2f} s"
    )


def _loop_seconds() -> float:
    """Measure this machine's speed, to compare runs on different or shared machines: the best of three loops."""
    took = []
    for _ in range(3):
        added, begun = 0, perf_counter()
        for each in range(10_000_000):
            added += each
        took.append(perf_counter() - begun)
    return min(took)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def _verdict(met: bool | None) -> str:
    return "" if met is None else "met" if met else "missed"
