"""An article's untrusted Markdown as HTML that can do no harm."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import Any, Final

import nh3
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token

from contentgen_adapters.text.markdown import encodable, inline_text, parser

CITATION: Final = re.compile(r"\[(\d{1,3})\]")
_NUMBER: Final = "citation"
TAGS: Final = {
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "pre", "code", "table", "thead", "tbody",
    "tr", "th", "td", "br", "hr", "em", "strong", "b", "i", "s", "del", "sub", "sup", "a", "dl", "dt", "dd", "abbr",
}  # fmt: skip
ATTRIBUTES: Final[dict[str, set[str]]] = {"a": {"href", "title"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}
_CLASSES: Final = {"sup": {"citation"}, "pre": {"mermaid"}}


def content_html(markdown: str, cited: Collection[int], notes: Sequence[str] = ()) -> str:
    """Sanitised HTML of an article's text. `[n]` links to `#source-n` for the source numbers in `cited`; pictures are
    their alternative text (nothing is loaded from elsewhere); a Mermaid diagram is its source in a `pre`. `notes`: what
    to show on each citation, in their order; left out where there are not exactly as many, as they would be amiss."""
    renderer = parser()
    renderer.add_render_rule("image", _alternative_text)
    renderer.add_render_rule("fence", _fence)
    tokens = renderer.parse(encodable(markdown))
    _annotate(link_citations(tokens, cited), notes)
    html = renderer.renderer.render(tokens, renderer.options, {})
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        allowed_classes=_CLASSES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        strip_comments=True,
    )


def link_citations(tokens: Sequence[Token], cited: Collection[int]) -> list[Token]:
    """Makes each `[n]` of a source in `cited` a link to `#source-n`; the tokens of those links, in their order."""
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = list(_with_citations(token.children, cited))
    return [t for token in tokens for t in token.children or () if t.meta.get(_NUMBER)]


def is_citation(token: Token) -> bool:
    """One of `link_citations`, which is HTML of our own?"""
    return _NUMBER in token.meta


def _with_citations(tokens: Sequence[Token], cited: Collection[int]) -> Iterator[Token]:
    in_link = 0
    for token in tokens:
        in_link += token.nesting if token.type in ("link_open", "link_close") else 0
        if token.type == "text" and not in_link:
            yield from _split_at_citations(token, cited)
        else:
            yield token


def _split_at_citations(token: Token, cited: Collection[int]) -> Iterator[Token]:
    at = 0
    for match in CITATION.finditer(token.content):
        number = int(match[1])
        if number in cited:
            before = token.content[at : match.start()]
            # No line begins with a citation.
            yield _text(f"{before[:-1]}\u00a0" if before.endswith(" ") else before)
            yield Token("html_inline", "", 0, content=_citation(number), meta={_NUMBER: number})
            at = match.end()
    yield _text(token.content[at:])


def _annotate(citations: Sequence[Token], notes: Sequence[str]) -> None:
    if len(citations) == len(notes):
        for token, note in zip(citations, notes, strict=True):
            token.content = _citation(token.meta[_NUMBER], f' title="{escape(note)}"')


def _citation(number: int, attributes: str = "") -> str:
    return f'<sup class="citation"><a href="#source-{number}"{attributes}>[{number}]</a></sup>'


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _alternative_text(self: RendererProtocol, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return f"<em>{escape(inline_text(tokens[at].children or ()))}</em>"


def _fence(self: RendererProtocol, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    token = tokens[at]
    language = token.info.split()[0].lower() if token.info.strip() else ""
    if language == "mermaid":
        return f'<pre class="mermaid">{escape(token.content)}</pre>\n'
    return f"<pre><code>{escape(token.content)}</code></pre>\n"
