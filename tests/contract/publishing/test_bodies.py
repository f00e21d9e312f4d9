"""Each construct in each format."""

from __future__ import annotations

from typing import Any

import pytest

from contentgen_adapters.publishing.bodies import contentful, linkedin, notion, strapi, texts
from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.shared.document.from_html import is_html
from contentgen_adapters.shared.document.normalised import normalised_text
from contentgen_core.model.publishing_target import PostSource
from contentgen_core.model.vocabulary import Language
from tests.contract.publishing.bodies_support import every_text, post


def notion_of(content: str) -> list[dict[str, Any]]:
    [request] = notion.blocks(post(content, sources=()))
    return request


def strapi_of(content: str) -> list[dict[str, Any]]:
    return strapi.blocks(post(content, sources=()))


def contentful_of(content: str) -> list[dict[str, Any]]:
    return list(contentful.rich_text(post(content, sources=()))["content"])


def html_of(content: str, **options: bool) -> str:
    return html(post(content, sources=()), **options)


class TestHtml:
    def test_code_has_its_language_as_a_class(self) -> None:
        assert '<pre><code class="language-c++">a &lt; b\n</code></pre>' in html_of("```C++ x\na < b\n```")

    def test_mermaid_is_a_code_block(self) -> None:
        assert '<code class="language-mermaid">graph TD' in html_of("```mermaid\ngraph TD\n```")

    def test_without_code_blocks_the_lines_and_their_indent_stay(self) -> None:
        made = html_of("```py\nif x:\n    y < 1\n```", code_blocks=False)
        assert "<p><code>if x:<br>\u00a0\u00a0\u00a0\u00a0y &lt; 1</code></p>" in made

    def test_images_of_the_web_stay_and_others_are_their_text(self) -> None:
        made = html_of("![A pump](https://example.com/a.png) ![B](/b.png) ![C](data:image/png;base64,AA==)")
        assert '<img src="https://example.com/a.png" alt="A pump">' in made
        assert made.count("<img") == 1
        assert "<em>B</em>" in made

    def test_citations_lead_to_the_numbered_sources(self) -> None:
        made = html(post("So it is [7]."))
        assert '<a href="#source-7" rel="noopener noreferrer">[7]</a>' in made
        assert '<li id="source-7" value="7">熱 | ポンプ' in made
        assert "[7]." in html(post("So it is [7]."), citation_links=False)

    def test_the_heading_of_the_sources_is_in_the_posts_language(self) -> None:
        assert "<h2>Quellen</h2>" in html(post("x", language=Language.DE))
        assert "<h2>Sources</h2>" in html(post("x", language=None))

    def test_text_from_right_to_left_says_so(self) -> None:
        assert html(post("x", language=Language.AR)).startswith('<div dir="rtl">')
        assert html(post("# שלום", language=None)).startswith('<div dir="rtl">')
        assert 'dir="rtl"' not in html(post("a שלום", language=None))

    def test_an_open_script_swallows_nothing(self) -> None:
        made = html_of("One <script> two\n\nthree")
        assert "two" in made
        assert "three" in made
        assert "script" not in made


class TestMarkdown:
    def test_text_stays_as_it_is_written(self) -> None:
        content = "# A\n\n* a `<script>` *b* [1]\n\n```html\n<script>\n```\n\n| a |\n|---|\n| b |"
        assert markdown(post(content, sources=())) == content + "\n"

    def test_front_matter_is_left_out(self) -> None:
        assert normalised_text("---\ntitle: x\ntags:\n  - a\n---\n\nText") == "Text"

    def test_a_rule_at_the_beginning_is_no_front_matter(self) -> None:
        assert normalised_text("\ufeff\n---\nText, of course\n\n---\n") == "***\nText, of course\n\n---"

    def test_sources_are_numbered_as_cited(self) -> None:
        two = (PostSource(1, "A [x] *b*", "https://example.com/a(b)"), PostSource(2, "1. # C"))
        made = markdown(post("x", sources=two, language=Language.FR))
        assert made == "x\n\n## Sources\n\n1. [A \\[x\\] \\*b\\*](https://example.com/a%28b%29)\n2. 1\\. \\# C\n"
        assert "\n- [7] [熱" in markdown(post("x"))

    def test_scripts_and_dangerous_links_are_no_markup(self) -> None:
        made = markdown(post("a <b onclick=x>b</b> <script>c</script> [x](javascript:a) <x", sources=()))
        assert made == "a <b>b</b> c [x\\](javascript:a) &lt;x\n"

    def test_liquid_tags_are_text_outside_code(self) -> None:
        made = markdown(post("{{ a }} `{{ b }}`\n\n```\n{% c %}\n```", sources=()), liquid=True)
        assert made == "{&#123; a }} `{{ b }}`\n\n```\n{% c %}\n```\n"


