"""An article as an office document, read back by another library and in its XML."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import mammoth
import pytest
from docx import Document
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from contentgen_adapters.exporting.docx import docx_document
from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.model.coverage import ArticleCoverage, CoverageLevel
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.coverage_notice import NOTICES
from contentgen_core.testing import builders
from tests.support.pictures import PNG

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
SOURCES = (
    ArticleSource(1, "Heat <pump> basics", DocumentId("d1"), 0, "https://kb.example/1?a=1&b=2"),
    ArticleSource(2, "A book", DocumentId("d2"), 0, None),
)


def article(content: str, language: Language = Language.EN, **changes: Any) -> Article:
    brief = builders.brief(language=language)
    return builders.article(**{"title": "Heat", "content": content, "brief": brief, "sources": SOURCES} | changes)


def html_of(content: str, **changes: Any) -> str:
    read = mammoth.convert_to_html(io.BytesIO(docx_document(article(content, **changes))))
    return str(read.value)


def body_of(content: bytes) -> Any:
    root = etree.fromstring(zipfile.ZipFile(io.BytesIO(content)).read("word/document.xml"))
    return root.find(f"{W}body")


def paragraph_with(body: Any, text: str) -> Any:
    return next(p for p in body.iter(f"{W}p") if text in "".join(t.text or "" for t in p.iter(f"{W}t")))


def test_structure_survives() -> None:
    html = html_of(
        "# One\n\nText **bold** *italic* ~~gone~~ [link](https://x.example/?a=1&b=2).\n\n## Two\n\n- a\n  - b\n\n"
        "| H | I |\n|---|---|\n| 1 | **2** |\n\n> quoted\n\n```python\nif a:\n    b()\n```\n",
        sources=(),
    )
    assert "<h1>One</h1>" in html
    assert "<h2>Two</h2>" in html
    assert "<strong>bold</strong> <em>italic</em> <s>gone</s>" in html
    assert '<a href="https://x.example/?a=1&amp;b=2">link</a>' in html
    assert "<li>a</li><li>b</li>" in html  # a list of the second level is a style of its own
    assert "<th><p><strong>H</strong></p></th>" in html
    assert "<td><p><strong>2</strong></p></td>" in html
    assert "if a:<br />    b()" in html
    assert "quoted" in html


def test_a_topic_that_is_not_covered_is_told_before_the_text() -> None:
    told = html_of("A text.", coverage=ArticleCoverage(CoverageLevel.INSUFFICIENT, 4.0))
    assert told.index(NOTICES[Language.EN][0]) < told.index("A text.")
    assert NOTICES[Language.EN][0] not in html_of("A text.", coverage=ArticleCoverage(CoverageLevel.GOOD, 80.0))


def test_notes_tasks_columns_and_flow_charts_are_what_a_word_processor_has_for_them() -> None:
    text = (
        "Heat[^a] H<sub>2</sub>O.\n\n- [x] done\n\n| A |\n|--:|\n| 1 |\n\n"
        "```mermaid\ngraph TD\n  P[Pump] --> W[Winter]\n```\n\n[^a]: The note.\n"
    )
    html = html_of(text, sources=())
    for part in (
        "Heat<sup>1</sup> H<sub>2</sub>O.",
        "<li>\u2611 done</li>",
        "<li>Pump</li>",
        "<li>Winter</li>",
        "The note.",
    ):
        assert part in html
    body = body_of(docx_document(article(text, sources=())))
    [cell] = [c for c in body.iter(f"{W}tc") if "".join(t.text or "" for t in c.iter(f"{W}t")) == "1"]
    assert cell.find(f"{W}p/{W}pPr/{W}jc").get(f"{W}val") == "right"


def test_lists_within_lists_have_the_styles_of_their_level() -> None:
    made = Document(io.BytesIO(docx_document(article("- uno\n  1. due\n     - tre\n       - quattro\n\n  more\n"))))
    styles = {p.text: p.style.name for p in made.paragraphs if p.style is not None}
    assert {text: styles[text] for text in ("uno", "due", "tre", "quattro", "more")} == {
        "uno": "List Bullet", "due": "List Number 2", "tre": "List Bullet 3", "quattro": "List Bullet 3",
        "more": "List Continue",
    }  # fmt: skip


def test_citations_lead_to_their_numbered_sources() -> None:
    html = html_of("It moves heat [1] and more [2], not [3]. `[1]` is code.")
    assert html.count('<a href="#source_1"><sup>[1]</sup></a>') == 1
    assert html.count('<a href="#source_2"><sup>[2]</sup></a>') == 1
    assert "not [3]. [1] is code." in html
    assert "<h2>Sources</h2>" in html
    assert '<a id="source_1"></a>[1] Heat &lt;pump&gt; basics<br /><a href="https://kb.example/1?a=1&amp;b=2">' in html
    assert '<a id="source_2"></a>[2] A book' in html


def test_each_numbered_list_begins_with_its_own_number() -> None:
    body = body_of(docx_document(article("1. uno\n2. due\n\nbetween\n\n7. sette\n")))
    numbers = [
        paragraph_with(body, text).find(f"{W}pPr/{W}numPr/{W}numId").get(f"{W}val") for text in ("uno", "due", "sette")
    ]
    assert numbers[0] == numbers[1] != numbers[2]
    numbering = etree.fromstring(
        zipfile.ZipFile(io.BytesIO(docx_document(article("7. c\n")))).read("word/numbering.xml")
    )
    assert [start.get(f"{W}val") for start in numbering.iter(f"{W}startOverride")] == ["7"]


@pytest.mark.parametrize(
    ("language", "text", "mixed"),
    [(Language.AR, "مضخة الحرارة", "كلمة English هنا"), (Language.HE, "משאבת חום", "מילה English כאן")],
)
def test_right_to_left_text_runs_from_right_to_left(language: Language, text: str, mixed: str) -> None:
    content = f"{text} 3.5\n\n{mixed}\n\n| {text} | I |\n|---|---|\n| 12 kWh | b |\n\n```\nprint(1)\n```\n"
    body = body_of(docx_document(article(content, language, title=text)))
    assert body.find(f"{W}sectPr/{W}bidi") is not None
    assert body.find(f"{W}tbl/{W}tblPr/{W}bidiVisual") is not None
    for each in (f"{text} 3.5", mixed):
        assert paragraph_with(body, each).find(f"{W}pPr/{W}bidi") is not None
    runs = {
        "".join(t.text for t in run.iter(f"{W}t")): run.find(f"{W}rPr/{W}rtl") is not None
        for run in paragraph_with(body, mixed).iter(f"{W}r")
    }
    assert runs == {mixed.split("English")[0]: True, "English": False, mixed.split("English")[1]: True}
    for left_to_right in ("12 kWh", "print(1)"):
        assert paragraph_with(body, left_to_right).find(f"{W}pPr/{W}bidi") is None


def test_a_document_says_its_language_and_title_and_names_a_font_for_its_script() -> None:
    content = docx_document(article("熱を運ぶ。", Language.JA, title="ヒートポンプ"))
    assert "熱を運ぶ。" in "".join(t.text or "" for t in body_of(content).iter(f"{W}t"))
    made = Document(io.BytesIO(content))
    assert (made.core_properties.title, made.core_properties.language) == ("ヒートポンプ", "ja")
    assert "python-docx" not in made.core_properties.author + made.core_properties.comments
    styles = zipfile.ZipFile(io.BytesIO(content)).read("word/styles.xml").decode()
    assert 'w:eastAsia="Yu Gothic"' in styles


def test_the_featured_image_comes_with_its_text_and_credit() -> None:
    full = builders.full_article()
    content = docx_document(full, PNG)
    assert full.image_credit is not None
    xml = etree.tostring(body_of(content)).decode()
    assert f'descr="{full.image_credit.alt}"' in xml
    assert any(name.startswith("word/media/") for name in zipfile.ZipFile(io.BytesIO(content)).namelist())
    assert "Photo: " in xml
    assert "Ada Ohm" in xml


@pytest.mark.parametrize("picture", [b"", b"\xff\xd8\xff", PNG[:20], b"RIFF....WEBPVP8 "])
def test_a_picture_that_cannot_be_read_is_left_out_with_its_credit(picture: bytes) -> None:
    xml = etree.tostring(body_of(docx_document(builders.full_article(), picture))).decode()
    assert "Photo: " not in xml
    assert "<w:drawing" not in xml


@settings(max_examples=60, deadline=None)
@given(
    content=st.text(max_size=200) | st.text("#*_`[]()<>|-1. \n\0\x0b\u202eaא", max_size=200),
    title=st.text(max_size=50),
    language=st.sampled_from([Language.EN, Language.AR, Language.ZH]),
)
def test_any_text_becomes_a_document(content: str, title: str, language: Language) -> None:
    made = docx_document(article(content, language, title=title))
    Document(io.BytesIO(made))
    ids = re.findall(r'w:name="(source_\d+)"', etree.tostring(body_of(made)).decode())
    assert ids == ["source_1", "source_2"]
