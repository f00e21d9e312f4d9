"""Excel workbooks (.xlsx), by openpyxl: each row becomes a paragraph of `column: value`, as of a CSV file."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, Final

from contentgen_adapters.documents.archive import UNPACKED_LIMIT, check_archive, first_match, text_part
from contentgen_adapters.documents.docx import CREATOR, PROPERTIES, TITLE
from contentgen_adapters.documents.table import MAX_COLUMNS, MAX_ROWS, paragraph
from contentgen_adapters.shared.parsing.format import FileFormat, Storage, source, unreadable, without_tags
from contentgen_core.errors import UnreadableFile
from contentgen_core.ports.documents import SourceText

_BODY: Final = "xl/workbook.xml"
MAX_EMPTY_ROWS: Final = 1_000
"""So many empty rows end a sheet: what stands below is not read."""


def _read(path: Path, key: str) -> Iterator[SourceText]:
    try:
        with zipfile.ZipFile(path) as archive:
            check_archive(path, archive, _BODY, "Excel workbook")
            properties = text_part(archive, PROPERTIES)
        text = _markdown(path)
    except UnreadableFile:
        raise
    except Exception as exc:  # openpyxl and zipfile raise anything for a damaged part
        raise unreadable(path, "the Excel workbook is damaged. Open and save it again.") from exc
    if not text:
        raise unreadable(path, "the Excel workbook holds no rows below a header.")
    yield source(
        key, text, path.name, title=first_match(TITLE, properties), authors=(first_match(CREATOR, properties),)
    )


def _markdown(path: Path) -> str:
    import openpyxl

    workbook = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
    try:
        left, sections = MAX_ROWS, list[str]()
        for sheet in workbook.worksheets:
            rows = list(_rows(path, sheet, left))
            left -= len(rows)
            if len(rows) < 2:
                continue
            head, *below = rows
            said = [text for row in below if (text := paragraph(head, row))]
            title = " ".join(sheet.title.split())
            sections.append("\n\n".join(([f"## {title}"] if len(workbook.worksheets) > 1 else []) + said))
        return without_tags("\n\n".join(sections))
    finally:
        workbook.close()


def _rows(path: Path, sheet: Any, left: int) -> Iterator[list[str]]:
    """The rows of a sheet that hold anything, the header first. Raises UnreadableFile for more than `left`."""
    empty = 0
    for cells in sheet.iter_rows():
        row = _texts(cells)
        if not any(row):
            empty += 1
            if empty > MAX_EMPTY_ROWS:
                return
            continue
        empty, left = 0, left - 1
        if len(row) > MAX_COLUMNS and any(row[MAX_COLUMNS:]):
            raise unreadable(path, f"a sheet has more than {MAX_COLUMNS} columns. Split it.")
        if left < 0:
            raise unreadable(path, f"the workbook has more than {MAX_ROWS:,} rows. Split it.")
        yield row[:MAX_COLUMNS]


def _texts(cells: Sequence[Any]) -> list[str]:
    return [_text(cell.value, getattr(cell, "number_format", None) or "") for cell in cells]


def _text(value: object, number_format: str) -> str:
    """A cell as a person reads it: whole numbers without a fraction, shares in percent, dates in ISO 8601."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, int | float):
        return f"{_number(value * 100)}%" if "%" in number_format else _number(value)
    return str(value).strip()


def _number(value: float) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


FORMAT = FileFormat(
    label="Excel",
    suffixes=(".xlsx", ".xlsm"),
    media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    storage=Storage.ZIP,
    read=_read,
    contents="each row below the header as a paragraph of `column: value`, dates in ISO 8601, shares in percent; a "
    "sheet is a section; title, author",
    limits=f"{UNPACKED_LIMIT}, {MAX_ROWS:,} rows, {MAX_COLUMNS} columns",
)
