"""CSV files: each row becomes a paragraph of `column: value`, so that a passage names what its figures mean."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from contentgen_adapters.shared.parsing.decoding import decode
from contentgen_adapters.shared.parsing.format import FileFormat, source, unreadable, without_tags
from contentgen_core.ports.documents import SourceText

MAX_ROWS: Final = 100_000
MAX_COLUMNS: Final = 200
_SAMPLE: Final = 20_000
_DELIMITERS: Final = ",;\t|"


def _read(path: Path, key: str) -> Iterator[SourceText]:
    text = decode(path.read_bytes())
    rows = csv.reader(text.splitlines(), _dialect(text))
    try:
        head = [cell.strip() for cell in next(rows, [])]
        if len(head) > MAX_COLUMNS:
            raise unreadable(path, f"the table has {len(head):,} columns; at most {MAX_COLUMNS} are read.")
        paragraphs = [paragraph for row in _bounded(rows, path) if (paragraph := _paragraph(head, row))]
    except csv.Error as exc:
        raise unreadable(path, f"the table is damaged: {exc}.") from exc
    if not paragraphs:
        raise unreadable(path, "the table holds no rows below its header.")
    yield source(key, without_tags("\n\n".join(paragraphs)), path.stem)


def _dialect(text: str) -> type[csv.Dialect]:
    try:
        return csv.Sniffer().sniff(text[:_SAMPLE], _DELIMITERS)
    except csv.Error:  # one column, or rows of different lengths
        return csv.excel


def _bounded(rows: Iterator[list[str]], path: Path) -> Iterator[list[str]]:
    for number, row in enumerate(rows, start=1):
        if number > MAX_ROWS:
            raise unreadable(path, f"the table has more than {MAX_ROWS:,} rows. Split it.")
        yield row


def _paragraph(head: list[str], row: list[str]) -> str:
    cells = [(name, " ".join(value.split())) for name, value in zip(head, row, strict=False)]
    said = [f"{name}: {value}" if name else value for name, value in cells if value]
    return "; ".join(said) + "." if said else ""


FORMAT = FileFormat("CSV", frozenset({".csv", ".tsv"}), _read)
