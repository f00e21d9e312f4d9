"""Markdown that is made to keep its parser busy: its time grows with its length, and no faster."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline

from contentgen_adapters.rendering.content import content_html
from contentgen_adapters.rendering.renderer import MarkdownRenderer
from contentgen_adapters.shared.document.from_html import from_html
from contentgen_adapters.shared.text.markdown import MAX_LOOKS, parser, plain_blocks
from contentgen_adapters.shared.text.tag_soup import too_intricate

LENGTH = 100_000
CONTENT = 490_000  # characters, nearly as many as an article may have
SOON = 12.0  # seconds of processor time
HOSTILE_HTML = {
    "open": "<div>",
    "wrong end": "<div></x>",
    "end in an attribute": '<div a="</div>">',
    "end behind an attribute": """<div a='>' b="</div>">""",
    "end in a comment": "<div><!--</div>-->",
    "end in a text": "<div><textarea></div></textarea>",
    "list": "<ul><li>",
    "unclosed": "<i><b></i>",
}


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


@pytest.mark.parametrize("element", HOSTILE_HTML.values(), ids=HOSTILE_HTML)
@pytest.mark.parametrize("read", [MarkdownRenderer().plain_text, lambda text: content_html(text, ()), from_html])
def test_elements_within_each_other_take_no_longer_than_others(read: Callable[[str], str], element: str) -> None:
    text = f"{element}word" * (CONTENT // len(f"{element}word"))
    began = time.process_time()
    assert "word" in read(text)
    assert time.process_time() - began < SOON


def test_an_element_that_each_paragraph_opens_again_is_read_as_text() -> None:
    bold = "".join(f"<b a={n}>" for n in range(300))
    assert content_html(f"<p>{bold}</p>" + "<p>word</p>" * 40_000, ()).count("<b") == 0


@pytest.mark.parametrize(
    "html",
    [
        "<p>A <b>pump</b> it's <a href='https://a.example/?b=1&c' title=\"It's\">here</a><br/>.</p>\n" * 6_000,
        "<ul>" + "<li>A pump" * 20_000 + "</ul>",
        "<table>" + "<tr><td>1</td><td>2</td></tr>" * 10_000 + "</table>",
        "<div>" * 200 + "A pump" + "</div>" * 200,
        "<" * CONTENT,
    ],
)
def test_what_people_write_is_not_too_intricate(html: str) -> None:
    assert not too_intricate(html)
