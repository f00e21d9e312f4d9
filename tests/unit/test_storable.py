import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.shared.text.markdown import storable
from contentgen_core.errors import InvalidInput
from contentgen_core.policies.text.names import checked_name, name_fault
from contentgen_core.policies.text.storable import fits, is_storable, nul_paths


@pytest.mark.parametrize("text", ["a\0b", "\0", "half \ud83d of an emoji", "\udc00"])
def test_no_store_takes_nul_and_halves_of_pairs(text: str) -> None:
    assert not is_storable(text)
    assert is_storable(storable(text))


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_every_other_text_is_stored_as_it_is(text: str) -> None:
    assert is_storable(text)
    assert storable(text) == text


def test_a_nul_leaves_what_is_asked_for_in_its_place() -> None:
    assert storable("a\0b") == "ab"
    assert storable("a\0b", nul=" ") == "a b"


@pytest.mark.parametrize(
    ("text", "least", "expected"), [("ab", 0, True), ("", 0, True), ("ab", 2, True), ("abc", 0, False), ("a", 2, False)]
)
def test_lengths_are_within_both_bounds(text: str, least: int, expected: bool) -> None:
    assert fits(text, 2, least) is expected


def test_a_text_with_a_nul_does_not_fit() -> None:
    assert not fits("\0", 2)


def test_a_nul_is_found_wherever_it_is() -> None:
    document = {"title": "a\0", "plan": {"sections": ["b", "\0", {"heading": "\0"}]}, "number": 1, "none": None}
    assert list(nul_paths(document)) == ["title", "plan.sections[1]", "plan.sections[2].heading"]
    assert list(nul_paths("\0", "title")) == ["title"]


def test_a_name_is_trimmed_and_not_empty() -> None:
    assert checked_name(" Ada ") == "Ada"
    assert checked_name("a" * 100) == "a" * 100
    for refused in ("", "  ", "a" * 101, "a\0"):
        with pytest.raises(InvalidInput, match="between 1 and 100 characters"):
            checked_name(refused)
    assert name_fault("abc", 2) == "between 1 and 2 characters"
