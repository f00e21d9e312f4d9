"""Text runs of a Word document: formatting, links, citations and writing direction."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import evolve
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import RGBColor
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from contentgen_adapters.shared.document.citations import CITATION
from contentgen_adapters.shared.document.inline import Mark, Span

_LINK: Final = RGBColor(0x0B, 0x4F, 0x8A)
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
# Words without any letter of Hebrew, Arabic and the scripts that follow Arabic in Unicode's right-to-left blocks.
_WORDS: Final = re.compile(
    r"[^\s\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?:\s+[^\s\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*"
)
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def element(name: str, **attributes: str) -> Any:
    """An empty XML element. `name` and the attributes' names have their namespace prefix."""
    made = OxmlElement(name)
    for key, value in attributes.items():
        made.set(qn(key), value)
    return made


class Texts:
    """Writes text into paragraphs.

    `sources`: the address of each source by its number. `rtl`: whether the document is written right to left.
    """

    def __init__(self, sources: Mapping[int, str | None], rtl: bool) -> None:
        self._sources, self._rtl = sources, rtl

    def fill(
        self, paragraph: Paragraph, spans: Iterable[Span], *, citations: bool = True, rtl: bool | None = None
    ) -> None:
        """Appends spans to a paragraph.

        `citations`: whether each `[n]` becomes a link to the entry of source n. `rtl`: the direction; by default that
        of the text.
        """
        content = [part for span in spans for part in (self._split_at_citations(span) if citations else (span,))]
        if self._rtl if rtl is None else rtl:
            _run_right_to_left(paragraph, "".join(span.text for span in content))
            content = [evolve(span, text=text) for span in content for text in _one_way(span)]
        for span in content:
            self._add(paragraph, span)

    def plain(self, paragraph: Paragraph, text: str) -> None:
        """Appends code unchanged, left to right."""
        paragraph.add_run(_CONTROLS.sub("", text))

    def mark(self, paragraph: Paragraph, number: int) -> None:
        """Bookmarks the paragraph as the entry of source `number`: the target of its citations."""
        begin = element("w:bookmarkStart", **{"w:id": str(number), "w:name": _anchor(number)})
        first = paragraph._p.pPr
        paragraph._p.insert(0 if first is None else 1, begin)
        paragraph._p.append(element("w:bookmarkEnd", **{"w:id": str(number)}))

    def number(self, paragraph: Paragraph, numbering: int) -> None:
        properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
        properties.get_or_add_ilvl().val = 0
        properties.get_or_add_numId().val = numbering

    def _split_at_citations(self, span: Span) -> Iterator[Span]:
        """Splits a span at its citations `[n]`."""
        if Mark.CODE in span.marks:
            yield span
            return
        at = 0
        for found in CITATION.finditer(span.text):
            number = int(found[1])
            if number in self._sources and span.href in (None, self._sources[number]):
                yield evolve(span, text=span.text[at : found.start()])
                yield Span(found[0], span.marks, f"#{_anchor(number)}")
                at = found.end()
        yield evolve(span, text=span.text[at:])

    def _add(self, paragraph: Paragraph, span: Span) -> None:
        if not span.text:
            return
        run = paragraph.add_run(_CONTROLS.sub("", span.text))
        _look(run, span, self._rtl)
        if span.href is None:
            return
        link = element("w:hyperlink")
        if span.href.startswith("#"):
            link.set(qn("w:anchor"), span.href[1:])
            run.font.superscript = True
        else:
            link.set(qn("r:id"), paragraph.part.relate_to(span.href, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
            run.font.underline = True
        run.font.color.rgb = _LINK
        run._r.addprevious(link)
        link.append(run._r)


def add_border(paragraph: Paragraph) -> None:
    """Draws a line below the paragraph (a thematic break)."""
    border = element("w:pBdr")
    border.append(element("w:bottom", **{"w:val": "single", "w:sz": "6", "w:space": "1", "w:color": "C8C8C4"}))
    paragraph._p.get_or_add_pPr().insert_element_before(
        border, "w:shd", "w:tabs", "w:suppressAutoHyphens", "w:bidi", "w:spacing", "w:ind", "w:jc", "w:rPr"
    )


def remove(paragraph: Paragraph) -> None:
    """Removes the paragraph from its document."""
    paragraph._p.getparent().remove(paragraph._p)


def _anchor(number: int) -> str:
    return f"source_{number}"


def _look(run: Run, span: Span, rtl: bool) -> None:
    font = run.font
    if Mark.BOLD in span.marks:
        font.bold = font.cs_bold = True
    if Mark.ITALIC in span.marks:
        font.italic = font.cs_italic = True
    if Mark.STRIKE in span.marks:
        font.strike = True
    if Mark.SUPERSCRIPT in span.marks:
        font.superscript = True
    if Mark.SUBSCRIPT in span.marks:
        font.subscript = True
    if Mark.CODE in span.marks:
        font.name = "Courier New"
    # A run of Latin text keeps its own direction; one of symbols and digits takes that of the paragraph.
    elif rtl and "L" not in _directions(span.text):
        font.rtl = True


def _run_right_to_left(paragraph: Paragraph, text: str) -> None:
    """Sets direction and alignment of a paragraph in a right-to-left document. Text that is left-to-right throughout
    keeps its direction and is still aligned right: `end` in a left-to-right paragraph, `start` in the other."""
    properties = paragraph._p.get_or_add_pPr()
    directions = _directions(text)
    if "L" in directions and not directions & _RIGHT_TO_LEFT:
        properties.get_or_add_jc().set(qn("w:val"), "right")
    else:
        _insert_bidi(properties)


def _insert_bidi(properties: Any) -> None:
    """Inserts `bidi` at the position that the schema prescribes (ECMA-376, CT_PPrBase)."""
    properties.insert_element_before(
        element("w:bidi"),
        "w:adjustRightInd", "w:snapToGrid", "w:spacing", "w:ind", "w:contextualSpacing", "w:mirrorIndents",
        "w:suppressOverlap", "w:jc", "w:textDirection", "w:textAlignment", "w:textboxTightWrap", "w:outlineLvl",
        "w:divId", "w:cnfStyle", "w:rPr", "w:sectPr", "w:pPrChange",
    )  # fmt: skip


def _one_way(span: Span) -> Iterator[str]:
    """Splits the text into runs of one direction each, which decides their order and font. White space belongs to a
    left-to-right run only between its words."""
    if Mark.CODE in span.marks:
        yield span.text
        return
    at = 0
    for found in _WORDS.finditer(span.text):
        if "L" in _directions(found[0]):
            yield span.text[at : found.start()]
            yield found[0]
            at = found.end()
    yield span.text[at:]


def _directions(text: str) -> set[str]:
    return {unicodedata.bidirectional(character) for character in text}
