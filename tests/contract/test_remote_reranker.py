"""What is particular to cross-encoders behind HTTP: what is sent, what is read, and what each failure means."""

from __future__ import annotations

import math
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from contentgen_adapters.reranking.apis import COHERE, JINA, RERANK_APIS, TEI, VLLM, RerankApi
from contentgen_adapters.reranking.catalog import RerankerSettings, build_reranker
from contentgen_adapters.reranking.service import COOLDOWN, MAX_CHARACTERS, MAX_COOLDOWN, RemoteReranker
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.ports.reranking import MAX_RERANKED, TIMEOUT_SECONDS
from tests.contract.reranker_samples import KEY, Service

every_api = pytest.mark.parametrize("api", RERANK_APIS.values(), ids=lambda api: api.name)
TWO = ("heat in winter", "bread")


async def failure(reranker: RemoteReranker) -> ProviderFailed:
    with pytest.raises(ProviderFailed) as caught:
        await reranker.relevance("heat", TWO)
    return caught.value


@pytest.mark.parametrize(
    ("api", "body"),
    [
        (COHERE, {"model": "sample-model", "query": "heat", "documents": list(TWO)}),
        (JINA, {"model": "sample-model", "query": "heat", "documents": list(TWO), "return_documents": False}),
        (TEI, {"query": "heat", "texts": list(TWO), "raw_scores": False, "return_text": False, "truncate": True}),
        (VLLM, {"model": "sample-model", "query": "heat", "documents": list(TWO), "truncate_prompt_tokens": -1}),
    ],
    ids=["cohere", "jina", "tei", "vllm"],
)
async def test_it_sends_what_the_service_expects_and_reads_its_answer(api: RerankApi, body: dict[str, Any]) -> None:
    service = Service()
    assert await service.reranker(api).relevance("heat", TWO) == [1.0, 0.0]
    (request,) = service.requests
    assert (request.method, str(request.url)) == ("POST", "https://rerank.example/v9/rerank")
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert service.body() == body


async def test_a_server_of_ones_own_needs_neither_key_nor_model() -> None:
    service = Service()
    async with make_client(transport=httpx.MockTransport(service)) as client:
        reranker = RemoteReranker(VLLM, "http://127.0.0.1:8000/v1", None, None, client)
        await reranker.relevance("heat", TWO)
    assert "Authorization" not in service.requests[0].headers
    assert "model" not in service.body()
    assert reranker.model == "vllm"


async def test_tei_is_sent_batches_that_it_takes_and_the_others_one_request() -> None:
    many = [f"heat {n}" if n % 2 else f"bread {n}" for n in range(MAX_RERANKED)]
    for api, sent in ((TEI, [32, 32]), (COHERE, [64])):
        service = Service()
        assert await service.reranker(api).relevance("heat", many) == [float(n % 2) for n in range(MAX_RERANKED)]
        passages = [service.body(i).get("texts") or service.body(i)["documents"] for i in range(len(sent))]
        assert [len(batch) for batch in passages] == sent
        assert [passage for batch in passages for passage in batch] == many


async def test_long_texts_are_cut() -> None:
    service = Service()
    await service.reranker(JINA).relevance("q" * 9_999, ["p" * 9_999, " "])
    assert [len(text) for text in (service.body()["query"], *service.body()["documents"])] == [
        MAX_CHARACTERS,
        MAX_CHARACTERS,
        1,
    ]


@every_api
async def test_logits_are_brought_into_the_unit_range_in_the_same_order(api: RerankApi) -> None:
    logits = {"a": 2.0, "b": -800.0, "c": 0.5, "d": 800.0}
    service = Service(score=lambda query, passage: logits[passage])
    scores = await service.reranker(api).relevance("x", list(logits))
    assert scores == pytest.approx([1 / (1 + math.exp(-2)), 0.0, 1 / (1 + math.exp(-0.5)), 1.0])


async def test_batches_of_one_call_are_on_one_scale() -> None:
    """Only the second batch shows that these are logits."""
    service = Service(score=lambda query, passage: float(passage))
    scores = await service.reranker(TEI).relevance("x", ["0.5"] * 32 + ["4.0"])
    assert scores == pytest.approx([1 / (1 + math.exp(-0.5))] * 32 + [1 / (1 + math.exp(-4))])


