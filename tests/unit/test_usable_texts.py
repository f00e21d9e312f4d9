"""Texts of no use: titles alone, and words that stand together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.policies.text.usable import FEWEST_LETTERS, LONG, has_glued_words, is_title_only

GERMAN = (
    "Die Rechtsschutzversicherungsgesellschaften kommen im Alltag der Behörden selten vor, und doch fragt die"
    " Verwaltung jedes Jahr wieder nach ihnen, weil die Fristen für Anträge laufen und niemand gern zu spät ist; die"
    " Wärmepumpe wird vom Betrieb gewartet und geprüft, und was dabei herauskommt, steht in einem Bericht."
)
CHINESE = "热泵由县里的认证工程师每六个月检查一次并记录在案" * 20
URL = "https://example.org/" + "averylongaddress" * 10


@pytest.mark.parametrize("text", [GERMAN, CHINESE, f"{GERMAN} {URL}", "Thefanmakesnoise" * 5, ""])
def test_long_words_and_scripts_without_spaces_are_not_glued(text: str) -> None:
    assert not has_glued_words(text)


def test_words_without_their_spaces_are_glued() -> None:
    assert has_glued_words(GERMAN.replace(" ", ""))
    assert has_glued_words(GERMAN + GERMAN.replace(" ", ""))


@given(st.lists(st.text("abcdefgäéж", min_size=1, max_size=LONG), max_size=60))
def test_words_of_usual_length_are_never_glued(words: list[str]) -> None:
    assert not has_glued_words(" ".join(words))


@given(st.lists(st.text("abcdefgäéж", min_size=4, max_size=12), min_size=FEWEST_LETTERS // 4, max_size=80))
def test_words_that_all_stand_together_always_are(words: list[str]) -> None:
    assert has_glued_words("".join(words))


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("# Fans\n", True),
        ("Fans", True),
        ("**fans.**\n\n", True),
        ("# Fans\n\n## Noise\n\n## Feet", True),
        ("# Fans\n\n---\n", True),
        ("# Fans\n\nThey turn.", False),
        ("Fans turn.", False),
        ("#fans", True),
        ("", False),
        (" \n", False),
    ],
)
def test_what_says_no_more_than_its_title(text: str, only: bool) -> None:
    assert is_title_only("Fans", text) is only
