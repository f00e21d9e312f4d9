"""CSV files: each row becomes a paragraph of `column: value`, so that a passage names what its figures mean."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Final

from contentgen_adapters.shared.parsing.decoding import decode
from contentgen_adapters.shared.parsing.format import FileFormat, source, unreadable, without_tags
from contentgen_core.ports.documents import SourceText

MAX_ROWS: Final = 100_000
MAX_COLUMNS: Final = 200
DELIMITERS: Final = ",;\t|"
_SAMPLE: Final = 20_000  # characters
_SAMPLE_ROWS: Final = 50


def _read(path: Path, key: str) -> Iterator[SourceText]:
    table = decode(path.read_bytes())
    rows = _rows(table, delimiter_of(table))
    try:
        head = [cell.strip() for cell in next(rows, [])]
        if len(head) > MAX_COLUMNS:
            raise unreadable(path, f"the table has {len(head):,} columns; at most {MAX_COLUMNS} are read.")
        paragraphs = [text for row in _bounded(rows, path) if (text := paragraph(head, row))]
    except csv.Error as exc:
        raise unreadable(path, f"the table is damaged: {exc}.") from exc
    if not paragraphs:
        raise unreadable(path, "the table holds no rows below its header.")
    yield source(key, without_tags("\n\n".join(paragraphs)), path.name)


def delimiter_of(text: str) -> str:
    """What separates the cells of a table: one of DELIMITERS that stands in the header, outside quotes. Of several the
    one by which most of the first rows are as wide as the header, then the one that makes most columns; a comma where
    the header has none. Reads the first 20,000 characters once for each delimiter, whatever they are."""
    return max(DELIMITERS, key=lambda delimiter: _fit(text, delimiter))


def _fit(text: str, delimiter: str) -> tuple[float, int]:
    """The share of rows below the header that are as wide as it, and its width; (0, 0) where it is one column."""
    widths: list[int] = []
    with suppress(csv.Error):  # a cell beyond the limit of the csv module: what came before it decides
        widths.extend(len(row) for row in islice(_rows(text[:_SAMPLE], delimiter), _SAMPLE_ROWS) if row)
    if not widths or widths[0] < 2:
        return 0.0, 0
    below = widths[1:-1] if len(text) > _SAMPLE else widths[1:]  # a sample may end within a row
    return (sum(width == widths[0] for width in below) + 1) / (len(below) + 1), widths[0]


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)


def _bounded(rows: Iterator[list[str]], path: Path) -> Iterator[list[str]]:
    for number, row in enumerate(rows, start=1):
        if number > MAX_ROWS:
            raise unreadable(path, f"the table has more than {MAX_ROWS:,} rows. Split it.")
        yield row


def paragraph(head: Sequence[str], row: Sequence[str]) -> str:
    """What a row says, each value with the name of its column; "" for an empty one."""
    cells = [(name, " ".join(value.split())) for name, value in zip(head, row, strict=False)]
    said = [f"{name}: {value}" if name else value for name, value in cells if value]
    return "; ".join(said) + "." if said else ""


FORMAT = FileFormat("CSV", frozenset({".csv", ".tsv"}), _read)
