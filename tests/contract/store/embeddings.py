"""Vectors of passages, and the documents that wait for theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Final

import pytest
from attrs import evolve

from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbScope, KbView, Understanding, VectorSpace
from contentgen_core.ports.repositories.embeddings import STEPS, Embeddings, KeptVector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given, given_tenant
from tests.contract.store.knowledge import NICHE, Stored, document, remove

SPACE: Final = VectorSpace("sample-model", 3)
OTHER: Final = VectorSpace("sample-model", 4)
VIEW: Final = KbView(NICHE)


async def used(unit_of_work: UnitOfWork, space: VectorSpace = SPACE) -> None:
    async with unit_of_work() as tx:
        await tx[Embeddings].use(space, MOMENT)
        await tx[Embeddings].whole(space)


async def claim(
    unit_of_work: UnitOfWork, worker: str = "w1", seconds: int = 0, limit: int = 50, space: VectorSpace = SPACE
) -> list[DocumentId]:
    now = MOMENT + timedelta(seconds=seconds)
    async with unit_of_work() as tx:
        return await tx[Embeddings].claim(space, worker, now, now + timedelta(seconds=30), limit)


async def complete(unit_of_work: UnitOfWork, *documents: Stored, worker: str = "w1") -> list[DocumentId]:
    async with unit_of_work() as tx:
        return await tx[Embeddings].complete(SPACE, worker, ids(*documents))


async def understanding(unit_of_work: UnitOfWork, view: KbView = VIEW) -> tuple[Understanding, bool]:
    async with unit_of_work() as tx:
        return await tx[Embeddings].understanding(SPACE, view), await tx[Embeddings].all_understood(SPACE, view)


def ids(*documents: Stored) -> list[DocumentId]:
    return [stored.id for stored, _ in documents]


def vectors(stored: Stored, *numbers: float) -> list[KeptVector]:
    return [KeptVector(passage.ref, sha256(passage.text.encode()).digest(), list(numbers)) for passage in stored[1]]


def exact(*numbers: int) -> list[float]:
    return [number / STEPS for number in numbers]


class EmbeddingsContract:
    async def test_what_is_added_waits_in_each_space_that_is_used(self, unit_of_work: UnitOfWork) -> None:
        before = document()
        await given(unit_of_work, before)
        await used(unit_of_work)
        first, second, empty = document(), document(), document(passages=0)
        await given(unit_of_work, first)
        await given(unit_of_work, second, empty)
        assert await claim(unit_of_work, space=OTHER) == []
        await used(unit_of_work, OTHER)
        third = document()
        await given(unit_of_work, third)
        assert await claim(unit_of_work) == ids(first, second, third)
        assert await claim(unit_of_work, space=OTHER) == ids(third)

    async def test_a_document_with_another_title_waits_anew_whoever_has_it(self, unit_of_work: UnitOfWork) -> None:
        await used(unit_of_work)
        embedded, taken, empty = document(passages=2), document(), document(passages=0)
        await given(unit_of_work, embedded, taken, empty)
        await claim(unit_of_work, limit=1)
        await complete(unit_of_work, embedded)
        await claim(unit_of_work)
        for retitled in (embedded, taken, empty):
            async with unit_of_work() as tx:
                await tx[Knowledge].retitle(*retitled)
        assert await understanding(unit_of_work) == (Understanding(0, 3), False)
        await complete(unit_of_work, taken)
        assert set(await claim(unit_of_work, "w2")) == set(ids(embedded, taken))

    @pytest.mark.parametrize("whole_index", [True, False])
    async def test_what_is_to_be_indexed_anew_waits_whoever_has_it(
        self, unit_of_work: UnitOfWork, whole_index: bool
    ) -> None:
        await used(unit_of_work)
        taken, failed = document(), document()
        await given(unit_of_work, taken, failed)
        await claim(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Embeddings].advance(SPACE, dict.fromkeys(ids(taken), 1))
            await tx[Embeddings].postpone(SPACE, "w1", ids(failed), MOMENT + timedelta(hours=1))
        async with unit_of_work() as tx:
            if whole_index:
                await tx[Knowledge].mark_changed(ids(taken, failed))
            else:
                await tx[Embeddings].queue(SPACE, ids(taken, failed))
        await complete(unit_of_work, taken)
        assert await understanding(unit_of_work) == (Understanding(0, 2), False)
        assert await claim(unit_of_work, "w2") == ids(taken, failed)

    async def test_vectors_of_a_revised_document_stay_where_its_passages_do(self, unit_of_work: UnitOfWork) -> None:
        await used(unit_of_work)
        stored, passages = document(passages=2)
        await given(unit_of_work, (stored, passages))
        await claim(unit_of_work)
        kept = vectors((stored, passages), 1.0, 0.0, 0.0)
        async with unit_of_work() as tx:
            await tx[Embeddings].keep(SPACE, kept)
        await complete(unit_of_work, (stored, passages))
        revised = evolve(stored, revised_at=MOMENT)
        async with unit_of_work() as tx:
            await tx[Knowledge].replace([(revised, [evolve(passages[1], document=revised, place=0)])])
            found = await tx[Embeddings].kept(SPACE, [passage.ref for passage in passages])
        assert list(found) == [passages[1].ref]
        assert await claim(unit_of_work, "w2") == [stored.id]

    async def test_what_was_there_before_is_queued_on_request(self, unit_of_work: UnitOfWork) -> None:
        before, gone = document(), document()
        await given(unit_of_work, before, gone)
        await remove(unit_of_work, gone)
        async with unit_of_work() as tx:
            await tx[Embeddings].queue(SPACE, ids(before))  # a space that nobody uses
            assert await tx[Embeddings].use(SPACE, MOMENT) is False
            assert await tx[Embeddings].use(SPACE, MOMENT) is False
            assert await tx[Embeddings].all_understood(SPACE, VIEW) is False
            assert await tx[Embeddings].understanding(SPACE, VIEW) == Understanding(0, 1)
            await tx[Embeddings].queue(SPACE, [*ids(before, gone), DocumentId("unknown")])
            await tx[Embeddings].whole(SPACE)
            assert await tx[Embeddings].use(SPACE, MOMENT) is True
            assert await tx[Embeddings].waiting(SPACE) == 1
        assert await claim(unit_of_work) == ids(before)

    async def test_a_document_that_is_added_while_a_space_is_first_used_is_not_forgotten(
        self, unit_of_work: UnitOfWork
    ) -> None:
        added = [document() for _ in range(6)]

        async def use() -> None:
            async with unit_of_work() as tx:
                await tx[Embeddings].use(SPACE, MOMENT)
            async with unit_of_work() as tx:
                await tx[Embeddings].queue(SPACE, await tx[Knowledge].all_documents(None, 100))
                await tx[Embeddings].whole(SPACE)

        await asyncio.gather(
            *(given(unit_of_work, one) for one in added[:3]), use(), *(given(unit_of_work, one) for one in added[3:])
        )
        assert set(await claim(unit_of_work)) == set(ids(*added))

    async def test_a_lease_is_one_workers_until_it_ends_or_runs_out(self, unit_of_work: UnitOfWork) -> None:
        await used(unit_of_work)
        documents = [document() for _ in range(3)]
        for one in documents:
            await given(unit_of_work, one)
        assert await claim(unit_of_work, "w1", limit=1) == ids(documents[0])
        assert await claim(unit_of_work, "w2") == ids(*documents[1:])
        assert await claim(unit_of_work, "w3", seconds=29) == []
        async with unit_of_work() as tx:
            await tx[Embeddings].renew("w2", MOMENT + timedelta(seconds=90))
            await tx[Embeddings].release("w1")
        assert await claim(unit_of_work, "w3", seconds=30) == ids(documents[0])
        assert await complete(unit_of_work, *documents, worker="w1") == []
        async with unit_of_work() as tx:
            assert await tx[Embeddings].waiting(SPACE) == 3
        await complete(unit_of_work, *documents, worker="w2")
        assert await claim(unit_of_work, "w1", seconds=200) == ids(documents[0])

    async def test_what_a_question_found_comes_first(self, unit_of_work: UnitOfWork) -> None:
        await used(unit_of_work)
        documents = [document() for _ in range(3)]
        for one in documents:
            await given(unit_of_work, one)
        async with unit_of_work() as tx:
            await tx[Embeddings].ask(SPACE, [*ids(documents[2]), DocumentId("unknown")])
        assert await claim(unit_of_work) == ids(documents[2], documents[0], documents[1])

    async def test_a_document_that_failed_is_put_off_and_then_comes_alone(self, unit_of_work: UnitOfWork) -> None:
        await used(unit_of_work)
        bad, good = document(), document()
        await given(unit_of_work, bad)
        await given(unit_of_work, good)
        assert await claim(unit_of_work) == ids(bad, good)
        async with unit_of_work() as tx:
            await tx[Embeddings].postpone(SPACE, "w1", ids(bad, good), MOMENT + timedelta(seconds=60))
            assert await tx[Embeddings].attempts(SPACE, ids(bad, good)) == 1
        assert await claim(unit_of_work, seconds=59) == []
        assert await claim(unit_of_work, seconds=60) == ids(bad)
        assert await claim(unit_of_work, seconds=60) == ids(good)

    async def test_one_that_failed_does_not_come_with_others(self, unit_of_work: UnitOfWork) -> None:
        await used(unit_of_work)
        bad, good = document(), document()
        await given(unit_of_work, good)
        await given(unit_of_work, bad)
        async with unit_of_work() as tx:
            await tx[Embeddings].claim(SPACE, "w1", MOMENT, MOMENT + timedelta(seconds=30), 2)
            await tx[Embeddings].postpone(SPACE, "w1", ids(bad), MOMENT)
            await tx[Embeddings].release("w1")
        assert await claim(unit_of_work) == ids(good)
        assert await claim(unit_of_work) == ids(bad)

    async def test_progress_counts_the_views_own_passages(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenant(unit_of_work), await given_tenant(unit_of_work)
        await used(unit_of_work)
        shared = document(passages=2)
        mine, theirs = (document(KbScope(NICHE, of.id), passages=5) for of in (tenant, other))
        await given(unit_of_work, shared, mine, theirs)
        view = KbView(NICHE, tenant.id)
        assert await understanding(unit_of_work, view) == (Understanding(0, 7), False)
        await claim(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Embeddings].advance(SPACE, {mine[0].id: 3, theirs[0].id: 4, DocumentId("unknown"): 9})
        assert await understanding(unit_of_work, view) == (Understanding(3, 7), False)
        await complete(unit_of_work, mine)
        assert await understanding(unit_of_work, view) == (Understanding(5, 7), False)
        named = KbView(NICHE, tenant.id, document_ids=frozenset(ids(mine)))
        assert await understanding(unit_of_work, named) == (Understanding(5, 5), True)
        await complete(unit_of_work, shared)
        assert await understanding(unit_of_work, view) == (Understanding(7, 7), True)
        assert await understanding(unit_of_work, KbView(NICHE, other.id)) == (Understanding(6, 7), False)
        assert await understanding(unit_of_work, KbView("another")) == (Understanding(0, 0), True)

    async def test_a_removed_document_waits_no_longer_and_its_vectors_are_gone(self, unit_of_work: UnitOfWork) -> None:
        await used(unit_of_work)
        gone, kept = document(passages=2), document()
        await given(unit_of_work, gone, kept)
        async with unit_of_work() as tx:
            await tx[Embeddings].keep(SPACE, [*vectors(gone, 0.5, 0.5, 0.5), *vectors(kept, 0.25, 0.0, 0.0)])
        assert set(await claim(unit_of_work)) == set(ids(gone, kept))
        await remove(unit_of_work, gone)
        assert await complete(unit_of_work, gone, kept) == ids(gone)
        async with unit_of_work() as tx:
            assert await tx[Embeddings].kept(SPACE, [p.ref for p in (*gone[1], *kept[1])]) == {
                kept[1][0].ref: pytest.approx([0.25, 0.0, 0.0])
            }
            await tx[Embeddings].keep(SPACE, vectors(gone, 0.5, 0.5, 0.5))
            assert await tx[Embeddings].kept(SPACE, [p.ref for p in gone[1]]) == {}

    async def test_vectors_are_kept_by_passage_and_by_text(self, unit_of_work: UnitOfWork) -> None:
        await used(unit_of_work)
        await used(unit_of_work, OTHER)
        one, copy = document(passages=2), document(passages=2)
        await given(unit_of_work, one, copy)
        first, second = vectors(one, *exact(1, -16384, 16383))
        async with unit_of_work() as tx:
            await tx[Embeddings].keep(SPACE, [first])
            await tx[Embeddings].keep(SPACE, [first, second])
            await tx[Embeddings].keep(SPACE, [])
        async with unit_of_work() as tx:
            kept = await tx[Embeddings].kept(SPACE, [p.ref for p in (*one[1], *copy[1])])
            assert {ref: list(vector) for ref, vector in kept.items()} == {
                first.ref: exact(1, -16384, 16383),
                second.ref: exact(1, -16384, 16383),
            }
            hashes = [first.text_hash, second.text_hash, b"unknown"]
            by_text = await tx[Embeddings].kept_texts(SPACE, hashes)
            assert {text: list(vector) for text, vector in by_text.items()} == dict.fromkeys(
                hashes[:2], exact(1, -16384, 16383)
            )
            assert await tx[Embeddings].kept(OTHER, [first.ref]) == {}
            assert await tx[Embeddings].kept_texts(OTHER, hashes) == {}

    @pytest.mark.parametrize("numbers", [(0.1, -0.7, 0.3), (1.0, -1.0, 0.0), (5.0, -5.0, 0.0)])
    async def test_numbers_are_kept_in_steps(self, unit_of_work: UnitOfWork, numbers: Sequence[float]) -> None:
        await used(unit_of_work)
        one = document()
        await given(unit_of_work, one)
        async with unit_of_work() as tx:
            await tx[Embeddings].keep(SPACE, vectors(one, *numbers))
            [vector] = (await tx[Embeddings].kept(SPACE, [one[1][0].ref])).values()
        within = [max(-2.0, min(2.0, number)) for number in numbers]
        assert list(vector) == pytest.approx(within, abs=1 / STEPS)

    async def test_what_the_index_must_have_is_what_does_not_wait(self, unit_of_work: UnitOfWork) -> None:
        one = document()
        await given(unit_of_work, one)
        await given(unit_of_work, document(passages=0))
        async with unit_of_work() as tx:
            await tx[Embeddings].use(SPACE, MOMENT)
            assert not await tx[Embeddings].any_embedded(SPACE)
            await tx[Embeddings].queue(SPACE, ids(one))
            await tx[Embeddings].whole(SPACE)
            assert not await tx[Embeddings].any_embedded(SPACE)
        assert await claim(unit_of_work) == ids(one)
        await complete(unit_of_work, one)
        async with unit_of_work() as tx:
            assert await tx[Embeddings].any_embedded(SPACE)
            await tx[Knowledge].mark_changed(ids(one))
            assert not await tx[Embeddings].any_embedded(SPACE)
        assert await claim(unit_of_work) == ids(one)

    async def test_the_vectors_that_the_index_must_have_are_counted_where_nothing_waits(
        self, unit_of_work: UnitOfWork
    ) -> None:
        one, other = document(passages=2), document()
        await given(unit_of_work, one, other)

        async def more_than(vectors: int, space: VectorSpace = SPACE) -> bool:
            async with unit_of_work() as tx:
                return await tx[Embeddings].more_embedded_than(space, vectors)

        assert not await more_than(0), "not used yet"
        async with unit_of_work() as tx:
            await tx[Embeddings].use(SPACE, MOMENT)
        assert not await more_than(0), "some are still to be queued"
        await used(unit_of_work)
        await used(unit_of_work, OTHER)
        async with unit_of_work() as tx:
            await tx[Embeddings].queue(SPACE, ids(one, other))
        assert not await more_than(0)
        assert await more_than(2, OTHER)
        await claim(unit_of_work)
        await complete(unit_of_work, one)
        assert not await more_than(0)
        await complete(unit_of_work, other)
        assert await more_than(2)
        assert not await more_than(3)
        await remove(unit_of_work, one)
        assert await more_than(0)
        assert not await more_than(1)

    async def test_a_space_that_nobody_uses_is_forgotten_with_its_vectors(self, unit_of_work: UnitOfWork) -> None:
        await used(unit_of_work)
        await used(unit_of_work, OTHER)
        one = document(passages=3)
        await given(unit_of_work, one)
        later = MOMENT + timedelta(days=2)
        async with unit_of_work() as tx:
            await tx[Embeddings].keep(SPACE, vectors(one, 0.1, 0.2, 0.3))
            await tx[Embeddings].keep(OTHER, vectors(one, 0.1, 0.2, 0.3, 0.4))
            await tx[Embeddings].use(OTHER, later)
            assert await tx[Embeddings].unused(later) == [SPACE]
        for _ in range(5):
            async with unit_of_work() as tx:
                if await tx[Embeddings].forget(SPACE, 2):
                    break
        async with unit_of_work() as tx:
            assert await tx[Embeddings].unused(later) == []
            assert await tx[Embeddings].kept(SPACE, [p.ref for p in one[1]]) == {}
            assert await tx[Embeddings].waiting(SPACE) == 0
            assert len(await tx[Embeddings].kept(OTHER, [p.ref for p in one[1]])) == 3
            assert await tx[Embeddings].waiting(OTHER) == 1
