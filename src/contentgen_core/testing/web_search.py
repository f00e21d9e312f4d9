"""The contract of `WebSearch`. Inherit `WebSearchContract` in a test module and give it the fixture `search`: a search
over a web that consists of PAGES."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.web_search import MAX_RESULTS, WebFindings, WebQuery, WebSearch

PAGES: Final[dict[str, tuple[str, str]]] = {
    "https://energy.example/heat-pumps": (
        "How heat pumps work",
        "A heat pump moves heat from outdoor air into the house.",
    ),
    "https://www.noise.example/fans?page=2": ("Fans & noise", "A quiet fan makes the heat pump less loud at night."),
    "http://tea.example/green": ("Green tea", "Green tea is steeped at 80 °C."),
    "https://pompe.example/chaleur": ("Pompe à chaleur", "La pompe à chaleur prend l'énergie de l'air extérieur."),
    "https://nuanbeng.example/": ("热泵", "热泵将热量带入室内。"),
    **{
        f"https://many.example/page/{number}": (f"Windows {number}", f"Windows lose heat; here is number {number}.")
        for number in range(40)
    },
}
"""Address → (title, text)."""
COUNTRIES: Final = (None, "US", "GB", "DE", "CH", "FR", "BR", "TW", "HK", "SG", "TR", "KZ", "AQ")


def addresses(findings: WebFindings) -> list[str]:
    return [result.url for result in findings.results]


class WebSearchContract:
    async def test_it_finds_the_pages_of_its_words_and_says_who_answered(self, search: WebSearch) -> None:
        findings = await search.search(WebQuery("heat pump"))
        assert findings.provider == search.provider != ""
        assert set(addresses(findings)[:2]) == {
            "https://energy.example/heat-pumps",
            "https://www.noise.example/fans?page=2",
        }
        assert findings.results[0].title

    async def test_every_page_has_a_web_address_a_title_and_comes_once(self, search: WebSearch) -> None:
        findings = await search.search(WebQuery("heat", limit=MAX_RESULTS))
        found = addresses(findings)
        assert len(found) == len(set(found))
        assert {urlsplit(url).scheme for url in found} <= {"http", "https"}
        assert all(urlsplit(url).hostname and result.title for url, result in zip(found, findings.results, strict=True))
        assert not any("utm_" in url for url in found)

    async def test_texts_are_plain(self, search: WebSearch) -> None:
        findings = await search.search(WebQuery("quiet fan"))
        noise = next(result for result in findings.results if "noise.example" in result.url)
        assert noise.title == "Fans & noise"
        assert "<" not in noise.snippet
        assert "&" not in noise.snippet

    @pytest.mark.parametrize("limit", [1, 3, 10, MAX_RESULTS])
    async def test_there_are_as_many_as_asked_for_where_there_are_enough(self, search: WebSearch, limit: int) -> None:
        assert len((await search.search(WebQuery("windows", limit=limit))).results) == limit

    async def test_there_are_never_more_than_the_port_allows(self, search: WebSearch) -> None:
        assert len((await search.search(WebQuery("windows", limit=10_000))).results) == MAX_RESULTS

    async def test_nothing_found_is_an_answer(self, search: WebSearch) -> None:
        findings = await search.search(WebQuery("zygomorphic quux"))
        assert findings.results == ()

    @pytest.mark.parametrize("text", ["", "  \n\t", "\x00"])
    async def test_no_words_find_nothing(self, search: WebSearch, text: str) -> None:
        assert (await search.search(WebQuery(text))).results == ()

    async def test_concurrent_searches_do_not_mix(self, search: WebSearch) -> None:
        texts = ["green tea", "pompe chaleur", "热泵", "quiet fan"] * 3
        alone = {text: addresses(await search.search(WebQuery(text))) for text in set(texts)}
        together = await asyncio.gather(*(search.search(WebQuery(text)) for text in texts))
        assert [addresses(findings) for findings in together] == [alone[text] for text in texts]

    @pytest.mark.parametrize("language", [None, *Language])
    async def test_every_language_can_be_asked_for_in_any_country(
        self, search: WebSearch, language: Language | None
    ) -> None:
        for country in COUNTRIES:
            findings = await search.search(WebQuery("green tea", country, language))
            assert "http://tea.example/green" in addresses(findings), country

    @settings(
        max_examples=40,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(text=st.text(max_size=600) | st.text("ab !:<>&?\"'", max_size=600), limit=st.integers(-5, 100))
    async def test_any_text_is_a_query(self, search: WebSearch, text: str, limit: int) -> None:
        findings = await search.search(WebQuery(text, limit=limit))
        assert len(findings.results) <= MAX_RESULTS
        assert findings.provider == search.provider
