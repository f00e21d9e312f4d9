"""What holds for every text in every format: nothing is lost, nothing does harm, all limits are kept."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from contentgen_adapters.publishing.bodies import contentful, linkedin, notion, strapi, texts
from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.lengths import fitting, pieces, units
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_core.model.publishing_target import Post
from tests.contract.publishing.bodies_support import every_text, hostile, languages, post, sound

FORMATS: Final[dict[str, Callable[[Post], Any]]] = {
    "html": html,
    "html without code blocks": lambda post: html(post, code_blocks=False, citation_links=False),
    "markdown": markdown,
    "markdown for liquid": lambda post: markdown(post, liquid=True),
    "notion": notion.blocks,
    "contentful": contentful.rich_text,
    "strapi": strapi.blocks,
}
few = settings(max_examples=50, deadline=None)
"""A text is built and rendered for each: some ten milliseconds."""
every_format = pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)


@every_format
@few
@given(content=sound())
def test_no_visible_word_is_lost(format: Callable[[Post], Any], content: str) -> None:
    words = set(re.findall(r"w\d+x", content))
    shown = "\n".join(every_text(format(post(content))))
    assert words <= set(re.findall(r"w\d+x", shown))


@every_format
@few
@given(content=hostile() | sound(), language=languages())
def test_all_sources_are_there_and_the_result_is_valid_unicode(
    format: Callable[[Post], Any], content: str, language: Any
) -> None:
    made = format(post(content, language=language))
    json.dumps(made, ensure_ascii=False).encode()
    shown = "\n".join(every_text(made))
    for part in ("Heat pump efficiency", "address", "ポンプ", "https://example.com/1", "https://example.com/a_"):
        assert part in shown


class _Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("br", "img", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@few
@given(content=hostile(), title=st.text(), code_blocks=st.booleans())
def test_html_is_harmless_and_closed(content: str, title: str, code_blocks: bool) -> None:
    page = _Elements(html(post(content, title=title), code_blocks=code_blocks))
    assert page.open == []
    for tag, attributes in page.found:
        assert tag not in {"script", "style", "iframe", "svg", "object", "form", "base", "meta", "link", "input"}
        assert set(attributes) <= {
            "href",
            "title",
            "src",
            "alt",
            "class",
            "start",
            "align",
            "rel",
            "id",
            "value",
            "dir",
        }
        for name in ("href", "src"):
            address = attributes.get(name)
            assert address is None or not re.match(r"\s*(javascript|data|vbscript)\s*:", address, re.IGNORECASE)
        assert tag != "img" or re.match("https?://", attributes.get("src") or "http://")
        assert code_blocks or tag != "pre"


@few
@given(content=hostile())
def test_json_links_are_absolute_addresses(content: str) -> None:
    formats = (notion.blocks(post(content)), contentful.rich_text(post(content)), strapi.blocks(post(content)))
    for address in re.findall(r'"(?:url|uri)": "([^"]*)', json.dumps(formats)):
        assert re.match(r"https?://|mailto:", address), address
        assert len(address) <= 2_000


def _levels(blocks: list[dict[str, Any]], depth: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    for block in blocks:
        yield depth, block
        yield from _levels(block[block["type"]].get("children", []), depth + 1)


def assert_within_notions_limits(requests: list[list[dict[str, Any]]]) -> None:
    for request in requests:
        assert len(request) <= 100
        assert len(json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()) <= 480_000
        everything = [*_levels(request)]
        assert len(everything) <= 1_000
        for depth, block in everything:
            inner = block[block["type"]]
            assert depth <= 2
            assert depth < 2 or "children" not in inner
            assert inner.get("children") != []
            assert len(inner.get("children", [])) <= 100
            for array in (inner.get("rich_text", []), inner.get("caption", []), *inner.get("cells", [])):
                assert len(array) <= 100
                for each in array:
                    assert 0 < units(each["text"]["content"]) <= 2_000
                    assert len(each["text"].get("link", {}).get("url", "")) <= 2_000
            if block["type"] == "table":
                assert {len(row["table_row"]["cells"]) for row in inner["children"]} == {inner["table_width"]}


@few
@given(content=hostile() | sound())
def test_notions_limits_hold(content: str) -> None:
    assert_within_notions_limits(notion.blocks(post(content)))


@pytest.mark.parametrize(
    "content",
    [
        "word " * 60_000,
        "漢" * 250_000,
        "👩‍👩‍👧" * 60_000,
        "**a** b " * 2_000,
        "- a **b**\n" * 3_000,
        "- a\n" + "  - b\n    - c\n" * 1_500,
        "- a\n" + "  - b\n" + "    - c\n      - d\n" * 1_500,
        "1. a\n" + "   ```\n   " + "x" * 3_000 + "\n   ```\n" * 1,
        f"```python\n{'x = 1 # 漢' * 30_000}\n```",
        "| a | b |\n|---|---|\n" + "| c | d |\n" * 1_000,
        f"{'| a ' * 150}|\n{'|---' * 150}|\n{'| b ' * 150}|",
        "| a | b |\n|---|---|\n" + f"| {'漢' * 30_000} | **x** {'`y` z ' * 200} |\n",
        "- x\n\n  | a | b |\n  |---|---|\n" + "  | c | d |\n" * 300,
        "# " + "**a** b " * 200,
        "> a\n\n" * 500,
        "![a](https://example.com/a.png) " * 700,
        f"[{'a' * 5_000}](https://example.com/{'b' * 1_900})\n\n" * 200,
        "".join(f"[a{n}](https://example.com/{'b' * 1_900}{n}) " for n in range(240)),
    ],
)
def test_notions_limits_hold_for_what_is_large(content: str) -> None:
    requests = notion.blocks(post(content))
    assert_within_notions_limits(requests)
    letters = sum(text.count("a") + text.count("漢") for text in every_text(requests))
    assert letters >= content.count("漢") or "漢" not in content


@few
@given(st.lists(st.text(), max_size=20), st.text(), hostile() | sound(), st.integers(300, 3_000))
@example(tags=["\u0300"], title="x", content="x", limit=300)
def test_linkedins_text_is_escaped_and_within_its_limit(tags: list[str], title: str, content: str, limit: int) -> None:
    text = linkedin.commentary(post(content, tags=tuple(tags), title=title), limit)
    assert units(text) <= limit
    text.encode()
    without_hashtags = re.sub(r"\{hashtag\|\\#\|[^\s{}|#]*\w[^\s{}|#]*\}", "", text)
    assert not re.search(r"(?<!\\)(?:\\\\)*[|{}@\[\]()<>#*_~]", without_hashtags)
    card = linkedin.card(post(content, title=title))
    assert units(card.title) <= 400
    assert units(card.description) <= 4_086


@few
@given(hostile() | sound() | st.text(), st.integers(2, 400))
def test_excerpts_are_one_line_within_their_limit(content: str, limit: int) -> None:
    for text in (texts.excerpt(post(content), limit), texts.excerpt(post("x", excerpt=content), limit)):
        assert units(text) <= limit
        assert "\n" not in text
        text.encode()


@few
@given(st.lists(st.text()), st.integers(0, 10), st.integers(1, 30))
def test_tags_are_unlike_each_other_and_plain(tags: list[str], most: int, longest: int) -> None:
    slugs = texts.tag_slugs(tags, most=most, longest=longest)
    assert len(set(slugs)) == len(slugs) <= most
    assert all(re.fullmatch(rf"[a-z0-9]{{1,{longest}}}", slug) for slug in slugs)


@few
@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(2, 50))
def test_pieces_are_the_text_and_none_is_too_long(text: str, limit: int) -> None:
    parts = [*pieces(text, limit)]
    assert "".join(parts) == text
    assert all(0 < len(part.encode("utf-16-le")) // 2 <= limit for part in parts)
    assert fitting(text, limit) == len(text) or units(text[: fitting(text, limit) + 1]) > limit


@few
@given(sound())
def test_markdown_that_was_made_harmless_is_not_changed_again(content: str) -> None:
    once = markdown(post(content, sources=()))
    assert markdown(post(once, sources=())) == once


@every_format
@pytest.mark.parametrize(
    "content",
    ["> " * 10_000 + "a", ">" * 10_000, "- " * 10_000 + "a", "<div>" * 10_000 + "a", "<blockquote>" * 10_000 + "a",
     "*a " * 10_000, "[" * 10_000, "<p>" + "<b id=1>" * 10_000 + "a", "<ul><li>" * 10_000 + "a", "<!--" * 10_000],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_no_nesting_takes_long(format: Callable[[Post], Any], content: str) -> None:
    begun = time.process_time()
    format(post(content))
    assert time.process_time() - begun < 5
