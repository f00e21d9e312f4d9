"""What each failure of a search API means: whether asking again can help, and what the operator reads."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from contentgen_adapters.web_search.catalog import SearchSettings
from contentgen_adapters.web_search.provider import Access
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.web_search import WebQuery
from tests.contract.search_server import BY_ID, KEY, SearchServer, responses

STANDARD = ("serper", "brave", "tavily", "searxng")
ALL = (*STANDARD, "gpt_premium")


async def failure(id: str, *answers: httpx.Response | Exception, asked: int | None = None) -> ProviderFailed:
    server = SearchServer(*answers)
    search = server.premium() if id == "gpt_premium" else server.search(id)
    with pytest.raises(ProviderFailed) as raised:
        await search.search(WebQuery("heat pump"))
    assert KEY not in str(raised.value)
    assert asked is None or len(server.requests) == asked
    return raised.value


def brave_error(code: str, status: int) -> dict[str, Any]:
    return {"type": "ErrorResponse", "error": {"code": code, "detail": f"key {KEY}", "status": status}, "time": 1}


REFUSED = [
    ("serper", 403, {"message": "Unauthorized.", "statusCode": 403}, "CONTENTGEN_SERPER_API_KEY"),
    ("serper", 400, {"message": "Not enough credits", "statusCode": 400}, "credits are used up"),
    ("serper", 429, {"message": "Not enough credits"}, "credits are used up"),
    ("serper", 400, {"message": f"Bad q, {KEY}", "statusCode": 400}, r"HTTP 400: Bad q, \*\*\*"),
    ("brave", 422, brave_error("SUBSCRIPTION_TOKEN_INVALID", 422), "CONTENTGEN_BRAVE_API_KEY"),
    ("brave", 422, {"errors": [{"code": "SUBSCRIPTION_TOKEN_INVALID"}]}, "CONTENTGEN_BRAVE_API_KEY"),
    ("brave", 422, brave_error("VALIDATION", 422), "HTTP 422.*VALIDATION"),
    ("tavily", 401, {"detail": {"error": "Unauthorized: missing or invalid API key."}}, "CONTENTGEN_TAVILY_API_KEY"),
    ("tavily", 400, {"detail": {"error": "Query is too long."}}, "Query is too long"),
    ("tavily", 432, {"detail": {"error": "plan"}}, r"the plan's limit is reached \(HTTP 432\)"),
    ("tavily", 433, {"detail": {"error": "paygo"}}, r"pay-as-you-go limit is reached \(HTTP 433\)"),
    ("searxng", 403, None, r"search.formats to \[html, json\] in its settings.yml"),
    ("searxng", 400, {"error": "No query"}, "No query"),
    ("gpt_premium", 401, {"error": {"message": f"Incorrect API key: {KEY}"}}, "CONTENTGEN_OPENAI_API_KEY"),
    ("gpt_premium", 429, {"error": {"message": "Quota", "code": "insufficient_quota"}}, "HTTP 429: Quota"),
    ("gpt_premium", 404, {"error": {"message": "No such model"}}, "No such model"),
]


@pytest.mark.parametrize(("id", "status", "body", "says"), REFUSED)
async def test_a_refusal_is_final_and_says_what_to_do(id: str, status: int, body: Any, says: str) -> None:
    error = await failure(id, httpx.Response(status, json=body), asked=1)
    assert not error.retryable
    with pytest.raises(ProviderFailed, match=says):
        raise error


async def test_the_months_searches_of_brave_do_not_come_back_by_waiting() -> None:
    used = {"X-RateLimit-Limit": "50, 2000", "X-RateLimit-Remaining": "49, 0", "X-RateLimit-Reset": "1, 900000"}
    error = await failure("brave", httpx.Response(429, headers=used), asked=1)
    assert not error.retryable
    assert "month's searches are used up" in str(error)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-RateLimit-Limit": "50, 2000", "X-RateLimit-Remaining": "0, 1500"},
        {"X-RateLimit-Limit": "50, 0", "X-RateLimit-Remaining": "0, 0"},
        {"X-RateLimit-Limit": "50", "X-RateLimit-Remaining": "0"},
        {"X-RateLimit-Limit": "a, b", "X-RateLimit-Remaining": "-1, 0"},
    ],
)
async def test_the_seconds_searches_of_brave_do(headers: dict[str, str]) -> None:
    error = await failure("brave", *[httpx.Response(429, headers=headers) for _ in range(3)], asked=3)
    assert error.retryable


@pytest.mark.parametrize("id", ALL)
@pytest.mark.parametrize(
    "passing",
    [
        httpx.Response(429, headers={"Retry-After": "2"}),
        httpx.Response(500),
        httpx.Response(503),
        httpx.ReadTimeout("slow"),
        httpx.ConnectError("away"),
    ],
    ids=["429", "500", "503", "timeout", "connection"],
)
async def test_a_passing_failure_is_tried_again(id: str, passing: httpx.Response | Exception) -> None:
    server = SearchServer(passing)
    search = server.premium() if id == "gpt_premium" else server.search(id)
    assert (await search.search(WebQuery("heat pump"))).results
    assert (len(server.requests), len(server.waits)) == (2, 1)


@pytest.mark.parametrize("id", ALL)
async def test_a_long_wait_is_left_to_whoever_asked(id: str) -> None:
    error = await failure(id, httpx.Response(429, headers={"Retry-After": "60"}), asked=1)
    assert (error.retryable, error.retry_after) == (True, 60.0)


@pytest.mark.parametrize("id", ALL)
@pytest.mark.parametrize(
    "content", [b"", b"<html>Log in</html>", b"[]", b'{"message": "fine"}', b"\xff\xfe", b'{"results": 1, "output": 1}']
)
async def test_an_answer_that_is_none_is_a_failure_and_not_nothing_found(id: str, content: bytes) -> None:
    error = await failure(id, httpx.Response(200, content=content), asked=1)
    assert not error.retryable
    assert "its answer is no" in str(error)


@pytest.mark.parametrize("id", ALL)
async def test_a_redirect_is_not_followed_with_the_key(id: str) -> None:
    error = await failure(id, httpx.Response(302, headers={"Location": "https://elsewhere.example/"}), asked=1)
    assert not error.retryable


@pytest.mark.parametrize("id", ALL)
async def test_an_endless_answer_is_cut(id: str) -> None:
    error = await failure(id, httpx.Response(200, content=b" " * (5 * 1024 * 1024)), asked=1)
    assert "larger than" in str(error)


async def test_silent_engines_are_a_failure_that_may_pass_and_are_named() -> None:
    silent = [["brave", "Suspended: too many requests"], ["google", "CAPTCHA"], "odd"]
    answer = httpx.Response(200, json={"results": [], "unresponsive_engines": silent})
    error = await failure("searxng", answer, asked=1)
    assert error.retryable
    assert "brave Suspended: too many requests, google CAPTCHA, odd" in str(error)


def model_answer(**changes: Any) -> httpx.Response:
    return httpx.Response(200, json=responses("Some text.", [], []) | changes)


MESSAGE = {"type": "message", "content": [{"type": "output_text", "text": "From memory.", "annotations": []}]}
SEARCH = {"type": "web_search_call", "status": "failed", "action": {"type": "search", "query": "q"}}
REFUSAL = {"type": "message", "content": [{"type": "refusal", "refusal": "I cannot help with that."}]}


@pytest.mark.parametrize(
    ("answer", "says", "retryable"),
    [
        (model_answer(output=[MESSAGE]), "without a search", True),
        (model_answer(output=[SEARCH, MESSAGE]), "without a search that succeeded", True),
        (model_answer(output=[SEARCH, REFUSAL]), "refused to answer: I cannot help with that.", False),
        (
            model_answer(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
            "was cut off before it named a page",
            False,
        ),
        (model_answer(status="incomplete", incomplete_details={"reason": "content_filter"}), "content filter", False),
        (model_answer(status="failed", error={"code": "server_error", "message": "Oops"}), "failed: Oops", True),
        (model_answer(status="failed", error={"code": "rate_limit_exceeded"}), "rate_limit_exceeded", True),
        (model_answer(status="failed", error={"code": "invalid_prompt", "message": "No"}), "failed: No", False),
        (model_answer(status="cancelled"), "cancelled: no reason given", False),
    ],
)
async def test_a_model_can_fail_with_status_200(answer: httpx.Response, says: str, retryable: bool) -> None:
    error = await failure("gpt_premium", answer, asked=1)
    assert says in str(error)
    assert error.retryable is retryable


async def test_what_a_cut_answer_has_cited_is_kept() -> None:
    answer = responses("Fans are quiet [a]. Pumps", [(15, 18, "https://a.example/", "A")], [])
    cut = answer | {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    findings = await SearchServer(httpx.Response(200, json=cut)).premium().search(WebQuery("fans"))
    assert [result.url for result in findings.results] == ["https://a.example/"]
    assert [statement.text for statement in findings.statements] == ["Fans are quiet"]


def test_keys_do_not_show_where_settings_and_calls_are_shown() -> None:
    for id in STANDARD:
        assert KEY not in repr(BY_ID[id].call(WebQuery("x"), KEY))
    assert KEY not in repr(Access(KEY))
    keys = {"serper_api_key": KEY, "brave_api_key": KEY, "tavily_api_key": KEY, "openai_api_key": KEY}
    assert KEY not in repr(SearchSettings(**keys))
