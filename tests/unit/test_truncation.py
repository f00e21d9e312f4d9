import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm import wording
from contentgen_adapters.publishing.bodies import texts
from contentgen_adapters.shared.web_results import bounded_query
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.truncation import reading_minutes, truncate, truncate_at_space, truncate_at_word
from contentgen_http.mcp import bounds


@given(
    st.text(max_size=200) | st.lists(st.text("abcé", min_size=1, max_size=12), max_size=40).map(" ".join),
    st.integers(0, 80),
)
def test_a_cut_never_exceeds_its_length_and_splits_only_a_single_word(text: str, most: int) -> None:
    cut = truncate_at_word(text, most)
    line = " ".join(text.split())
    assert len(cut) <= most or cut == line
    if cut != line and cut:
        kept = cut.removesuffix("…")
        assert line.startswith(kept)
        rest = line[len(kept) :]
        split_word = kept[-1:].isalnum() and rest[:1].isalnum()
        assert not split_word or " " not in kept


def test_a_cut_leaves_no_dangling_punctuation() -> None:
    assert truncate_at_word("one two, three four", 12) == "one two…"
    assert truncate_at_word("one two", 7) == "one two"
    assert truncate_at_word("", 0) == ""
    assert truncate_at_word("热泵值得安装吗热泵值得安装吗", 5) == "热泵值得…"


def test_reading_takes_whole_minutes_and_at_least_one() -> None:
    assert reading_minutes(0, Language.EN) == 1
    assert reading_minutes(229, Language.EN) == 2
    assert reading_minutes(1000, Language.DE) > reading_minutes(1000, Language.EN)


def test_a_text_that_fits_stays_and_another_ends_with_an_ellipsis_in_place_of_its_last_character() -> None:
    assert truncate("one two", 7) == "one two"
    assert truncate("one two", 6) == "one t…"
    assert truncate("one two", 5) == "one …"
    assert truncate("one two", 5, dangling=None) == "one…"
    assert truncate("one - two", 7, dangling=" -") == "one…"


def test_a_space_counts_at_the_given_positions_alone() -> None:
    assert truncate_at_space("one two three", 9, range(1, 10)) == "one two…"
    assert truncate_at_space("one two three", 9, range(8, 10)) == "one two t…"
    assert truncate_at_space("one, two", 7, range(1, 8)) == "one…"
    assert truncate_at_space("one, two", 7, range(1, 8), dangling="", ellipsis="") == "one,"


@pytest.mark.parametrize(
    ("text", "most", "in_prose", "of_a_model", "of_a_post", "to_an_agent", "query"),
    [
        ("one two, three four", 12, "one two…", "one two…", "one two…", "one two, th…", "one two,"),
        ("one two three four", 14, *["one two three…"] * 4, "one two three"),
        ("one two three four", 8, *["one two…"] * 4, "one two"),
        ("a incomprehensible", 10, "a…", *["a incompr…"] * 3, "a"),
        ("one two — three four", 12, *["one two…"] * 3, "one two — t…", "one two —"),
        ("热泵值得安装吗热泵值得安装吗", 5, *["热泵值得…"] * 4, "热泵值得安"),
        ("cafe\u0301 au lait", 5, "caf…", "cafe…", "caf…", "cafe…", "cafe\u0301"),
        ("👍🏽👍🏽👍🏽", 6, "👍🏽👍🏽👍🏽", "👍🏽👍🏽👍🏽", "👍🏽…", "👍🏽👍🏽👍🏽", "👍🏽👍🏽👍🏽"),
        ("one  two\nthree", 100, "one two three", *["one  two\nthree"] * 2, *["one two three"] * 2),
        (" one two", 6, "one…", " one…", " one…", "one t…", "one"),
        ("... incomprehensible", 8, *["... inc…"] * 4, "..."),
        ("- - - - - - -", 8, "- - - -…", "…", "…", "- - - -…", "- - - -"),
        ("", 8, *[""] * 5),
    ],
)
def test_each_place_cuts_in_its_own_way(
    text: str, most: int, in_prose: str, of_a_model: str, of_a_post: str, to_an_agent: str, query: str
) -> None:
    assert truncate_at_word(text, most) == in_prose
    assert wording.shorten(text, most) == of_a_model
    assert texts.shorten(text, most) == of_a_post
    assert bounds.shorten(text, most) == to_an_agent
    assert bounded_query(text, most, words=9) == query
