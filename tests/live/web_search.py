"""The premium web search against the scripted server: its Responses API knows searches, though not the pages found."""

from __future__ import annotations

from typing import Any, Final

import httpx
import pytest

from contentgen_adapters.web_search.gpt_premium import GptPremiumSearch
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.web_search import WebFindings, WebQuery

SEARCH_FIXTURES: Final[list[dict[str, Any]]] = [
    {"match": {"model": "searches"}, "response": {"content": "Nothing to cite.", "webSearches": ["heat pumps"]}},
    {"match": {"model": "remembers"}, "response": {"content": "From memory."}},
    {
        "match": {"model": "searches-cut"},
        "response": {"content": "Heat", "webSearches": ["heat pumps"], "finishReason": "length"},
    },
    {
        "match": {"model": "searches-without-credit"},
        "response": {
            "error": {"message": "quota", "type": "insufficient_quota", "code": "insufficient_quota"},
            "status": 429,
        },
    },
]


async def _search(address: str, model: str, client: httpx.AsyncClient) -> WebFindings:
    search = GptPremiumSearch(address, "test-key-123456", model, client)
    return await search.search(WebQuery("Heat pumps", "CH"))


async def _fails(address: str, model: str, client: httpx.AsyncClient, says: str, *, retryable: bool) -> None:
    with pytest.raises(ProviderFailed) as caught:
        await _search(address, model, client)
    assert says in str(caught.value), caught.value
    assert caught.value.retryable is retryable, caught.value


async def a_search_without_pages_finds_nothing(address: str, client: httpx.AsyncClient) -> None:
    findings = await _search(address, "searches", client)
    assert findings == WebFindings("gpt_premium", ()), findings


async def an_answer_from_memory_is_no_search(address: str, client: httpx.AsyncClient) -> None:
    await _fails(address, "remembers", client, "without a search", retryable=True)


async def a_cut_search_says_so(address: str, client: httpx.AsyncClient) -> None:
    await _fails(address, "searches-cut", client, "cut off", retryable=False)


async def a_used_up_credit_is_final(address: str, client: httpx.AsyncClient) -> None:
    await _fails(address, "searches-without-credit", client, "quota", retryable=False)


async def a_refused_key_ends_the_search(address: str, client: httpx.AsyncClient) -> None:
    await _fails(address, "refused", client, "CONTENTGEN_OPENAI_API_KEY", retryable=False)


SEARCHES: Final = (
    a_search_without_pages_finds_nothing,
    an_answer_from_memory_is_no_search,
    a_cut_search_says_so,
    a_used_up_credit_is_final,
    a_refused_key_ends_the_search,
)
