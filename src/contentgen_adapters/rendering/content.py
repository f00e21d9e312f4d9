"""An article's untrusted Markdown as sanitised HTML."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from typing import Any, Final

import nh3
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token

from contentgen_adapters.shared.document.citations import ATTRIBUTES, NUMBER, TAGS, citation_html, link_citations
from contentgen_adapters.shared.document.extended import document_tokens
from contentgen_adapters.shared.document.flow_charts import relations
from contentgen_adapters.shared.document.tree import fence_language
from contentgen_adapters.shared.text.markdown import encodable, inline_text, parser
from contentgen_adapters.shared.text.tag_soup import to_paragraphs, too_intricate

_CLASSES: Final = {"sup": {"citation"}, "pre": {"mermaid"}}


def content_html(markdown: str, cited: Collection[int], notes: Sequence[str] = ()) -> str:
    """Sanitised HTML of an article's text. Pictures become their alternative text, so that nothing is loaded; a Mermaid
    flow chart becomes a list, another diagram its source in a `pre`. Of HTML that is too intricate to be read, the text
    alone is left.

    `cited`: source numbers whose citations `[n]` link to `#source-n`. `notes`: the tooltip of each citation, in order;
    ignored unless there are exactly as many as citations.
    """
    renderer = parser()
    renderer.add_render_rule("image", _alternative_text)
    renderer.add_render_rule("fence", _fence)
    tokens = document_tokens(encodable(markdown))
    _annotate(link_citations(tokens, cited), notes)
    html = renderer.renderer.render(tokens, renderer.options, {})
    if too_intricate(html):
        return to_paragraphs(html)
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        allowed_classes=_CLASSES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        strip_comments=True,
    )


def _annotate(citations: Sequence[Token], notes: Sequence[str]) -> None:
    if len(citations) == len(notes):
        for token, note in zip(citations, notes, strict=True):
            token.content = citation_html(token.meta[NUMBER], f' title="{escape(note)}"')


def _alternative_text(self: RendererProtocol, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return f"<em>{escape(inline_text(tokens[at].children or ()))}</em>"


def _fence(self: RendererProtocol, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    token = tokens[at]
    language = fence_language(token)
    if language == "mermaid" and (listed := relations(token.content)) is not None:
        return str(parser().render(listed))
    if language == "mermaid":
        return f'<pre class="mermaid">{escape(token.content)}</pre>\n'
    return f"<pre><code>{escape(token.content)}</code></pre>\n"
