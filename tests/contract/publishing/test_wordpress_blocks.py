"""Texts as WordPress's blocks: sound, with the classes of themes, and no text lost."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given, settings

from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.wordpress import Uploaded, wordpress_html
from contentgen_adapters.publishing.testing import a_post
from contentgen_adapters.shared.text.markdown import strip_tags
from contentgen_core.model.vocabulary import Language
from tests.contract.publishing.bodies_support import hostile, sound

COMMENT = re.compile(r"<!-- (/?)wp:([a-z-]+)(?: (\{.*?\}))? -->")


def blocks(text: str, **post: object) -> str:
    return wordpress_html(a_post(markdown=text, **{"sources": (), **post}))


def is_sound(content: str) -> bool:
    """Every block is closed, none is closed that is not open, and all that is written stands in one."""
    opened: list[str] = []
    at = 0
    for found in COMMENT.finditer(content):
        if not opened and content[at : found.start()].strip():
            return False
        if found[1]:
            if not opened or opened.pop() != found[2]:
                return False
        else:
            opened.append(found[2])
            msgspec.json.decode(found[3] or "{}")
        at = found.end()
    return not opened and not content[at:].strip()


@pytest.mark.parametrize(("text", "shown"), [
    ("A *b*.", "<!-- wp:paragraph -->\n<p>A <em>b</em>.</p>\n<!-- /wp:paragraph -->"),
    ("## A", '<!-- wp:heading -->\n<h2 class="wp-block-heading">A</h2>\n<!-- /wp:heading -->'),
    ("### A", '<!-- wp:heading {"level":3} -->\n<h3 class="wp-block-heading">A</h3>'),
    ("> A", '<blockquote class="wp-block-quote"><!-- wp:paragraph -->\n<p>A</p>\n<!-- /wp:paragraph --></blockquote>'),
    ("- A", '<ul class="wp-block-list"><!-- wp:list-item -->\n<li>A</li>\n<!-- /wp:list-item --></ul>'),
    ("3. A", '<!-- wp:list {"ordered":true,"start":3} -->\n<ol start="3" class="wp-block-list">'),
    ("- A\n  1. B", '<li>A<!-- wp:list {"ordered":true} -->\n<ol class="wp-block-list">'),
    ("- A\n\n  B", "<li>A<br><br>B</li>"),
    ("- A\n\n      B", "<!-- wp:html -->\n<ul>"),
    ("```py\na < b\n```", '<!-- wp:code {"className":"language-py"} -->\n<pre class="wp-block-code language-py">'
                           "<code>a &lt; b</code></pre>"),
    ("***", '<!-- wp:separator -->\n<hr class="wp-block-separator has-alpha-channel-opacity" />'),
    ("|A|\n|-:|\n|1|", '<td class="has-text-align-right" data-align="right">1</td>'),
    ("|A|\n|-|\n|1|", '<figure class="wp-block-table"><table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td>'),
    ("![A](https://a.example/b.png)", "<!-- wp:image -->\n"
     '<figure class="wp-block-image"><img src="https://a.example/b.png" alt="A" /></figure>'),
])  # fmt: skip
def test_what_stands_in_a_text_is_the_block_that_the_editor_makes_of_it(text: str, shown: str) -> None:
    content = blocks(text)
    assert shown in content
    assert is_sound(content)


def test_an_uploaded_picture_is_one_of_the_library() -> None:
    post = a_post(markdown="![A](https://a.example/b.png)\n\nIn ![a](https://a.example/b.png) line.", sources=())
    content = wordpress_html(post, {"https://a.example/b.png": Uploaded(7, "https://w.example/b.png")})
    assert "a.example" not in content
    assert '<!-- wp:image {"id":7,"sizeSlug":"full","linkDestination":"none"} -->' in content
    assert (
        '<figure class="wp-block-image size-full"><img src="https://w.example/b.png" alt="A" class="wp-image-7" />'
        in content
    )
    assert re.search(r'<p>In <img src="https://w.example/b.png"[^>]* class="wp-image-7"> line', content)


def test_citations_lead_to_their_sources() -> None:
    content = wordpress_html(a_post(markdown="Heat [1]."))
    assert '<a href="#source-1"' in content
    assert '<li><span id="source-1">Heat pump efficiency' in content
    assert is_sound(content)


def test_right_to_left_text_stands_in_an_element_of_that_direction() -> None:
    content = blocks("\u05e9\u05dc\u05d5\u05dd", language=Language.HE)
    assert content.startswith('<!-- wp:html -->\n<div dir="rtl">')
    assert is_sound(content)


@pytest.mark.parametrize("text", ["<blockquote>" * 300, "- " + "<ul><li>" * 300, "> " * 40 + "x",
                                  "a <!-- wp:html --> b", "`<!-- /wp:paragraph -->`", "```--><script>\nx\n```",
                                  "- <ol start='9999999999999'><li>a</li></ol>", "- <ol start='x'><li>a"])  # fmt: skip
def test_hostile_texts_break_no_block(text: str) -> None:
    assert is_sound(blocks(text))


@settings(max_examples=40)
@given(hostile() | sound())
def test_no_text_is_lost(text: str) -> None:
    content = blocks(text)
    assert is_sound(content)
    assert _words(COMMENT.sub("", content)) == _words(html(a_post(markdown=text, sources=())))


def _words(content: str) -> str:
    return "".join(strip_tags(content.replace("&#091;", "[")).split())