@every_api
@pytest.mark.parametrize(
    "passing",
    [httpx.Response(429), httpx.Response(503), httpx.Response(529), httpx.ReadTimeout("x"), httpx.ConnectError("x")],
    ids=["429", "503", "529", "timeout", "connection"],
)
async def test_a_passing_failure_is_tried_once_more(api: RerankApi, passing: httpx.Response | Exception) -> None:
    service = Service(passing)
    assert await service.reranker(api).relevance("heat", TWO) == [1.0, 0.0]
    assert len(service.requests) == 2
    lasting = Service(passing, passing)
    assert (await failure(lasting.reranker(api))).retryable
    assert len(lasting.requests) == 2


@every_api
@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
async def test_a_refusal_is_final_and_does_not_show_the_key(api: RerankApi, status: int) -> None:
    service = Service(httpx.Response(status, json={"error": {"message": f"bad {KEY}"}}))
    refused = await failure(service.reranker(api))
    assert not refused.retryable
    assert KEY not in str(refused)
    assert ("CONTENTGEN_RERANKER_API_KEY" in str(refused)) is (status in (401, 403))
    assert len(service.requests) == 1


async def test_a_service_that_takes_too_long_is_given_up() -> None:
    late = await failure(Service(delay=5.0).reranker(JINA, total=0.05))
    assert late.retryable
    assert "within 0.05 s" in str(late)


async def test_a_final_failure_of_one_batch_outweighs_a_passing_one_of_another() -> None:
    service = Service(httpx.Response(401), *[httpx.Response(503) for _ in range(5)])
    with pytest.raises(ProviderFailed) as caught:
        await service.reranker(TEI).relevance("heat", ["text"] * 40)
    assert not caught.value.retryable


@pytest.mark.parametrize(
    "pairs",
    [[(0, 0.5)], [(0, 0.5), (0, 0.4)], [(0, 0.5), (2, 0.4)], [(0, 0.5), (1, 0.4), (1, 0.3)], [(-1, 0.5), (0, 0.5)], []],
    ids=["too few", "one twice", "unknown index", "too many", "negative index", "none"],
)
@every_api
async def test_an_answer_without_one_score_a_passage_is_a_final_failure(
    api: RerankApi, pairs: list[tuple[int, float]]
) -> None:
    name = "score" if api is TEI else "relevance_score"
    items = [{"index": index, name: score} for index, score in pairs]
    answer = httpx.Response(200, json=items if api is TEI else {"results": items})
    assert not (await failure(Service(answer).reranker(api))).retryable


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>",
        b'{"results": null}',
        b'{"results": [{"index": 0, "relevance_score": "1"}, {"index": 1, "relevance_score": 0}]}',
        b'{"results": [{"index": 0, "relevance_score": 1e999}, {"index": 1, "relevance_score": 0}]}',
        b'{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 0}]}',
        b'{"results": [{"index": 0, "relevance_score": null}, {"index": 1, "relevance_score": 0}]}',
        b'{"results": [{"index": 0}, {"index": 1, "relevance_score": 0}]}',
        b'{"results": "\xff\xfe"}',
    ],
)
async def test_an_answer_that_is_no_list_of_finite_scores_is_a_final_failure(content: bytes) -> None:
    assert not (await failure(Service(httpx.Response(200, content=content)).reranker(COHERE))).retryable


async def test_a_service_that_is_down_is_left_alone_for_a_while() -> None:
    service = Service(httpx.ConnectError("down"), httpx.ConnectError("down"))
    reranker = service.reranker(JINA)
    await failure(reranker)
    service.now = COOLDOWN - 1
    left_alone = await failure(reranker)
    assert (left_alone.retryable, left_alone.retry_after) == (True, 1.0)
    assert len(service.requests) == 2
    service.now = COOLDOWN + 1
    assert await reranker.relevance("heat", TWO) == [1.0, 0.0]


async def test_a_service_is_left_alone_as_long_as_it_asks_within_reason() -> None:
    for asked, pause in ((90, 90.0), (9_999, MAX_COOLDOWN)):
        service = Service(httpx.Response(429, headers={"Retry-After": str(asked)}))
        reranker = service.reranker(COHERE)
        await failure(reranker)
        assert (await failure(reranker)).retry_after == pause
        assert len(service.requests) == 1


