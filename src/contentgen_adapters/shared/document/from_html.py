"""Content that a client sends as HTML, as the Markdown that all formats are made from."""

from __future__ import annotations

import re
from typing import Any, Final

import nh3
from markdownify import ATX, MarkdownConverter

from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import storable
from contentgen_adapters.shared.text.tag_soup import text_between_tags, too_intricate

_BLOCKS: Final = (
    "address|article|aside|blockquote|center|details|dialog|div|dl|fieldset|figure|figcaption|footer|form|h[1-6]|header|hr"
    "|html|body|head|main|nav|ol|p|pre|section|summary|table|ul"
)
_BEGINS: Final = re.compile(rf"\s*(?:<!doctype\b|<\?xml\b|<(?:{_BLOCKS})\b)", re.IGNORECASE)
_COMMENTS: Final = re.compile(r"(?:\s*<!--(?:[^-]|-(?!->)){0,10000}-->)+")
# What HTML would not hold at the beginning of a line, or at all.
_MARKDOWN: Final = re.compile(
    r"^ {0,3}(?:#{1,6}[ \t]+\S|```|~~~|\|?[ \t]*:?-{2,}:?[ \t]*\|)|\]\(https?://", re.MULTILINE
)
_CODE: Final = re.compile(r"<(/?)(?:pre|code|script|style)\b[^<>]*>", re.IGNORECASE)

_TAGS: Final = {
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "pre", "code", "kbd", "samp", "table",
    "thead", "tbody", "tr", "th", "td", "caption", "br", "hr", "em", "strong", "b", "i", "s", "del", "a", "img", "dl",
    "dt", "dd", "sup", "sub", "div", "article", "section", "main", "header", "footer", "aside", "nav", "address",
    "details", "summary", "figure", "figcaption", "center", "fieldset", "legend", "iframe", "video", "audio", "q",
}  # fmt: skip
_ATTRIBUTES: Final = {
    "a": {"href"}, "img": {"src", "alt"}, "ol": {"start"}, "code": {"class"}, "pre": {"class"}, "td": {"colspan"},
    "th": {"colspan"}, "iframe": {"src"}, "video": {"src"}, "audio": {"src"},
}  # fmt: skip
_UNSEEN: Final = {"script", "style", "template", "noscript", "title", "head"}
_LANGUAGE: Final = re.compile(r"\blang(?:uage)?-([\w+#.-]{1,40})")
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)[^<>]*>")
_ENDED_BY_THE_NEXT: Final = frozenset({
    "p", "li", "td", "th", "tr", "dt", "dd", "thead", "tbody", "option", "br", "hr", "img", "input", "meta", "link",
    "source", "col", "wbr", "area", "base", "embed", "track",
})  # fmt: skip
DEEPEST: Final = 80
"""Elements within each other that are still read as such; the library calls itself for each."""

_Library: Any = MarkdownConverter  # its types do not tell all that it has
_CITATION: Final = r"\[\d{1,3}\](?![(:\[])"
_SPECIAL: Final = re.compile(
    rf"({_CITATION})|\\(?=[!-/:-@\[-`{{-~])|[`*\[\]]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|~(?=~)|(?<=~)~"
)
_AT_LINE_START: Final = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|-(?=-)|=+\s*$|(\d{1,9})([.)])(?=\s|$))")


def is_html(content: str) -> bool:
    """Is this content HTML and not Markdown? It is when it begins with a block element, and nothing in it outside code
    says Markdown (a heading, a fence, a table, a link). Markdown may hold HTML: what is doubtful is read as that."""
    begun = _COMMENTS.match(content)
    if not _BEGINS.match(content, begun.end() if begun else 0):
        return False
    return not _MARKDOWN.search(_without_code(content))


def from_html(html: str) -> str:
    """Markdown of an HTML text, by markdownify: what a reader sees is all there, no element but those of Markdown, and
    no address but of http, https and mailto. Frames and films are links to them. Where elements nest deeper than
    `DEEPEST` it is the bare text."""
    html = storable(html)
    if too_intricate(html):
        return "\n\n".join(_escaped(line.strip()) for line in text_between_tags(html).split("\n") if line.strip())
    if nesting(html) > DEEPEST * 10:
        return _bare(html)
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        clean_content_tags=_UNSEEN,
        strip_comments=True,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
    )
    if nesting(clean) > DEEPEST:
        return _bare(clean)
    markdown = _Converter(
        heading_style=ATX, bullets="-", autolinks=False, sup_symbol="<sup>", sub_symbol="<sub>"
    ).convert(f"<div>{clean}</div>")
    return re.sub(r"\n{3,}", "\n\n", str(markdown)).strip() if "```" not in markdown else str(markdown).strip()


def nesting(html: str) -> int:
    """How deep elements stand within each other at most, or nearly: those that the next of their kind ends do not
    count. In time that grows with the length alone, which holds for no parser of hostile HTML."""
    depth = deepest = 0
    for closing, name in _TAG.findall(html):
        if name.lower() not in _ENDED_BY_THE_NEXT:
            depth += -1 if closing else 1
            depth = max(depth, 0)
            deepest = max(deepest, depth)
    return deepest


