"""Asking for the plan and the parts of an article in batches, together with those of the tenant's other articles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from contentgen_core.model.article import Article
from contentgen_core.model.ids import BatchedPartId, JobId, ModelBatchId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.model_batch import BatchedPart, ModelBatch
from contentgen_core.ports.batched_model import BatchedModel
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.model_batches import ModelBatches
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Ids
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.use_case import use_case

COLLECT: Final = timedelta(minutes=2)
"""How long a batch waits for further parts."""
LOOK_EVERY: Final = timedelta(minutes=1)


@use_case
class BatchedModels:
    """`planner` and `writer`: perhaps the same model."""

    planner: BatchedModel
    writer: BatchedModel
    ids: Ids

    def of(self, batch: ModelBatch) -> BatchedModel | None:
        """Return the model that a batch is for, if it is still used."""
        asked = (batch.provider, batch.model)
        return next((m for m in (self.planner, self.writer) if (m.provider, m.name) == asked), None)

    async def ask(
        self, tx: Transaction, article: Article, model: BatchedModel, questions: Mapping[int, str], now: datetime
    ) -> None:
        """Put questions, by position, into a batch that still collects, or into a new one with its job."""
        await tx[Tenants].lock(article.tenant_id)  # articles that begin at the same moment share one
        provider, name = model.provider, model.name
        batch = await tx[ModelBatches].collecting(article.tenant_id, provider, name, len(questions))
        if batch is None:
            id, job_id = ModelBatchId(self.ids.new()), JobId(self.ids.new())
            batch = ModelBatch(id, article.tenant_id, provider, name, job_id, now)
            await tx[ModelBatches].add(batch)
            await tx[Jobs].enqueue(Job(job_id, JobKind.RUN_MODEL_BATCH, article.tenant_id, id, run_at=now + COLLECT))
        parts = [
            BatchedPart(BatchedPartId(self.ids.new()), batch.id, article.tenant_id, article.id, position, question)
            for position, question in questions.items()
        ]
        await tx[ModelBatches].ask(parts)
