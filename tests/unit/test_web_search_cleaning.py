"""Results of the web: addresses, duplicates, plain texts and bounds."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_adapters.shared.web_results import (
    MAX_PUBLISHED,
    MAX_SNIPPET,
    MAX_TITLE,
    bounded_query,
    clean,
    page_address,
    plain_text,
    same_page,
)
from contentgen_adapters.web_search.citations import MAX_STATEMENT, Citation, cited_statements
from contentgen_core.ports.web_search import MAX_RESULTS, WebResult


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://A.Example/Path?b=2&a=1", "https://a.example/Path?b=2&a=1"),
        ("http://a.example:80", "http://a.example/"),
        ("https://a.example:8443/x", "https://a.example:8443/x"),
        ("https://a.example./x#part", "https://a.example/x"),
        ("https://a.example/?utm_source=openai", "https://a.example/"),
        ("https://a.example/?UTM_Source=x&id=3&%75tm_term=y&gclid=z&&q=", "https://a.example/?id=3&q="),
        (
            "https://a.example/?source=rss&ref=home&gallery=5&cid=7",
            "https://a.example/?source=rss&ref=home&gallery=5&cid=7",
        ),
        ("https://a.example/%7Ex/ä?q=a%20b+c", "https://a.example/%7Ex/ä?q=a%20b+c"),
        ("http://[2001:DB8::1]:80/x", "http://[2001:db8::1]/x"),
        ("  https://a.example/  ", "https://a.example/"),
        ("ftp://a.example/", None),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("//a.example/x", None),
        ("https:///x", None),
        ("https://bank.example@evil.example/", None),
        ("https://a.example:port/", None),
        ("https://a.example:99999/", None),
        ("https://[::1", None),
        ("https://a.example/<script>", None),
        ("https://a.example/" + "x" * 3000, None),
        ("", None),
        (None, None),
    ],
)
def test_an_address_keeps_what_chooses_the_page(given: str | None, kept: str | None) -> None:
    assert page_address(given) == kept


def test_one_page_is_known_in_all_its_spellings() -> None:
    spellings = ["https://a.example/x/", "http://www.a.example/x", "https://A.example/x?utm_medium=m#top"]
    found = [WebResult(url, "") for url in spellings]
    assert [r.url for r in clean(found, 10)] == ["https://a.example/x/"]
    assert (
        len(clean([*found, WebResult("https://a.example/x?page=2", ""), WebResult("https://a.example/X", "")], 10)) == 3
    )


def test_a_page_that_comes_again_fills_the_gaps_of_its_first_result() -> None:
    first, again = WebResult("https://a.example/", ""), WebResult("http://a.example", "Title", "Text", "today")
    assert clean([first, again], 10) == (WebResult("https://a.example/", "Title", "Text", "today"),)


def test_a_page_without_a_title_is_called_by_its_site() -> None:
    assert clean([WebResult("https://a.example/x", " <b> </b> ")], 1)[0].title == "a.example"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a <strong>b</strong>&nbsp;c", "a b c"),
        ("AT&T &amp; 3 &lt; 5", "AT&T & 3 < 5"),
        ("x &amp;lt;b&amp;gt;y&amp;lt;/b&amp;gt; z", "x y z"),
        ("one<br>two\n\n three\x00four", "one two three four"),
        ("<script>alert(1)</script>x<style>p{}</style>", "x"),
        ("&#39;quoted&#39; &eacute;", "'quoted' é"),
        (None, ""),
    ],
)
def test_titles_and_snippets_are_plain(html: str | None, text: str) -> None:
    assert plain_text(html, 100) == text


def test_long_texts_are_cut_at_words() -> None:
    assert plain_text("word " * 100, 12) == "word word…"


PIECES = st.sampled_from(
    ["&", "&amp;", "lt;", "&lt;", "gt;", "<b>", "</b>", "<", ">", "a", " ", "\x00", "<script>", "é"]
)
MARKUP = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=200)


@given(MARKUP, st.integers(1, 80))
@example("&amp;" * 6 + "lt;b&gt;x", 80)
def test_plain_text_is_bounded_and_one_line_and_stays_as_it_is(html: str, most: int) -> None:
    text = plain_text(html, most)
    assert len(text) <= most
    assert "\x00" not in text
    assert text == " ".join(text.split())
    assert "<b>" not in text
    assert plain_text(text, most) == text


HOSTS = st.sampled_from(
    ["a.example", "www.a.example", "B.example", "a.example.", "a.example:443", "u@a.example", "[::1]"]
)
QUERIES = st.lists(st.sampled_from(["id=1", "utm_source=x", "gclid=2", "q=%20", "", "page=2", "ref=a"]), max_size=4)
ADDRESSES = st.builds(
    lambda scheme, host, path, query, end: f"{scheme}://{host}{path}?{'&'.join(query)}{end}",
    st.sampled_from(["http", "https", "HTTPS", "ftp"]),
    HOSTS,
    st.sampled_from(["", "/", "/x", "/x/", "//x", "/%41"]),
    QUERIES,
    st.sampled_from(["", "#top", "?x"]),
) | st.text(max_size=60).map("https://".__add__)
RAW = st.builds(WebResult, ADDRESSES, MARKUP, MARKUP | st.just("x " * 3_000), st.none() | MARKUP)


@given(ADDRESSES)
def test_a_kept_address_is_its_own_address(url: str) -> None:
    kept = page_address(url)
    assert kept is None or (page_address(kept), urlsplit(kept).fragment) == (kept, "")


@given(st.lists(RAW, max_size=40), st.integers(-3, 60))
def test_results_are_bounded_unique_and_in_order(found: list[WebResult], limit: int) -> None:
    results = clean(found, limit)
    assert len(results) <= max(1, min(limit, MAX_RESULTS))
    keys = [same_page(result.url) for result in results]
    assert len(keys) == len(set(keys))
    order = list(dict.fromkeys(same_page(url) for raw in found if (url := page_address(raw.url))))
    assert keys == order[: len(keys)]
    for result in results:
        assert urlsplit(result.url).scheme in ("http", "https")
        assert 0 < len(result.title) <= MAX_TITLE or result.title == urlsplit(result.url).hostname
        assert len(result.snippet) <= MAX_SNIPPET
        assert result.published is None or 0 < len(result.published) <= MAX_PUBLISHED
    assert clean(results, limit) == results


@given(st.text(max_size=300), st.integers(1, 60), st.integers(1, 12))
def test_a_bounded_query_begins_like_the_query(text: str, characters: int, words: int) -> None:
    query = bounded_query(text, characters, words)
    assert len(query) <= characters
    assert len(query.split()) <= words
    assert " ".join(text.replace("\x00", " ").split()).startswith(query)
    assert bool(query) == bool(text.replace("\x00", " ").strip())


A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"


def statements(text: str) -> list[tuple[str, list[str]]]:
    """With a citation for every mark ([x]) of the text, where x is an address."""
    citations, at = [], 0
    while (start := text.find("([", at)) >= 0:
        at = text.index("])", start) + 2
        citations.append(Citation(start, at, text[start + 2 : at - 2]))
    return cited_statements(text, citations)


def test_a_statement_goes_from_one_citation_to_the_next() -> None:
    assert statements(f"It hums ([{A}]). At night, it does not ([{B}]). Nobody said this.") == [
        ("It hums", [A]),
        ("At night, it does not", [B]),
    ]


def test_citations_side_by_side_belong_to_one_statement() -> None:
    assert statements(f"It hums ([{A}]), ([{B}]); ([{C}]).") == [("It hums", [A, B, C])]


def test_headings_and_other_paragraphs_are_not_part_of_a_statement() -> None:
    text = (
        f"## Noise\n\nSome introduction.\n\n- It **hums** [loudly](https://x.example) ([{A}])\n- It `stops` ([{B}])\n"
    )
    assert statements(text) == [("It hums loudly", [A]), ("It stops", [B])]


def test_a_citation_of_its_own_paragraph_belongs_to_no_other() -> None:
    assert statements(f"It hums ([{A}]).\n\n([{B}])") == [("It hums", [A])]


def test_a_citation_may_mark_the_words_themselves_or_the_place_behind_them() -> None:
    text = "It hums. It stops."
    assert cited_statements(text, [Citation(0, 8, A), Citation(18, 18, B)]) == [("It hums.", [A]), ("It stops.", [B])]


def test_places_outside_the_text_are_passed_over() -> None:
    wrong = [Citation(-1, 3, A), Citation(5, 3, A), Citation(2, 900, A)]
    assert cited_statements("It hums ", [*wrong, Citation(8, 8, B)]) == [("It hums", [B])]


@given(
    st.text("ab .\n#-([*", max_size=80) | st.text(max_size=80),
    st.lists(st.builds(Citation, st.integers(-2, 90), st.integers(-2, 90), st.sampled_from([A, B])), max_size=8),
)
def test_any_places_of_any_text_give_statements_with_words_and_pages(text: str, citations: list[Citation]) -> None:
    made = cited_statements(text, citations)
    assert sum(len(pages) for _, pages in made) <= len(citations)
    for said, pages in made:
        assert pages
        assert any(c.isalnum() for c in said)
        assert len(said) <= MAX_STATEMENT
