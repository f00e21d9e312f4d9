"""Tables of measured quality, on the terminal and between the markers of docs/quality.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from attrs import frozen
from rich.console import Console
from rich.table import Table as Shown

PAGE: Final = Path(__file__).parents[2] / "docs" / "quality.md"
IMAGES: Final = PAGE.parent / "images"
TARGETS: Final = ("articles", "summedits")
"""Parts with a make target of their own."""
VERDICTS: Final = {True: "met", False: "missed", None: ""}


@frozen
class Table:
    """A table of the report. `rows` have one cell a column. `note` is printed below: which data it was fitted on, what
    was left out.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    plots: Sequence[Plot] = ()


@frozen
class Plot:
    """A picture of the figures, as SVG text; written to docs/images/NAME.svg."""

    name: str
    title: str
    svg: str


def at_least(value: float, target: float, digits: int = 3) -> tuple[str, str, str]:
    """The cells (measured, target, verdict). What is compared is the figure itself, not the rounded one."""
    return f"{value:.{digits}f}", f"≥ {target:.{digits}f}", VERDICTS[value >= target]


def at_most(value: float, target: float, digits: int = 3) -> tuple[str, str, str]:
    """Format a figure that should be low, like the function above for high ones."""
    return f"{value:.{digits}f}", f"≤ {target:.{digits}f}", VERDICTS[value <= target]


def show(tables: Sequence[Table]) -> None:
    console = Console(width=max(160, Console().width))
    for table in tables:
        shown = Shown(*table.columns, title=table.title, title_justify="left")
        for row in table.rows:
            shown.add_row(*row)
        console.print(shown)
        if table.note:
            console.print(table.note, soft_wrap=True, markup=False)


def write(name: str, tables: Sequence[Table], page: Path = PAGE) -> None:
    """Write the tables between the page's markers of this part; the rest of the page stays. Raises ValueError when the
    page has no such markers.
    """
    begin, end = f"<!-- measured {name}: begin -->", f"<!-- measured {name}: end -->"
    text = page.read_text("utf-8")
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{page.name} has no markers for {name}")
    for plot in (plot for table in tables for plot in table.plots):
        IMAGES.mkdir(exist_ok=True)
        (IMAGES / f"{plot.name}.svg").write_text(plot.svg, "utf-8")
    page.write_text(f"{before}{begin}\n{_markdown(name, tables)}\n{end}{after}", "utf-8")


def _markdown(name: str, tables: Sequence[Table]) -> str:
    lines = [f"Measured on {datetime.now(UTC):%Y-%m-%d} with `{_command(name)}`."]  # noqa: TID251
    for table in tables:
        lines += ["", f"### {table.title}", "", _row(table.columns), "|" + "---|" * len(table.columns)]
        lines += [_row(row) for row in table.rows]
        lines += ["", table.note] if table.note else []
        for plot in table.plots:
            lines += ["", f"![{plot.title}](images/{plot.name}.svg)"]
    return "\n".join(lines)


def _command(name: str) -> str:
    return f"make bench-{name}" if name in TARGETS else f"make bench-quality NAMES={name}"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
