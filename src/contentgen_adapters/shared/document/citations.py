"""Citations in a text's tokens, and the HTML that is let through."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from markdown_it.token import Token

CITATION: Final = re.compile(r"\[(\d{1,3})\]")


NUMBER: Final = "citation"


TAGS: Final = {
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "pre", "code", "table", "thead", "tbody",
    "tr", "th", "td", "br", "hr", "em", "strong", "b", "i", "s", "del", "sub", "sup", "a", "dl", "dt", "dd", "abbr",
}  # fmt: skip


ATTRIBUTES: Final[dict[str, set[str]]] = {"a": {"href", "title"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}


def link_citations(tokens: Sequence[Token], cited: Collection[int]) -> list[Token]:
    """Makes each `[n]` of a source in `cited` a link to `#source-n`; the tokens of those links, in their order."""
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = list(_with_citations(token.children, cited))
    return [t for token in tokens for t in token.children or () if t.meta.get(NUMBER)]


def is_citation(token: Token) -> bool:
    """Whether a link is one of those that `link_citations` made, which is HTML of our own."""
    return NUMBER in token.meta


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
            yield Token("html_inline", "", 0, content=citation_html(number), meta={NUMBER: number})
            at = match.end()
    yield _text(token.content[at:])


def citation_html(number: int, attributes: str = "") -> str:
    return f'<sup class="citation"><a href="#source-{number}"{attributes}>[{number}]</a></sup>'


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
