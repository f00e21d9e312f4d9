"""Titles from the names and properties of files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.policies.text.file_titles import real_title, title_of_file


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("heat-pumps_guide.md", "Heat pumps guide"),
        ("report_final_v2.docx", "Report final v2"),
        ("2024-05-01-minutes.txt", "2024-05-01 minutes"),
        ("Heat pumps - a guide.pdf", "Heat pumps - a guide"),
        ("Wärmepumpen_im_Altbau.html", "Wärmepumpen im Altbau"),
        ("pompes à chaleur.csv", "Pompes à chaleur"),
        ("热泵.md", "热泵"),
        ("heat-pumps_guide.v2.txt", "Heat pumps guide v2"),
        ("release.1.2.md", "Release 1.2"),
        ("backup.tar.gz", "Backup"),
        ("a.md.txt", "A"),
        ("README", "README"),
        ("___.md", "___.md"),
        (".hidden", "Hidden"),
        ("manual.bin", "Manual"),
    ],
)
def test_a_files_name_is_read_as_words(name: str, title: str) -> None:
    assert title_of_file(name) == title


@pytest.mark.parametrize(
    "left",
    [
        "Microsoft Word - report final.doc",
        "Untitled",
        "untitled document 3",
        "Document1",
        "Dokument 2",
        "PowerPoint Presentation",
        "Présentation PowerPoint",
        "Slide 1",
        "report_2024.indd",
        "Notes.csv",
        "scan.jpg",
        "thesis.dvi",
    ],
)
def test_what_programs_leave_is_no_title(left: str) -> None:
    assert real_title(left) == ""


@pytest.mark.parametrize(
    "title",
    [
        "Heat pumps",
        "Documentation of heat pumps",
        "Slides on heat",
        "Node.js in practice",
        "Untitled lands of Europe",
        "Microsoft Office in schools",
        "Document",
        "Book",
        "",
    ],
)
def test_a_title_stays(title: str) -> None:
    assert real_title(title) == title


@given(st.text(min_size=1, max_size=80).filter(str.strip))
def test_a_title_of_a_file_is_never_empty_nor_longer_than_its_name(name: str) -> None:
    title = title_of_file(name)

    assert title.strip()
    assert len(title) <= len(name) + 2  # a capital of one letter can be three: ﬃ
    assert "\n" not in title or "\n" in name
