"""CSV files: each row becomes a paragraph of `column: value`, so that a passage names what its figures mean."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from contentgen_adapters.shared.parsing.decoding import decode
from contentgen_adapters.shared.parsing.delimited import delimited_rows, delimiter_of
from contentgen_adapters.shared.parsing.format import FileFormat, source, unreadable, without_tags
from contentgen_core.ports.documents import SourceText

MAX_ROWS: Final = 100_000
MAX_COLUMNS: Final = 200


def _read(path: Path, key: str) -> Iterator[SourceText]:
    table = decode(path.read_bytes())
    rows = delimited_rows(table, delimiter_of(table))
    try:
        head = [cell.strip() for cell in next(rows, [])]
        if len(head) > MAX_COLUMNS:
            raise unreadable(path, f"the table has {len(head):,} columns; at most {MAX_COLUMNS} are read.")
        paragraphs = [text for row in _limit_rows(rows, path) if (text := paragraph(head, row))]
    except csv.Error as exc:
        raise unreadable(path, f"the table is damaged: {exc}.") from exc
    if not paragraphs:
        raise unreadable(path, "the table holds no rows below its header.")
    yield source(key, without_tags("\n\n".join(paragraphs)), path.name)


def _limit_rows(rows: Iterator[list[str]], path: Path) -> Iterator[list[str]]:
    for number, row in enumerate(rows, start=1):
        if number > MAX_ROWS:
            raise unreadable(path, f"the table has more than {MAX_ROWS:,} rows. Split it.")
        yield row


def paragraph(head: Sequence[str], row: Sequence[str]) -> str:
    """Return a row as text, each value with the name of its column; "" for an empty row."""
    cells = [(name, " ".join(value.split())) for name, value in zip(head, row, strict=False)]
    said = [f"{name}: {value}" if name else value for name, value in cells if value]
    return "; ".join(said) + "." if said else ""


FORMAT = FileFormat(
    label="CSV",
    suffixes=(".csv", ".tsv"),
    media_type="text/csv",
    read=_read,
    contents="each row below the header as a paragraph of `column: value`",
    limits=f"{MAX_ROWS:,} rows, {MAX_COLUMNS} columns",
)
