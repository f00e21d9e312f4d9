"""Running text and code languages as Notion takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from contentgen_adapters.publishing.bodies.lengths import pieces, units
from contentgen_adapters.shared.document.inline import Mark, Span, merge_alike, without_scripts

LONGEST_TEXT: Final = 2_000  # of one rich text object
MOST_TEXTS: Final = 100  # in one array
HEAVIEST: Final = 60_000  # bytes of one block's rich text, roughly; ours, so that a request's 500 KB hold several

_ANNOTATIONS: Final = {Mark.BOLD: "bold", Mark.ITALIC: "italic", Mark.STRIKE: "strikethrough", Mark.CODE: "code"}
_LANGUAGES: Final = frozenset({
    "abap", "arduino", "bash", "basic", "c", "clojure", "coffeescript", "c++", "c#", "css", "dart", "diff", "docker",
    "elixir", "elm", "erlang", "flow", "fortran", "f#", "gherkin", "glsl", "go", "graphql", "groovy", "haskell",
    "html", "java", "javascript", "json", "julia", "kotlin", "latex", "less", "lisp", "livescript", "lua", "makefile",
    "markdown", "markup", "matlab", "mermaid", "nix", "objective-c", "ocaml", "pascal", "perl", "php", "plain text",
    "powershell", "prolog", "protobuf", "python", "r", "reason", "ruby", "rust", "sass", "scala", "scheme", "scss",
    "shell", "sql", "swift", "typescript", "vb.net", "verilog", "vhdl", "visual basic", "webassembly", "xml", "yaml",
    "java/c/c++/c#",
})  # fmt: skip
_ALIASES: Final = {
    "py": "python", "python3": "python", "js": "javascript", "jsx": "javascript", "node": "javascript",
    "ts": "typescript", "tsx": "typescript", "sh": "shell", "zsh": "shell", "console": "shell", "yml": "yaml",
    "md": "markdown", "cpp": "c++", "cxx": "c++", "cs": "c#", "csharp": "c#", "fsharp": "f#", "fs": "f#",
    "golang": "go", "rb": "ruby", "rs": "rust", "kt": "kotlin", "dockerfile": "docker", "make": "makefile",
    "tex": "latex", "objc": "objective-c", "objectivec": "objective-c", "ps1": "powershell", "pl": "perl",
    "hs": "haskell", "vb": "visual basic", "proto": "protobuf", "wasm": "webassembly", "svg": "xml", "htm": "html",
    "jsonc": "json", "postgresql": "sql", "mysql": "sql",
}  # fmt: skip


def code_language(name: str) -> str:
    """Return the language by the name that Notion uses; "plain text" for one that it does not know."""
    known = _ALIASES.get(name, name)
    return known if known in _LANGUAGES else "plain text"


def rich_texts(spans: Iterable[Span]) -> Iterator[list[dict[str, Any]]]:
    """Return rich text in portions that one block holds; none for no text."""
    portion: list[dict[str, Any]] = []
    weight = 0
    for span in merge_alike(map(without_scripts, spans)):
        assert isinstance(span, Span)
        for text in pieces(span.text, LONGEST_TEXT):
            made = _rich_text(text, span)
            heavy = 3 * units(text) + len(span.href or "") + 150
            if portion and (len(portion) == MOST_TEXTS or weight + heavy > HEAVIEST):
                yield portion
                portion, weight = [], 0
            portion.append(made)
            weight += heavy
    if portion:
        yield portion


def _rich_text(text: str, span: Span) -> dict[str, Any]:
    content: dict[str, Any] = {"content": text}
    if span.href:
        content["link"] = {"url": span.href}
    made: dict[str, Any] = {"type": "text", "text": content}
    if span.marks:
        made["annotations"] = {_ANNOTATIONS[mark]: True for mark in sorted(span.marks)}
    return made
