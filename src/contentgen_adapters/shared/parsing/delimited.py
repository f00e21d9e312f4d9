"""Tables of text whose cells are separated by a sign."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from itertools import islice
from typing import Final

DELIMITERS: Final = ",;\t|"
_SAMPLE: Final = 20_000  # characters
_SAMPLE_ROWS: Final = 50


def delimiter_of(text: str) -> str:
    """Return the delimiter of a table's cells: one of DELIMITERS that occurs in the header, outside quotes. Of several,
    the one by which most of the first rows are as wide as the header, then the one that makes most columns; a comma
    if the header has none. Reads the first 20,000 characters once for each delimiter.
    """
    return max(DELIMITERS, key=lambda delimiter: _fit(text, delimiter))


def _fit(text: str, delimiter: str) -> tuple[float, int]:
    """The share of rows below the header that are as wide as it, and its width; (0, 0) where it is one column."""
    widths: list[int] = []
    with suppress(csv.Error):  # a cell beyond the limit of the csv module: what came before it decides
        widths.extend(len(row) for row in islice(delimited_rows(text[:_SAMPLE], delimiter), _SAMPLE_ROWS) if row)
    if not widths or widths[0] < 2:
        return 0.0, 0
    below = widths[1:-1] if len(text) > _SAMPLE else widths[1:]  # a sample may end within a row
    return (sum(width == widths[0] for width in below) + 1) / (len(below) + 1), widths[0]


def delimited_rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """The rows of a table. Iterating raises csv.Error for a damaged one."""
    return csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
