"""What is particular to embeddings from an endpoint: what is sent, and what each failure means."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from contentgen_adapters.embeddings import openai_compatible
from contentgen_core.errors import ProviderFailed
from tests.contract.embedder_samples import DIMENSION, Endpoint, connected


async def test_it_sends_what_the_endpoint_expects() -> None:
    endpoint = Endpoint()
    await connected(endpoint).embed(["one", "two"], "passage")
    (request,) = endpoint.requests
    assert str(request.url) == "https://embeddings.example/v1/embeddings"
    assert request.headers["Authorization"] == "Bearer key-123456"
    assert endpoint.body(0) == {"model": "sample", "input": ["one", "two"], "encoding_format": "float"}


async def test_asking_for_fewer_dimensions_is_another_space() -> None:
    endpoint = Endpoint()
    embedder = connected(endpoint, shorten=True)
    await embedder.embed(["one"], "passage")
    assert endpoint.body(0)["dimensions"] == DIMENSION
    assert embedder.model == "sample@16"


async def test_batches_are_bounded_by_count_and_by_size() -> None:
    endpoint = Endpoint()
    texts = ["short"] * 300 + ["long " * 3_000] * 15
    assert len(await connected(endpoint).embed(texts, "passage")) == 315
    sent = [endpoint.body(i)["input"] for i in range(len(endpoint.requests))]
    assert sum(map(len, sent)) == 315
    assert max(map(len, sent)) <= openai_compatible.MAX_TEXTS_AT_ONCE
    assert max(sum(map(len, texts)) for texts in sent) <= openai_compatible.MAX_CHARACTERS_AT_ONCE


async def test_a_few_batches_at_most_are_under_way_at_once() -> None:
    endpoint = Endpoint()
    await connected(endpoint).embed([f"text {i}" for i in range(128 * 12)], "passage")
    assert len(endpoint.requests) == 12
    assert 1 < endpoint.most_open <= 4


@pytest.mark.parametrize(
    "passing",
    [
        httpx.Response(429, headers={"Retry-After": "2"}),
        httpx.Response(503),
        httpx.ReadTimeout("slow"),
        httpx.ConnectError("away"),
    ],
    ids=["429", "503", "timeout", "connection"],
)
async def test_a_passing_failure_is_tried_again(passing: httpx.Response | Exception) -> None:
    endpoint = Endpoint(passing)
    assert len(await connected(endpoint).embed(["one"], "query")) == 1
    assert len(endpoint.requests) == 2


async def test_a_lasting_limit_is_retryable_and_says_when() -> None:
    endpoint = Endpoint(*[httpx.Response(429, headers={"Retry-After": "7"}) for _ in range(5)])
    with pytest.raises(ProviderFailed) as raised:
        await connected(endpoint).embed(["one"], "query")
    assert (raised.value.retryable, raised.value.retry_after) == (True, 7.0)
    assert len(endpoint.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_a_refusal_is_final_and_does_not_show_the_key(status: int) -> None:
    endpoint = Endpoint(*[httpx.Response(status, json={"error": {"message": "bad key-123456"}}) for _ in range(3)])
    with pytest.raises(ProviderFailed) as raised:
        await connected(endpoint).embed(["one"], "query")
    assert not raised.value.retryable
    assert "key-123456" not in str(raised.value)
    assert len(endpoint.requests) == 1


async def test_a_final_failure_of_one_batch_outweighs_a_passing_one_of_another() -> None:
    endpoint = Endpoint(httpx.Response(401), *[httpx.Response(503) for _ in range(20)])
    with pytest.raises(ProviderFailed) as raised:
        await connected(endpoint).embed(["text"] * 300, "passage")
    assert not raised.value.retryable


@pytest.mark.parametrize(
    "answer",
    [
        {"data": [{"index": 0, "embedding": [1.0] * (DIMENSION - 1)}]},
        {"data": [{"index": 0, "embedding": [0.0] * DIMENSION}]},
        {"data": [{"index": 1, "embedding": [1.0] * DIMENSION}]},
        {"data": [{"index": 0, "embedding": [1.0] * DIMENSION}] * 2},
        {"data": []},
        {"data": [{"index": 0, "embedding": "AAAA"}]},
        {"error": "no"},
        [],
    ],
)
async def test_an_answer_that_does_not_fit_is_a_final_failure(answer: Any) -> None:
    with pytest.raises(ProviderFailed) as raised:
        await connected(Endpoint(httpx.Response(200, json=answer))).embed(["one"], "query")
    assert not raised.value.retryable


async def test_another_dimension_than_configured_says_what_to_set() -> None:
    with pytest.raises(ProviderFailed, match=r"16 dimensions, 384 are configured.*contentgen kb reindex"):
        await connected(Endpoint(), dimension=384).embed(["one"], "query")
