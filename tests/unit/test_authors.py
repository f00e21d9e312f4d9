"""Authors of sources: what is the name of one, and how several are told."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.policies.text.authors import MAX_AUTHOR, author_of

NAMES = (
    "Ada Ohm",
    "Ohm, Ada",
    "Bob Volt",
    "J. R. R. Watt",
    "O'Brien",
    "李明",
    "علی رضا",
    "Agence de l'eau",
    "ADEME",
    "Tex Avery",
    "St.John",
)
NO_NAMES = (
    "admin", "Administrator", "wp-admin", "site admin", "root", "user", "user1", "Windows User", "unknown",
    "Unknown author", "Anonymous", "n/a", "None", "null", "WordPress", "wordpress.com", "Microsoft Office User",
    "Microsoft Word", "Microsoft® Word 2016".replace("®", ""), "LaTeX with hyperref", "LaTeX with hyperref package",
    "pdfTeX-1.40.21", "TeX", "Acrobat Distiller 9.0", "Adobe InDesign CC 2019", "wkhtmltopdf 0.12.5", "LibreOffice 7.3",
    "python-docx", "Pandoc", "Skia/PDF m90", "https://www.facebook.com/ada.ohm", "www.example.org", "example.org",
    "facebook.com/ada", "ada@example.org", "mailto:ada@example.org", "@ada", "", " ", "…", "42", "2024-05-01", "A",
    "<script>alert(1)</script>".replace("alert(1)", ""), "a=1; b=2", "\x00\x01", "word " * 40,
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_as_it_is(name: str) -> None:
    assert author_of(name) == name


@pytest.mark.parametrize("text", NO_NAMES)
def test_what_is_left_in_place_of_a_name_is_none(text: str) -> None:
    assert author_of(text) is None
    assert author_of(text.upper()) is None


@pytest.mark.parametrize(
    ("stated", "author"),
    [
        (["Ada Ohm", "Bob Volt"], "Ada Ohm, Bob Volt"),
        (["Ohm, Ada", "Volt, Bob"], "Ohm, Ada; Volt, Bob"),
        (["Ohm, Ada; Volt, Bob"], "Ohm, Ada; Volt, Bob"),
        (["Ada Ohm;Bob Volt;ada ohm"], "Ada Ohm, Bob Volt"),
        (["Ada Ohm, admin"], "Ada Ohm"),
        (["admin", None, "Bob Volt"], "Bob Volt"),
        (["Ada Ohm <ada@example.org>"], "Ada Ohm"),
        (["ada@example.org (Ada Ohm)"], "Ada Ohm"),
        (["Ada Ohm (ada@example.org)"], "Ada Ohm"),
        (["[Ada Ohm](https://example.org/ada)"], "Ada Ohm"),
        (["<b>Ada</b>\n  Ohm"], "Ada Ohm"),
        (["By Ada Ohm"], "Ada Ohm"),
        (["Written by: Ada Ohm |"], "Ada Ohm"),
        (["\u202eAda\u200b Ohm\ud800"], "Ada Ohm"),
        (["Ada Ohm", "https://example.org/ada"], "Ada Ohm"),
    ],
)
def test_names_are_told_as_in_a_bibliography(stated: list[str | None], author: str) -> None:
    assert author_of(*stated) == author


def test_of_more_names_than_fit_the_first_are_told() -> None:
    author = author_of(*(f"Ada Ohm the {number}th" for number in range(100, 140)))
    assert author is not None
    assert author.startswith("Ada Ohm the 100th, Ada Ohm the 101th, ")
    assert author.endswith("th et al.")
    assert MAX_AUTHOR - 20 <= len(author) <= MAX_AUTHOR
    assert author_of("x" * 101) is None


stated = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.text("aB .,;<>()[]@/:\\'-\u202e\u200d\x00\n1", max_size=60),
        st.lists(st.sampled_from(NAMES + NO_NAMES), max_size=30).map("; ".join),
    ),
    max_size=6,
)


@given(stated)
def test_an_author_is_a_bounded_line_without_markup(texts: list[str]) -> None:
    author = author_of(*texts)
    if author is None:
        return
    assert 2 <= len(author) <= MAX_AUTHOR
    assert author == " ".join(author.split())
    assert not set("<>`\\@{}").intersection(author)
    assert "://" not in author
    assert all(unicodedata.category(c)[0] != "C" or c in "\u200c\u200d" for c in author)
    author.encode()


@given(stated)
def test_an_author_judged_again_is_the_same(texts: list[str]) -> None:
    author = author_of(*texts)
    assert author is None or author_of(author) == author


@given(st.lists(st.sampled_from(NO_NAMES), max_size=10), st.sampled_from(["Ada Ohm", "Bob Volt"]))
def test_a_name_among_others_is_found(around: list[str], name: str) -> None:
    assert author_of(*around, name, *around) == name
