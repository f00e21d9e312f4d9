"""Footnotes, tasks, aligned columns and bare addresses, in every form that targets take."""

from __future__ import annotations

from time import process_time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.publishing.bodies.contentful import rich_text
from contentgen_adapters.publishing.bodies.contentful_fields import Field, values
from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.publishing.bodies.notion import blocks as notion_blocks
from contentgen_adapters.publishing.bodies.strapi import blocks as strapi_blocks
from contentgen_adapters.publishing.testing import a_post
from contentgen_adapters.rendering.content import content_html
from contentgen_adapters.shared.document.extended import _list_of, document_tokens

TEXT = """Heat[^b] rises[^a], see www.example.org/a_(b) or (https://example.com/x?y=1). Area: m<sup>2</sup>, ~~old~~.

- [ ] measure
- [x] insulate

| Size | Price |
|:-----|------:|
| 5 kW | 9,000 |

[^a]: The *first* note.
[^b]: The second note, about https://example.net.
"""


def in_html(text: str) -> str:
    return html(a_post(markdown=text, sources=()))


def in_notion(text: str) -> str:
    return msgspec.json.encode(notion_blocks(a_post(markdown=text, sources=()))).decode()


def in_strapi(text: str) -> str:
    return msgspec.json.encode(strapi_blocks(a_post(markdown=text, sources=()))).decode()


def in_contentful(text: str) -> str:
    return msgspec.json.encode(rich_text(a_post(markdown=text, sources=()))).decode()


FORMS = pytest.mark.parametrize(
    "form", [in_html, in_notion, in_strapi, in_contentful, lambda text: content_html(text, ())],
    ids=["html", "notion", "strapi", "contentful", "page"],
)  # fmt: skip


class TestFootnotes:
    @FORMS
    def test_are_numbered_as_they_are_named_and_listed_at_the_end(self, form: object) -> None:
        shown = form(TEXT)  # type: ignore[operator]
        assert "[^" not in shown
        assert shown.index("The second note") < shown.index("first")
        assert shown.index("9,000") < shown.index("The second note")

    def test_are_raised_numbers(self) -> None:
        assert "Heat<sup>1</sup> rises<sup>2</sup>" in in_html(TEXT)
        assert "Heat\u00b9 rises\u00b2" in in_notion(TEXT)
        assert "Heat\u00b9 rises\u00b2" in in_strapi(TEXT)
        assert '"value":"1","marks":[{"type":"superscript"}]' in in_contentful(TEXT)

    def test_one_that_nobody_names_is_not_lost_and_a_name_without_one_is_text(self) -> None:
        shown = in_html("Heat[^x].\n\n[^y]: Lost?")
        assert "[^x]" in shown
        assert "Lost?" in shown

    def test_notes_may_name_notes(self) -> None:
        assert "b<sup>2</sup>" in in_html("a[^1]\n\n[^1]: b[^2]\n[^2]: c[^1]")

    def test_stay_as_they_are_in_markdown(self) -> None:
        assert "Heat[^b]" in markdown(a_post(markdown=TEXT, sources=()))


class TestTasks:
    @FORMS
    def test_are_not_bracketed_text(self, form: object) -> None:
        shown = form(TEXT)  # type: ignore[operator]
        assert "[ ]" not in shown
        assert "[x]" not in shown
        assert "insulate" in shown

    def test_have_boxes(self) -> None:
        assert "<li>\u2610 measure</li>" in in_html(TEXT)
        assert "\u2611 insulate" in in_strapi(TEXT)

    def test_are_tasks_in_notion(self) -> None:
        tasks = [block["to_do"] for block in notion_blocks(a_post(markdown=TEXT, sources=()))[0]
                 if block["type"] == "to_do"]  # fmt: skip
        assert [task["checked"] for task in tasks] == [False, True]
        assert tasks[0]["rich_text"][0]["text"]["content"] == "measure"


