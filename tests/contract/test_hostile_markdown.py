"""Markdown that is made to keep its parser busy: its time grows with its length, and no faster."""

from __future__ import annotations

import pytest
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline

from contentgen_adapters.shared.text.markdown import MAX_LOOKS, parser, plain_blocks

LENGTH = 100_000


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where the parser looked for the end of a link or a picture."""
    places, look = list[int](), ParserInline.skipToken

    def counted(self: ParserInline, state: StateInline) -> None:
        places.append(state.pos)
        look(self, state)

    monkeypatch.setattr(ParserInline, "skipToken", counted)
    return places


@pytest.mark.parametrize("run", ["[", "![", "[^", "[[a]", "[a][b", "[[a](b", "[a](", "[x]: a\n\n[x][y]"])
def test_a_run_of_brackets_is_looked_at_a_bounded_number_of_times(run: str, looks: list[int]) -> None:
    parser().parse(run * (LENGTH // len(run)))
    assert len(looks) <= MAX_LOOKS


def test_none_of_its_text_is_lost(looks: list[int]) -> None:
    [block] = plain_blocks("[" * LENGTH)
    assert block.text == "[" * LENGTH


def test_so_are_the_cells_beyond_a_tables_columns(looks: list[int]) -> None:
    rows = "a|b\n-|-\n" + f"||{'[' * 5_000}\n" * 20
    assert "[" * 5_000 in "".join(block.text for block in plain_blocks(rows))
    assert len(looks) <= 2 * MAX_LOOKS


def test_as_many_links_as_a_text_has_are_links() -> None:
    line = "A [*good* pump](https://a.example/) ![and its picture](https://a.example/b.png).\n\n"
    tokens = parser().parse(line * 5_000)
    inner = [child.type for token in tokens for child in token.children or ()]
    assert (inner.count("link_open"), inner.count("image")) == (5_000, 5_000)


def test_each_text_has_its_own_count() -> None:
    shared = parser()
    shared.parse("[" * LENGTH)
    [_, inline, _] = shared.parse("[a](https://a.example/)")
    assert [token.type for token in inline.children or ()] == ["link_open", "text", "link_close"]
