"""Parts of a Markdown text that have no syntax are read without the parser, and as the parser reads them."""

from __future__ import annotations

from typing import Final
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_adapters.shared.text import markdown
from contentgen_adapters.shared.text.markdown import plain_blocks

_PIECES: Final = (
    *("Heat pumps move heat.", "Wärme, “bewegt”", "中文行", "日本語", "R&D 5%", "2019 was", "12. twelfth", "e\u00a0"),
    *("# Heads", "## Heads of two", "#no", "===", "---", "- item", "* one\n\n  two", "1. one", "1.", "> quoted"),
    *(
        "    code",
        "\tcode",
        "| a | b |\n|---|---|\n| c | d | e |",
        "a `b` *c*",
        "<b>",
        "[a]",
        "+ plus",
        "= is",
        ": colon",
    ),
    *("\\", "\x0b", "\u2028"),
)
_texts: Final = st.lists(
    st.sampled_from(_PIECES) | st.sampled_from(("\n", "\n\n", " \n", "  \n\t\n", " ")) | st.text(max_size=3),
    max_size=20,
).map("".join)


@given(text=_texts)
@example(text="1.\n\nHeat\n\n1. one\n\nPumps move\nheat.\n\n2. two\n")
@example(text="<b>\nHeat pumps move heat.")
@example(text="\n# Heads\nHeat\n中文\n行\n## Heads\n\n    code\n\n    code\n\nHeat")
def test_what_needs_no_parser_reads_as_with_one(text: str) -> None:
    with patch.object(markdown, "_parts", lambda whole: [(False, whole)]):
        parsed = list(plain_blocks(text))
    assert list(plain_blocks(text)) == parsed
