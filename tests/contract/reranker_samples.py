"""A stand-in for reranking services: it answers each of the four APIs as the real one does."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import httpx

from contentgen_adapters.reranking.apis import RerankApi
from contentgen_adapters.reranking.service import RemoteReranker
from contentgen_adapters.shared.http import RetryPolicy, make_client
from tests.support.waiting import no_wait

KEY = "key-abcdef-123456"
Score = Callable[[str, str], float]


def shared(query: str, passage: str) -> float:
    """The share of the query's words that a passage has."""
    wanted = set(re.findall(r"\w+", query.lower()))
    return len(wanted & set(re.findall(r"\w+", passage.lower()))) / max(1, len(wanted))


def as_logit(query: str, passage: str) -> float:
    return 12 * shared(query, passage) - 6


class Service:
    """`failures` come first, one a request; `score`: what it answers; `delay`: seconds that an answer takes. Results
    come best first, as from all four services; a batch that TEI would refuse is refused."""

    def __init__(self, *failures: httpx.Response | Exception, score: Score = shared, delay: float = 0.0) -> None:
        self.failures, self.score, self.delay = list(failures), score, delay
        self.requests: list[httpx.Request] = []
        self.now = 0.0

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.failures:
            failure = self.failures.pop(0)
            if isinstance(failure, Exception):
                raise failure
            return failure
        await asyncio.sleep(self.delay)
        body = json.loads(request.content)
        if "texts" in body and len(body["texts"]) > 32:
            return httpx.Response(413, json={"error": "batch size > maximum allowed", "error_type": "Validation"})
        passages = body.get("texts") or body["documents"]
        if not body["query"] or not all(passages):
            return httpx.Response(400, json={"message": "a text is empty"})
        scored = sorted(((self.score(body["query"], p), i) for i, p in enumerate(passages)), reverse=True)
        if "texts" in body:
            return httpx.Response(200, json=[{"index": i, "score": score} for score, i in scored])
        results = [{"index": i, "relevance_score": score} for score, i in scored]
        return httpx.Response(200, json={"id": "1", "results": results, "usage": {"total_tokens": 7}})

    def body(self, number: int = -1) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.requests[number].content)
        return body

    def reranker(self, api: RerankApi, *, total: float = 3.0) -> RemoteReranker:
        """One that talks to this service, does not wait between attempts, and reads the time from `now`."""
        return RemoteReranker(
            api,
            "https://rerank.example/v9/",
            KEY,
            "sample-model",
            make_client(transport=httpx.MockTransport(self)),
            retry_policy=RetryPolicy(total=total, attempts=2, sleep=no_wait),
            monotonic=lambda: self.now,
        )
