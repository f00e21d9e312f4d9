"""What each file type gives: text with headings, what it says of itself, a clear error when it cannot be read."""

from __future__ import annotations

import io
import os
import zipfile
from datetime import date
from pathlib import Path

import docx
import pytest
from fpdf import FPDF
from pypdf import PdfReader, PdfWriter

from contentgen_adapters.documents import jsonl
from contentgen_adapters.documents.catalog import FileReader
from contentgen_adapters.shared.parsing import pdf
from contentgen_adapters.shared.parsing.html import read_page
from contentgen_adapters.shared.parsing.pdf_text import running_text
from contentgen_core.errors import UnreadableFile
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText


def read(path: Path, data: bytes | str) -> SourceText:
    """The one source of a file with this content."""
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    (source,) = FileReader().read(path)
    return source


def refusal(path: Path, data: bytes | str) -> str:
    """Why a file with this content cannot be read."""
    with pytest.raises(UnreadableFile) as refused:
        read(path, data)
    assert str(refused.value).startswith(f"{path}: ")
    return str(refused.value).removeprefix(f"{path}: ")


def pdf_of(*pages: str, title: str = "") -> bytes:
    document = FPDF()
    document.set_font("helvetica", size=12)
    if title:
        document.set_title(title)
    for page in pages:
        document.add_page()
        document.multi_cell(0, 8, page)
    return bytes(document.output())


