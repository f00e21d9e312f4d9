"""Batches of questions to a model, and the parts of articles that wait in them."""

from __future__ import annotations

import asyncio

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.article import Article, Usage
from contentgen_core.model.ids import ArticleId, BatchedPartId, JobId, ModelBatchId, TenantId
from contentgen_core.model.model_batch import MAX_PARTS, BatchedPart, BatchState, ModelAnswer, ModelBatch, PartState
from contentgen_core.model.prices import Cost
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.model_batches import ModelBatches
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

ANSWER = ModelAnswer('{"text": "Énergie \U0001f321"}', Usage("m", 10, 5, Cost(7, "EUR")))


def _batch(tenant_id: TenantId, model: str = "m") -> ModelBatch:
    return ModelBatch(ModelBatchId(builders.new_id()), tenant_id, "Vendor", model, JobId(builders.new_id()), MOMENT)


def _parts(batch: ModelBatch, article: Article, *positions: int) -> list[BatchedPart]:
    return [
        BatchedPart(BatchedPartId(builders.new_id()), batch.id, batch.tenant_id, article.id, n, f"question {n}")
        for n in positions
    ]


async def _given_article(unit_of_work: UnitOfWork, tenant_id: TenantId) -> Article:
    article = builders.article(tenant_id=tenant_id)
    await given(unit_of_work, article)
    return article


async def _given(unit_of_work: UnitOfWork, batch: ModelBatch, *parts: BatchedPart) -> None:
    async with unit_of_work() as tx:
        await tx[ModelBatches].add(batch)
        await tx[ModelBatches].ask(parts)


