"""The contract of `BatchedModel`. Inherit `BatchedModelContract` in a test module and give it the fixture `vendor`: who
answers the model's batches, as a test tells it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Protocol

import pytest

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article_plan import ArticlePlan, PlanSection
from contentgen_core.model.ids import BatchedPartId, ModelBatchId
from contentgen_core.ports.batched_model import BatchedModel
from contentgen_core.ports.content_model import PlanRequest, SectionRequest
from contentgen_core.testing.builders import new_id
from contentgen_core.testing.content_model import NICHE, sample_brief, sample_sources, section_request
from contentgen_core.testing.runtime import MOMENT

BEFORE = MOMENT - timedelta(minutes=1)


class BatchVendor(Protocol):
    """Its batches are made at MOMENT. `answered`: how many questions it has answered, in batches and at once."""

    @property
    def model(self) -> BatchedModel: ...

    @property
    def answered(self) -> int: ...

    def end(self, *, without: Collection[str] = ()) -> None:
        """Ends all batches under way. `without`: the parts that get no answer, but a failure of their own."""

    def lose_next_answer(self) -> None:
        """The next submission takes effect, and who submits hears nothing of it."""


def sample_request(position: int = 0) -> SectionRequest:
    """For one of two sections, each with three sources of its own."""
    sources = sample_sources()
    sections = tuple(
        PlanSection(f"Part {n}", "Tell it", (), tuple(s.ref for s in sources[3 * n : 3 * n + 3]), 100) for n in range(2)
    )
    return section_request(sample_brief(), ArticlePlan("Heat pumps", sections=sections), position, sources)


def sample_questions(model: BatchedModel, count: int = 2) -> dict[BatchedPartId, str]:
    return {BatchedPartId(new_id()): model.section_question(sample_request(n % 2)) for n in range(count)}


class BatchedModelContract:
    async def test_a_batch_is_answered_once_it_has_ended(self, vendor: BatchVendor) -> None:
        questions = sample_questions(vendor.model)
        vendor_id = await vendor.model.submit(ModelBatchId(new_id()), questions)
        assert await vendor.model.answers(vendor_id) is None
        vendor.end()
        answers = await vendor.model.answers(vendor_id)
        assert answers is not None
        assert set(answers) == set(questions)
        assert all(answer.usage.model == vendor.model.name for answer in answers.values())
        assert all(answer.usage.input_tokens > 0 for answer in answers.values())
        assert await vendor.model.answers(vendor_id) == answers, "reading them again changes nothing"

    async def test_an_answer_reads_as_the_section_that_was_asked_for(self, vendor: BatchVendor) -> None:
        requests = [sample_request(0), sample_request(1)]
        ids = [BatchedPartId(new_id()) for _ in requests]
        questions = {id: vendor.model.section_question(r) for id, r in zip(ids, requests, strict=True)}
        vendor_id = await vendor.model.submit(ModelBatchId(new_id()), questions)
        vendor.end()
        answers = await vendor.model.answers(vendor_id)
        assert answers is not None
        answered = vendor.answered
        for id, request in zip(ids, requests, strict=True):
            draft = await vendor.model.read_section(request, answers[id])
            assert draft.heading == request.section.heading
            cited = {ref for sentence in draft.sentences for ref in sentence.sources}
            assert cited
            assert cited <= {passage.ref for passage in request.sources}
            assert draft.usage == answers[id].usage
        assert vendor.answered == answered, "a good answer is not asked for again"

    async def test_an_answer_reads_as_the_plan_that_was_asked_for(self, vendor: BatchVendor) -> None:
        request = PlanRequest(sample_brief(), NICHE, sample_sources())
        id = BatchedPartId(new_id())
        vendor_id = await vendor.model.submit(ModelBatchId(new_id()), {id: vendor.model.plan_question(request)})
        vendor.end()
        answers = await vendor.model.answers(vendor_id)
        assert answers is not None
        answered = vendor.answered
        plan = await vendor.model.read_plan(request, answers[id])
        assert plan.value.sections
        assert plan.value.cited <= {source.ref for source in request.sources}
        assert plan.usage == answers[id].usage
        assert vendor.answered == answered

    async def test_what_was_not_answered_is_left_out(self, vendor: BatchVendor) -> None:
        questions = sample_questions(vendor.model, 3)
        vendor_id = await vendor.model.submit(ModelBatchId(new_id()), questions)
        first, *others = questions
        vendor.end(without=[first])
        answers = await vendor.model.answers(vendor_id)
        assert answers is not None
        assert set(answers) == set(others)

    async def test_a_batch_whose_submission_was_not_heard_of_is_found(self, vendor: BatchVendor) -> None:
        await vendor.model.submit(ModelBatchId(new_id()), sample_questions(vendor.model, 1))
        batch_id, questions = ModelBatchId(new_id()), sample_questions(vendor.model, 2)
        vendor.lose_next_answer()
        with pytest.raises(ProviderFailed) as caught:
            await vendor.model.submit(batch_id, questions)
        assert caught.value.retryable
        vendor_id = await vendor.model.find(batch_id, 2, BEFORE, set())
        assert vendor_id is not None
        vendor.end()
        answers = await vendor.model.answers(vendor_id)
        assert answers is not None
        assert set(answers) == set(questions)

    async def test_a_batch_that_was_never_submitted_is_not_found(self, vendor: BatchVendor) -> None:
        other = await vendor.model.submit(ModelBatchId(new_id()), sample_questions(vendor.model, 2))
        asked = ModelBatchId(new_id())
        assert await vendor.model.find(asked, 2, BEFORE, {other}) is None
        assert await vendor.model.find(asked, 5, BEFORE, set()) is None
        assert await vendor.model.find(asked, 2, MOMENT + timedelta(hours=1), set()) is None

    async def test_a_cancelled_batch_ends_and_may_be_cancelled_again(self, vendor: BatchVendor) -> None:
        vendor_id = await vendor.model.submit(ModelBatchId(new_id()), sample_questions(vendor.model))
        await vendor.model.cancel(vendor_id)
        await vendor.model.cancel(vendor_id)
        vendor.end()
        assert await vendor.model.answers(vendor_id) == {}
        await vendor.model.cancel(vendor_id)

    async def test_what_is_forgotten_cannot_be_read_any_more(self, vendor: BatchVendor) -> None:
        forgotten = await vendor.model.submit(ModelBatchId(new_id()), sample_questions(vendor.model))
        kept = await vendor.model.submit(ModelBatchId(new_id()), sample_questions(vendor.model))
        vendor.end()
        for _ in range(2):
            await vendor.model.forget(forgotten)
        with pytest.raises(ProviderFailed):
            await vendor.model.answers(forgotten)
        assert await vendor.model.answers(kept)

    async def test_an_unknown_batch_is_a_failure_that_waiting_does_not_heal(self, vendor: BatchVendor) -> None:
        with pytest.raises(ProviderFailed) as caught:
            await vendor.model.answers("no/such batch")
        assert not caught.value.retryable
