"""Batches of questions to a model, and the parts of articles that wait in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import ARTICLES, BATCHED_PARTS, TENANTS
from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import ArticleId, BatchedPartId, ModelBatchId, TenantId
from contentgen_core.model.model_batch import (
    MAX_PARTS,
    BatchedAnswers,
    BatchedPart,
    BatchState,
    ModelBatch,
    PartState,
)
from contentgen_core.ports.repositories.model_batches import ModelBatches

MODEL_BATCHES: Final = TableOf[ModelBatchId, ModelBatch]("model_batches")


@repository(ModelBatches)
class MemoryModelBatches:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[MODEL_BATCHES], "batch")

    async def add(self, batch: ModelBatch) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], batch.tenant_id, "tenant")
        self._session[MODEL_BATCHES].put(batch.id, batch)

    async def lock(self, tenant_id: TenantId, batch_id: ModelBatchId) -> ModelBatch:
        await self._session.writing()
        return await self._records.get(tenant_id, batch_id)

    async def collecting(self, tenant_id: TenantId, provider: str, model: str, room: int) -> ModelBatch | None:
        await self._session.writing()
        fitting = [
            batch
            for batch in self._records.of(tenant_id)
            if (batch.state, batch.provider, batch.model) == (BatchState.COLLECTING, provider, model)
            and len(self._waiting(batch.id)) + room <= MAX_PARTS
        ]
        return max(fitting, key=lambda batch: batch.id, default=None)

    async def save(self, batch: ModelBatch) -> ModelBatch:
        return await self._records.save(batch)

    async def vendor_ids(self) -> set[str]:
        return {batch.vendor_id for batch in self._session[MODEL_BATCHES].rows() if batch.vendor_id is not None}

    async def remove(self, tenant_id: TenantId, batch_id: ModelBatchId) -> None:
        await self._session.writing()
        for part in self._waiting(batch_id):
            if part.tenant_id == tenant_id:
                self._session[BATCHED_PARTS].put(part.id, evolve(part, state=PartState.FAILED))
        batch = self._session[MODEL_BATCHES].get(batch_id)
        if batch is not None and batch.tenant_id == tenant_id:
            self._session[MODEL_BATCHES].drop(batch_id)

    async def ask(self, parts: Sequence[BatchedPart]) -> None:
        await self._session.writing()
        for part in parts:
            existing(self._session[ARTICLES], part.article_id, "article")
            if part.position in await self.parts(part.article_id):
                raise AlreadyExists("This part of the article is asked for already.")
            self._session[BATCHED_PARTS].put(part.id, part)

    async def questions(self, batch_id: ModelBatchId) -> dict[BatchedPartId, str]:
        return {part.id: part.question for part in sorted(self._waiting(batch_id), key=lambda part: part.id)}

    async def answer(self, batch_id: ModelBatchId, answers: BatchedAnswers) -> None:
        await self._session.writing()
        for part in self._waiting(batch_id):
            if part.id in answers:
                answered = evolve(part, state=PartState.ANSWERED, answer=answers[part.id])
                self._session[BATCHED_PARTS].put(part.id, answered)

    async def parts(self, article_id: ArticleId) -> dict[int, BatchedPart]:
        own = [part for part in self._session[BATCHED_PARTS].rows() if part.article_id == article_id]
        return {part.position: part for part in sorted(own, key=lambda part: part.position)}

    async def forget(self, article_id: ArticleId) -> None:
        await self._session.writing()
        for part in (await self.parts(article_id)).values():
            self._session[BATCHED_PARTS].drop(part.id)

    def _waiting(self, batch_id: ModelBatchId) -> list[BatchedPart]:
        parts = self._session[BATCHED_PARTS].rows()
        return [part for part in parts if (part.batch_id, part.state) == (batch_id, PartState.WAITING)]
