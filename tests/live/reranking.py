"""What must hold for a cross-encoder that a real server serves, asked over each API."""

from __future__ import annotations

import math
import time

import httpx
import pytest

from contentgen_adapters.reranking.apis import RERANK_APIS, RerankApi
from contentgen_adapters.reranking.service import RemoteReranker
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.reranking import MAX_RERANKED, TIMEOUT_SECONDS

QUERY = "heat pump efficiency"
PASSAGES = ("A heat pump moves heat.", "Bread rises in a warm place.", "Efficiency falls in winter.", "Noise")


def reranker(address: str, client: httpx.AsyncClient, api: RerankApi) -> RemoteReranker:
    return RemoteReranker(api, address, None, "random", client)


async def every_api_is_understood_and_gives_the_same_scores(address: str, client: httpx.AsyncClient) -> None:
    by_api = {
        name: await reranker(address, client, api).relevance(QUERY, PASSAGES) for name, api in RERANK_APIS.items()
    }
    for name, scores in by_api.items():
        assert scores == pytest.approx(by_api["jina"], abs=1e-4), name
        assert all(0.0 < score < 1.0 for score in scores), scores


async def scores_belong_to_their_passages(address: str, client: httpx.AsyncClient) -> None:
    jina = reranker(address, client, RERANK_APIS["jina"])
    scores = await jina.relevance(QUERY, PASSAGES)
    assert await jina.relevance(QUERY, PASSAGES[::-1]) == pytest.approx(scores[::-1], abs=1e-4)
    assert len(set(scores)) == len(PASSAGES), scores


async def logits_of_the_server_become_shares(address: str, client: httpx.AsyncClient) -> None:
    answer = await client.post(f"{address}/rerank", json={"query": QUERY, "documents": PASSAGES})
    logits = {result["index"]: result["relevance_score"] for result in answer.json()["results"]}
    assert max(logits.values()) > 1.0, f"these are no logits: {logits}"
    scores = await reranker(address, client, RERANK_APIS["vllm"]).relevance(QUERY, PASSAGES)
    assert scores == pytest.approx([1 / (1 + math.exp(-logits[i])) for i in range(len(PASSAGES))], abs=1e-4)


async def a_full_call_is_answered_in_time(address: str, client: httpx.AsyncClient) -> None:
    many = [f"{PASSAGES[n % 4]} Number {n}. " * 5 for n in range(MAX_RERANKED)]
    for api in (RERANK_APIS["jina"], RERANK_APIS["tei"]):
        start = time.monotonic()
        assert len(await reranker(address, client, api).relevance(QUERY, many)) == MAX_RERANKED
        assert time.monotonic() - start < TIMEOUT_SECONDS


async def a_passage_beyond_its_window_is_told_as_a_failure(address: str, client: httpx.AsyncClient) -> None:
    """Every letter is a token of this model."""
    with pytest.raises(ProviderFailed, match="HTTP"):
        await reranker(address, client, RERANK_APIS["jina"]).relevance(QUERY, ["x" * 2_000, "short"])


RERANKING = (
    every_api_is_understood_and_gives_the_same_scores,
    scores_belong_to_their_passages,
    logits_of_the_server_become_shares,
    a_full_call_is_answered_in_time,
    a_passage_beyond_its_window_is_told_as_a_failure,
)