async def test_what_one_query_made_the_service_refuse_does_not_stop_the_next() -> None:
    service = Service(httpx.Response(400))
    reranker = service.reranker(JINA)
    await failure(reranker)
    assert await reranker.relevance("heat", TWO) == [1.0, 0.0]


async def test_a_failure_is_logged_once_and_not_again_while_nobody_asks() -> None:
    service = Service(httpx.Response(503, text="overloaded"), httpx.Response(503, text="overloaded"))
    reranker = service.reranker(JINA)
    with capture_logs() as logged:
        await failure(reranker)
        await failure(reranker)
    (entry,) = logged
    assert entry["log_level"] == "warning"
    assert entry["reason"] == "reranking by jina: HTTP 503"  # not the words of the service: they may repeat the query
    assert entry["pauseSeconds"] == COOLDOWN


async def test_no_reranker_is_built_unless_chosen() -> None:
    async with make_client() as client:
        assert build_reranker(RerankerSettings(reranker_api_key=KEY), client) is None


@pytest.mark.parametrize(
    ("given", "address", "model"),
    [
        ({"reranker": "cohere", "reranker_api_key": KEY}, "https://api.cohere.com/v2/rerank", "rerank-v3.5"),
        (
            {"reranker": "jina", "reranker_api_key": KEY},
            "https://api.jina.ai/v1/rerank",
            "jina-reranker-v2-base-multilingual",
        ),
        (
            {"reranker": "jina", "reranker_base_url": "http://127.0.0.1:8080/v1", "reranker_model": "mine"},
            "http://127.0.0.1:8080/v1/rerank",
            "mine",
        ),
        ({"reranker": "tei", "reranker_base_url": "http://127.0.0.1:8080"}, "http://127.0.0.1:8080/rerank", "tei"),
        ({"reranker": "vllm", "reranker_base_url": "http://gpu:8000/v1"}, "http://gpu:8000/v1/rerank", "vllm"),
    ],
)
async def test_settings_choose_the_service_and_its_usual_model(given: Any, address: str, model: str) -> None:
    service = Service()
    async with make_client(transport=httpx.MockTransport(service)) as client:
        reranker = build_reranker(RerankerSettings(**given), client)
        assert reranker is not None
        assert reranker.model == model
        assert await reranker.relevance("heat", TWO) == [1.0, 0.0]
    assert str(service.requests[0].url) == address


@pytest.mark.parametrize(
    ("chosen", "setting"),
    [
        ("cohere", "CONTENTGEN_RERANKER_API_KEY"),
        ("jina", "CONTENTGEN_RERANKER_API_KEY"),
        ("tei", "CONTENTGEN_RERANKER_BASE_URL"),
        ("vllm", "CONTENTGEN_RERANKER_BASE_URL"),
    ],
)
async def test_what_is_missing_is_named(chosen: Any, setting: str) -> None:
    async with make_client() as client:
        with pytest.raises(NotConfigured, match=setting) as caught:
            build_reranker(RerankerSettings(reranker=chosen), client)
    assert caught.value.setting == setting


@pytest.mark.parametrize(
    "address", ["localhost:8080", "ftp://host/", "http://", "http://[::", "http://h:99999999", "x"]
)
async def test_an_address_that_no_request_can_go_to_stops_the_start(address: str) -> None:
    async with make_client() as client:
        with pytest.raises(NotConfigured, match="CONTENTGEN_RERANKER_BASE_URL"):
            build_reranker(RerankerSettings(reranker="tei", reranker_base_url=address), client)


async def test_a_key_that_cannot_be_sent_stops_the_start() -> None:
    async with make_client() as client:
        with pytest.raises(NotConfigured, match="CONTENTGEN_RERANKER_API_KEY"):
            build_reranker(RerankerSettings(reranker="cohere", reranker_api_key="clé"), client)


def test_a_key_is_not_shown_with_the_settings() -> None:
    assert KEY not in repr(RerankerSettings(reranker="cohere", reranker_api_key=KEY))


async def test_a_call_is_given_up_within_the_time_that_the_port_promises() -> None:
    """The usual patience, not a test's: two attempts that hang end in the one budget."""
    service = Service(delay=60.0)
    async with make_client(transport=httpx.MockTransport(service)) as client:
        reranker = RemoteReranker(JINA, "https://rerank.example", KEY, None, client)
        assert f"within {TIMEOUT_SECONDS:g} s" in str(await failure(reranker))