class TestContentInHtml:
    def test_it_becomes_markdown(self) -> None:
        content = (
            "<!-- x --><h2>A &amp; B</h2>\n<p>One <b>two</b> [1] *x* <a href='https://example.com/a b'>c</a><br>d</p>"
            "<ul><li>e<ol start=3><li>f</li></ol></li></ul><pre><code class='language-py'>x = '```'</code></pre>"
            "<table><tr><th>g</th></tr><tr><td>h|i</td><td>j</td></tr></table><script>no</script>"
            "<img src='https://example.com/k.png' alt='k'>"
        )
        assert normalised_text(content) == (
            "## A & B\n\nOne **two** [1] \\*x\\* [c](https://example.com/a%20b)  \nd\n\n- e\n  3. f\n\n"
            "````py\nx = '```'\n````\n\n| g |  |\n| --- | --- |\n| h\\|i | j |\n\n![k](https://example.com/k.png)"
        )

    @pytest.mark.parametrize(
        "content",
        ["<p>a</p>", "<!DOCTYPE html><html><body>a</body></html>", "\n <!-- a --> <div>\n- no\n</div>",
         "<article><pre>\n# code\n</pre></article>"],
    )  # fmt: skip
    def test_html_is_told_from_markdown(self, content: str) -> None:
        assert is_html(content)

    @pytest.mark.parametrize(
        "content",
        ["# A\n\n<p>b</p>", "a <b>c</b>", "<div align=center>logo</div>\n\n# Title\n\ntext", "<https://example.com>",
         "<p>a</p>\n\n| a | b |\n|---|---|\n| c | d |", "", "<3 you"],
    )  # fmt: skip
    def test_markdown_is_told_from_html(self, content: str) -> None:
        assert not is_html(content)

    def test_all_formats_work_from_it(self) -> None:
        content = "<h2>Head</h2><p>Text</p>"
        assert [block["type"] for block in notion_of(content)] == ["heading_2", "paragraph"]
        assert "<h2>Head</h2>" in html_of(content)

    def test_blocks_of_html_within_markdown_become_markdown(self) -> None:
        made = normalised_text("# A\n\n<table>\n\n<tr><td>b</td></tr>\n\n</table>\n\nc")
        assert made == "# A\n\n|  |\n| --- |\n| b |\n\nc"


class TestNotion:
    def test_headings_beyond_the_fourth_level_are_of_the_fourth(self) -> None:
        assert [block["type"] for block in notion_of("# a\n\n#### b\n\n###### c")] == [
            "heading_1", "heading_4", "heading_4",
        ]  # fmt: skip

    def test_marks_and_links_are_annotations(self) -> None:
        [block] = notion_of("a ***b*** ~~c~~ `d` [e](https://example.com/)")
        texts = block["paragraph"]["rich_text"]
        assert texts[1] == {
            "type": "text", "text": {"content": "b"}, "annotations": {"bold": True, "italic": True},
        }  # fmt: skip
        assert texts[-1]["text"] == {"content": "e", "link": {"url": "https://example.com/"}}

    def test_lists_are_nested_two_levels_and_deeper_ones_stand_there(self) -> None:
        [top] = notion_of("- a\n  - b\n    - c\n      - d")
        [second] = top["bulleted_list_item"]["children"]
        third = second["bulleted_list_item"]["children"]
        assert [[*every_text(block["bulleted_list_item"]["rich_text"])][-1] for block in third] == ["c", "d"]

    def test_a_list_that_begins_elsewhere_has_its_numbers_written_out(self) -> None:
        [block] = notion_of("1986. A year")
        assert block["paragraph"]["rich_text"][0]["text"]["content"] == "1986. A year"

    def test_code_languages_are_of_notions_list(self) -> None:
        blocks = notion_of("```py\na\n```\n\n```mermaid\nb\n```\n\n```brainf\nc\n```")
        assert [block["code"]["language"] for block in blocks] == ["python", "mermaid", "plain text"]

    def test_pictures_are_blocks_between_the_text(self) -> None:
        blocks = notion_of("a ![b](https://example.com/b.png) c")
        assert [block["type"] for block in blocks] == ["paragraph", "image", "paragraph"]
        assert blocks[1]["image"]["external"] == {"url": "https://example.com/b.png"}

    def test_tables_quotes_and_rules(self) -> None:
        table, quote, rule = notion_of("| a | b |\n|---|---|\n| c | d |\n\n> e\n>\n> f\n\n***")
        assert table["table"]["table_width"] == 2
        assert len(table["table"]["children"]) == 2
        assert quote["quote"]["children"][0]["type"] == "paragraph"
        assert rule["type"] == "divider"

    def test_long_texts_are_several_requests(self) -> None:
        requests = notion.blocks(post("a\n\n" * 250, sources=()))
        assert [len(request) for request in requests] == [100, 100, 50]


