"""Stand-ins for the search APIs: each answers in its vendor's shape from the same few pages, with the dirt of real
answers: a page twice, tracking, markup, addresses that are none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import httpx

from contentgen_adapters.memory.web_search import MemoryPage, MemoryWebSearch
from contentgen_adapters.shared.http import RetryPolicy, make_client
from contentgen_adapters.web_search.catalog import PROVIDERS
from contentgen_adapters.web_search.gpt_premium import GptPremiumSearch
from contentgen_adapters.web_search.provider import Access, ApiSearch
from contentgen_core.ports.web_search import MAX_RESULTS, WebQuery, WebResult
from contentgen_core.testing.web_search import PAGES

KEY: Final = "key-abcdef-123456"
BY_ID: Final = {provider.id: provider for provider in PROVIDERS}

Rows = Sequence[WebResult]


def memory_search(provider: str = "memory") -> MemoryWebSearch:
    return MemoryWebSearch({url: MemoryPage(*page) for url, page in PAGES.items()}, provider)


class SearchServer:
    """`first`: answers to give before the usual ones, one a request. `waits`: seconds that were to be waited."""

    def __init__(self, *first: httpx.Response | Exception) -> None:
        self.first = list(first)
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []

    def search(self, id: str, base_url: str | None = None, api_key: str | None = KEY) -> ApiSearch:
        if id == "searxng":
            base_url = base_url or "https://search.example"
        return BY_ID[id].build(Access(api_key, base_url), self._client(), self._retry_policy())

    def premium(self, base_url: str = "https://models.example/v1", api_key: str | None = KEY) -> GptPremiumSearch:
        return GptPremiumSearch(base_url, api_key, "sample-model", self._client(), self._retry_policy())

    def body(self, number: int = -1) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.requests[number].content)
        return body

    def _client(self) -> httpx.AsyncClient:
        return make_client(transport=httpx.MockTransport(self._answer))

    def _retry_policy(self) -> RetryPolicy:
        return RetryPolicy(sleep=self._sleep, longest_wait=5.0)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.first:
            given = self.first.pop(0)
            if isinstance(given, Exception):
                raise given
            return given
        asked, answer = _DIALECTS[request.url.host, request.url.path]
        values = json.loads(request.content) if request.content else dict(request.url.params)
        text, limit = asked(values)
        assert text.strip(), "an empty query is refused by every vendor"
        found = await memory_search().search(WebQuery(text, limit=limit))
        return httpx.Response(200, json=answer(text, found.results))


def _dirty(rows: Iterable[WebResult]) -> list[WebResult]:
    """The rows between what is no result at all, each followed by itself with tracking."""
    made = [WebResult("javascript:alert(1)", "No page"), WebResult("", "No address")]
    for row in rows:
        marked = row.snippet.replace(" fan ", " <strong>fan</strong> ").replace("'", "&#39;")
        made.append(WebResult(row.url, row.title.replace("&", "&amp;"), marked, row.published))
        joint = "&" if "?" in row.url else "?"
        made.append(WebResult(f"{row.url}{joint}utm_source=openai&gclid=1#top", row.title, row.snippet))
    return made


def _serper(text: str, rows: Rows) -> Any:
    organic = [
        {"title": r.title, "link": r.url, "snippet": r.snippet, "position": n} for n, r in enumerate(_dirty(rows), 1)
    ]
    return {"searchParameters": {"q": text, "type": "search"}, "organic": organic, "relatedSearches": []}


def _brave(text: str, rows: Rows) -> Any:
    found = [
        {"type": "search_result", "title": r.title, "url": r.url, "description": r.snippet, "language": "en"}
        for r in _dirty(rows)
    ]
    answer: dict[str, Any] = {"type": "search", "query": {"original": text}}
    return answer | ({"web": {"type": "search", "results": found}} if rows else {})


def _tavily(text: str, rows: Rows) -> Any:
    results = [{"title": r.title, "url": r.url, "content": r.snippet, "score": 0.9} for r in _dirty(rows)]
    return {"query": text, "answer": None, "images": [], "results": results, "response_time": 0.7, "request_id": "r"}


def _searxng(text: str, rows: Rows) -> Any:
    results = [
        {"url": r.url, "title": r.title, "content": r.snippet, "engine": "brave", "engines": ["brave"], "score": 1.0}
        for r in _dirty(rows)
    ]
    empty: dict[str, Any] = {"answers": [], "corrections": [], "infoboxes": [], "suggestions": []}
    return {"query": text, "results": results, "unresponsive_engines": []} | empty


def responses(text: str, citations: Iterable[tuple[int, int, str, str]], sources: Iterable[str]) -> dict[str, Any]:
    """An answer of the Responses API. `citations`: (start, end, url, title)."""
    annotations = [
        {"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": title}
        for start, end, url, title in citations
    ]
    action = {"type": "search", "query": "q", "sources": [{"type": "url", "url": url} for url in sources]}
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action},
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}],
            },
        ],
        "usage": {"input_tokens": 300, "output_tokens": 80, "total_tokens": 380},
    }


def _model(_: str, rows: Rows) -> Any:
    """The first rows are cited in the text, the others are among the sources only."""
    text, citations = "", []
    for row in _dirty(rows)[2:42]:
        text += f"- {row.snippet or row.title} "
        mark = f"([site]({row.url}))"
        citations.append((len(text), len(text) + len(mark), row.url, row.title))
        text += f"{mark}.\n"
    return responses(text or "Nothing found.", citations, [row.url for row in _dirty(rows)])


Asked = Callable[[dict[str, Any]], tuple[str, int]]
_DIALECTS: Final[dict[tuple[str, str], tuple[Asked, Callable[[str, Rows], Any]]]] = {
    ("google.serper.dev", "/search"): (lambda sent: (sent["q"], sent["num"]), _serper),
    ("api.search.brave.com", "/res/v1/web/search"): (lambda sent: (sent["q"], int(sent["count"])), _brave),
    ("api.tavily.com", "/search"): (lambda sent: (sent["query"], sent["max_results"]), _tavily),
    ("search.example", "/search"): (lambda sent: (sent["q"], MAX_RESULTS), _searxng),
    ("models.example", "/v1/responses"): (lambda sent: (sent["input"], MAX_RESULTS), _model),
}