def _without_code(html: str) -> str:
    """Linear also where nothing is closed."""
    parts, at, depth = [], 0, 0
    for tag in _CODE.finditer(html):
        if not depth:
            parts.append(html[at : tag.start()])
        depth = max(0, depth + (-1 if tag[1] else 1))
        at = tag.end()
    return "".join((*parts, "" if depth else html[at:]))


def _bare(html: str) -> str:
    """The text between the tags, scripts and styles left out, a line where an element was."""
    lines, at, unseen = [], 0, ""
    for tag in _TAG.finditer(html):
        if not unseen:
            lines.append(html[at : tag.start()])
        name = tag[2].lower()
        if name in ("script", "style"):
            unseen = "" if tag[1] else name
        at = tag.end()
    lines.append(html[at:])
    return "\n\n".join(_escaped(line.strip()) for line in lines if line.strip())


def _escaped(text: str) -> str:
    """Of a line of text, so that Markdown shows it as it is; a citation `[n]` stays one."""
    text = " ".join(re.split(r"[ \t\r\n]+", text))
    text = _SPECIAL.sub(lambda m: m[1] or f"\\{m[0]}", text)
    return _AT_LINE_START.sub(lambda m: f"{m[1]}{m[3]}\\{m[4]}" if m[3] else f"{m[1]}\\{m[2]}", text)


def address(url: str | None) -> str | None:
    """As it may stand in the brackets of a link; None for what is no address of http, https or mailto."""
    candidate = re.sub(r"\s", "%20", (url or "").strip())
    if not (web_address(candidate) or re.fullmatch(r"mailto:[^\s<>\"]{3,320}", candidate, re.IGNORECASE)):
        return None
    for character in "()\\<>":
        candidate = candidate.replace(character, f"%{ord(character):02X}")
    return re.sub(r"&(?=#?\w+;)", "&amp;", candidate)


class _Converter(_Library):  # type: ignore[misc]
    """markdownify with complete escaping, tables that lose no cell, fences longer than those within, and without its
    quadratic numbering of lists."""

    def convert_soup(self, soup: Any) -> str:
        self._numbers: dict[int, int] = {}
        for table in soup.find_all("table"):
            rows = [row.find_all(["td", "th"]) for row in table.find_all("tr")]
            if rows and rows[0]:
                for _ in range(max(map(len, rows)) - len(rows[0])):
                    rows[0][-1].parent.append(soup.new_tag(rows[0][-1].name))
        return str(super().convert_soup(soup))

    def escape(self, text: str | None, parent_tags: set[str]) -> str:
        escaped = _escaped(text or "")
        return escaped.replace("|", "\\|") if {"td", "th"} & parent_tags else escaped

    def convert_a(self, el: Any, text: str, parent_tags: set[str]) -> str:
        href = address(el.get("href"))
        return f"{_edge(text, 0)}[{text.strip()}]({href}){_edge(text, -1)}" if href and text.strip() else text

    def convert_img(self, el: Any, text: str, parent_tags: set[str]) -> str:
        alt, src = _escaped(el.get("alt") or ""), address(el.get("src"))
        return f"![{alt}]({src})" if src else alt

    def convert_iframe(self, el: Any, text: str, parent_tags: set[str]) -> str:
        src = address(el.get("src"))
        return f"\n\n[{_escaped(src)}]({src})\n\n{text}" if src else text

    convert_video = convert_audio = convert_iframe

    def convert_li(self, el: Any, text: str, parent_tags: set[str]) -> str:
        parent = el.parent
        marker = "- "
        if parent is not None and parent.name == "ol":
            start = str(parent.get("start") or "1")
            first = int(start) if re.fullmatch(r"[0-9]{1,8}", start) else 1
            number = self._numbers[id(parent)] = self._numbers.get(id(parent), first - 1) + 1
            marker = f"{number}. "
        lines = text.strip().split("\n")
        indent = " " * len(marker)
        return marker + "\n".join([lines[0], *(f"{indent}{line}" if line else "" for line in lines[1:])]) + "\n"

    def convert_pre(self, el: Any, text: str, parent_tags: set[str]) -> str:
        code = text.strip("\r\n")
        inner = el.find("code")
        classes = " ".join((*el.get("class", ()), *(inner.get("class", ()) if inner else ())))
        language = _LANGUAGE.search(classes)
        if {"td", "th"} & parent_tags:
            return self.convert_code(el, " ".join(code.split()), set()) if code.strip() else ""
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", code)), 3)
        return f"\n\n{fence}{language[1] if language else ''}\n{code}\n{fence}\n\n"

    def convert_code(self, el: Any, text: str, parent_tags: set[str]) -> str:
        span = str(super().convert_code(el, text, parent_tags - {"td", "th"}))
        within_cell = el.find_parent(["td", "th"]) is not None
        return span.replace("|", "\\|") if within_cell else span

    convert_kbd = convert_samp = convert_code

    def convert_dd(self, el: Any, text: str, parent_tags: set[str]) -> str:
        return str(self.convert_div(el, text, parent_tags))


for _name in ("header", "footer", "aside", "nav", "main", "address", "details", "summary", "figure", "center",
              "fieldset", "legend"):  # fmt: skip
    setattr(_Converter, f"convert_{_name}", _Library.convert_div)


def _edge(text: str, at: int) -> str:
    return " " if text[at : at + 1 or None].isspace() else ""
