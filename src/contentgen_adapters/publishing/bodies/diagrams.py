"""Mermaid diagrams, for targets that show their source instead of drawing it."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve
from markdown_it.token import Token

from contentgen_adapters.shared.document.flow_charts import relations
from contentgen_adapters.shared.document.normalised import normalised_markdown
from contentgen_adapters.shared.document.tree import fence_language
from contentgen_core.model.publishing_target import Post


def diagrams(post: Post) -> list[str]:
    """The sources of the Mermaid diagrams in a post's text, those within lists and quotations aside."""
    return [source for source, _, _ in _fences(post)]


def with_diagrams(post: Post, shown: Callable[[str], str | None]) -> Post:
    """The post with what `shown` gives for a diagram's source, as Markdown, in its place; None leaves the source."""
    fences = [(shown(source), begin, end) for source, begin, end in _fences(post)]
    if all(made is None for made, _, _ in fences):
        return post
    lines = normalised_markdown(post.markdown).text.split("\n")
    parts: list[str] = []
    at = 0
    for made, begin, end in fences:
        if made is not None:
            parts += ["\n".join(lines[at:begin]), made]
            at = end
    parts.append("\n".join(lines[at:]))
    return evolve(post, markdown="\n\n".join(part.strip("\n") for part in parts if part.strip()))


def with_lists(post: Post) -> Post:
    """The post with lists in the place of flow charts as ours are."""
    return with_diagrams(post, relations)


def _fences(post: Post) -> list[tuple[str, int, int]]:
    """Source, first line and line behind the end."""
    if "mermaid" not in post.markdown.lower():
        return []
    tokens = normalised_markdown(post.markdown).tokens
    found = (token for token in tokens if token.type == "fence" and token.level == 0 and token.map)
    return sorted(
        ((token.content, token.map[0], token.map[1]) for token in found if token.map and _is_mermaid(token)),
        key=lambda each: each[1],
    )


def _is_mermaid(token: Token) -> bool:
    return fence_language(token) == "mermaid"
