"""What is particular to an entailment model behind a server: what is sent, and what each failure means."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from contentgen_adapters.entailment.labels import SETTING, Labels
from contentgen_adapters.entailment.tei import PAIRS_AT_ONCE
from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.ports.entailment import MAX_PAIRS, Pair
from contentgen_core.testing.entailment import DENIED, PREMISE, SAID
from tests.contract.entailment_samples import Server, Watch, connected

PAIR = Pair(PREMISE, SAID)
NUMBERED = ("LABEL_2", "LABEL_1", "label_0")  # of entailment, neutral, contradiction


def answer(*scores: tuple[str, Any]) -> httpx.Response:
    return httpx.Response(200, json=[[{"label": label, "score": score} for label, score in scores]])


async def test_it_sends_what_the_server_expects() -> None:
    server = Server()
    assert connected(server).model == "sample-nli"
    await connected(server).judge([PAIR, Pair(" ", "")])
    [request] = server.requests
    assert str(request.url) == "https://nli.example/predict"
    assert request.headers["Authorization"] == "Bearer key-123456"
    assert server.body(0) == {"inputs": [[PREMISE, SAID], ["-", "-"]], "truncate": True, "raw_scores": False}


async def test_requests_are_bounded_and_a_few_at_most_are_under_way_at_once() -> None:
    server = Server()
    assert len(await connected(server).judge([PAIR] * MAX_PAIRS)) == MAX_PAIRS
    sent = [len(server.body(i)["inputs"]) for i in range(len(server.requests))]
    assert sum(sent) == MAX_PAIRS
    assert max(sent) <= PAIRS_AT_ONCE
    assert 1 < server.most_open <= 4


async def test_numbered_classes_mean_what_the_operator_says() -> None:
    labels = Labels.of(" contradiction, neutral,Entailment")
    said, denied = await connected(Server(names=NUMBERED), labels=labels).judge([PAIR, Pair(PREMISE, DENIED)])
    assert said.entailment > 0.9
    assert denied.contradiction > 0.9


async def test_numbered_classes_that_nobody_explains_are_refused_with_the_setting() -> None:
    with pytest.raises(NotConfigured, match="LABEL_") as raised:
        await connected(Server(names=NUMBERED)).judge([PAIR] * 100)
    assert raised.value.setting == SETTING


@pytest.mark.parametrize("order", ["entailment", "entailment,neutral,other", "neutral,neutral,entailment"])
def test_an_order_that_is_none_is_refused_with_the_setting(order: str) -> None:
    with pytest.raises(NotConfigured) as raised:
        Labels.of(order)
    assert raised.value.setting == SETTING


def test_no_order_is_none() -> None:
    assert Labels.of(None) == Labels.of("") == Labels()


@pytest.mark.parametrize(
    "passing",
    [httpx.Response(429), httpx.Response(503), httpx.ReadTimeout("slow"), httpx.ConnectError("away")],
    ids=["429", "503", "timeout", "connection"],
)
async def test_a_passing_failure_is_tried_again(passing: httpx.Response | Exception) -> None:
    server = Server(passing)
    assert len(await connected(server).judge([PAIR])) == 1
    assert len(server.requests) == 2


async def test_a_server_that_is_away_is_left_alone_for_a_while() -> None:
    server, watch = Server(*[httpx.Response(503) for _ in range(3)]), Watch()
    entailment = connected(server, watch=watch)
    for _ in range(2):
        with pytest.raises(ProviderFailed) as raised:
            await entailment.judge([PAIR])
        assert raised.value.retryable
    assert len(server.requests) == 3  # the tries of the first call
    assert await entailment.judge([]) == []
    watch.now = 31.0
    assert len(await entailment.judge([PAIR])) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 424])
async def test_a_refusal_is_final_and_does_not_show_the_key(status: int) -> None:
    server = Server(*[httpx.Response(status, json={"error": "bad key-123456"}) for _ in range(3)])
    with pytest.raises(ProviderFailed) as raised:
        await connected(server).judge([PAIR])
    assert not raised.value.retryable
    assert "key-123456" not in str(raised.value)
    assert len(server.requests) == 1


async def test_a_final_failure_of_one_request_outweighs_a_passing_one_of_another() -> None:
    server = Server(httpx.Response(401), *[httpx.Response(503) for _ in range(20)])
    with pytest.raises(ProviderFailed) as raised:
        await connected(server).judge([PAIR] * 100)
    assert not raised.value.retryable


SURE = (("entailment", 0.9), ("neutral", 0.06), ("contradiction", 0.04))


@pytest.mark.parametrize(
    ("unfit", "said"),
    [
        (httpx.Response(200, json=[]), "1 pairs were sent and 0 answers"),
        (httpx.Response(200, json=SURE), "not a list of classes"),
        (httpx.Response(200, json={"error": "no"}), "not a list of classes"),
        (httpx.Response(200, content=b"\xff"), "not a list of classes"),
        (answer(*SURE[:2]), "its classes are"),
        (answer(*SURE, ("neutral", 0.0)), "its classes are"),
        (answer(*SURE[:2], ("joy", 0.04)), "'joy'"),
        (answer(*SURE[:2], ("LABEL_7", 0.04)), "'LABEL_7'"),
        (answer(*SURE[:2], ("contradiction", 3.4)), "no probabilities"),
        (answer(*SURE[:2], ("contradiction", -0.04)), "no probabilities"),
        (answer(*SURE[:2], ("contradiction", 0.5)), "no probabilities"),
        (answer(*SURE[:2], ("contradiction", None)), "not a list of classes"),
    ],
)
async def test_an_answer_that_does_not_fit_is_a_final_failure(unfit: httpx.Response, said: str) -> None:
    with pytest.raises(ProviderFailed, match=said) as raised:
        await connected(Server(unfit)).judge([PAIR])
    assert not raised.value.retryable


async def test_rounded_probabilities_are_made_to_sum_to_one() -> None:
    rounded = answer(("entailment", 0.9), ("neutral", 0.06), ("contradiction", 0.03))
    [judgement] = await connected(Server(rounded)).judge([PAIR])
    assert judgement.entailment == pytest.approx(0.9 / 0.99)
