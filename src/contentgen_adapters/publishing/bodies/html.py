"""HTML for targets that show it: WordPress, Ghost, Webflow, HubSpot, Shopify."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from copy import copy
from html import escape
from typing import Any, Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token

from contentgen_adapters.publishing.bodies.diagrams import with_lists
from contentgen_adapters.shared.document.citations import ATTRIBUTES, TAGS, is_citation, link_citations
from contentgen_adapters.shared.document.from_html import nesting
from contentgen_adapters.shared.document.inline import BREAKING, element
from contentgen_adapters.shared.document.normalised import NormalisedMarkdown, normalised_markdown
from contentgen_adapters.shared.document.sources import RIGHT_TO_LEFT, source_list
from contentgen_adapters.shared.document.tree import fence_language
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import encodable, inline_text, nested_too_deep, parser
from contentgen_adapters.shared.text.tag_soup import to_paragraphs, too_intricate
from contentgen_core.model.publishing_target import Post

_TAGS: Final = TAGS | {"img", "kbd", "u"}
_ATTRIBUTES: Final = ATTRIBUTES | {"img": {"src", "alt", "title"}, "code": {"class"}}
_LANGUAGE: Final = re.compile(r"language-[\w+#.-]{1,40}")
_NOT_IN_A_CLASS: Final = re.compile(r"[^\w+#.-]")
_INLINE: Final = frozenset({
    "a", "b", "strong", "i", "em", "s", "del", "strike", "code", "kbd", "samp", "sub", "sup", "u", "abbr", "img",
    "span", "small", "mark", "q", "cite", "var", "ins",
})  # fmt: skip
_DEEPEST: Final = 400  # elements within each other; the sanitiser's time grows with it
_PRE: Final = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL)
_INDENT: Final = re.compile(r"^[ \t]+", re.MULTILINE)


def html(post: Post, *, citation_links: bool = True, code_blocks: bool = True) -> str:
    """Return a sanitised fragment: the text, and its sources as a numbered list under a heading in the post's language.

    Images with http(s) addresses are kept, others are replaced by their alternative text; code has its language as a
    class `language-…`; a Mermaid flow chart of boxes and arrows is a list, and another diagram is code. Text that is
    written from right to left stands in a `<div dir="rtl">`.

    `citation_links`: `[n]` links to `#source-n`; without it, it stays plain text (for targets that drop ids).
    `code_blocks`: without it, a code block is a paragraph of `<code>` with line breaks (for Webflow, whose API empties
    code blocks).
    """
    post = with_lists(post)
    markdown = normalised_markdown(post.markdown)
    tokens = _own_tokens(markdown)
    renderer = _renderer()
    if nested_too_deep(tokens):
        body = f"<pre><code>{escape(markdown.text)}</code></pre>\n"
    else:
        if citation_links:
            link_citations(tokens, {source.number for source in post.sources})
        body = renderer.renderer.render(tokens, renderer.options, {})
        if nesting(body) > _DEEPEST or too_intricate(body):
            body = renderer.renderer.render(_without_html(tokens), renderer.options, {})
        body = _sanitise(body)
    body += encodable(source_list(post.sources, post.language))
    if not code_blocks:
        body = _PRE.sub(_as_paragraph, body)
    return f'<div dir="rtl">\n{body}</div>\n' if _is_right_to_left(post, markdown.text) else body


def _own_tokens(markdown: NormalisedMarkdown) -> list[Token]:
    """Tokens whose children may be replaced."""
    return [copy(token) if token.type == "inline" else token for token in markdown.tokens]


def _renderer() -> MarkdownIt:
    renderer = parser()
    renderer.add_render_rule("image", _image)
    renderer.add_render_rule("fence", _fence)
    renderer.add_render_rule("html_inline", _html_inline)
    renderer.add_render_rule("html_block", _html_block)
    return renderer


def _sanitise(body: str) -> str:
    if too_intricate(body):
        return to_paragraphs(body)
    return nh3.clean(
        body,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        allowed_classes={"sup": {"citation"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
        strip_comments=True,
    )


def _attribute(tag: str, name: str, value: str) -> str | None:
    if tag == "img" and name == "src":
        return web_address(value)
    if tag == "code" and name == "class":
        found = _LANGUAGE.search(value)
        return found[0] if found else None
    return value


def _image(self: RendererProtocol, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    token = tokens[at]
    alt = escape(inline_text(token.children or ()))
    address = web_address(str(token.attrGet("src") or ""))
    return f'<img src="{escape(address)}" alt="{alt}">' if address else f"<em>{alt}</em>"


def _fence(self: RendererProtocol, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    name = _NOT_IN_A_CLASS.sub("", fence_language(tokens[at]))[:40]
    kind = f' class="language-{name}"' if name else ""
    return f"<pre><code{kind}>{escape(tokens[at].content)}</code></pre>\n"


def _html_inline(self: RendererProtocol, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Sanitise each tag by itself: one that is not closed, a `<script>` say, must not swallow the text after it."""
    token = tokens[at]
    if is_citation(token):
        return token.content
    name, closing, _ = element(token.content)
    if name in BREAKING:
        return "" if closing else "<br>"
    return token.content if name in _INLINE else ""


def _html_block(self: RendererProtocol, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    html = tokens[at].content
    return _sanitise(html) if nesting(html) <= _DEEPEST else ""


def _without_html(tokens: Sequence[Token]) -> Sequence[Token]:
    for token in tokens:
        token.children = [t for t in token.children or () if t.type != "html_inline" or is_citation(t)]
    return tokens


def _as_paragraph(match: re.Match[str]) -> str:
    code = re.sub(r"</?(?:code|p|div)\b[^>]*>", "", match[1]).strip("\n")
    indented = _INDENT.sub(lambda m: "\u00a0" * len(m[0].expandtabs(4)), code)
    return f"<p><code>{indented.replace(chr(10), '<br>')}</code></p>"


def _is_right_to_left(post: Post, text: str) -> bool:
    """Whether the text runs from right to left: by the post's language, or by the first letter if that is not known."""
    if post.language is not None:
        return post.language in RIGHT_TO_LEFT
    first = next((kind for c in text[:2_000] if (kind := unicodedata.bidirectional(c)) in ("L", "R", "AL")), "L")
    return first != "L"
