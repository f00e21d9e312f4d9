"""Workbooks, presentations, OpenDocument texts, e-books and RTF: what each gives, and why one cannot be read."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pptx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pptx.util import Inches

from contentgen_adapters.documents import archive, table, xlsx
from contentgen_adapters.documents.catalog import FileReader, format_of_bytes
from contentgen_adapters.shared.parsing.decoding import looks_binary
from contentgen_core.errors import UnreadableFile
from contentgen_core.model.vocabulary import Language
from tests.contract.test_file_formats import docx_of, read, refusal, repacked


def xlsx_of(*sheets: list[list[Any]], title: str = "", formats: dict[str, str] | None = None) -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.remove(book.active)
    for n, rows in enumerate(sheets):
        sheet = book.create_sheet(f"Sheet {n}")
        for row in rows:
            sheet.append(row)
        for cell, number_format in (formats or {}).items():
            sheet[cell].number_format = number_format
    book.properties.title, book.properties.creator = title, "Ada Ohm"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def pptx_of() -> bytes:
    deck = pptx.Presentation()
    deck.core_properties.title, deck.core_properties.author = "Heat at home", "Ada Ohm"
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Costs & <grants>"
    slide.placeholders[1].text = "A pump costs 12,000 pounds.\nThe grant pays 4,000 pounds."
    slide.notes_slide.notes_text_frame.text = "The grant ends in 2027."
    cells = slide.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    for n, text in enumerate(("Pump", "Price", "Air", "12,000")):
        cells.cell(n // 2, n % 2).text = text
    group = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1)).text_frame.text = "Ask an installer."
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def zipped(media_type: str, parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("mimetype", media_type, zipfile.ZIP_STORED)
        for name, content in parts.items():
            made.writestr(name, content)
    return out.getvalue()


ODT = "application/vnd.oasis.opendocument.text"
OPEN = "urn:oasis:names:tc:opendocument:xmlns"


def odt_of(body: str, meta: str = "") -> bytes:
    spaces = f'xmlns:office="{OPEN}:office:1.0" xmlns:text="{OPEN}:text:1.0" xmlns:table="{OPEN}:table:1.0"'
    content = (
        f"<?xml version='1.0'?><office:document-content {spaces}><office:body><office:text>{body}"
        "</office:text></office:body></office:document-content>"
    )
    described = f'<m xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="{OPEN}:meta:1.0">{meta}</m>'
    return zipped(ODT, {"content.xml": content, "meta.xml": described})


TEXT = """
<text:tracked-changes><text:p>Deleted long ago.</text:p></text:tracked-changes>
<text:h text:outline-level="1">Heat <text:span>pumps</text:span></text:h>
<text:p>They heat<text:s/>&amp; cool &lt;houses&gt;<text:note><text:p>A footnote.</text:p></text:note>.</text:p>
<text:section><text:list><text:list-item><text:p>Air</text:p></text:list-item>
<text:list-item><text:p>Ground</text:p></text:list-item></text:list></text:section>
<table:table><table:table-row><table:table-cell><text:p>Price</text:p></table:table-cell>
<table:table-cell><text:p>12 000</text:p><text:p>euros</text:p></table:table-cell></table:table-row></table:table>
"""

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
)
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Heat at home</dc:title><dc:creator>Ada Ohm</dc:creator><dc:language>en-GB</dc:language>
<dc:date>2024-03-05</dc:date></metadata><manifest>
<item id="two" href="ch%202.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>
<item id="css" href="a.css" media-type="text/css"/></manifest>
<spine><itemref idref="one"/><itemref idref="two"/><itemref idref="css"/><itemref idref="gone"/></spine></package>"""


def page(body: str) -> str:
    head = '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html><head><title>Hidden</title></head>'
    return f"{head}<body>{body}</body></html>"


def epub_of(**more: str) -> bytes:
    parts = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": PACKAGE,
        "OPS/one.xhtml": page("<h1>Costs</h1><p>Une pompe à chaleur costs 12,000&nbsp;euros.</p><script>x()</script>"),
        "OPS/ch 2.xhtml": page("<h1>Grants</h1><p>The grant pays 4,000 euros.</p>"),
    }
    return zipped("application/epub+zip", parts | more)


RTF = (
    r"{\rtf1\ansi{\fonttbl\f0 Arial;}{\info{\title Heat at home}{\author Ada Ohm}}"
    r"\f0 A heat pump co\'fbts less <b>.\par\par The grant pays 4,000 \u8364? a year.\par}"
)


