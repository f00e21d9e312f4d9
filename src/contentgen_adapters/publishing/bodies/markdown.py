"""Markdown for targets that take it: dev.to, Hashnode, Strapi and Contentful texts, webhooks, Zapier.

The text stays as it is written. What degrades: front matter is left out; blocks of HTML become Markdown; of other
HTML simple elements, links and pictures stay; links to anything but http(s), mailto and relative addresses are shown as
text.
Citations stay `[n]`; a writing direction cannot be given, and Mermaid is a fenced block that the target shows or not
(dev.to does not: there flow charts are lists).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from html import escape, unescape
from typing import Final

from markdown_it.token import Token

from contentgen_adapters.publishing.bodies.diagrams import with_lists
from contentgen_adapters.publishing.bodies.texts import one_line
from contentgen_adapters.shared.document.escaping import address
from contentgen_adapters.shared.document.inline import BREAKING, absolute, element, web_page
from contentgen_adapters.shared.document.normalised import NormalisedMarkdown, normalised_markdown
from contentgen_adapters.shared.document.sources import shown_date, sources_heading
from contentgen_core.model.publishing_target import Post, PostSource
from contentgen_core.policies.text.authors import before_title

_FENCES: Final = ("fence", "code_block")
_ELEMENTS: Final = frozenset({"b", "strong", "i", "em", "s", "del", "sub", "sup", "kbd", "u", "mark", "small", "code"})
_TAG: Final = re.compile(
    r"<!--(?:[^-]|-(?!->)){0,10000}-->|</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>"
    r"|<(?!https?:|mailto:|[\w.+-]{1,64}@)(?=[A-Za-z/!?])",
    re.IGNORECASE,
)
_DESTINATION: Final = re.compile(r"\](?:\(\s*|:\s*)<?([^\s()<>]+)")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SAFE: Final = ("http:", "https:", "mailto:")
_BACKTICKS: Final = re.compile(r"(?<!\\)`+")
_IN_A_TITLE: Final = re.compile(r"[\\`*_\[\]<>~|&#]")
_LIST_LIKE: Final = re.compile(r"^(?:([-+])(?=\s|$)|(\d{1,9})([.)])(?=\s|$))")


def markdown(post: Post, *, liquid: bool = False) -> str:
    """The text and its sources as a list under a heading in the post's language. `liquid`: for targets that read Liquid
    tags (dev.to); `{{` and `{%` outside code are then written so that they are text."""
    post = with_lists(post) if liquid else post
    text = _harmless(normalised_markdown(post.markdown), liquid)
    sources = _sources(post)
    parts = [text.rstrip(), _without_liquid(sources) if liquid else sources]
    return "\n\n".join(part for part in parts if part) + "\n"


def _sources(post: Post) -> str:
    """Numbered as the citations are: a list counts on from its first number, so others have theirs written out."""
    if not post.sources:
        return ""
    numbers = [source.number for source in post.sources]
    counted = numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    lines = [f"{s.number}. {_source(s)}" if counted else f"- [{s.number}] {_source(s)}" for s in post.sources]
    return f"## {sources_heading(post.language)}\n\n" + "\n".join(lines)


def _source(source: PostSource) -> str:
    title, link = _escape_line(source.title), address(source.url)
    linked = f"[{title or link}]({link})" if link else title
    author = f"{_escape_line(before_title(source.author))} " if source.author else ""
    return author + linked + shown_date(source)


def _escape_line(text: str) -> str:
    """Escape a line of text that begins an item of a list in Markdown."""
    text = _IN_A_TITLE.sub(r"\\\g<0>", one_line(text))
    return _LIST_LIKE.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", text)


def _harmless(markdown: NormalisedMarkdown, liquid: bool) -> str:
    text = markdown.text
    if not re.search(r"<[A-Za-z/!?]|\][(:]" + (r"|\{[{%]" if liquid else ""), text):
        return text
    lines = text.split("\n")
    parts, at = [], 0
    for begin, end in _code_lines(markdown.tokens):
        if at < begin:
            parts.append(_without_harm("\n".join(lines[at:begin]), liquid))
        parts.append("\n".join(lines[begin:end]))
        at = end
    if at < len(lines):
        parts.append(_without_harm("\n".join(lines[at:]), liquid))
    return "\n".join(parts)


def _code_lines(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    at = 0
    for begin, end in sorted((t.map[0], t.map[1]) for t in tokens if t.type in _FENCES and t.map):
        if begin >= at:
            yield begin, end
            at = end


def _without_harm(text: str, liquid: bool) -> str:
    """Outside code spans."""
    parts, at = [], 0
    for begin, end in _code_spans(text):
        parts += [_render(text[at:begin], liquid), text[begin:end]]
        at = end
    parts.append(_render(text[at:], liquid))
    return "".join(parts)


def _render(text: str, liquid: bool) -> str:
    text = _TAG.sub(_tag, text)
    text = _DESTINATION.sub(lambda m: m[0] if _is_safe(m[1]) else f"\\{m[0]}", text)
    return _without_liquid(text) if liquid else text


def _without_liquid(text: str) -> str:
    return text.replace("{{", "{&#123;").replace("{%", "{&#37;")


def _tag(match: re.Match[str]) -> str:
    """Keep simple elements, links and pictures, as `html.html` does, and drop other tags. Text that only looks like a
    tag stays text.
    """
    if match[0] == "<":
        return "&lt;"
    name, closing, attributes = element(match[0])
    if name in _ELEMENTS or (name == "a" and closing):
        return f"</{name}>" if closing else f"<{name}>"
    if name == "a" and (href := absolute(attributes.get("href"))):
        return f'<a href="{escape(href)}">'
    if name == "img":
        alt, src = escape(attributes.get("alt", "")), web_page(attributes.get("src"))
        return f'<img src="{escape(src)}" alt="{alt}">' if src else alt
    return "<br>" if name in BREAKING and not closing else ""


def _is_safe(destination: str) -> bool:
    plain = re.sub(r"[\s\x00-\x20\\]", "", unescape(destination)).lower()
    scheme = _SCHEME.match(plain)
    return scheme is None or scheme[0] in _SAFE


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Return the code spans of a paragraph: from a run of backticks to the next one of the same length. Takes time that
    grows only with the length.
    """
    runs = [(run.start(), run.end()) for run in _BACKTICKS.finditer(text)]
    by_length: dict[int, list[int]] = {}
    for start, end in runs:
        by_length.setdefault(end - start, []).append(start)
    at = 0
    for start, end in runs:
        if start < at:
            continue
        same = by_length[end - start]
        found = bisect_right(same, start)
        if found < len(same) and "\n\n" not in text[end : min(same[found], end + 5_000)] and same[found] - end <= 5_000:
            at = same[found] + end - start
            yield start, at