class TestContentful:
    def test_items_and_cells_hold_paragraphs(self) -> None:
        listed, table = contentful_of("- a\n\n| b |\n|---|\n| c |")
        assert listed["content"][0]["content"][0]["nodeType"] == "paragraph"
        head, row = table["content"]
        assert head["content"][0]["nodeType"] == "table-header-cell"
        assert row["content"][0]["content"][0]["nodeType"] == "paragraph"

    def test_code_is_a_paragraph_in_the_code_mark(self) -> None:
        [block] = contentful_of("```py\na\nb\n```")
        assert block["content"] == [{"nodeType": "text", "value": "a\nb", "marks": [{"type": "code"}], "data": {}}]

    def test_pictures_are_links_to_them(self) -> None:
        [block] = contentful_of("![a](https://example.com/a.png)")
        assert block["content"][0]["data"] == {"uri": "https://example.com/a.png"}

    def test_quotations_hold_paragraphs_alone(self) -> None:
        [quote] = contentful_of("> # a\n> - b\n>\n> ```\n> c\n> ```")
        assert [node["nodeType"] for node in quote["content"]] == ["paragraph"] * 3

    def test_no_table_stands_in_a_list(self) -> None:
        [listed] = contentful_of("- a\n\n  | b | c |\n  |---|---|\n  | d | e |")
        assert {node["nodeType"] for node in listed["content"][0]["content"]} == {"paragraph"}


class TestStrapi:
    def test_lists_stand_within_lists(self) -> None:
        [block] = strapi_of("1. a\n   - b")
        assert block["format"] == "ordered"
        assert [child["type"] for child in block["children"]] == ["list-item", "list"]
        assert block["children"][1]["format"] == "unordered"

    def test_items_with_code_are_paragraphs_with_their_numbers(self) -> None:
        made = strapi_of("1. a\n\n   ```py\n   b\n   ```\n2. c")
        assert [block["type"] for block in made] == ["paragraph", "code", "paragraph"]
        assert made[0]["children"] == [{"type": "text", "text": "1. a"}]
        assert made[1]["language"] == "py"

    def test_marks_and_links(self) -> None:
        [block] = strapi_of("**a** [b](https://example.com/)")
        assert block["children"][0] == {"type": "text", "text": "a", "bold": True}
        assert block["children"][2]["url"] == "https://example.com/"

    def test_an_empty_text_is_an_empty_paragraph(self) -> None:
        assert strapi_of("") == [{"type": "paragraph", "children": [{"type": "text", "text": ""}]}]


class TestLinkedIn:
    def test_reserved_characters_are_escaped_and_tags_are_hashtags(self) -> None:
        made = linkedin.commentary(post("x", title="A (b) #1", excerpt="It is 5_000 * 2.", tags=("heat pumps", "R&D")))
        assert made == "A \\(b\\) \\#1\n\nIt is 5\\_000 \\* 2.\n\n{hashtag|\\#|HeatPumps} {hashtag|\\#|RD}"

    def test_the_text_is_cut_behind_a_sentence(self) -> None:
        made = linkedin.commentary(post("One two three [1]. Four five six. Seven eight nine.", title="T", tags=()), 38)
        assert made == "T\n\nOne two three. Four five six."

    def test_the_card_is_plain_text(self) -> None:
        card = linkedin.card(post("Text.", title="A (b)", meta_description=None))
        assert (card.title, card.description) == ("A (b)", "Text.")


class TestTexts:
    def test_an_excerpt_ends_behind_a_word(self) -> None:
        assert texts.excerpt(post("One two [1], three four. # no"), 15) == "One two, three…"
        assert texts.excerpt(post("x", excerpt="own\nexcerpt"), 100) == "own excerpt"

    def test_joined_characters_are_not_cut(self) -> None:
        assert texts.shorten("👩‍👩‍👧👩‍👩‍👧", 15) == "👩‍👩‍👧…"

    def test_tags_are_spelled_as_targets_want_them(self) -> None:
        assert texts.tag_slugs(("Heat pumps", "heat-pumps", "Größe", "!"), most=4) == ("heatpumps", "grosse")
        assert texts.tag_slugs(("Heat pumps",), most=4, separator="-") == ("heat-pumps",)
