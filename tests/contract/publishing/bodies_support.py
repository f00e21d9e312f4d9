"""Posts of any Markdown, and what can be read in each format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st

from contentgen_adapters.publishing.testing import a_post
from contentgen_core.model.publishing_target import Post, PostSource
from contentgen_core.model.vocabulary import Language

SOURCES: Final = (
    PostSource(1, "Heat pump efficiency", "https://example.com/1"),
    PostSource(2, "A <book> without *an* address"),
    PostSource(7, "熱 | ポンプ `x` [y](z)", "https://example.com/a_(b)?c=1&copy;=2"),
)
PAYLOADS: Final = (
    "<script>alert(1)</script>",
    "<script>",
    "<!-- <script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "![x](data:image/png;base64,AAAA)",
    '<a href="https://ok.example" onclick="alert(1)">',
    "<svg onload=alert(1)>",
    "<iframe src=https://evil.example></iframe>",
    '![x](https://e.example/"onerror=alert(1))',
    '```"><script>alert(1)</script>\ncode\n```',
    "```mermaid\ngraph TD\n</pre><script>alert(1)</script>\n```",
    "> " * 40 + "deep",
    "- " * 40 + "deep",
    "<div>" * 200,
    "<b>" * 500,
    "*a " * 50,
    "[" * 100,
    "\x00\x07\ud800",
    "שלום עולם",
    "熱ポンプ",
    "👩‍👩‍👧",
    "[1]",
    "[7]",
    "{{ x }} {% y %}",
    "---",
    "\n\n",
    "\n",
    "    ",
    "| a | b |\n|---|---|\n| c | d |\n",
    "1986. A year",
    "~~gone~~",
    "`",
)

_WORD: Final = st.integers(0, 10**6).map(lambda n: f"w{n}x")


def post(markdown: str, **changes: Any) -> Post:
    fields: dict[str, Any] = {"markdown": markdown, "sources": SOURCES, "excerpt": None}
    return evolve(a_post(), **fields | changes)


def hostile() -> st.SearchStrategy[str]:
    return st.text(st.characters(), max_size=200) | st.lists(st.sampled_from(PAYLOADS), max_size=12).map(" ".join)


def languages() -> st.SearchStrategy[Language | None]:
    return st.none() | st.sampled_from(Language)


def _inlines() -> st.SearchStrategy[str]:
    plain = st.lists(_WORD, min_size=1, max_size=4).map(" ".join)
    marked = st.builds("{0}{1}{0}".format, st.sampled_from(["*", "**", "~~", "`", "***"]), _WORD)
    linked = st.builds("[{}](https://example.com/{})".format, _WORD, _WORD)
    pictured = st.builds("![{}](https://example.com/{}.png)".format, _WORD, _WORD)
    cited = st.builds("{} [{}].".format, _WORD, st.sampled_from([1, 2, 7, 9]))
    html = st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["b", "i", "sup", "u", "span"]), _WORD)
    return st.lists(plain | marked | linked | pictured | cited | html, min_size=1, max_size=4).map(" ".join)


def _leaves() -> st.SearchStrategy[str]:
    heading = st.builds("{} {}".format, st.integers(1, 6).map("#".__mul__), _inlines())
    code = st.builds("```{}\n{} <b>&{}\n```".format, st.sampled_from(["", "python", "mermaid", "zzz"]), _WORD, _WORD)
    row = st.lists(_inlines(), min_size=3, max_size=3).map(lambda cells: f"| {' | '.join(cells)} |")
    table = st.builds(
        lambda head, rows: "\n".join((head, "|---|---|---|", *rows)), row, st.lists(row, min_size=1, max_size=4)
    )
    element = st.builds("<div><p>{}</p><p>{}</p></div>".format, _WORD, _WORD)
    return _inlines() | heading | code | table | element | st.just("***")


def _within(blocks: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(blocks, min_size=1, max_size=3).map("\n\n".join)
    quote = several.map(lambda text: "\n".join(f"> {line}" for line in text.split("\n")))
    items = st.lists(several, min_size=1, max_size=3)
    bullets = items.map(lambda texts: "\n".join(_item("- ", text) for text in texts))
    numbers = st.builds(
        lambda texts, first: "\n".join(_item(f"{first + at}. ", text) for at, text in enumerate(texts)),
        items,
        st.sampled_from([1, 1, 5]),
    )
    return quote | bullets | numbers


def _item(marker: str, text: str) -> str:
    return marker + text.replace("\n", "\n" + " " * len(marker))


def sound() -> st.SearchStrategy[str]:
    """Markdown of all constructs, whose visible words are `w…x`."""
    blocks = st.recursive(_leaves(), _within, max_leaves=8)
    return st.lists(blocks, min_size=1, max_size=5).map("\n\n".join)


def every_text(value: Any) -> Iterator[str]:
    """All texts anywhere in a JSON value."""
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from every_text(each)
        case list():
            for each in value:
                yield from every_text(each)