def encrypted(data: bytes, password: str, algorithm: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(user_password=password, owner_password="owner", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def docx_of(title: str = "") -> bytes:
    document = docx.Document()
    document.core_properties.title = title
    document.add_heading("Heat pumps", level=1)
    document.add_paragraph("They heat & cool <houses>.")
    document.add_heading("Costs", level=2)
    document.add_paragraph("Installation", style="List Bullet")
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Price", "12 000 euros"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def repacked(data: bytes, **parts: bytes) -> bytes:
    """A ZIP archive with some of its parts replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, parts.pop(name) if name in parts else old.read(name))
        for name, content in parts.items():
            new.writestr(name, content)
    return out.getvalue()


class TestPdf:
    def test_its_text_runs_on_over_lines_and_its_title_is_its_own(self, tmp_path: Path) -> None:
        text = "A heat pump moves warmth from the air into the house. " * 6
        source = read(tmp_path / "a.pdf", pdf_of(text + "\n\nA second paragraph.", title="Heat pumps"))
        assert source.title == "Heat pumps"
        assert source.text == text.strip() + "\n\nA second paragraph."

    def test_without_a_title_its_first_line_is_taken(self, tmp_path: Path) -> None:
        data = pdf_of("All about heat\n\nIt is warm.")
        assert read(tmp_path / "a.pdf", data).title == "All about heat"

    @pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
    def test_a_password_is_named_as_the_reason(self, tmp_path: Path, algorithm: str) -> None:
        data = encrypted(pdf_of("Secret"), "secret", algorithm)
        assert "password-protected" in refusal(tmp_path / "a.pdf", data)

    @pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
    def test_an_empty_password_opens_it(self, tmp_path: Path, algorithm: str) -> None:
        assert read(tmp_path / "a.pdf", encrypted(pdf_of("Not secret"), "", algorithm)).text == "Not secret"

    def test_a_scan_asks_for_ocr(self, tmp_path: Path) -> None:
        assert "OCR" in refusal(tmp_path / "a.pdf", pdf_of("", ""))

    @pytest.mark.parametrize("kept", [9, 200, 700])
    def test_a_damaged_one_says_so(self, tmp_path: Path, kept: int) -> None:
        assert "PDF" in refusal(tmp_path / "a.pdf", pdf_of("Some text")[:kept])

    def test_too_many_pages_are_refused_before_they_are_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pdf, "MAX_PAGES", 2)
        assert "3 pages; at most 2" in refusal(tmp_path / "a.pdf", pdf_of("a", "b", "c"))

    def test_too_much_text_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pdf, "MAX_TEXT_CHARACTERS", 5)
        assert "more than 5 characters" in refusal(tmp_path / "a.pdf", pdf_of("abcdef"))


class TestRunningText:
    def test_divided_words_are_joined_and_compounds_keep_their_hyphen(self) -> None:
        assert running_text(["The instal-\nlation of well-\nKnown pumps"]) == "The installation of well-Known pumps"

    def test_a_sentence_goes_on_over_a_pages_end(self) -> None:
        assert running_text(["A pump moves warmth from", "the air into the house."]) == (
            "A pump moves warmth from the air into the house."
        )

    def test_running_headers_and_page_numbers_are_left_out(self) -> None:
        pages = [f"Annual report 2024\nText of chapter {c}.\nPage {n} of 5" for n, c in enumerate("abcde")]
        assert running_text(pages) == "\n\n".join(f"Text of chapter {c}." for c in "abcde")

    def test_chinese_lines_are_joined_without_a_space(self) -> None:
        assert running_text(["热泵把室外空气的热量\n转化为供暖。"]) == "热泵把室外空气的热量转化为供暖。"

    def test_list_items_stay_on_their_own(self) -> None:
        assert running_text(["We need:\n• warm air from the outside\n• electric power of some kind"]).count("\n\n") == 2

    def test_what_looks_like_markup_is_none(self) -> None:
        assert running_text(["# 5 is a number <b>"]) == "\\# 5 is a number \\<b>"

    @pytest.mark.parametrize("pages", [[], [""], ["\n \n"], ["-", "a-"]])
    def test_pages_with_next_to_nothing_are_read(self, pages: list[str]) -> None:
        assert running_text(pages).strip("-a \n\\") == ""


class TestDocx:
    def test_headings_lists_and_tables_are_markdown(self, tmp_path: Path) -> None:
        source = read(tmp_path / "a.docx", docx_of(title="Heat & houses"))
        assert source.title == "Heat & houses"
        assert source.text.startswith("# Heat pumps\n\nThey heat & cool")
        assert "houses" in source.text
        assert "\n## Costs\n" in source.text
        assert "* Installation" in source.text
        assert "| Price | 12 000 euros |" in source.text

    def test_a_bomb_is_refused_before_it_is_unpacked(self, tmp_path: Path) -> None:
        data = repacked(docx_of(), **{"word/document.xml": b" " * 70_000_000})
        assert "unpacked" in refusal(tmp_path / "a.docx", data)

    def test_entities_are_refused(self, tmp_path: Path) -> None:
        bomb = b'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaa">]><d>&a;</d>'
        assert "document type" in refusal(tmp_path / "a.docx", repacked(docx_of(), **{"word/document.xml": bomb}))

    @pytest.mark.parametrize("name", ["a.docx", "a.txt"])
    def test_another_archive_is_no_document(self, tmp_path: Path, name: str) -> None:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("xl/workbook.xml", "<a/>")
        assert "no Word document" in refusal(tmp_path / name, out.getvalue())

    def test_a_damaged_one_says_so(self, tmp_path: Path) -> None:
        assert "damaged" in refusal(tmp_path / "a.docx", docx_of()[:2_000])
        assert "damaged" in refusal(tmp_path / "a.docx", repacked(docx_of(), **{"word/document.xml": b"<w:document"}))

    def test_a_protected_or_old_one_says_so(self, tmp_path: Path) -> None:
        assert "password" in refusal(tmp_path / "a.docx", bytes.fromhex("d0cf11e0a1b11ae1") + b"\x00" * 600)


PAGE = """<!doctype html><html lang="fr-FR"><head><title>Le titre | Site</title>
<link rel="canonical" href="https://example.com/pompe"><meta property="og:title" content="Le titre"></head><body>
<nav><a href="/">Accueil</a> <a href="/x">Autres rubriques du site</a></nav><article><h1>Le titre</h1>
<h2>Principe</h2><p>Une pompe à chaleur puise la chaleur dans l'air extérieur et la restitue dans la maison.</p>
<p>Elle consomme de l'électricité, mais bien moins qu'un radiateur classique, et dure environ vingt ans.</p>
<script>alert("x")</script></article><footer>Mentions légales</footer></body></html>"""


class TestHtml:
    @pytest.mark.parametrize("name", ["a.html", "a.txt", "a"])
    def test_the_main_text_has_its_headings_and_the_page_names_itself(self, tmp_path: Path, name: str) -> None:
        source = read(tmp_path / name, PAGE)
        assert (source.url, source.language) == ("https://example.com/pompe", Language.FR)
        assert source.source_key == source.url
        assert source.title.startswith("Le titre")
        assert "## Principe" in source.text
        assert "puise la chaleur" in source.text
        assert "alert" not in source.text
        assert "Mentions" not in source.text

    @pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "windows-1252"])
    def test_its_declared_encoding_is_understood(self, tmp_path: Path, encoding: str) -> None:
        html = PAGE.replace("<head>", f'<head><meta charset="{encoding}">')
        assert "pompe à chaleur" in read(tmp_path / "a.html", html.encode(encoding)).text

    def test_a_page_of_a_few_words_is_read_whole(self, tmp_path: Path) -> None:
        assert read(tmp_path / "a.html", "<html><body><p>Hello <b>you</b></p></body></html>").text == "Hello **you**"

    def test_a_page_built_by_scripts_says_so(self, tmp_path: Path) -> None:
        page = "<!doctype html><html><head><title>App</title></head><body><script>go()</script></body></html>"
        assert "scripts" in refusal(tmp_path / "a.html", page)

    @pytest.mark.parametrize("html", ["", "<", "plain words", "<p>\x00</p>", "\ud800", "<html>" * 500])
    def test_any_page_is_read(self, html: str) -> None:
        assert isinstance(read_page(html).text, str)


class TestMarkdownAndText:
    @pytest.mark.parametrize("mark", ["---", "+++"])
    def test_front_matter_gives_title_address_and_language(self, tmp_path: Path, mark: str) -> None:
        fields = 'title: "Heat: a start"\nurl: https://example.com/h\nlang: nb-NO\ntags: [a]'.replace(
            ":", " =" if mark == "+++" else ":", 1
        )
        source = read(tmp_path / "a.md", f"{mark}\n{fields}\n{mark}\n# Other\n\nText")
        assert (source.title, source.url, source.language) == ("Heat: a start", "https://example.com/h", Language.NO)
        assert source.text == "# Other\n\nText"

    @pytest.mark.parametrize(
        ("stated", "found"),
        [
            ("2024-05-01", date(2024, 5, 1)),
            ('"2024-05-01T09:30:00+02:00"', date(2024, 5, 1)),
            ("May 1, 2024", None),
            ("0000-00-00", None),
        ],
    )
    def test_front_matter_gives_the_date(self, tmp_path: Path, stated: str, found: date | None) -> None:
        assert read(tmp_path / "a.md", f"---\ndate: {stated}\n---\nText").published == found

    def test_a_heading_that_a_program_left_is_no_title(self, tmp_path: Path) -> None:
        assert read(tmp_path / "heat_pumps.md", "# report_final_v2.docx\n\nText").title == "Heat pumps"

    @pytest.mark.parametrize(
        "url", ["javascript:alert(1)", "file:///etc/passwd", "https://", "/relative", "http://a b"]
    )
    def test_only_web_addresses_are_kept(self, tmp_path: Path, url: str) -> None:
        assert read(tmp_path / "a.md", f"---\nurl: {url}\n---\nText").url is None

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252"])
    def test_text_is_read_in_its_encoding(self, tmp_path: Path, encoding: str) -> None:
        text = "L'été où la chaleur était élevée, les énergies coûtaient cher à Besançon."
        assert read(tmp_path / "a.txt", (text + "\r\nFin").encode(encoding)).text == text + "\nFin"

    @pytest.mark.parametrize(
        ("text", "encoding"),
        [
            ("Łódź jest ładna, a źródło ciepła tanie.", "cp1250"),
            ("Тепло воздуха в доме и зимой, и летом.", "cp1251"),
            ("熱泵把室外空氣的熱量轉化為整個房屋的供暖。", "big5"),
        ],
    )
    def test_old_encodings_are_told_apart(self, tmp_path: Path, text: str, encoding: str) -> None:
        assert read(tmp_path / "a.txt", text.encode(encoding)).text == text

    def test_angle_brackets_of_a_text_are_no_tags(self, tmp_path: Path) -> None:
        assert read(tmp_path / "a.txt", "A List<String> of x < y").text == "A List\\<String> of x < y"

    def test_a_markdown_file_may_begin_with_html(self, tmp_path: Path) -> None:
        assert read(tmp_path / "a.md", "<html>\n\n# Title").title == "Title"


class TestAnyFile:
    def test_content_decides_before_the_name(self, tmp_path: Path) -> None:
        assert read(tmp_path / "a.txt", pdf_of("In truth a PDF")).text == "In truth a PDF"
        assert "not a PDF" in refusal(tmp_path / "a.pdf", "In truth a text")

    def test_a_binary_file_is_no_text(self, tmp_path: Path) -> None:
        assert "not a text" in refusal(tmp_path / "a.txt", b"\x89PNG\x00\x00")

    def test_a_file_beyond_the_limit_is_refused_unread(self, tmp_path: Path) -> None:
        file = tmp_path / "a.md"
        file.write_text("# A")
        os.truncate(file, 100_000_001)
        with pytest.raises(UnreadableFile, match="100,000,001 bytes; at most 100,000,000"):
            list(FileReader().read(file))

    def test_a_line_of_jsonl_has_its_own_limit(self, tmp_path: Path) -> None:
        line = '{"text": "' + "a" * jsonl.MAX_LINE_BYTES + '"}'
        assert "line 1 is longer than 5,000,000 bytes" in refusal(tmp_path / "a.jsonl", line)

    @pytest.mark.parametrize("line", ['{"title": "Tides <power>"}', '{"title": "Tides <power>", "text": "  "}'])
    def test_a_title_without_a_text_is_a_source_of_its_title(self, tmp_path: Path, line: str) -> None:
        (tmp_path / "a.jsonl").write_text(line + '\n{"text": "More."}')
        titled, more = FileReader().read(tmp_path / "a.jsonl")
        assert (titled.title, titled.text, more.text) == ("Tides <power>", "Tides \\<power>", "More.")
        noted = read(tmp_path / "a.md", "---\ntitle: Tides\n---\n\n")
        assert (noted.title, noted.text) == ("Tides", "Tides")

    def test_a_line_has_the_first_real_title_and_its_date(self, tmp_path: Path) -> None:
        line = '{"title": "Untitled", "headline": "Heat today", "name": "n", "date": "2024-05-01", "text": "More."}'
        found = read(tmp_path / "a.jsonl", line)
        assert (found.title, found.published) == ("Heat today", date(2024, 5, 1))

    def test_a_page_gives_its_date(self, tmp_path: Path) -> None:
        head = '<meta property="article:published_time" content="2024-05-01T08:00:00Z"><title>Heat today</title>'
        page = f"<html><head>{head}</head><body><article><p>{'Heat moves. ' * 30}</p></article></body></html>"
        assert read(tmp_path / "a.html", page).published == date(2024, 5, 1)

    def test_a_line_of_nothing_is_refused(self, tmp_path: Path) -> None:
        assert "line 1 is without a `text` and a `title`" in refusal(tmp_path / "a.jsonl", '{"id": 1, "title": " "}')

    def test_a_file_without_permission_says_so(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def denied(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        (tmp_path / "a.md").write_text("# A")
        monkeypatch.setattr(Path, "open", denied)
        with pytest.raises(UnreadableFile, match="Permission denied"):
            list(FileReader().read(tmp_path / "a.md"))

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "a.md")
        with pytest.raises(UnreadableFile, match="not a regular file"):
            list(FileReader().read(tmp_path / "a.md"))

    def test_keys_are_relative_to_the_root(self, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / "a.md").write_text("# A")
        (source,) = FileReader(tmp_path).read(tmp_path / "sub" / "a.md")
        assert source.source_key == "sub/a.md"
