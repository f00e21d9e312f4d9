"""Batches: questions to a model that are answered within a day, at a lower price."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article import Usage
from contentgen_core.model.ids import ArticleId, BatchedPartId, JobId, ModelBatchId, TenantId

MAX_PARTS: Final = 200
"""Of one batch: some megabytes, and far below what vendors take."""
PLAN: Final = -1
"""In place of the position of a part: the article's plan."""


class BatchState(StrEnum):
    """collecting: further parts may join; submitting: it is being handed to the vendor, who may have it already;
    submitted: the vendor has it."""

    COLLECTING = "collecting"
    SUBMITTING = "submitting"
    SUBMITTED = "submitted"


@frozen
class ModelBatch:
    """Parts of a tenant's articles that are asked together; it exists until each has its answer or is given up.
    `provider`, `model`: who is asked. `parts`: how many it was submitted with. `vendor_id`: the vendor's name for it;
    `found`: it was looked for afterwards, and may be that of another. `revision` grows with each stored change."""

    id: ModelBatchId
    tenant_id: TenantId
    provider: str
    model: str
    job_id: JobId
    created_at: datetime
    state: BatchState = BatchState.COLLECTING
    parts: int = 0
    closed_at: datetime | None = None
    vendor_id: str | None = None
    found: bool = False
    revision: int = 0

    def closed(self, parts: int, now: datetime) -> ModelBatch:
        """Return the batch closed for further parts, to be submitted next."""
        return evolve(self, state=BatchState.SUBMITTING, parts=parts, closed_at=now)

    def submitted(self, vendor_id: str, *, found: bool = False) -> ModelBatch:
        return evolve(self, state=BatchState.SUBMITTED, vendor_id=vendor_id, found=found)


class PartState(StrEnum):
    """failed: the batch gave no answer; the part is asked for in the ordinary way."""

    WAITING = "waiting"
    ANSWERED = "answered"
    FAILED = "failed"


@frozen
class ModelAnswer:
    """A model's answer, unchanged. `usage`: the tokens it consumed."""

    text: str
    usage: Usage


@frozen
class BatchedPart:
    """A part of an article that is asked for in a batch. `position`: as in `SectionRequest`, or PLAN. `question`: as
    the vendor takes it. `answer`: once it is answered."""

    id: BatchedPartId
    batch_id: ModelBatchId
    tenant_id: TenantId
    article_id: ArticleId
    position: int
    question: str
    state: PartState = PartState.WAITING
    answer: ModelAnswer | None = None


BatchedAnswers = Mapping[BatchedPartId, ModelAnswer]
