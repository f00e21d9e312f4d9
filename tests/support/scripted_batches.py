"""A vendor of batches in memory, that answers with a scripted model when a test ends them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from attrs import define, evolve, field

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.ids import BatchedPartId, ModelBatchId
from contentgen_core.model.model_batch import BatchedAnswers, ModelAnswer
from contentgen_core.ports.content_model import Answer, PlanRequest, SectionRequest
from tests.support.scripted_model import ScriptedModel


@define
class Batch:
    id: ModelBatchId
    parts: tuple[BatchedPartId, ...]
    ended: bool = False
    cancelled: bool = False
    without: frozenset[str] = frozenset()
    forgotten: bool = False


@define
class ScriptedBatches:
    """A scripted batch service. `batches`: that it received, by its own ids; `failing`: raised by each call until a
    test resets it.
    """

    writer: ScriptedModel = field(factory=ScriptedModel)
    batches: dict[str, Batch] = field(factory=dict)
    failing: ProviderFailed | None = None
    answered: int = 0
    provider: str = "Scripted"
    _losing: bool = False

    @property
    def model(self) -> ScriptedBatches:
        return self

    @property
    def name(self) -> str:
        return self.writer.name

    def plan_question(self, request: PlanRequest) -> str:
        return request.brief.topic

    def section_question(self, request: SectionRequest) -> str:
        return request.section.heading

    async def submit(self, batch_id: ModelBatchId, questions: Mapping[BatchedPartId, str]) -> str:
        self._check()
        vendor_id = f"batch-{len(self.batches) + 1}"
        self.batches[vendor_id] = Batch(batch_id, tuple(questions))
        if self._losing:
            self._losing = False
            raise ProviderFailed(self.provider, "the connection failed", retryable=True)
        return vendor_id

    async def find(self, batch_id: ModelBatchId, parts: int, since: datetime, known: Collection[str]) -> str | None:
        self._check()
        return next((vendor_id for vendor_id, batch in self.batches.items() if batch.id == batch_id), None)

    async def answers(self, vendor_id: str) -> BatchedAnswers | None:
        self._check()
        batch = self.batches.get(vendor_id)
        if batch is None or batch.forgotten:
            raise ProviderFailed(self.provider, "HTTP 404", retryable=False)
        if not batch.ended:
            return None
        answered = [] if batch.cancelled else [part for part in batch.parts if part not in batch.without]
        return {part: ModelAnswer("", self.writer.usage) for part in answered}

    async def cancel(self, vendor_id: str) -> None:
        self._check()
        if not self.batches[vendor_id].ended:
            self.batches[vendor_id].cancelled = True

    async def forget(self, vendor_id: str) -> None:
        self._check()
        if vendor_id in self.batches:
            self.batches[vendor_id].forgotten = True

    async def read_plan(self, request: PlanRequest, answer: ModelAnswer) -> Answer[ArticlePlan]:
        return Answer((await self.writer.plan(request)).value, answer.usage)

    async def read_section(self, request: SectionRequest, answer: ModelAnswer) -> SectionDraft:
        return evolve(await self.writer.write_section(request), usage=answer.usage)

    def end(self, *, without: Collection[str] = ()) -> None:
        for batch in self.batches.values():
            if not batch.ended:
                batch.ended, batch.without = True, frozenset(without)

    def lose_next_answer(self) -> None:
        self._losing = True

    def _check(self) -> None:
        if self.failing is not None:
            raise self.failing
