"""An article as an Office Open XML document (ECMA-376), by python-docx."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from typing import Final

from attrs import evolve
from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.table import WD_TABLE_DIRECTION
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.image.exceptions import InvalidImageStreamError, UnexpectedEndOfFileError, UnrecognizedImageError
from docx.oxml.ns import qn
from docx.shared import Emu, Mm, Pt, RGBColor
from docx.styles.style import ParagraphStyle
from docx.text.paragraph import Paragraph

from contentgen_adapters.exporting.docx_texts import Texts, add_border, element, remove
from contentgen_adapters.shared.document import tree
from contentgen_adapters.shared.document.flow_charts import relations
from contentgen_adapters.shared.document.inline import Inline, Mark, Span
from contentgen_adapters.shared.document.sources import RIGHT_TO_LEFT, sources_heading
from contentgen_adapters.shared.document.tree import Block, text_blocks, without_pictures
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import encodable
from contentgen_core.model.article import Article, ImageCredit
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.coverage_notice import coverage_notice
from contentgen_core.policies.articles.image_credit import alternative_text, shown_credit

_DEEPEST_LIST: Final = 3  # levels that the styles of the template have
_ALIGNMENTS: Final = {
    "left": WD_ALIGN_PARAGRAPH.LEFT, "center": WD_ALIGN_PARAGRAPH.CENTER, "right": WD_ALIGN_PARAGRAPH.RIGHT,
}  # fmt: skip
_WIDTH: Final = Mm(165)
_TALLEST: Final = Mm(110)
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_EAST_ASIAN: Final = {Language.JA: "Yu Gothic", Language.ZH: "Microsoft YaHei", Language.KO: "Malgun Gothic"}
_BAD_PICTURE: Final = (
    UnrecognizedImageError, InvalidImageStreamError, UnexpectedEndOfFileError, ValueError, KeyError, ZeroDivisionError,
)  # fmt: skip


def docx_document(article: Article, picture: bytes | None = None) -> bytes:
    """Headings, lists, tables, code, quotations, links; each `[n]` of a source leads to its entry in the numbered list
    at the end. `picture`: the featured image (JPEG, PNG or GIF; another is left out). Pictures within the
    text are links. CPU-bound."""
    return _Writer(article).written(picture)


class _Writer:
    def __init__(self, article: Article) -> None:
        self._article = article
        self._language = article.brief.language
        self._rtl = self._language in RIGHT_TO_LEFT
        self._document = Document()
        self._texts = Texts({source.number: web_address(source.url) for source in article.sources}, self._rtl)

    def written(self, picture: bytes | None) -> bytes:
        self._set_up()
        self._paragraph((Span(_line(self._article.title)),), "Title")
        if picture is not None:
            self._add_featured_image(picture)
        if notice := coverage_notice(self._article):
            self._paragraph((Span(notice),), "Quote")
        self._blocks(text_blocks(self._article.content, self._article.sources))
        self._sources()
        file = BytesIO()
        self._document.save(file)
        return file.getvalue()

    def _set_up(self) -> None:
        article, properties = self._article, self._document.core_properties
        properties.title, properties.language = _line(article.title)[:255], self._language.value
        properties.author, properties.comments, properties.last_modified_by = "", "", ""
        properties.created, properties.modified = article.created_at, article.updated_at
        section = self._document.sections[0]
        section.page_width, section.page_height = Mm(210), Mm(297)
        section.left_margin = section.right_margin = Mm(22)
        if self._rtl:
            section._sectPr.insert_element_before(element("w:bidi"), "w:rtlGutter", "w:docGrid", "w:printerSettings")
        self._fonts()

    def _fonts(self) -> None:
        normal = self._document.styles["Normal"].element.get_or_add_rPr()
        normal.append(
            element(
                "w:lang",
                **{"w:val": self._language.value, "w:eastAsia": self._language.value, "w:bidi": self._language.value},
            )
        )
        if font := _EAST_ASIAN.get(self._language):
            normal.get_or_add_rFonts().set(qn("w:eastAsia"), font)
        code = self._document.styles.add_style("Code", WD_STYLE_TYPE.PARAGRAPH)
        assert isinstance(code, ParagraphStyle)
        code.font.name, code.font.size = "Courier New", Pt(9)
        code.paragraph_format.space_after = Pt(8)
        code.element.get_or_add_pPr().insert_element_before(
            element("w:shd", **{"w:val": "clear", "w:color": "auto", "w:fill": "F2F2F0"}),
            "w:tabs", "w:suppressAutoHyphens", "w:bidi", "w:spacing", "w:ind", "w:jc",
        )  # fmt: skip

    def _paragraph(self, content: Iterable[Inline], style: str = "Normal") -> Paragraph:
        paragraph = self._document.add_paragraph(style=style)
        self._texts.fill(paragraph, without_pictures(content))
        return paragraph

    def _blocks(self, blocks: Iterable[Block], style: str = "Normal", level: int = 0) -> None:
        """`level`: of lists around them."""
        for block in blocks:
            match block:
                case tree.Paragraph(content):
                    self._paragraph(content, style)
                case tree.Heading(depth, content):
                    self._paragraph(content, f"Heading {depth}")
                case tree.Quote(inner):
                    self._blocks(inner, "Intense Quote" if style == "Quote" else "Quote", level)
                case tree.Items():
                    self._items(block, level + 1)
                case tree.Code(text, "mermaid") if (listed := relations(text)) is not None:
                    self._blocks(text_blocks(listed, ()), style, level)
                case tree.Code(text):
                    self._code(text)
                case tree.Table():
                    self._table(block)
                case tree.Rule():
                    add_border(self._document.add_paragraph())

    def _items(self, items: tree.Items, level: int) -> None:
        depth = min(level, _DEEPEST_LIST)
        ending = "" if depth == 1 else f" {depth}"
        style = f"List {'Bullet' if items.start is None else 'Number'}{ending}"
        number = None if items.start is None else self._numbering(style, items.start)
        for item in items.items:
            first, rest = (item[0], item[1:]) if item and isinstance(item[0], tree.Paragraph) else (None, item)
            paragraph = self._paragraph(first.content if first else (), style)
            if number is not None:
                self._texts.number(paragraph, number)
            self._blocks(rest, f"List Continue{ending}", level)

    def _numbering(self, style: str, start: int) -> int:
        """A numbering of its own: lists of one style would count on from each other."""
        numbering = self._document.part.numbering_part.element
        styled = self._document.styles[style].element.pPr.numPr.numId.val
        abstract = next(n.abstractNumId.val for n in numbering.num_lst if n.numId == styled)
        made = numbering.add_num(abstract)
        made.add_lvlOverride(ilvl=0).add_startOverride(start)
        return int(made.numId)

    def _code(self, text: str) -> None:
        paragraph = self._document.add_paragraph(style="Code")
        self._texts.plain(paragraph, text)

    def _table(self, content: tree.Table) -> None:
        rows = content.rows
        if not rows or not rows[0]:
            return
        alignments = [_ALIGNMENTS.get(name or "") for name in content.alignments] or [None] * len(rows[0])
        table = self._document.add_table(len(rows), len(rows[0]), style="Table Grid")
        if self._rtl:
            table.table_direction = WD_TABLE_DIRECTION.RTL
        for at, (cells, row) in enumerate(zip(rows, table.rows, strict=True)):
            if at == 0:
                row._tr.get_or_add_trPr().append(element("w:tblHeader"))
            for inlines, cell, alignment in zip(cells, row.cells, alignments, strict=True):
                spans = without_pictures(inlines)
                if at == 0:
                    spans = tuple(evolve(span, marks=span.marks | {Mark.BOLD}) for span in spans)
                self._texts.fill(cell.paragraphs[0], spans)
                if alignment is not None:
                    cell.paragraphs[0].alignment = alignment
        self._document.add_paragraph()

    def _add_featured_image(self, picture: bytes) -> None:
        paragraph = self._document.add_paragraph()
        try:
            shape = paragraph.add_run().add_picture(BytesIO(picture), width=_WIDTH)
        except _BAD_PICTURE:
            remove(paragraph)
            return
        if shape.height > _TALLEST:
            shape.width, shape.height = Emu(shape.width * _TALLEST // shape.height), _TALLEST
        shape._inline.docPr.set("descr", _line(alternative_text(self._article)))
        if credit := shown_credit(self._article):
            self._credit(credit)

    def _credit(self, credit: ImageCredit) -> None:
        photographer = Span(_line(credit.photographer), href=web_address(credit.photographer_url))
        provider = Span(_line(credit.provider_name), href=web_address(credit.provider_url))
        paragraph = self._document.add_paragraph()
        self._texts.fill(paragraph, (Span("Photo: "), photographer, Span(" / "), provider), rtl=False)
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT if self._rtl else WD_ALIGN_PARAGRAPH.LEFT
        for run in paragraph.runs:
            run.font.size, run.font.color.rgb = Pt(8), RGBColor(0x55, 0x55, 0x55)

    def _sources(self) -> None:
        sources = sorted(self._article.sources, key=lambda source: source.number)
        if not sources:
            return
        self._paragraph((Span(sources_heading(self._language)),), "Heading 2")
        for source in sources:
            paragraph = self._document.add_paragraph()
            shown = evolve(source, title=_line(source.title), author=_line(source.author or "") or None)
            line = tree.source_line(shown)
            self._texts.fill(paragraph, without_pictures(line), citations=False)
            self._texts.mark(paragraph, source.number)


def _line(text: str) -> str:
    """Return the text in one line, without the characters that XML forbids."""
    return " ".join(_CONTROLS.sub("", encodable(text)).split())
