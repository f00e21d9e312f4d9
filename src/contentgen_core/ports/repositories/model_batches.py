"""Batches of questions to a model, and the parts of articles that wait in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.ids import ArticleId, BatchedPartId, ModelBatchId, TenantId
from contentgen_core.model.model_batch import BatchedAnswers, BatchedPart, ModelBatch


class ModelBatches(Protocol):
    """A batch goes once its parts are settled; these stay until their article forgets them or is deleted."""

    async def add(self, batch: ModelBatch) -> None:
        """Raises NotFound for an unknown tenant."""
        ...

    async def lock(self, tenant_id: TenantId, batch_id: ModelBatchId) -> ModelBatch:
        """Until the transaction ends; what is read afterwards has the parts of all who had it locked. Raises
        NotFound."""
        ...

    async def collecting(self, tenant_id: TenantId, provider: str, model: str, room: int) -> ModelBatch | None:
        """The newest one of this model that still collects and has room for so many parts more. It is locked: nobody
        closes it until the transaction ends."""
        ...

    async def save(self, batch: ModelBatch) -> ModelBatch:
        """Store what was read at `batch.revision`; gives it back with the next one. Raises NotFound,
        ConcurrentChange."""
        ...

    async def vendor_ids(self) -> set[str]:
        """Of all batches that were submitted, of whichever tenant."""
        ...

    async def remove(self, tenant_id: TenantId, batch_id: ModelBatchId) -> None:
        """Delete a batch; parts of it that still wait are failed. Idempotent."""
        ...

    async def ask(self, parts: Sequence[BatchedPart]) -> None:
        """Store new parts. Raises NotFound for an unknown article, AlreadyExists where one of its parts is asked for
        already."""
        ...

    async def questions(self, batch_id: ModelBatchId) -> dict[BatchedPartId, str]:
        """Those of its parts that wait."""
        ...

    async def answer(self, batch_id: ModelBatchId, answers: BatchedAnswers) -> None:
        """Store the answers of those of its parts that wait; others are passed over."""
        ...

    async def parts(self, article_id: ArticleId) -> dict[int, BatchedPart]:
        """An article's, by position."""
        ...

    async def forget(self, article_id: ArticleId) -> None:
        """Delete an article's parts. Idempotent."""
        ...
