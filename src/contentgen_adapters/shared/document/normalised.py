"""The normalised Markdown that every format is made from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from attrs import frozen
from markdown_it.token import Token

from contentgen_adapters.shared.document.extended import document_tokens
from contentgen_adapters.shared.document.from_html import from_html, is_html
from contentgen_adapters.shared.text.markdown import encodable, parser

LONGEST_KEPT: Final = 100_000  # characters
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
_MATTER: Final = re.compile(r"---[ \t]*\n((?:.*\n){0,100}?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FIELD: Final = re.compile(r"[A-Za-z_][\w-]*[ \t]*:(?:[ \t]|$)|[ \t]|-[ \t]|#|$")
_HTML_BLOCK: Final = re.compile(r"^ {0,3}<[A-Za-z/!?]", re.MULTILINE)
_DASHES: Final = re.compile(r"\A-{3,}[ \t]*(?=\n|\Z)")


@frozen
class NormalisedMarkdown:
    """Normalised Markdown. `tokens`: of the parser; shared, so never to be changed."""

    text: str
    tokens: tuple[Token, ...]


def normalised_markdown(content: str) -> NormalisedMarkdown:
    """The normalised Markdown of a content and its parse, which the formats of one article share."""
    return _kept(content) if len(content) <= LONGEST_KEPT else _parse(content)


def _parse(content: str) -> NormalisedMarkdown:
    text = normalised_text(content)
    return NormalisedMarkdown(text, tuple(document_tokens(text)))


_kept = lru_cache(maxsize=8)(_parse)
forget = _kept.cache_clear


def normalised_text(content: str) -> str:
    """Normalise content as a client sends it or an article has it. HTML becomes Markdown, blocks of HTML within
    Markdown too. Front matter is left out, as it would override a post's fields at some targets; a rule at the very
    beginning is written so that it is not taken for front matter. Control characters are left out.
    """
    text = _CONTROLS.sub("", encodable(content).replace("\r\n", "\n").replace("\r", "\n"))
    text = from_html(text) if is_html(text) else _without_html_blocks(without_front_matter(text.lstrip("\n")))
    return _DASHES.sub("***", text.strip("\n"))


def without_front_matter(text: str) -> str:
    """Remove front matter, if it has YAML fields: two rules with prose between them are not front matter."""
    matter = _MATTER.match(text)
    if matter and matter[1].strip() and all(_FIELD.match(line) for line in matter[1].splitlines()):
        return text[matter.end() :].lstrip("\n")
    return text


def _without_html_blocks(text: str) -> str:
    if not _HTML_BLOCK.search(text):  # spares a second parse
        return text
    blocks = _html_blocks(parser().parse(text))
    if not blocks:
        return text
    lines = text.split("\n")
    parts: list[str] = []
    at = 0
    for begin, end in blocks:
        parts += ("\n".join(lines[at:begin]), from_html("\n".join(lines[begin:end])))
        at = end
    parts.append("\n".join(lines[at:]))
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def _html_blocks(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Return the first and last lines of HTML blocks outside lists and quotations. Adjacent blocks are merged, as
    Markdown splits an element with empty lines in it into several blocks.
    """
    found: list[tuple[int, int]] = []
    before: Token | None = None
    for token in tokens:
        if token.type == "html_block" and token.level == 0 and token.map:
            if before is not None and before.type == "html_block" and found:
                found[-1] = (found[-1][0], token.map[1])
            else:
                found.append((token.map[0], token.map[1]))
        before = token
    return found
