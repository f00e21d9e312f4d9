"""What tells an error page from news, text by text."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.policies.text.lost_texts import (
    KEPT_SHARE,
    Doubts,
    LostText,
    are_alike,
    doubts_of,
    kept_share,
    words_of,
)
from tests.unit.test_doubtful_pages import LOGIN, MAINTENANCE, STORIES, WARTUNG, shown

_words = st.lists(
    st.sampled_from([*" ".join(STORIES.values()).split(), "2026", "ä", "今年は"]), min_size=1, max_size=40
)


@given(_words, _words)
def test_what_is_put_around_a_text_loses_nothing_of_it(text: list[str], more: list[str]) -> None:
    former = " ".join(text)
    assert kept_share(former, f"{' '.join(more)}\n\n{former}\n\n{' '.join(more)}") == 1.0
    assert 0.0 <= kept_share(former, " ".join(more)) <= 1.0


@given(_words, _words)
def test_likeness_goes_both_ways_and_figures_do_not_count(one: list[str], other: list[str]) -> None:
    a, b = words_of(" ".join(one)), words_of(" ".join(other))
    assert are_alike(a, b) == are_alike(b, a)
    assert words_of(f"{' '.join(one)} 12:30 https://a.example/b id-7f") == a
    assert are_alike(a, a) == bool(a)


def test_words_are_whole_in_every_script_and_figures_take_no_neighbour_along() -> None:
    assert words_of("Für 12,5 % der Élèves: a/b, x@y") == Counter(["für", "der", "élèves"])
    assert words_of("2026年は、3.4円") == Counter(["年", "は", "円"])


@pytest.mark.parametrize("page", [MAINTENANCE, WARTUNG, LOGIN])
def test_an_error_page_has_lost_every_story_and_is_like_itself(page: str) -> None:
    for key, story in STORIES.items():
        error = shown(page, key, 3)
        assert kept_share(story, f"{key} {error}") < KEPT_SHARE
        assert are_alike(words_of(error), words_of(shown(page, "another", 48)))
        assert not are_alike(words_of(error), words_of(story))


def lost(text: str, n: int, former: int = 500, **more: bool) -> list[LostText]:
    return [LostText(f"{text} {i}", words_of(text), former, **more) for i in range(n)]


def test_so_many_that_are_alike_are_doubted_and_no_fewer() -> None:
    note = "This page was closed by the council for good."
    for count, new, known, doubted in (
        (3, 0, 9, 3),
        (2, 0, 9, 0),
        (2, 0, 2, 2),
        (1, 2, 9, 1),
        (1, 1, 9, 0),
        (1, 0, 1, 0),
    ):
        found = doubts_of(lost(note, count), [words_of(note)] * new, known, known)
        assert len(found.keys) == doubted, (count, new, known)
        assert found.includes(words_of(note)) == (doubted > 0)
    assert doubts_of(lost(note, 1, is_error_page=True), [], 9, 9).keys
    assert doubts_of([], [words_of(note)] * 9, 9, 9) == Doubts(frozenset())


def test_half_of_a_site_in_pieces_is_doubted_whatever_it_shows() -> None:
    notes = [one for text in ("Oops", "Closed today", "Try again", "Busy, sorry") for one in lost(text, 1)]
    assert len(doubts_of(notes, [], 8, 8).keys) == 4
    assert doubts_of(notes, [], 9, 9).keys == frozenset()
    assert doubts_of(notes[:3], [], 3, 3).keys == frozenset()
    long = [LostText(str(n), Counter({f"w{n}{i}": 1 for i in range(300)}), 500) for n in range(4)]
    assert doubts_of(long, [], 4, 4).keys == frozenset(), "another text of about the length is news"


def test_a_page_of_one_endless_word_takes_no_longer_than_its_length() -> None:
    began = time.process_time()
    for endless in ("a" * 2_000_000, "a/" * 1_000_000, "今" * 500_000, "é" * 1_000_000):
        words_of(endless)
        kept_share(endless, endless)
    assert time.process_time() - began < 10