class TestBareAddresses:
    @FORMS
    def test_are_links_without_the_punctuation_around_them(self, form: object) -> None:
        shown = form(TEXT)  # type: ignore[operator]
        for address in ("http://www.example.org/a_(b)", "https://example.com/x?y=1", "https://example.net"):
            assert f'"{address}"' in shown

    @pytest.mark.parametrize("text", ["`https://example.com/a`", "    https://example.com/a", "ada@www.example.com",
                                      "https://", "www.nothing", "[www.a.example](https://example.com/)",
                                      "<a href='https://example.com/'>www.a.example</a>"])  # fmt: skip
    def test_code_mail_addresses_and_links_stay_as_they_are(self, text: str) -> None:
        shown = in_html(text)
        assert shown.count("<a ") == text.count("](") + text.count("<a ")
        assert "http://www" not in shown


class TestColumns:
    def test_are_aligned_in_html(self) -> None:
        assert '<td align="right">9,000</td>' in in_html(TEXT)
        assert '<th align="left">Size</th>' in content_html(TEXT, ())

    def test_are_below_each_other_in_strapi(self) -> None:
        table = "| Size | Price |\n|:--|--:|\n| 5 kW | 9,000 |\n| [a](https://example.com/a) | 1 |"
        [block] = strapi_blocks(a_post(markdown=table, sources=()))
        assert block["type"] == "code"
        assert block["children"][0]["text"].split("\n") == [
            "Size                      | Price",
            "--------------------------+------",
            "5 kW                      | 9,000",
            "a (https://example.com/a) |     1",
        ]


def test_struck_out_raised_and_lowered_text_has_its_marks_in_contentful() -> None:
    shown = in_contentful("~~a~~ m<sup>2</sup> H<sub>2</sub>O")
    for mark in ("strikethrough", "superscript", "subscript"):
        assert f'"type":"{mark}"' in shown


def test_marks_that_the_owner_of_a_field_in_contentful_did_not_switch_on_are_left_out() -> None:
    post = a_post(markdown="~~a~~ **b** m<sup>2</sup>", sources=())
    shown = msgspec.json.encode(rich_text(post, ["bold"])).decode()
    assert '"value":"b","marks":[{"type":"bold"}]' in shown
    assert "strikethrough" not in shown
    assert '"value":"\u00b2","marks":[]' in shown
    field = Field("text", "RichText", validations=[{"enabledMarks": ["bold"]}])
    assert [value for _, value in values(post, {"body": field}, None, {})] == [rich_text(post, ["bold"])]


def test_raised_text_is_not_run_into_the_word_where_there_are_no_marks() -> None:
    assert "m\u00b2 and x^ab and H\u2082O" in in_strapi("m<sup>2</sup> and x<sup>ab</sup> and H<sub>2</sub>O")


@given(st.lists(st.sampled_from(["[^", "a", "]", ": ", "\n", "[^a]", "- [ ] ", "www.", "https://a.b/", "(", ")", " "])))
def test_whatever_is_written_nothing_breaks(parts: list[str]) -> None:
    text = "".join(parts)
    document_tokens(text)
    in_notion(text)


@pytest.mark.parametrize("run", ["[^", "[^a", "[^a]", "- [ ] ", "www.a.b/", "https://a.b)", ")", "[^a]: ", "\n[^a]: x"])
def test_runs_take_a_time_that_grows_with_their_length(run: str) -> None:
    text = "[^a]: x\n\n" + run * (60_000 // len(run))
    begun = process_time()
    document_tokens(text)
    assert process_time() - begun < 8


def test_many_notes_that_nobody_names_take_a_time_that_grows_with_their_number() -> None:
    begun = process_time()
    made = list(_list_of({f"{n}": [] for n in range(30_000)}, {}))
    assert process_time() - begun < 3
    assert sum(token.type == "list_item_open" for token in made) == 30_000
