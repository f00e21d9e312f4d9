"""The contracts of `DocumentReader`, `UploadReader` and `LanguageDetector`.

Inherit `DocumentReaderContract` and `UploadReaderContract` with a fixture `reader`; `LanguageDetectorContract` in a
module with a fixture `detector` of module scope.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from contentgen_core.errors import UnreadableFile
from contentgen_core.model.ids import TenantId
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import DocumentReader, LanguageDetector, UploadReader
from contentgen_core.testing.text_analysis import any_text
from contentgen_core.testing.text_samples import RUNNING_TEXT

TENANT = TenantId("tenant-1")


class LanguageDetectorContract:
    @pytest.mark.parametrize("language", Language)
    def test_a_sentence_tells_its_language(self, detector: LanguageDetector, language: Language) -> None:
        assert detector.detect(RUNNING_TEXT[language]) is language

    @given(text=any_text)
    def test_any_text_has_a_language_and_always_the_same(self, detector: LanguageDetector, text: str) -> None:
        assert detector.detect(text) is detector.detect(text)

    def test_a_large_text_is_detected_as_fast_as_a_page(self, detector: LanguageDetector) -> None:
        assert detector.detect(RUNNING_TEXT[Language.FR] * 100_000) is Language.FR

    @pytest.mark.parametrize("text", ["", "123", "😀", "\ud800"])
    def test_a_text_without_letters_has_an_answer(self, detector: LanguageDetector, text: str) -> None:
        assert detector.detect(text) in Language


class DocumentReaderContract:
    def test_a_file_is_found_itself(self, reader: DocumentReader, tmp_path: Path) -> None:
        file = tmp_path / "a.md"
        file.write_text("# A")
        assert list(reader.discover(file)) == [file]

    def test_a_directory_is_walked_in_a_stable_order_without_hidden_and_unknown_files(
        self, reader: DocumentReader, tmp_path: Path
    ) -> None:
        for name in ("b.md", "a.txt", ".hidden.md", "photo.jpg", "sub/c.jsonl", ".git/d.md", "A.HTML"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("text")
        found = [file.relative_to(tmp_path).as_posix() for file in reader.discover(tmp_path)]
        assert found == ["A.HTML", "a.txt", "b.md", "sub/c.jsonl"]

    def test_nothing_readable_and_nothing_at_all_are_errors(self, reader: DocumentReader, tmp_path: Path) -> None:
        (tmp_path / "photo.jpg").write_text("text")
        for path in (tmp_path, tmp_path / "absent"):
            with pytest.raises(UnreadableFile, match=str(path)):
                list(reader.discover(path))

    def test_two_reads_of_a_file_have_the_same_keys(self, reader: DocumentReader, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("# A\n\ntext")
        (tmp_path / "b.jsonl").write_text("\n".join(json.dumps({"text": f"text {n}"}) for n in range(3)))
        keys = [[source.source_key for file in reader.discover(tmp_path) for source in reader.read(file)] for _ in "ab"]
        assert keys[0] == keys[1]
        assert len(set(keys[0])) == 4

    def test_a_source_without_a_title_has_its_first_heading_or_the_files_name(
        self, reader: DocumentReader, tmp_path: Path
    ) -> None:
        (tmp_path / "one.md").write_text("Some text\n\n## Heat *pumps*\n\nmore")
        (tmp_path / "two.txt").write_text("Just text")
        assert [next(reader.read(tmp_path / name)).title for name in ("one.md", "two.txt")] == ["Heat pumps", "Two"]

    def test_lines_of_jsonl_are_sources_of_their_own(self, reader: DocumentReader, tmp_path: Path) -> None:
        lines = [
            {"id": 7, "title": "A", "url": "https://example.com/a", "language": "fr-CA", "text": "Un", "extra": [1]},
            {"id": "b", "url": "javascript:alert(1)", "language": "xx", "text": "# Two\n\nText"},
        ]
        (tmp_path / "k.jsonl").write_text("\ufeff" + "\n\n".join(json.dumps(line) for line in lines))
        one, two = reader.read(tmp_path / "k.jsonl")
        assert (one.source_key, one.title, one.url, one.language) == (
            *("https://example.com/a", "A", "https://example.com/a"),
            Language.FR,
        )
        assert (two.source_key, two.title, two.url, two.language) == ("b", "Two", None, None)

    @pytest.mark.parametrize(
        "line", ["{", "[1]", '{"url": "https://example.org"}', '{"text": " "}', '{"text": 1}', "[" * 100_000]
    )
    def test_a_bad_line_is_named_by_file_and_number(self, reader: DocumentReader, tmp_path: Path, line: str) -> None:
        file = tmp_path / "k.jsonl"
        file.write_text('{"text": "fine"}\n\n' + line)
        sources = reader.read(file)
        assert next(sources).text == "fine"
        with pytest.raises(UnreadableFile, match=rf"{file}: line 3 "):
            next(sources)

    def test_an_empty_or_absent_file_or_a_directory_is_unreadable(self, reader: DocumentReader, tmp_path: Path) -> None:
        (tmp_path / "empty.md").touch()
        for path in (tmp_path / "empty.md", tmp_path / "absent.md", tmp_path):
            with pytest.raises(UnreadableFile, match=str(path)):
                list(reader.read(path))


class UploadReaderContract:
    async def test_a_file_is_what_its_bytes_say(self, reader: UploadReader) -> None:
        page = b"<!doctype html><html lang='fr'><head><title>Le titre</title></head><body><p>Un mot.</p></body></html>"
        assert await reader.media_type(page, "notes.txt") == "text/html"
        assert await reader.media_type(b"# Notes", "notes.md") == "text/markdown"

    async def test_its_whole_text_title_and_language_are_read(self, reader: UploadReader) -> None:
        page = b"<!doctype html><html lang='fr'><head><title>Le titre</title></head><body><p>Un mot.</p></body></html>"
        read = await reader.read(page, "page.html", TENANT)
        assert (read.title, read.text, read.language) == ("Le titre", "Un mot.", Language.FR)

    async def test_lines_of_jsonl_are_one_text(self, reader: UploadReader) -> None:
        lines = b'{"title": "One", "text": "First."}\n{"title": "Two", "text": "Second."}'
        read = await reader.read(lines, "two.jsonl", TENANT)
        assert read.text == "# One\n\nFirst.\n\n# Two\n\nSecond."

    @pytest.mark.parametrize("content", [b"", b"\x00\x01", bytes.fromhex("d0cf11e0a1b11ae1") + b"\x00" * 600])
    async def test_what_cannot_be_read_is_refused_under_its_own_name(
        self, reader: UploadReader, content: bytes
    ) -> None:
        with pytest.raises(UnreadableFile, match=r"^notes\.txt: "):
            await reader.media_type(content, "notes.txt")
        with pytest.raises(UnreadableFile, match=r"^notes\.txt: "):
            await reader.read(content, "notes.txt", TENANT)

    async def test_a_damaged_file_is_refused_when_it_is_read(self, reader: UploadReader) -> None:
        assert await reader.media_type(b"%PDF-1.7 nothing", "a.pdf") == "application/pdf"
        with pytest.raises(UnreadableFile, match=r"^a\.pdf: the PDF is damaged"):
            await reader.read(b"%PDF-1.7 nothing", "a.pdf", TENANT)
