"""The contract of batches over both vendors and the one in memory; and what each vendor's protocol demands."""

from __future__ import annotations

import json
from decimal import Decimal

import httpx
import pytest

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.ids import BatchedPartId, ModelBatchId
from contentgen_core.model.prices import Cost, PricedModel, TokenPrices
from contentgen_core.ports.content_model import PlanRequest
from contentgen_core.testing.batched_model import (
    BEFORE,
    BatchedModelContract,
    BatchVendor,
    sample_questions,
    sample_request,
)
from contentgen_core.testing.builders import new_id
from contentgen_core.testing.content_model import NICHE, sample_brief, sample_sources
from contentgen_core.testing.runtime import MOMENT
from tests.contract.batch_server import BatchServer
from tests.support.scripted_batches import ScriptedBatches

PRICES = TokenPrices(Decimal(3), Decimal(15), "USD", cached=Decimal("0.3"))
VENDORS = pytest.mark.parametrize("anthropic", [False, True], ids=["openai", "anthropic"])


class TestOpenAIBatches(BatchedModelContract):
    @pytest.fixture
    def vendor(self) -> BatchVendor:
        return BatchServer(anthropic_speaking=False)


class TestAnthropicBatches(BatchedModelContract):
    @pytest.fixture
    def vendor(self) -> BatchVendor:
        return BatchServer(anthropic_speaking=True)


class TestScriptedBatches(BatchedModelContract):
    @pytest.fixture
    def vendor(self) -> BatchVendor:
        return ScriptedBatches()


@VENDORS
async def test_answers_of_a_batch_cost_half_and_their_corrections_the_whole(anthropic: bool) -> None:
    server = BatchServer("no JSON at all", anthropic_speaking=anthropic, prices=PRICES)
    questions = sample_questions(server.model, 1)
    vendor_id = await server.model.submit(ModelBatchId(new_id()), questions)
    server.end()
    [answer] = (await server.model.answers(vendor_id) or {}).values()
    assert answer.usage.cost == Cost((100 * 3 + 20 * 15) // 2, "USD")
    assert server.answered == 1
    draft = await server.model.read_section(sample_request(0), answer)
    assert draft.sentences
    assert server.answered == 2, "what cannot be read is corrected at once"
    assert draft.usage.cost == Cost((100 * 3 + 20 * 15) // 2 + 100 * 3 + 20 * 15, "USD")


@VENDORS
async def test_a_submission_is_never_repeated_by_itself(anthropic: bool) -> None:
    server = BatchServer(anthropic_speaking=anthropic)
    server.lose_next_answer()
    with pytest.raises(ProviderFailed):
        await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    assert len(server.batches) == 1


@VENDORS
async def test_a_question_asks_for_nothing_that_costs_more_to_keep(anthropic: bool) -> None:
    server = BatchServer(anthropic_speaking=anthropic)
    question = server.model.section_question(sample_request(0))
    assert "cache_control" not in question
    body = json.loads(question)
    await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    assert all(asked.keys() == body.keys() for batch in server.batches.values() for asked in batch.requests.values())


@VENDORS
async def test_an_answer_that_was_cut_off_counts_as_none(anthropic: bool) -> None:
    server = BatchServer(anthropic_speaking=anthropic)
    vendor_id = await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    server.end()
    cut = server.batches[vendor_id].lines[0]
    if anthropic:
        cut["result"]["message"]["stop_reason"] = "max_tokens"
    else:
        cut["response"]["body"]["choices"][0]["finish_reason"] = "length"
    assert len(await server.model.answers(vendor_id) or {}) == 1


async def test_an_answer_that_no_store_takes_spoils_no_other() -> None:
    server = BatchServer(anthropic_speaking=False)
    vendor_id = await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    server.end()
    server.batches[vendor_id].lines[0]["response"]["body"]["choices"][0]["message"]["content"] = "nul \0"
    assert len(await server.model.answers(vendor_id) or {}) == 1


@pytest.mark.parametrize("status", ["expired", "cancelled", "failed"])
async def test_openai_gives_what_a_batch_had_before_it_ended_otherwise(status: str) -> None:
    server = BatchServer(anthropic_speaking=False)
    questions = sample_questions(server.model)
    vendor_id = await server.model.submit(ModelBatchId(new_id()), questions)
    first, second = questions
    server.end(without=[first], status=status)
    assert set(await server.model.answers(vendor_id) or {}) == {second}


async def test_openai_refuses_an_answer_line_that_failed() -> None:
    server = BatchServer(anthropic_speaking=False)
    vendor_id = await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    server.end()
    server.batches[vendor_id].lines[0]["response"]["status_code"] = 500
    assert len(await server.model.answers(vendor_id) or {}) == 1


async def test_anthropic_passes_over_batches_of_ours_that_are_known_or_older() -> None:
    server = BatchServer(anthropic_speaking=True)
    first = await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    second = await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    asked = ModelBatchId(new_id())
    assert await server.model.find(asked, 2, BEFORE, {first}) == second
    assert await server.model.find(asked, 2, BEFORE, {first, second}) is None
    assert await server.model.find(asked, 2, MOMENT, {first}) == second, "clocks differ by seconds"


@VENDORS
async def test_a_server_without_batches_fails_for_good(anthropic: bool) -> None:
    server = BatchServer(anthropic_speaking=anthropic)
    server._batch_call = lambda *_: httpx.Response(404)  # type: ignore[method-assign]
    with pytest.raises(ProviderFailed) as caught:
        await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    assert not caught.value.retryable


@VENDORS
async def test_an_answer_that_cannot_be_read_may_be_read_later(anthropic: bool) -> None:
    server = BatchServer(anthropic_speaking=anthropic)
    vendor_id = await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    server._batch_call = lambda *_: httpx.Response(200, content=b"<html>")  # type: ignore[method-assign]
    with pytest.raises(ProviderFailed) as caught:
        await server.model.answers(vendor_id)
    assert caught.value.retryable


async def test_openai_forgets_questions_and_answers() -> None:
    server = BatchServer(anthropic_speaking=False)
    vendor_id = await server.model.submit(ModelBatchId(new_id()), sample_questions(server.model))
    server.end()
    assert len(server.files) == 2
    await server.model.forget(vendor_id)
    assert not server.files


@VENDORS
async def test_a_plan_is_asked_of_the_model_that_plans_at_its_price(anthropic: bool) -> None:
    planning = PricedModel("planning-model", TokenPrices(Decimal(1), Decimal(2), "USD"))
    server = BatchServer(anthropic_speaking=anthropic, prices=PRICES, planning=planning)
    request = PlanRequest(sample_brief(), NICHE, sample_sources())
    question = server.planner.plan_question(request)
    assert json.loads(question)["model"] == server.planner.name == "planning-model"
    assert json.loads(server.model.section_question(sample_request(0)))["model"] == server.model.name == "sample-model"
    vendor_id = await server.planner.submit(ModelBatchId(new_id()), {BatchedPartId(new_id()): question})
    server.end()
    [answer] = (await server.planner.answers(vendor_id) or {}).values()
    assert (answer.usage.model, answer.usage.cost) == ("planning-model", Cost((100 + 20 * 2) // 2, "USD"))
    plan = await server.planner.read_plan(request, answer)
    assert (plan.usage.planned_by, plan.usage.cost) == ("planning-model", answer.usage.cost)
