"""What the writers over chat models note of answers that are cut off, refused, unusable or cancelled."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import httpx
import pytest

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.prices import TokenPrices
from contentgen_core.ports.lost_usage import collect_lost_usage
from tests.contract.model_requests import VENDORS, a_section, plan_request, writer
from tests.contract.model_server import ModelServer


def _openai_end(reason: str, **message: Any) -> httpx.Response:
    choice = {"index": 0, "message": {"role": "assistant", "content": "{"} | message, "finish_reason": reason}
    return httpx.Response(200, json={"choices": [choice]})


def _anthropic_end(reason: str) -> httpx.Response:
    return httpx.Response(200, json={"content": [], "stop_reason": reason, "usage": {"output_tokens": 8}})


@pytest.mark.parametrize(
    ("vendor", "response", "says"),
    [
        ("openai", _openai_end("length"), "cut off"),
        ("openai", _openai_end("content_filter"), "refused"),
        ("openai", _openai_end("stop", content=None, refusal="I cannot"), "I cannot"),
        ("anthropic", _anthropic_end("max_tokens"), "cut off"),
        ("anthropic", _anthropic_end("refusal"), "refused"),
    ],
)
async def test_an_answer_that_was_cut_or_refused_says_so(vendor: str, response: httpx.Response, says: str) -> None:
    with pytest.raises(ProviderFailed, match=says) as caught:
        await writer(vendor, ModelServer(response)).plan(plan_request())
    assert not caught.value.retryable


_OPENAI_USED = {"prompt_tokens": 900, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": 100}}
_ANTHROPIC_USED = {"input_tokens": 800, "cache_read_input_tokens": 100, "output_tokens": 8}
_PRICES = TokenPrices(Decimal(2), Decimal(10), "EUR")


def _with_usage(response: httpx.Response, usage: dict[str, Any]) -> httpx.Response:
    return httpx.Response(200, json=response.json() | {"usage": usage})


@pytest.mark.parametrize(
    ("vendor", "response"),
    [
        ("openai", _with_usage(_openai_end("length"), _OPENAI_USED)),
        ("openai", _with_usage(_openai_end("stop", content=None, refusal="I cannot"), _OPENAI_USED)),
        ("anthropic", _with_usage(_anthropic_end("max_tokens"), _ANTHROPIC_USED)),
        ("anthropic", _with_usage(_anthropic_end("refusal"), _ANTHROPIC_USED)),
    ],
)
async def test_what_a_cut_or_refused_answer_took_is_noted(vendor: str, response: httpx.Response) -> None:
    server = ModelServer("{}", response)  # the first answer is to be corrected
    priced = server.openai(prices=_PRICES) if vendor == "openai" else server.anthropic(prices=_PRICES)
    with collect_lost_usage() as lost, pytest.raises(ProviderFailed):
        await priced.write_section(await a_section())
    cut, before = lost
    read = 900
    assert (cut.input_tokens, cut.output_tokens, cut.cached_tokens) == (read, 8, 100)
    assert cut.cost is not None
    assert cut.cost.micros > 0
    assert before.input_tokens > 0


@pytest.mark.parametrize("vendor", VENDORS)
async def test_what_answers_took_of_which_none_was_usable_is_noted(vendor: str) -> None:
    server = ModelServer(*["{}"] * 3)
    with collect_lost_usage() as lost, pytest.raises(ProviderFailed, match="no usable answer"):
        await writer(vendor, server).write_section(await a_section())
    [usage] = lost
    assert usage.output_tokens > 0
    with collect_lost_usage() as lost, pytest.raises(ProviderFailed, match="no usable answer"):
        await writer(vendor, ModelServer(*["{}"] * 9)).plan(plan_request())
    assert len(lost) == 1


@pytest.mark.parametrize("vendor", VENDORS)
async def test_of_a_call_that_is_cancelled_its_question_is_noted(vendor: str) -> None:
    server = ModelServer(together=2)  # never answers one alone
    with collect_lost_usage() as lost:
        asking = asyncio.create_task(writer(vendor, server).write_section(await a_section()))
        async with asyncio.timeout(5):
            while not server.requests:
                await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
    [usage] = lost
    assert usage.output_tokens == 0
    assert usage.input_tokens * 4 >= len(server.prompt()) > 0
