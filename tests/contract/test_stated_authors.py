"""What each file type says of who wrote it."""

from __future__ import annotations

import json
from pathlib import Path

import docx
import pytest
from fpdf import FPDF
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.documents.catalog import FileReader
from contentgen_adapters.shared.parsing.html import read_page

BODY = "<body><p>A heat pump moves heat from a cold place to a warm one, and needs little current for it.</p></body>"


def author(path: Path, data: bytes | str) -> str | None:
    """The author of the one source of a file with this content."""
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    (source,) = FileReader().read(path)
    return source.author


def json_ld(thing: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(thing)}</script>'


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ({"author": "Ada Ohm"}, "Ada Ohm"),
        ({"authors": ["Ada Ohm", {"name": "Bob Volt"}]}, "Ada Ohm, Bob Volt"),
        ({"author": {"name": "Ada Ohm", "url": "https://example.org"}}, "Ada Ohm"),
        ({"author": "admin", "authors": ["Bob Volt"]}, "Bob Volt"),
        ({"author": 7, "authors": [None, ["Ada"]]}, None),
        ({}, None),
    ],
)
def test_a_line_of_jsonl(tmp_path: Path, stated: dict[str, object], found: str | None) -> None:
    assert author(tmp_path / "a.jsonl", json.dumps({"text": "It pumps.", **stated})) == found


@pytest.mark.parametrize(
    ("matter", "found"),
    [
        ("author: Ada Ohm", "Ada Ohm"),
        ('Author: "Ohm, Ada"', "Ohm, Ada"),
        ("authors: [Ada Ohm, 'Bob Volt']", "Ada Ohm, Bob Volt"),
        ("authors:\n  - Ada Ohm\n  - Bob Volt\ntitle: Heat", "Ada Ohm, Bob Volt"),
        (
            "authors:\n- name: Ada Ohm\n  affiliation: Uni\n- name: Bob Volt\n  email: bob@example.org",
            "Ada Ohm, Bob Volt",
        ),
        ("author:\n  name: Ada Ohm\n  affiliation: Uni", "Ada Ohm"),
        ("author: WordPress", None),
        ("title: Heat\ndate: 2024-05-01", None),
    ],
)
def test_a_front_matter(tmp_path: Path, matter: str, found: str | None) -> None:
    assert author(tmp_path / "a.md", f"---\n{matter}\n---\nIt pumps.") == found


def test_a_front_matter_of_toml(tmp_path: Path) -> None:
    assert (
        author(tmp_path / "a.md", '+++\nauthors = [\n  "Ada Ohm",\n  "Bob Volt",\n]\n+++\nText') == "Ada Ohm, Bob Volt"
    )


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('<meta name="author" content="Ada Ohm">', "Ada Ohm"),
        ('<meta name="Author" content="Agence de l&#39;eau">', "Agence de l'eau"),
        ('<meta name="author" content="Ministry of Health">', "Ministry of Health"),
        ('<meta property="article:author" content="https://www.facebook.com/ada">', None),
        ('<meta property="article:author" content="Ada Ohm"><meta name="author" content="admin">', "Ada Ohm"),
        ('<meta name="citation_author" content="Ohm, Ada"><meta name="citation_author" content="Volt, B.">'
         '<meta name="author" content="The Journal">', "Ohm, Ada; Volt, B."),
        (json_ld({"@type": "Article", "author": {"@type": "Person", "name": "Ada Ohm"}}), "Ada Ohm"),
        (json_ld({"@type": "Article", "author": [{"name": "Ada Ohm"}, "Bob Volt"]}), "Ada Ohm, Bob Volt"),
        (json_ld({"@graph": [{"@type": "WebSite", "name": "Heat"}, {"@type": "Article", "author": {"@id": "#ada"}},
                             {"@type": "Person", "@id": "#ada", "name": "Ada Ohm"}]}), "Ada Ohm"),
        (json_ld([{"@type": "Review", "author": {"name": "A Visitor"}}]), None),
        (json_ld({"@type": ["Comment"], "author": "A Visitor"}) + '<meta name="author" content="Ada Ohm">', "Ada Ohm"),
        ('<script type="application/ld+json">{"author": </script><meta name="author" content="Ada Ohm">', "Ada Ohm"),
        (f'<script type="application/ld+json">{"[" * 100_000}</script>', None),
        ("", None),
    ],
)  # fmt: skip
def test_a_page(tmp_path: Path, head: str, found: str | None) -> None:
    assert author(tmp_path / "a.html", f"<html><head><title>Heat</title>{head}</head>{BODY}</html>") == found


def test_who_comments_on_a_page_did_not_write_it(tmp_path: Path) -> None:
    comment = '<div class="comment"><span class="author">A Visitor</span><p>I have one as well.</p></div>'
    assert author(tmp_path / "a.html", BODY.replace("</body>", f"{comment}</body>")) is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=20) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(["@type", "@id", "@graph", "author", "name"]), inner, max_size=5)
        ),
    )
)
def test_any_json_on_a_page_is_read(thing: object) -> None:
    markup = json_ld(thing).replace("</", "<\\/", json_ld(thing).count("</") - 1)
    assert isinstance(read_page(f"<html><head>{markup}</head>{BODY}</html>").authors, tuple)


@pytest.mark.parametrize(
    ("stated", "found"),
    [("Ada Ohm; Bob Volt", "Ada Ohm, Bob Volt"), ("Microsoft Office User", None), ("", None), ("Ohm & Co", "Ohm & Co")],
)
def test_a_word_document(tmp_path: Path, stated: str, found: str | None) -> None:
    document = docx.Document()
    document.core_properties.author = stated
    document.add_paragraph("It pumps.")
    document.save(str(tmp_path / "made.docx"))
    assert author(tmp_path / "a.docx", (tmp_path / "made.docx").read_bytes()) == found


@pytest.mark.parametrize(("stated", "found"), [("Ada Ohm", "Ada Ohm"), ("LaTeX with hyperref package", None)])
def test_a_pdf(tmp_path: Path, stated: str, found: str | None) -> None:
    document = FPDF()
    document.set_font("helvetica", size=12)
    document.set_author(stated)
    document.add_page()
    document.multi_cell(0, 8, "A heat pump moves heat.")
    assert author(tmp_path / "a.pdf", bytes(document.output())) == found
