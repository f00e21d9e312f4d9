"""Running text of a document: looks, links, citations, and which way it runs."""

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
    """An empty element; the attributes' names with their prefix."""
    made = OxmlElement(name)
    for key, value in attributes.items():
        made.set(qn(key), value)
    return made


class Texts:
    """`sources`: the addresses of the sources by number. `rtl`: whether the document runs from right to left."""

    def __init__(self, sources: Mapping[int, str | None], rtl: bool) -> None:
        self._sources, self._rtl = sources, rtl

    def fill(
        self, paragraph: Paragraph, spans: Iterable[Span], *, citations: bool = True, rtl: bool | None = None
    ) -> None:
        """`citations`: each `[n]` of a source becomes a link to its entry."""
        content = [part for span in spans for part in (self._cited(span) if citations else (span,))]
        if self._rtl if rtl is None else rtl:
            _run_right_to_left(paragraph, "".join(span.text for span in content))
            content = [evolve(span, text=text) for span in content for text in _one_way(span)]
        for span in content:
            self._add(paragraph, span)

    def plain(self, paragraph: Paragraph, text: str) -> None:
        """Code: as it is, from left to right."""
        paragraph.add_run(_CONTROLS.sub("", text))

    def mark(self, paragraph: Paragraph, number: int) -> None:
        """Makes the paragraph the entry of a source, which its citations lead to."""
        begin = element("w:bookmarkStart", **{"w:id": str(number), "w:name": _anchor(number)})
        first = paragraph._p.pPr
        paragraph._p.insert(0 if first is None else 1, begin)
        paragraph._p.append(element("w:bookmarkEnd", **{"w:id": str(number)}))

    def number(self, paragraph: Paragraph, numbering: int) -> None:
        properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
        properties.get_or_add_ilvl().val = 0
        properties.get_or_add_numId().val = numbering

    def _cited(self, span: Span) -> Iterator[Span]:
        """`[n]` apart from what stands around it."""
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


def bordered(paragraph: Paragraph) -> None:
    """A rule: a paragraph with a line below."""
    border = element("w:pBdr")
    border.append(element("w:bottom", **{"w:val": "single", "w:sz": "6", "w:space": "1", "w:color": "C8C8C4"}))
    paragraph._p.get_or_add_pPr().insert_element_before(
        border, "w:shd", "w:tabs", "w:suppressAutoHyphens", "w:bidi", "w:spacing", "w:ind", "w:jc", "w:rPr"
    )


def unlinked(paragraph: Paragraph) -> None:
    """Takes the paragraph out of its document."""
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
    if Mark.CODE in span.marks:
        font.name = "Courier New"
    # A run of Latin text keeps its own order; one of signs and digits goes with the text around it.
    elif rtl and "L" not in _directions(span.text):
        font.rtl = True


def _run_right_to_left(paragraph: Paragraph, text: str) -> None:
    """What is wholly in a left-to-right script keeps its own order and stands at the right all the same: in a
    paragraph from left to right `end` is the right, in one from right to left `start` is."""
    properties = paragraph._p.get_or_add_pPr()
    directions = _directions(text)
    if "L" in directions and not directions & _RIGHT_TO_LEFT:
        properties.get_or_add_jc().set(qn("w:val"), "right")
    else:
        _insert_bidi(properties)


def _insert_bidi(properties: Any) -> None:
    """In the place that the schema gives it (ECMA-376, CT_PPrBase)."""
    properties.insert_element_before(
        element("w:bidi"),
        "w:adjustRightInd", "w:snapToGrid", "w:spacing", "w:ind", "w:contextualSpacing", "w:mirrorIndents",
        "w:suppressOverlap", "w:jc", "w:textDirection", "w:textAlignment", "w:textboxTightWrap", "w:outlineLvl",
        "w:divId", "w:cnfStyle", "w:rPr", "w:sectPr", "w:pPrChange",
    )  # fmt: skip


def _one_way(span: Span) -> Iterator[str]:
    """The text in pieces of one direction each: how a run is set and in which font depends on it. White space belongs
    to the words from left to right only between them."""
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