class ModelBatchesContract:
    async def test_a_batch_collects_until_it_is_closed(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        older, batch = _batch(tenant.id), _batch(tenant.id)
        await _given(unit_of_work, older)
        await _given(unit_of_work, batch)
        async with unit_of_work() as tx:
            assert await tx[ModelBatches].collecting(tenant.id, "Vendor", "m", 1) == batch
            assert await tx[ModelBatches].collecting(tenant.id, "Vendor", "another", 1) is None
            assert await tx[ModelBatches].collecting(tenant.id, "Another", "m", 1) is None
            assert await tx[ModelBatches].collecting(other.id, "Vendor", "m", 1) is None
            closed = await tx[ModelBatches].save(batch.closed(3, MOMENT))
        assert closed == evolve(batch, state=BatchState.SUBMITTING, parts=3, closed_at=MOMENT, revision=1)
        async with unit_of_work() as tx:
            assert await tx[ModelBatches].collecting(tenant.id, "Vendor", "m", 1) == older
            assert await tx[ModelBatches].lock(tenant.id, batch.id) == closed
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[ModelBatches].save(batch)

    async def test_a_batch_is_full_at_some_time(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        batch, article = _batch(tenant.id), await _given_article(unit_of_work, tenant.id)
        await _given(unit_of_work, batch, *_parts(batch, article, *range(MAX_PARTS - 2)))
        async with unit_of_work() as tx:
            assert await tx[ModelBatches].collecting(tenant.id, "Vendor", "m", 2) == batch
            assert await tx[ModelBatches].collecting(tenant.id, "Vendor", "m", 3) is None

    async def test_who_closes_a_batch_has_the_parts_of_who_joined_it_before(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        batch, article = _batch(tenant.id), await _given_article(unit_of_work, tenant.id)
        await _given(unit_of_work, batch)
        joined, may_commit = asyncio.Event(), asyncio.Event()

        async def join() -> None:
            async with unit_of_work() as tx:
                assert await tx[ModelBatches].collecting(tenant.id, "Vendor", "m", 2) is not None
                joined.set()
                await may_commit.wait()
                await tx[ModelBatches].ask(_parts(batch, article, 0, 1))

        async def close() -> int:
            await joined.wait()
            async with unit_of_work() as tx:
                locked = await tx[ModelBatches].lock(tenant.id, batch.id)
                count = len(await tx[ModelBatches].questions(batch.id))
                await tx[ModelBatches].save(locked.closed(count, MOMENT))
                return count

        joining, closing = asyncio.create_task(join()), asyncio.create_task(close())
        await joined.wait()
        await asyncio.sleep(0.05)
        assert not closing.done()
        may_commit.set()
        await joining
        assert await closing == 2

    async def test_parts_are_answered_once(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        batch, article = _batch(tenant.id), await _given_article(unit_of_work, tenant.id)
        parts = _parts(batch, article, 1, 0, 2)
        await _given(unit_of_work, batch, *parts)
        async with unit_of_work() as tx:
            assert await tx[ModelBatches].questions(batch.id) == {part.id: part.question for part in parts}
            await tx[ModelBatches].answer(batch.id, {parts[0].id: ANSWER, BatchedPartId("unknown"): ANSWER})
        async with unit_of_work() as tx:
            await tx[ModelBatches].answer(batch.id, {parts[0].id: evolve(ANSWER, text="another")})
            await tx[ModelBatches].answer(ModelBatchId("another"), {parts[1].id: ANSWER})
            assert list(await tx[ModelBatches].questions(batch.id)) == [parts[1].id, parts[2].id]
        async with unit_of_work() as tx:
            found = await tx[ModelBatches].parts(article.id)
        answered = evolve(parts[0], state=PartState.ANSWERED, answer=ANSWER)
        assert found == {0: parts[1], 1: answered, 2: parts[2]}
        assert list(found) == [0, 1, 2]

    async def test_what_waits_fails_with_its_batch_and_what_is_answered_stays(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        batch, article = _batch(tenant.id), await _given_article(unit_of_work, tenant.id)
        parts = _parts(batch, article, 0, 1)
        await _given(unit_of_work, batch, *parts)
        async with unit_of_work() as tx:
            await tx[ModelBatches].answer(batch.id, {parts[0].id: ANSWER})
            await tx[ModelBatches].remove(other.id, batch.id)
        async with unit_of_work() as tx:
            assert await tx[ModelBatches].lock(tenant.id, batch.id) == batch
            assert await tx[ModelBatches].questions(batch.id) == {parts[1].id: parts[1].question}
        for _ in range(2):
            async with unit_of_work() as tx:
                await tx[ModelBatches].remove(tenant.id, batch.id)
        async with unit_of_work() as tx:
            found = await tx[ModelBatches].parts(article.id)
            assert {position: part.state for position, part in found.items()} == {
                0: PartState.ANSWERED,
                1: PartState.FAILED,
            }
            with pytest.raises(NotFound):
                await tx[ModelBatches].lock(tenant.id, batch.id)

    async def test_a_part_is_asked_for_once(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        batch, article = _batch(tenant.id), await _given_article(unit_of_work, tenant.id)
        await _given(unit_of_work, batch, *_parts(batch, article, 0))
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[ModelBatches].ask(_parts(batch, article, 1, 0))
        async with unit_of_work() as tx:
            assert list(await tx[ModelBatches].parts(article.id)) == [0]

    async def test_parts_go_with_their_article(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        batch = _batch(tenant.id)
        forgotten, deleted = [await _given_article(unit_of_work, tenant.id) for _ in range(2)]
        await _given(unit_of_work, batch, *_parts(batch, forgotten, 0, 1), *_parts(batch, deleted, 0))
        async with unit_of_work() as tx:
            await tx[ModelBatches].forget(forgotten.id)
            await tx[Articles].delete(tenant.id, deleted.id)
        async with unit_of_work() as tx:
            assert await tx[ModelBatches].questions(batch.id) == {}
            assert await tx[ModelBatches].parts(forgotten.id) == {}

    async def test_the_vendors_ids_of_all_that_were_submitted(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        batches = [_batch(tenant.id), _batch(other.id), _batch(tenant.id)]
        for batch in batches:
            await _given(unit_of_work, batch)
        async with unit_of_work() as tx:
            assert await tx[ModelBatches].vendor_ids() == set()
            for n, batch in enumerate(batches[:2]):
                await tx[ModelBatches].save(batch.submitted(f"vendor-{n}"))
        async with unit_of_work() as tx:
            assert await tx[ModelBatches].vendor_ids() == {"vendor-0", "vendor-1"}

    async def test_what_does_not_exist_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        batch = _batch(tenant.id)
        await _given(unit_of_work, batch)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ModelBatches].lock(other.id, batch.id)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ModelBatches].add(_batch(builders.tenant().id))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ModelBatches].ask(_parts(batch, builders.article(tenant_id=tenant.id), 0))

    @alien_ids
    async def test_an_alien_id_names_no_batch_and_no_parts(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[ModelBatches].parts(ArticleId(alien)) == {}
            assert await tx[ModelBatches].questions(ModelBatchId(alien)) == {}
            await tx[ModelBatches].remove(tenant.id, ModelBatchId(alien))
            await tx[ModelBatches].forget(ArticleId(alien))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ModelBatches].lock(tenant.id, ModelBatchId(alien))
