"""A writer that takes many questions at once and answers within a day, at a lower price."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.ids import BatchedPartId, ModelBatchId
from contentgen_core.model.model_batch import BatchedAnswers, ModelAnswer
from contentgen_core.ports.content_model import Answer, PlanRequest, SectionRequest


class BatchedModel(Protocol):
    """A model that answers batches of questions. Methods raise ProviderFailed where the vendor does not do as asked.
    Questions prepared for another provider or model must not be submitted."""

    @property
    def name(self) -> str:
        """The model's name, as `ContentModel.name`."""
        ...

    @property
    def provider(self) -> str: ...

    def plan_question(self, request: PlanRequest) -> str:
        """The question for a plan, as `submit` takes it."""
        ...

    def section_question(self, request: SectionRequest) -> str:
        """The question for a section, as `submit` takes it."""
        ...

    async def submit(self, batch_id: ModelBatchId, questions: Mapping[BatchedPartId, str]) -> str:
        """Hand a batch to the vendor, once: nothing is repeated here, since each time is charged. `batch_id`: ours, by
        which `find` knows it. Returns the vendor's id. A failure may leave open whether the vendor has it."""
        ...

    async def find(self, batch_id: ModelBatchId, parts: int, since: datetime, known: Collection[str]) -> str | None:
        """The vendor's id of a batch that may have been submitted. `parts`: how many it had; `since`: not submitted
        before; `known`: the vendor's ids of other batches. Of a vendor that keeps no id of ours it is one that looks
        like it."""
        ...

    async def answers(self, vendor_id: str) -> BatchedAnswers | None:
        """Return the answers; None while the batch is under way. An expired or cancelled batch gives those it has.
        Parts without an answer are left out."""
        ...

    async def cancel(self, vendor_id: str) -> None:
        """End a batch that nobody waits for. Idempotent; what was answered by then is charged."""
        ...

    async def forget(self, vendor_id: str) -> None:
        """Have the vendor delete the questions and answers of a batch that has ended. Idempotent."""
        ...

    async def read_plan(self, request: PlanRequest, answer: ModelAnswer) -> Answer[ArticlePlan]:
        """The plan that an answer has, as `ContentModel.plan` gives it; see `read_section`."""
        ...

    async def read_section(self, request: SectionRequest, answer: ModelAnswer) -> SectionDraft:
        """The section that an answer has, as `ContentModel.write_section` gives it; what is to be corrected is asked
        for in the ordinary way. The usage is that of all together."""
        ...