class TestWorkbooks:
    def test_each_row_says_what_its_figures_mean(self, tmp_path: Path) -> None:
        rows = [
            ["Pump", "Price", "Share", "Since", "Sold", None],
            ["Air", 12000.0, 0.25, datetime(2024, 3, 5), True, "x"],  # noqa: DTZ001 - a cell has no time zone
            [None, None, None, None, None, None],
            ["Ground <b>", 18000.5, None, date(2023, 1, 2), False, None],
        ]
        source = read(tmp_path / "a.xlsx", xlsx_of(rows, title="Prices", formats={"C2": "0%"}))
        assert source.text == (
            "Pump: Air; Price: 12000; Share: 25%; Since: 2024-03-05; Sold: yes; x.\n\n"
            "Pump: Ground \\<b>; Price: 18000.5; Since: 2023-01-02; Sold: no."
        )
        assert (source.title, source.author) == ("Prices", "Ada Ohm")

    def test_several_sheets_are_sections(self, tmp_path: Path) -> None:
        data = xlsx_of([["A"], ["1"]], [["only a header"]], [["B"], ["2"]])
        assert read(tmp_path / "a.xlsx", data).text == "## Sheet 0\n\nA: 1.\n\n## Sheet 2\n\nB: 2."

    def test_without_rows_it_says_so(self, tmp_path: Path) -> None:
        assert "no rows" in refusal(tmp_path / "a.xlsx", xlsx_of([["A", "B"]]))

    def test_too_many_rows_or_columns_are_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        wide = [["c"] * (table.MAX_COLUMNS + 1), ["1"]]
        assert "more than 200 columns" in refusal(tmp_path / "a.xlsx", xlsx_of(wide))
        monkeypatch.setattr(xlsx, "MAX_ROWS", 3)
        assert read(tmp_path / "b.xlsx", xlsx_of([["A"], ["1"], ["2"]])).text
        assert "more than 3 rows" in refusal(tmp_path / "c.xlsx", xlsx_of([["A"], ["1"]], [["B"], ["2"]]))

    def test_a_row_at_the_end_of_the_sheet_keeps_nobody_busy(self, tmp_path: Path) -> None:
        book = openpyxl.Workbook()
        assert book.active is not None
        book.active["A1"], book.active["A2"], book.active["A1048576"] = "Pump", "Air", "far below"
        out = io.BytesIO()
        book.save(out)
        assert read(tmp_path / "a.xlsx", out.getvalue()).text == "Pump: Air."

    @given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e14, max_value=1e14))
    def test_numbers_keep_their_value(self, number: float) -> None:
        assert float(xlsx._number(number)) == pytest.approx(number, rel=1e-14)


def test_a_presentation_gives_titles_points_tables_and_notes(tmp_path: Path) -> None:
    source = read(tmp_path / "a.pptx", pptx_of())
    assert (source.title, source.author) == ("Heat at home", "Ada Ohm")
    assert source.text.startswith("## Costs & \\<grants\\>" if "\\<grants" in source.text else "## Costs & ")
    for part in ("A pump costs 12,000 pounds.", "The grant pays 4,000 pounds.", "The grant ends in 2027."):
        assert part in source.text
    assert "| Air | 12,000 |" in source.text
    assert source.text.endswith("Ask an installer.")


def test_an_open_document_gives_headings_lists_and_tables(tmp_path: Path) -> None:
    meta = "<dc:title>Heat &amp; home</dc:title><meta:initial-creator>Ada Ohm</meta:initial-creator>"
    source = read(tmp_path / "a.odt", odt_of(TEXT, f"{meta}<dc:language>en-GB</dc:language>"))
    assert (source.title, source.author, source.language) == ("Heat & home", "Ada Ohm", Language.EN)
    assert source.text.startswith("# Heat pumps\n\nThey heat & cool ")
    assert "houses" in source.text
    assert "Air\n" in source.text
    assert "12 000 euros" in source.text
    assert not {"Deleted", "footnote"} & set(source.text.split())


def test_deep_lists_of_an_open_document_are_read(tmp_path: Path) -> None:
    depth = 100
    body = "<text:list><text:list-item>" * depth + "<text:p>Deep.</text:p>" + "</text:list-item></text:list>" * depth
    assert "Deep." in read(tmp_path / "a.odt", odt_of(body)).text


