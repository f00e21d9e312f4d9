"""Files that are made to keep a reader busy, or to make it read what it should not."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.shared.parsing.delimited import DELIMITERS, delimiter_of
from tests.contract.test_file_formats import docx_of, read, refusal, repacked

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


DOCTYPE = '<!DOCTYPE d [<!ENTITY a "aaaa">]>'


class TestDocumentTypes:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
    @pytest.mark.parametrize("before", ["", "<!--" + " " * 100_000 + "-->"], ids=["first", "late"])
    @pytest.mark.parametrize("part", ["word/document.xml", "word/header9.xml", "word/other.bin"])
    def test_is_refused_wherever_it_stands(self, tmp_path: Path, part: str, before: str, encoding: str) -> None:
        declared = f'<?xml version="1.0" encoding="{encoding}"?>'
        xml = (declared + before + DOCTYPE + "<d>&a;</d>").encode(encoding)
        assert "document type" in refusal(tmp_path / "a.docx", repacked(docx_of(), **{part: xml}))

    def test_one_that_is_told_of_is_none(self, tmp_path: Path) -> None:
        xml = b"<?xml version='1.0'?><!-- <!DOCTYPE d> --><d>&lt;!DOCTYPE d&gt;</d>"
        assert read(tmp_path / "a.docx", repacked(docx_of(), **{"word/other.xml": xml})).text
