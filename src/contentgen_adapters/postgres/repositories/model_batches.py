"""Batches of questions to a model, and the parts of articles that wait in them."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.model.ids import ArticleId, BatchedPartId, ModelBatchId, TenantId
from contentgen_core.model.model_batch import (
    MAX_PARTS,
    BatchedAnswers,
    BatchedPart,
    ModelAnswer,
    ModelBatch,
    PartState,
)
from contentgen_core.ports.repositories.model_batches import ModelBatches

_COLUMNS: Final = "id, batch_id, tenant_id, article_id, position, question, state"
_ASK: Final = (
    f"INSERT INTO batched_parts ({_COLUMNS}) SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[],"
    " %s::integer[], %s::text[], %s::text[])"
)
_COLLECTING: Final = (
    f"SELECT {RECORD} FROM model_batches AS b"
    " WHERE tenant_id = %(tenant)s AND state = 'collecting' AND provider = %(provider)s AND model = %(model)s"
    " AND (SELECT count(*) FROM batched_parts WHERE batch_id = b.id AND state = 'waiting') <= %(room)s"
    " ORDER BY id DESC LIMIT 1 FOR UPDATE"
)


@repository(ModelBatches)
class PostgresModelBatches:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "model_batches", ModelBatch, "batch")

    async def add(self, batch: ModelBatch) -> None:
        columns = {"provider": batch.provider, "model": batch.model, "state": batch.state.value}
        await self._records.add(batch, columns)

    async def lock(self, tenant_id: TenantId, batch_id: ModelBatchId) -> ModelBatch:
        rows = await self._session.write(
            f"SELECT {RECORD} FROM model_batches WHERE id = %s AND tenant_id = %s FOR UPDATE",
            (findable(batch_id), findable(tenant_id)),
        )
        return self._records.read(require(rows, "batch", batch_id)[0])

    async def collecting(self, tenant_id: TenantId, provider: str, model: str, room: int) -> ModelBatch | None:
        parameters = {
            "tenant": findable(tenant_id),
            "provider": provider,
            "model": model,
            "room": MAX_PARTS - room,
        }
        rows = await self._session.write(_COLLECTING, parameters)
        return self._records.read(rows[0]) if rows else None

    async def save(self, batch: ModelBatch) -> ModelBatch:
        return await self._records.save(batch, {"state": batch.state.value})

    async def vendor_ids(self) -> set[str]:
        rows = await self._session.read("SELECT record->>'vendor_id' FROM model_batches WHERE state = 'submitted'")
        return {vendor_id for (vendor_id,) in rows}

    async def remove(self, tenant_id: TenantId, batch_id: ModelBatchId) -> None:
        await self._session.change(
            "WITH failed AS (UPDATE batched_parts SET state = 'failed'"
            " WHERE tenant_id = %(tenant)s AND batch_id = %(batch)s AND state = 'waiting')"
            " DELETE FROM model_batches WHERE tenant_id = %(tenant)s AND id = %(batch)s",
            {"tenant": findable(tenant_id), "batch": findable(batch_id)},
        )

    async def ask(self, parts: Sequence[BatchedPart]) -> None:
        rows = [(p.id, p.batch_id, p.tenant_id, p.article_id, p.position, p.question, p.state.value) for p in parts]
        if rows:
            await self._session.change(_ASK, [list(column) for column in zip(*rows, strict=True)])

    async def questions(self, batch_id: ModelBatchId) -> dict[BatchedPartId, str]:
        rows = await self._session.read(
            "SELECT id, question FROM batched_parts WHERE batch_id = %s AND state = 'waiting' ORDER BY id",
            (findable(batch_id),),
        )
        return dict(rows)

    async def answer(self, batch_id: ModelBatchId, answers: BatchedAnswers) -> None:
        await self._session.change(
            "UPDATE batched_parts AS p SET state = 'answered', answer = a.answer"
            " FROM unnest(%s::text[], %s::jsonb[]) AS a (id, answer)"
            " WHERE p.id = a.id AND p.batch_id = %s AND p.state = 'waiting'",
            (list(answers), [dumps(answer, ModelAnswer) for answer in answers.values()], findable(batch_id)),
        )

    async def parts(self, article_id: ArticleId) -> dict[int, BatchedPart]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS}, answer::text FROM batched_parts WHERE article_id = %s ORDER BY position",
            (findable(article_id),),
        )
        return {
            position: BatchedPart(
                id,
                batch_id,
                tenant_id,
                article,
                position,
                question,
                PartState(state),
                None if answer is None else loads(answer, ModelAnswer),
            )
            for id, batch_id, tenant_id, article, position, question, state, answer in rows
        }

    async def forget(self, article_id: ArticleId) -> None:
        await self._session.change("DELETE FROM batched_parts WHERE article_id = %s", (findable(article_id),))