def test_an_e_book_gives_its_chapters_in_order(tmp_path: Path) -> None:
    source = read(tmp_path / "a.epub", epub_of())
    assert source.text.replace("\u00a0", " ") == (
        "# Costs\n\nUne pompe à chaleur costs 12,000 euros.\n\n# Grants\n\nThe grant pays 4,000 euros."
    )
    assert (source.title, source.author, source.language, source.published) == (
        "Heat at home", "Ada Ohm", Language.EN, date(2024, 3, 5)
    )  # fmt: skip


def test_a_protected_e_book_says_so(tmp_path: Path) -> None:
    reference = '<encryption><CipherReference URI="OPS/{}"/></encryption>'
    assert "copy-protected" in refusal(
        tmp_path / "a.epub", epub_of(**{"META-INF/encryption.xml": reference.format("ch%202.xhtml")})
    )
    assert read(tmp_path / "b.epub", epub_of(**{"META-INF/encryption.xml": reference.format("font.otf")})).text


def test_rich_text_gives_its_paragraphs(tmp_path: Path) -> None:
    source = read(tmp_path / "a.rtf", RTF)
    assert source.text == "A heat pump coûts less \\<b>.\n\nThe grant pays 4,000 € a year."
    assert (source.title, source.author) == ("Heat at home", "Ada Ohm")


MADE = {
    ".xlsx": xlsx_of([["A"], ["1"]]),
    ".pptx": pptx_of(),
    ".odt": odt_of(TEXT),
    ".epub": epub_of(),
    ".rtf": RTF.encode(),
    ".docx": docx_of(),
}


@pytest.mark.parametrize("suffix", [".odt", ".epub", ".rtf"])
def test_content_decides_before_the_name(suffix: str) -> None:
    assert suffix in format_of_bytes("a.docx", MADE[suffix]).suffixes
    assert suffix in format_of_bytes("unnamed", MADE[suffix]).suffixes


@pytest.mark.parametrize("suffix", [".xlsx", ".pptx", ".odt", ".epub"])
@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9])
def test_a_damaged_one_says_so(tmp_path: Path, suffix: str, kept: float) -> None:
    made = MADE[suffix]
    assert "damaged" in refusal(tmp_path / f"a{suffix}", made[: int(kept * len(made))])


@pytest.mark.parametrize("suffix", [".xlsx", ".pptx"])
@pytest.mark.parametrize("other", [".docx", ".xlsx", ".pptx"])
def test_another_archive_under_its_name_is_told(tmp_path: Path, suffix: str, other: str) -> None:
    if suffix != other:
        assert "a ZIP archive that is no" in refusal(tmp_path / f"a{suffix}", MADE[other])


@pytest.mark.parametrize(
    ("suffix", "part"),
    [(".xlsx", "xl/worksheets/sheet9.xml"), (".pptx", "ppt/slides/slide9.xml"), (".odt", "content.xml"),
     (".epub", "OPS/book.opf")],
)  # fmt: skip
def test_document_types_are_refused(tmp_path: Path, suffix: str, part: str) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaa">]><d>&a;</d>'
    assert "document type" in refusal(tmp_path / f"a{suffix}", repacked(MADE[suffix], **{part: bomb}))


@pytest.mark.parametrize("suffix", [".xlsx", ".pptx", ".odt", ".epub"])
def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED_BYTES", 300)
    assert "unpacked" in refusal(tmp_path / f"a{suffix}", MADE[suffix])


@pytest.mark.parametrize("suffix", MADE)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_no_damage_is_more_than_a_refusal(suffix: str, data: st.DataObject, tmp_path_factory: Any) -> None:
    content = bytearray(MADE[suffix])
    for at in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=8)):
        content[at] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.mktemp("damaged") / f"a{suffix}"
    path.write_bytes(bytes(content))
    with suppress(UnreadableFile):
        list(FileReader().read(path))


@pytest.mark.parametrize("head", [b"\x89PNG\r\n\x1a\nabc", b"\xff\xd8\xff\xe0abc", b"GIF89aabc", b"\x1f\x8b\x08abc"])
def test_pictures_and_archives_are_no_text(head: bytes, tmp_path: Path) -> None:
    assert looks_binary(head)
    assert "not a text" in refusal(tmp_path / "a.txt", head)
