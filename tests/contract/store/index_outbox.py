"""What waits for the search index."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from attrs import evolve

from contentgen_core.model.ids import DocumentId
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given
from tests.contract.store.knowledge import document, refs, remove


class IndexOutboxContract:
    async def test_added_and_removed_documents_wait_for_the_index(self, unit_of_work: UnitOfWork) -> None:
        first, second, third = document(), document(), document()
        for stored in (first, second, third):
            await given(unit_of_work, stored)
        assert await self._pending(unit_of_work) == 3
        assert not await self._any_indexed(unit_of_work)
        ids = [stored.id for stored, _ in (first, second, third)]
        assert await self._claim(unit_of_work, limit=2) == ids[:2]
        await self._applied(unit_of_work, *ids[:2])
        assert await self._pending(unit_of_work) == 1
        assert await self._any_indexed(unit_of_work)
        await remove(unit_of_work, first)
        assert await self._claim(unit_of_work) == [ids[2], ids[0]]
        await self._applied(unit_of_work, ids[0], ids[2])
        assert await self._pending(unit_of_work) == 0
        assert await self._claim(unit_of_work) == []

    async def test_the_passages_that_the_index_must_show_are_counted_where_nothing_waits(
        self, unit_of_work: UnitOfWork
    ) -> None:
        one, other = document(passages=2), document()

        async def more_than(passages: int) -> bool:
            async with unit_of_work() as tx:
                return await tx[Knowledge].more_indexed_than(passages)

        assert not await more_than(0)
        for stored in (one, other):
            await given(unit_of_work, stored)
        await self._applied(unit_of_work, *await self._claim(unit_of_work, limit=1))
        assert not await more_than(0)
        await self._applied(unit_of_work, *await self._claim(unit_of_work))
        assert await more_than(2)
        assert not await more_than(3)
        await remove(unit_of_work, one)
        assert not await more_than(0)
        await self._applied(unit_of_work, *await self._claim(unit_of_work))
        assert await more_than(0)
        assert not await more_than(1)

    async def test_a_new_title_and_a_new_text_wait_for_the_index(self, unit_of_work: UnitOfWork) -> None:
        stored = document()
        await given(unit_of_work, stored)
        await self._applied(unit_of_work, *await self._claim(unit_of_work))
        async with unit_of_work() as tx:
            await tx[Knowledge].retitle(*stored)
        assert await self._claim(unit_of_work) == [stored[0].id]
        await self._applied(unit_of_work, stored[0].id)
        async with unit_of_work() as tx:
            await tx[Knowledge].replace([(evolve(stored[0], revised_at=MOMENT), stored[1])])
        assert await self._claim(unit_of_work) == [stored[0].id]

    async def _any_indexed(self, unit_of_work: UnitOfWork) -> bool:
        async with unit_of_work() as tx:
            return await tx[Knowledge].any_indexed()

    async def test_removing_what_is_gone_changes_nothing_for_the_index(self, unit_of_work: UnitOfWork) -> None:
        stored = document()
        await given(unit_of_work, stored)
        await remove(unit_of_work, stored)
        await self._applied(unit_of_work, *await self._claim(unit_of_work))
        await remove(unit_of_work, stored)
        assert await self._pending(unit_of_work) == 0

    async def test_a_document_is_leased_to_one_worker_at_a_time(self, unit_of_work: UnitOfWork) -> None:
        stored = document()
        await given(unit_of_work, stored)
        assert await self._claim(unit_of_work, "w1") == [stored[0].id]
        assert await self._claim(unit_of_work, "w2") == []
        assert await self._claim(unit_of_work, "w2", seconds=31) == [stored[0].id]
        await self._applied(unit_of_work, stored[0].id, worker="w1")
        assert await self._pending(unit_of_work) == 1
        await self._applied(unit_of_work, stored[0].id, worker="w2")
        assert await self._pending(unit_of_work) == 0

    async def test_what_a_worker_releases_others_get_at_once(self, unit_of_work: UnitOfWork) -> None:
        first, second = document(), document()
        await given(unit_of_work, first)
        assert await self._claim(unit_of_work, "w1") == [first[0].id]
        await given(unit_of_work, second)
        assert await self._claim(unit_of_work, "w2") == [second[0].id]
        for _ in range(2):
            async with unit_of_work() as tx:
                await tx[Knowledge].release_changes("w1")
        assert await self._claim(unit_of_work, "w3") == [first[0].id]
        await self._applied(unit_of_work, first[0].id, worker="w1")
        assert await self._pending(unit_of_work) == 2
        await self._applied(unit_of_work, first[0].id, worker="w3")
        await self._applied(unit_of_work, second[0].id, worker="w2")
        assert await self._pending(unit_of_work) == 0

    async def test_what_a_worker_renews_stays_its_own(self, unit_of_work: UnitOfWork) -> None:
        stored = document()
        await given(unit_of_work, stored)
        assert await self._claim(unit_of_work, "w1") == [stored[0].id]
        for worker in ("w1", "w2"):
            async with unit_of_work() as tx:
                await tx[Knowledge].renew_changes(worker, MOMENT + timedelta(seconds=60))
        assert await self._claim(unit_of_work, "w2", seconds=31) == []
        assert await self._claim(unit_of_work, "w2", seconds=61) == [stored[0].id]

    async def test_documents_can_be_had_indexed_again(self, unit_of_work: UnitOfWork) -> None:
        first, second = document(), document()
        await given(unit_of_work, first, second)
        await self._applied(unit_of_work, *await self._claim(unit_of_work))
        for again in ([], [second[0].id], [second[0].id, first[0].id]):
            async with unit_of_work() as tx:
                await tx[Knowledge].mark_changed(again)
            assert await self._pending(unit_of_work) == len(again)
        assert set(await self._claim(unit_of_work)) == {first[0].id, second[0].id}

    async def test_index_workers_at_the_same_time_never_share_a_document(self, unit_of_work: UnitOfWork) -> None:
        documents = [document() for _ in range(9)]
        await given(unit_of_work, *documents)
        claims = await asyncio.gather(*(self._claim(unit_of_work, f"w{n}", limit=2) for n in range(6)))
        claimed = [id for claim in claims for id in claim]
        assert len(claimed) == len(set(claimed))
        claimed += await self._claim(unit_of_work, "last")
        assert sorted(claimed) == [stored.id for stored, _ in documents]

    async def test_a_change_made_while_the_index_is_written_stays_pending(self, unit_of_work: UnitOfWork) -> None:
        stored = document()
        await given(unit_of_work, stored)
        claimed = await self._claim(unit_of_work)
        await remove(unit_of_work, stored)
        await self._applied(unit_of_work, *claimed)
        assert await self._pending(unit_of_work) == 1
        assert await self._claim(unit_of_work, "w2", seconds=31) == claimed
        await self._applied(unit_of_work, *claimed, worker="w2")
        assert await self._pending(unit_of_work) == 0

    async def test_only_a_claim_can_be_applied(self, unit_of_work: UnitOfWork) -> None:
        stored = document()
        await given(unit_of_work, stored)
        await self._applied(unit_of_work, stored[0].id)
        assert await self._pending(unit_of_work) == 1

    async def test_a_removed_documents_passages_are_gone_for_the_index(self, unit_of_work: UnitOfWork) -> None:
        gone, kept = document(passages=2), document(passages=2)
        await given(unit_of_work, gone, kept)
        await remove(unit_of_work, gone)
        claimed = await self._claim(unit_of_work)
        assert set(claimed) == {gone[0].id, kept[0].id}
        async with unit_of_work() as tx:
            live = await tx[Knowledge].passages_of(claimed)
        assert {passage.ref for passage in live} == refs(kept)

    async def _claim(
        self, unit_of_work: UnitOfWork, worker: str = "w1", seconds: int = 0, limit: int = 50
    ) -> list[DocumentId]:
        now = MOMENT + timedelta(seconds=seconds)
        async with unit_of_work() as tx:
            return await tx[Knowledge].claim_changes(worker, now, now + timedelta(seconds=30), limit)

    async def _applied(self, unit_of_work: UnitOfWork, *documents: DocumentId, worker: str = "w1") -> None:
        async with unit_of_work() as tx:
            await tx[Knowledge].complete_changes(worker, documents)

    async def _pending(self, unit_of_work: UnitOfWork) -> int:
        async with unit_of_work() as tx:
            return await tx[Knowledge].pending_changes()
