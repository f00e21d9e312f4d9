"""Running text as spans of one look each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from html import unescape
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from attrs import frozen
from markdown_it.token import Token

from contentgen_adapters.shared.document.citations import CITATION
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import inline_text, soft_break


class Mark(StrEnum):
    BOLD = "bold"
    ITALIC = "italic"
    STRIKE = "strikethrough"
    CODE = "code"
    SUPERSCRIPT = "superscript"
    SUBSCRIPT = "subscript"


@frozen
class Span:
    """A piece of text with one look. `text` may hold line breaks. `href`: an absolute http or https address, or
    mailto.
    """

    text: str
    marks: frozenset[Mark] = frozenset()
    href: str | None = None


@frozen
class Picture:
    """A picture within a line. `src`: an absolute http or https address. `href`: the address that it links to."""

    alt: str
    src: str
    href: str | None = None


Inline: TypeAlias = Span | Picture
Inlines: TypeAlias = tuple[Inline, ...]

_MARKS: Final = {
    **dict.fromkeys(("strong", "b"), Mark.BOLD),
    **dict.fromkeys(("em", "i", "cite", "var", "dfn"), Mark.ITALIC),
    **dict.fromkeys(("s", "del", "strike"), Mark.STRIKE),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), Mark.CODE),
    "sup": Mark.SUPERSCRIPT,
    "sub": Mark.SUBSCRIPT,
}
_RAISED: Final = dict(zip("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", strict=True))
_LOWERED: Final = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True))
BREAKING: Final = frozenset({
    "br", "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6",
    "blockquote", "pre", "hr", "section", "article", "header", "footer", "figure", "figcaption", "details", "summary",
    "aside", "main", "nav", "address", "center",
})  # fmt: skip
"""Elements that begin a new line."""
_ELEMENT: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*+)([^>]*+)>")
_ATTRIBUTE: Final = re.compile(r"(?<![a-zA-Z-])([a-zA-Z-]++)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_HOST: Final = re.compile(
    r"[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)*\.?|[0-9a-f:.]*:[0-9a-f:.]*", re.IGNORECASE
)
_MAILTO: Final = re.compile(r"mailto:[^\s<>\"]{3,320}", re.IGNORECASE)


def absolute(href: str | None) -> str | None:
    """Return an address that works as a link wherever the text is placed; None if there is none."""
    return web_page(href) or (href if href and _MAILTO.fullmatch(href) else None)


def web_page(url: str | None) -> str | None:
    """A web address that a strict reader takes too: one wrong link would have the whole post refused."""
    address = web_address(url)
    if address is None:
        return None
    parts = urlsplit(address)
    try:
        sound = _HOST.fullmatch(parts.hostname or "") is not None and (parts.port is None or parts.port > 0)
    except ValueError:
        return None
    return address if sound else None


def element(html: str) -> tuple[str, bool, Mapping[str, str]]:
    """The name of a tag in small letters ("" for a comment and the like), whether it closes, its attributes."""
    found = _ELEMENT.fullmatch(html.strip())
    if found is None:
        return "", False, {}
    attributes = {m[1].lower(): unescape(m[2] or m[3] or m[4] or "") for m in _ATTRIBUTE.finditer(found[3])}
    return found[2].lower(), bool(found[1]), attributes


def without_scripts(span: Span) -> Span:
    """Return the span without raised or lowered text, for targets that have neither: in Unicode's raised and lowered
    letters where they exist, else behind `^` or `_`, so that m² does not become m2.
    """
    for mark, letters, sign in ((Mark.SUPERSCRIPT, _RAISED, "^"), (Mark.SUBSCRIPT, _LOWERED, "_")):
        if mark in span.marks:
            short = bool(span.text) and all(character in letters for character in span.text)
            text = "".join(letters[character] for character in span.text) if short else f"{sign}{span.text}"
            span = Span(text, span.marks - {mark}, span.href)
    return span


def text_of(content: Iterable[Inline]) -> str:
    """Pictures are their alternative text."""
    return "".join(without_scripts(each).text if isinstance(each, Span) else each.alt for each in content)


def inlines(tokens: Sequence[Token], addresses: Mapping[int, str | None] | None = None) -> Inlines:
    """Read the content of a line. `addresses`: of the sources by number; their citations `[n]` become links to them."""
    return tuple(merge_alike(_Reader(addresses or {}).read(tokens)))


class _Reader:
    def __init__(self, addresses: Mapping[int, str | None]) -> None:
        self._addresses = addresses
        self._open: dict[Mark, int] = dict.fromkeys(Mark, 0)
        self._marks: frozenset[Mark] = frozenset()
        self._links: list[str | None] = []

    def read(self, tokens: Sequence[Token]) -> Iterator[Inline]:
        parts: list[str] = []
        for at, token in enumerate(tokens):
            match token.type:
                case "text" | "text_special":
                    parts.append(token.content)
                    yield from self._link_citations(token.content)
                case "softbreak":
                    parts.append(soft_break(parts[-2:], tokens, at))
                    yield self._span(parts[-1])
                case "hardbreak":
                    parts.append("\n")
                    yield self._span("\n")
                case "code_inline":
                    parts.append(token.content)
                    yield Span(token.content, self._marks | {Mark.CODE}, self._href)
                case "image":
                    yield self._picture(str(token.attrGet("src") or ""), inline_text(token.children or ()))
                case "link_open":
                    self._links.append(absolute(str(token.attrGet("href") or "")))
                case "link_close":
                    del self._links[-1:]
                case "html_inline":
                    yield from self._html(token.content)
                case _:
                    self._mark(_MARKS.get(token.tag), token.nesting)

    @property
    def _href(self) -> str | None:
        return self._links[-1] if self._links else None

    def _span(self, text: str) -> Span:
        return Span(text, self._marks, self._href)

    def _picture(self, src: str, alt: str) -> Inline:
        address = web_page(src)
        return Picture(alt, address, self._href) if address else self._span(alt)

    def _mark(self, mark: Mark | None, change: int) -> None:
        if mark is not None and change:
            self._open[mark] = max(0, self._open[mark] + change)
            self._marks = frozenset(mark for mark, count in self._open.items() if count)

    def _link_citations(self, text: str) -> Iterator[Inline]:
        if self._links or not self._addresses:
            yield self._span(text)
            return
        at = 0
        for found in CITATION.finditer(text):
            address = self._addresses.get(int(found[1]))
            if address:
                yield self._span(text[at : found.start()])
                yield Span(found[0], self._marks, address)
                at = found.end()
        yield self._span(text[at:])

    def _html(self, html: str) -> Iterator[Inline]:
        name, closing, attributes = element(html)
        if name in BREAKING:
            yield self._span("\n")
        elif name == "img":
            yield self._picture(attributes.get("src", ""), attributes.get("alt", ""))
        elif name == "a" and not closing:
            self._links.append(absolute(attributes.get("href")))
        elif name == "a":
            del self._links[-1:]
        else:
            self._mark(_MARKS.get(name), -1 if closing else 1)


def merge_alike(content: Iterable[Inline]) -> Iterator[Inline]:
    """Merge neighbours that look alike."""
    last: Span | None = None
    texts: list[str] = []
    for each in content:
        if isinstance(each, Span):
            if not each.text:
                continue
            if last is not None and each.marks == last.marks and each.href == last.href:
                texts.append(each.text)
                continue
        if last is not None:
            yield Span("".join(texts), last.marks, last.href)
            last = None
        if isinstance(each, Span):
            last, texts = each, [each.text]
        else:
            yield each
    if last is not None:
        yield Span("".join(texts), last.marks, last.href)
