"""What each search API is asked, and what is read from its answers."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from contentgen_adapters.web_search import brave, tavily
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.web_search import CitedStatement, WebQuery, WebResult
from tests.contract.search_server import KEY, SearchServer, responses

SWISS = WebQuery("heat pump", "CH", Language.DE, limit=7)


async def params_of(id: str, query: WebQuery) -> dict[str, str]:
    server = SearchServer()
    await server.search(id).search(query)
    return dict(server.requests[0].url.params)


async def body_of(id: str, query: WebQuery) -> dict[str, Any]:
    server = SearchServer()
    await server.search(id).search(query)
    return server.body()


async def test_serper_is_asked_by_post_with_the_key_in_a_header() -> None:
    server = SearchServer()
    await server.search("serper").search(SWISS)
    (request,) = server.requests
    assert (request.method, str(request.url)) == ("POST", "https://google.serper.dev/search")
    assert request.headers["X-API-KEY"] == KEY
    assert request.headers["Content-Type"] == "application/json"
    assert server.body() == {"q": "heat pump", "num": 7, "gl": "ch", "hl": "de"}


async def test_serper_chooses_where_nothing_is_said() -> None:
    assert await body_of("serper", WebQuery("heat pump")) == {"q": "heat pump", "num": 10}


async def test_brave_is_asked_by_get_with_the_key_in_a_header() -> None:
    server = SearchServer()
    await server.search("brave").search(SWISS)
    (request,) = server.requests
    assert request.method == "GET"
    assert str(request.url).partition("?")[0] == "https://api.search.brave.com/res/v1/web/search"
    assert request.headers["X-Subscription-Token"] == KEY
    assert "gzip" in request.headers["Accept-Encoding"]
    assert request.content == b""
    assert dict(request.url.params) == {
        "q": "heat pump",
        "count": "7",
        "country": "CH",
        "search_lang": "de",
        "ui_lang": "de-CH",
        "text_decorations": "false",
        "result_filter": "web",
    }


@pytest.mark.parametrize(
    ("country", "language", "sent"),
    [
        ("SG", Language.EN, {"country": "ALL", "search_lang": "en"}),
        ("GB", Language.EN, {"country": "GB", "search_lang": "en-gb", "ui_lang": "en-GB"}),
        ("NO", Language.NO, {"country": "NO", "search_lang": "nb", "ui_lang": "no-NO"}),
        ("JP", Language.JA, {"country": "JP", "search_lang": "jp", "ui_lang": "ja-JP"}),
        ("BR", Language.PT, {"country": "BR", "search_lang": "pt-br", "ui_lang": "pt-BR"}),
        ("PT", Language.PT, {"country": "PT", "search_lang": "pt-pt"}),
        ("TW", Language.ZH, {"country": "TW", "search_lang": "zh-hant", "ui_lang": "zh-TW"}),
        ("CN", Language.ZH, {"country": "CN", "search_lang": "zh-hans", "ui_lang": "zh-CN"}),
        ("GR", Language.EL, {"country": "ALL"}),
        ("ID", Language.ID, {"country": "ID"}),
        (None, Language.FR, {"search_lang": "fr"}),
        (None, None, {}),
    ],
)
async def test_brave_gets_only_codes_of_its_own_lists(
    country: str | None, language: Language | None, sent: dict[str, str]
) -> None:
    params = await params_of("brave", WebQuery("heat pump", country, language))
    assert {name: params[name] for name in ("country", "search_lang", "ui_lang") if name in params} == sent


def test_brave_knows_a_language_or_none_for_every_language_of_ours() -> None:
    codes = {language: brave.search_language(language, None) for language in Language}
    assert {language for language, code in codes.items() if code is None} == {Language.EL, Language.ID}


async def test_tavily_is_asked_by_post_with_the_country_by_its_english_name() -> None:
    server = SearchServer()
    await server.search("tavily").search(SWISS)
    (request,) = server.requests
    assert (request.method, str(request.url)) == ("POST", "https://api.tavily.com/search")
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert server.body() == {
        "query": "heat pump",
        "topic": "general",
        "search_depth": "basic",
        "max_results": 7,
        "country": "switzerland",
    }


@pytest.mark.parametrize(
    ("country", "name"),
    [
        ("US", "united states"),
        ("GB", "united kingdom"),
        ("KR", "south korea"),
        ("CZ", "czech republic"),
        ("TR", "turkey"),
        ("RU", "russia"),
        ("VN", "vietnam"),
        ("TW", "taiwan"),
        ("BA", "bosnia and herzegovina"),
        ("HK", None),
        ("ZZ", None),
    ],
)
def test_countries_have_tavilys_names(country: str, name: str | None) -> None:
    assert tavily.country_name(country) == name


def test_every_country_of_tavilys_list_has_a_plain_lower_case_name() -> None:
    names = [tavily.country_name(country) or "" for country in tavily.COUNTRIES]
    assert len(set(names)) == len(tavily.COUNTRIES) == 166
    assert all(name.replace(" ", "").isalpha() and name.isascii() and name == name.lower() for name in names)


async def test_a_country_that_tavily_does_not_know_is_left_out() -> None:
    assert "country" not in await body_of("tavily", WebQuery("heat pump", "AQ"))


async def test_searxng_is_asked_for_json_in_the_language_of_the_country() -> None:
    server = SearchServer()
    await server.search("searxng", "https://search.example/").search(SWISS)
    (request,) = server.requests
    assert request.method == "GET"
    assert str(request.url).partition("?")[0] == "https://search.example/search"
    assert dict(request.url.params) == {
        "q": "heat pump",
        "format": "json",
        "categories": "general",
        "language": "de-CH",
    }


@pytest.mark.parametrize(
    ("country", "language", "sent"),
    [(None, Language.FR, "fr"), ("NO", Language.NO, "nb-NO"), ("US", None, None), (None, None, None)],
)
async def test_searxng_gets_a_tag_of_language_and_country(
    country: str | None, language: Language | None, sent: str | None
) -> None:
    assert (await params_of("searxng", WebQuery("heat pump", country, language))).get("language") == sent


@pytest.mark.parametrize(
    ("text", "sent"),
    [("!images :fr <3 heat pump", "images fr 3 heat pump"), ("!!g heat !! 5 < 6", "g heat 5 6"), ("a:b c!", "a:b c!")],
)
async def test_a_query_gives_searxng_no_commands(text: str, sent: str) -> None:
    assert (await params_of("searxng", WebQuery(text)))["q"] == sent


async def test_a_query_of_nothing_but_commands_is_not_sent() -> None:
    server = SearchServer()
    findings = await server.search("searxng").search(WebQuery("!! <"))
    assert (findings.results, server.requests) == ((), [])


@pytest.mark.parametrize("id", ["serper", "brave", "tavily", "searxng"])
async def test_a_query_stays_within_the_length_that_every_vendor_takes(id: str) -> None:
    server = SearchServer()
    for text in ("word " * 200, "long" * 300, "热" * 1000):
        await server.search(id).search(WebQuery(text))
        request = server.requests[-1]
        sent = request.url.params["q"] if request.method == "GET" else next(iter(server.body().values()))
        assert len(sent) <= 400
        assert len(sent.split()) <= 50


@pytest.mark.parametrize(
    ("id", "path"), [("serper", "/search"), ("tavily", "/search"), ("brave", "/res/v1/web/search")]
)
async def test_another_address_takes_the_place_of_the_vendors(id: str, path: str) -> None:
    server = SearchServer(httpx.Response(503), httpx.Response(400))
    with pytest.raises(Exception, match="HTTP 400"):
        await server.search(id, "https://proxy.example/eu/").search(WebQuery("heat"))
    assert str(server.requests[-1].url).partition("?")[0] == f"https://proxy.example/eu{path}"


ANSWERS: list[tuple[str, dict[str, Any], WebResult]] = [
    (
        "serper",
        {
            "searchParameters": {"q": "x"},
            "answerBox": {"answer": "no page"},
            "organic": [
                {"title": "T", "link": "https://a.example/", "snippet": "S", "position": 1, "date": "2 days ago"}
            ],
        },
        WebResult("https://a.example/", "T", "S", "2 days ago"),
    ),
    (
        "brave",
        {
            "type": "search",
            "query": {"original": "x"},
            "web": {
                "results": [
                    {
                        "url": "https://a.example/",
                        "title": "T",
                        "description": "An <strong>S</strong> &amp; more",
                        "page_age": "2026-01-02T03:04:05",
                        "age": "January 2, 2026",
                    },
                    {"url": None, "title": "no address"},
                ]
            },
        },
        WebResult("https://a.example/", "T", "An S & more", "2026-01-02T03:04:05"),
    ),
    (
        "tavily",
        {"results": [{"url": "https://a.example", "title": "T", "content": "S", "score": 0.7, "raw_content": None}]},
        WebResult("https://a.example/", "T", "S"),
    ),
    (
        "searxng",
        {
            "results": [
                {"url": "https://a.example/", "title": "T", "content": None, "publishedDate": "2026-01-02T00:00:00"}
            ],
            "unresponsive_engines": [["google", "timeout"]],
        },
        WebResult("https://a.example/", "T", "", "2026-01-02T00:00:00"),
    ),
]


@pytest.mark.parametrize(("id", "answer", "result"), ANSWERS, ids=[id for id, _, _ in ANSWERS])
async def test_results_are_read_with_title_snippet_and_date(id: str, answer: Any, result: WebResult) -> None:
    findings = await SearchServer(httpx.Response(200, json=answer)).search(id).search(WebQuery("x"))
    assert findings.results == (result,)
    assert findings.statements == ()


async def test_brave_leaves_web_out_where_it_found_nothing() -> None:
    answer = httpx.Response(200, json={"type": "search", "query": {"original": "x"}})
    assert (await SearchServer(answer).search("brave").search(WebQuery("x"))).results == ()


async def test_searxng_found_nothing_where_all_engines_answered() -> None:
    answer = httpx.Response(200, json={"results": [], "unresponsive_engines": []})
    assert (await SearchServer(answer).search("searxng").search(WebQuery("x"))).results == ()


async def test_the_model_is_asked_to_search_and_to_name_its_sources() -> None:
    server = SearchServer()
    await server.premium().search(SWISS)
    (request,) = server.requests
    assert (request.method, str(request.url)) == ("POST", "https://models.example/v1/responses")
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    body = server.body()
    assert body.pop("instructions").startswith("Search the web")
    assert body == {
        "model": "sample-model",
        "input": "heat pump",
        "tools": [{"type": "web_search", "user_location": {"type": "approximate", "country": "CH"}}],
        "include": ["web_search_call.action.sources"],
        "max_output_tokens": 8_000,
        "store": False,
    }


@pytest.mark.parametrize(
    ("language", "name"),
    [(Language.DE, "in German:"), (Language.EL, "in Modern Greek:"), (None, "in the language of the subject:")],
)
async def test_the_model_reports_in_the_language_asked_for(language: Language | None, name: str) -> None:
    server = SearchServer()
    await server.premium().search(WebQuery("heat pump", None, language))
    assert name in server.body()["instructions"]
    assert server.body()["tools"] == [{"type": "web_search"}]


async def test_a_server_without_a_key_gets_none() -> None:
    server = SearchServer()
    await server.premium(api_key=None).search(WebQuery("heat"))
    assert "Authorization" not in server.requests[0].headers


async def test_the_model_gives_statements_and_its_pages_cited_ones_first() -> None:
    text = "# Fans\nFans **are** quiet ([a](https://a.example/?utm_source=openai)). Uncited."
    start = text.index("([a]")
    cited = (start, text.index(". Uncited"), "https://a.example/?utm_source=openai", "About fans")
    answer = responses(text, [cited], ["https://b.example/", "https://www.a.example/?utm_source=openai", "ftp://c/"])
    findings = await SearchServer(httpx.Response(200, json=answer)).premium().search(WebQuery("fans"))
    assert findings.provider == "gpt_premium"
    assert findings.statements == (CitedStatement("Fans are quiet", ("https://a.example/",)),)
    assert findings.results == (
        WebResult("https://a.example/", "About fans"),
        WebResult("https://b.example/", "b.example"),
    )


async def test_pages_that_the_model_opened_count_as_found() -> None:
    answer = responses("Nothing to cite.", [], [])
    opened = {
        "type": "web_search_call",
        "status": "completed",
        "action": {"type": "open_page", "url": "https://o.example"},
    }
    answer["output"].insert(1, opened)
    findings = await SearchServer(httpx.Response(200, json=answer)).premium().search(WebQuery("x"))
    assert [result.url for result in findings.results] == ["https://o.example/"]


async def test_statements_stay_where_fewer_results_are_asked_for() -> None:
    text = "One [a]. Two [b]."
    cited = [(4, 7, "https://a.example/", "A"), (13, 16, "https://b.example/", "B")]
    server = SearchServer(httpx.Response(200, json=responses(text, cited, [])))
    findings = await server.premium().search(WebQuery("x", limit=1))
    assert [result.url for result in findings.results] == ["https://a.example/"]
    assert [(s.text, s.urls) for s in findings.statements] == [
        ("One", ("https://a.example/",)),
        ("Two", ("https://b.example/",)),
    ]
