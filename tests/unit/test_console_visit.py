"""What addresses and forms of the console say, whatever stands in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article_plan import SourceRef
from contentgen_http.console.visit import MAX_SOURCES, Form, source_refs, whole_number


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
