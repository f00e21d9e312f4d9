"""What addresses and forms of the console say, whatever stands in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article_plan import SourceRef
from contentgen_http.console.visit import MAX_SOURCES, Form, language_of, source_refs, whole_number
from contentgen_http.texts import LANGUAGES


@pytest.mark.parametrize("text", ["", "-1", "1.5", "²", "१२", " 1", "12345678", "1e3"])
def test_what_is_no_whole_number_is_none(text: str) -> None:
    assert whole_number(text) is None
    assert whole_number(text, 7) == 7


@given(st.integers(0, 9_999_999))
def test_a_whole_number_is_read_as_it_is_written(number: int) -> None:
    assert whole_number(str(number)) == number


@given(st.text())
def test_any_text_is_a_number_within_bounds_or_none(text: str) -> None:
    assert 0 <= whole_number(text, 0) < 10_000_000


@given(st.lists(st.text(max_size=40), max_size=2 * MAX_SOURCES))
def test_passages_are_those_that_can_be_some_each_once(texts: list[str]) -> None:
    named = ["d1#0", *texts, "d1#0"]
    refs = source_refs(Form(tuple(("source", text) for text in named)), "source")
    assert refs[0] == SourceRef.parse("d1#0")
    assert len(refs) == len(set(refs)) <= MAX_SOURCES


@given(st.lists(st.tuples(st.sampled_from([b"cookie", b"accept-language"]), st.binary(max_size=40)), max_size=3))
def test_any_headers_ask_for_a_language_that_there_is(headers: list[tuple[bytes, bytes]]) -> None:
    assert language_of(headers) in LANGUAGES


def test_what_a_person_chose_goes_before_what_the_browser_asks_for() -> None:
    asked = [(b"accept-language", b"en"), (b"cookie", b"contentgen_language=fr")]
    assert language_of(asked) == "fr"
    assert language_of(asked[:1]) == "en"


def test_prose_of_a_form_is_what_was_typed_in_words_without_what_may_be_secret() -> None:
    pairs = (("csrf", "8f3a"), ("topic", " Heat pumps "), ("words-0", "120"), ("credentials.appPassword", "abcd efgh"))
    assert Form((*pairs, ("text", "One.\n\nTwo."))).prose() == "Heat pumps\n\nOne.\n\nTwo."
    assert Form(pairs[2:]).prose() == ""
