"""Files that are made to keep a reader busy, or to make it read what it should not."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.documents.table import DELIMITERS, delimiter_of
from tests.contract.test_file_formats import read

words = st.text("abcdefghij ", min_size=1, max_size=8).filter(str.strip)
cells = st.text(st.characters(exclude_characters="\r\0", exclude_categories=("Cs",)), max_size=12)
tables = st.integers(2, 5).flatmap(
    lambda width: st.tuples(
        st.lists(words, min_size=width, max_size=width),
        st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=6),
    )
)


class TestDelimiters:
    @given(tables, st.sampled_from(DELIMITERS))
    def test_a_table_written_by_the_csv_module_is_read_with_its_delimiter(
        self, table: tuple[list[str], list[list[str]]], delimiter: str
    ) -> None:
        head, rows = table
        out = io.StringIO()
        csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([head, *rows])
        assert delimiter_of(out.getvalue()) == delimiter

    @given(st.text("',;\t|\"\n ab", max_size=300), st.integers(1, 2_000))
    def test_any_text_has_one(self, text: str, times: int) -> None:
        assert delimiter_of(text * times) in DELIMITERS

    def test_rows_as_wide_as_the_header_outweigh_commas_in_it(self) -> None:
        assert delimiter_of("price, net;name\n1,5;pump\n12;radiator\n") == ";"

    def test_quotes_without_end_take_no_time(self, tmp_path: Path) -> None:
        """Looking for the delimiter with csv.Sniffer takes for ever here."""
        source = read(tmp_path / "a.csv", 'x,"y",z\n' + '"' * 2000 + " a")
        assert source.text.startswith("x: ")

    def test_a_line_end_within_a_cell_separates_its_words(self, tmp_path: Path) -> None:
        source = read(tmp_path / "a.csv", 'name; text\npump; "warm\nhouse"\n')
        assert source.text == "name: pump; text: warm house."
