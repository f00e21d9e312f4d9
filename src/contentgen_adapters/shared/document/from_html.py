"""Content that a client sends as HTML, as the Markdown that all formats are made from."""

from __future__ import annotations

import re
from typing import Final

import nh3

from contentgen_adapters.shared.document.escaping import escape_line
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
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*+)[^<>]*+>")
_ENDED_BY_THE_NEXT: Final = frozenset({
    "p", "li", "td", "th", "tr", "dt", "dd", "thead", "tbody", "option", "br", "hr", "img", "input", "meta", "link",
    "source", "col", "wbr", "area", "base", "embed", "track",
})  # fmt: skip
DEEPEST: Final = 80
"""Elements within each other that are still read as such; the library calls itself for each."""


def is_html(content: str) -> bool:
    """Whether the content is HTML and not Markdown. It is HTML when it begins with a block element, and nothing in it
    outside code is clearly Markdown (a heading, a fence, a table, a link). Markdown may hold HTML: in doubt it is
    Markdown.
    """
    begun = _COMMENTS.match(content)
    if not _BEGINS.match(content, begun.end() if begun else 0):
        return False
    return not _MARKDOWN.search(_without_code(content))


def from_html(html: str) -> str:
    """Convert an HTML text to Markdown, by markdownify. All visible text is kept, only elements of Markdown, and only
    addresses of http, https and mailto. Frames and films become links. Where elements nest deeper than `DEEPEST`
    only the plain text is kept.
    """
    html = storable(html)
    if too_intricate(html):
        return "\n\n".join(escape_line(line.strip()) for line in text_between_tags(html).split("\n") if line.strip())
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
    from contentgen_adapters.shared.document.converter import convert  # loads two parsers of HTML, which few need

    markdown = convert(clean)
    return re.sub(r"\n{3,}", "\n\n", markdown).strip() if "```" not in markdown else markdown.strip()


def nesting(html: str) -> int:
    """Return approximately how deep elements are nested at most; elements that the next of their kind ends do not
    count. Takes time that grows only with the length, which no parser of hostile HTML guarantees.
    """
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
    return "\n\n".join(escape_line(line.strip()) for line in lines if line.strip())
