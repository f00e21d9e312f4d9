"""The upkeep of the search index: by one process for all, and what happens when the index was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.memory.passage_index import MemoryIndex
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import Unavailable
from contentgen_core.model.knowledge import KbView, Passage
from contentgen_core.ports.knowledge_base import IndexCounts, IndexedPassage
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.work_leases import WorkLeases
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import ManualClock
from contentgen_core.use_cases.knowledge import index_loss, index_upkeep
from contentgen_core.use_cases.knowledge.embed_passages import EmbedPassages
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.knowledge.index_upkeep import (
    UPKEEP_EVERY,
    UPKEEP_LEASE,
    ApplyIndexChanges,
    MaintainIndex,
    RebuildIndex,
)
from contentgen_core.use_cases.knowledge.retrieve import Retrieve


class WatchedIndex(MemoryIndex):
    """Counts upkeep; `failing` makes it fail, `hanging` makes it last until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.upkeeps = 0
        self.failing = False
        self.hanging: asyncio.Event | None = None
        self.unreadable = 0  # how often, until it is cleared

    async def check(self) -> None:
        if self.unreadable:
            self.unreadable -= 1
            raise Unavailable("files are missing")

    async def clear(self) -> None:
        self.unreadable = 0
        await super().clear()

    async def optimize(self) -> None:
        self.upkeeps += 1
        if self.failing:
            raise Unavailable("no")
        if self.hanging is not None:
            await self.hanging.wait()


class House:
    def __init__(self) -> None:
        self.unit_of_work, self.index, self.clock = MemoryUnitOfWork(), WatchedIndex(), ManualClock()
        self.apply = ApplyIndexChanges(self.unit_of_work, self.index, self.clock)
        self.embed = EmbedPassages(self.unit_of_work, self.index, HashedEmbedder(), self.clock)
        rebuild = RebuildIndex(self.unit_of_work, self.index, self.apply)
        self.keep_fit = MaintainIndex(self.unit_of_work, self.index, rebuild, self.embed, self.clock)

    async def found(self) -> set[str]:
        """The sources that a search finds."""
        retrieve = Retrieve(
            self.unit_of_work,
            self.index,
            HashedEmbedder(),
            IcuTextAnalysis(),
            EmbeddingWeights(HashedEmbedder()),
        )
        retrieved = await retrieve(KbView(builders.kb_document().scope.niche_key), "A heat pump moves heat", 10)
        return {candidate.passage.document.source_key for candidate in retrieved.candidates}

    async def hold_documents(self, number: int, name: str = "source") -> None:
        async with self.unit_of_work() as tx:
            for n in range(number):
                document = builders.kb_document(source_key=f"{name} {n}")
                await tx[Knowledge].add([(document, [builders.passage(document)])])

    async def passages(self) -> list[Passage]:
        async with self.unit_of_work() as tx:
            return await tx[Knowledge].passages_of(await tx[Knowledge].all_documents(None, 100))

    async def pending(self) -> int:
        async with self.unit_of_work() as tx:
            return await tx[Knowledge].pending_changes()


@pytest.fixture
def house() -> House:
    return House()


async def test_of_many_processes_one_does_the_upkeep_each_time(house: House) -> None:
    for times in range(1, 4):
        for worker in ("a", "b", "c", "a"):
            await house.keep_fit(worker)
        assert house.index.upkeeps == times
        house.clock.advance(seconds=UPKEEP_EVERY.total_seconds())


async def test_who_takes_long_keeps_the_turn_and_who_dies_over_it_is_succeeded(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_upkeep, "UPKEEP_LEASE", timedelta(seconds=0.3))
    house.index.hanging = asyncio.Event()
    slow = asyncio.create_task(house.keep_fit("slow"))
    await asyncio.sleep(0)
    for _ in range(4):
        await asyncio.sleep(0.15)
        house.clock.advance(seconds=0.15)
        await house.keep_fit("other")
    assert house.index.upkeeps == 1
    house.index.hanging.set()
    await slow


async def test_upkeep_that_fails_is_told_and_due_again_later(house: House) -> None:
    house.index.failing = True
    with pytest.raises(Unavailable):
        await house.keep_fit("a")
    house.index.failing = False
    await house.keep_fit("b")
    assert house.index.upkeeps == 1
    house.clock.advance(seconds=UPKEEP_EVERY.total_seconds())
    await house.keep_fit("b")
    assert house.index.upkeeps == 2


async def test_the_turn_of_a_process_that_was_killed_lapses(house: House) -> None:
    async with house.unit_of_work() as tx:
        now = house.clock.now()
        assert await tx[WorkLeases].acquire(index_upkeep.UPKEEP, "killed", now, now + UPKEEP_LEASE)
    await house.keep_fit("heir")
    assert house.index.upkeeps == 0
    house.clock.advance(seconds=UPKEEP_LEASE.total_seconds())
    await house.keep_fit("heir")
    assert house.index.upkeeps == 1


async def test_all_documents_of_a_lost_index_are_indexed_again_by_whoever_takes_them(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_upkeep, "BATCH_DOCUMENTS", 2)
    await house.hold_documents(5)
    await house.apply.drain("a")
    assert await house.keep_fit("a") == 0
    await house.index.clear()
    assert await house.keep_fit("b") == 5
    assert await house.pending() == 5
    assert await house.apply("a") == 2  # and is killed: the rest waits for others
    assert await house.keep_fit("a") == 0
    assert await house.apply.drain("b") == 3
    assert await house.pending() == 0
    assert not await house.index.is_empty()


async def test_an_index_that_lost_some_of_its_passages_gets_them_back(house: House) -> None:
    """As one of LanceDB's does that goes back to an earlier version, its newest one being gone."""
    await house.hold_documents(5)
    await house.apply.drain("a")
    found = await house.found()
    [some, *_] = [passage.document.id for passage in await house.passages()]
    await house.index.remove([some])
    assert await house.found() < found
    assert await house.keep_fit("b") == 5
    await house.apply.drain("b")
    assert await house.found() == found
    assert await house.keep_fit("b") == 0


async def test_an_index_that_lost_some_of_its_vectors_gets_them_back(house: House) -> None:
    await house.hold_documents(3)
    await house.apply.drain("a")
    await house.embed.drain("a")
    [some, *_] = passages = await house.passages()
    embedder = house.embed.embedder
    await house.index.clear_vectors("", embedder.dimension)
    [vector] = await embedder.embed([some.text], "passage")
    await house.index.upsert_vectors([IndexedPassage(some, vector)])
    assert await house.keep_fit("b") == 0, "its passages are there"
    assert await house.embed.drain("b") == 3
    assert len(await house.index.vectors([passage.ref for passage in passages])) == 3
    assert await house.keep_fit("b") == 0
    assert await house.embed.drain("b") == 0


async def test_passages_that_came_after_the_count_are_not_lost(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.hold_documents(3)
    await house.apply.drain("a")
    await house.embed.drain("a")
    verify = house.index.verify

    async def verified() -> IndexCounts:
        monkeypatch.undo()
        counts = await verify()
        await house.hold_documents(2, "another")
        await house.apply.drain("b")
        await house.embed.drain("b")
        return counts

    monkeypatch.setattr(house.index, "verify", verified)
    assert await house.keep_fit("a") == 0
    assert await house.embed.drain("a") == 0


async def test_a_lost_index_answers_nothing_until_it_is_whole_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of the documents would make an article say that the knowledge base holds no source."""
    monkeypatch.setattr(index_upkeep, "BATCH_DOCUMENTS", 2)
    await house.hold_documents(5)
    await house.apply.drain("a")
    found = await house.found()
    assert found
    await house.index.clear()
    with pytest.raises(Unavailable, match="being rebuilt"):
        await house.found()
    await house.keep_fit("a")
    assert await house.apply("a") == 2
    with pytest.raises(Unavailable, match="being rebuilt"):
        await house.found()
    await house.apply.drain("a")
    assert await house.found() == found


async def test_changes_that_could_not_be_applied_are_free_again_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.hold_documents(3)
    with monkeypatch.context() as patched:
        patched.setattr(house.index, "upsert", _refused)
        with pytest.raises(Unavailable):
            await house.apply.drain("a")
    assert await house.apply.drain("b") == 3


async def test_who_applies_changes_for_long_keeps_them(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_upkeep, "LEASE", timedelta(seconds=0.3))
    await house.hold_documents(3)
    let_go, upsert = asyncio.Event(), house.index.upsert

    async def slow(rows: Sequence[IndexedPassage]) -> None:
        await let_go.wait()
        await upsert(rows)

    monkeypatch.setattr(house.index, "upsert", slow)
    applying = asyncio.create_task(house.apply.drain("slow"))
    for _ in range(4):
        await asyncio.sleep(0.15)
        house.clock.advance(seconds=0.15)
        assert await house.apply("other") == 0
    let_go.set()
    assert await applying == 3


async def _refused(rows: Sequence[IndexedPassage]) -> None:
    raise Unavailable("no")


async def test_while_all_is_embedded_anew_nothing_is_found_and_a_service_completes_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_upkeep, "BATCH_DOCUMENTS", 2)
    await house.hold_documents(5)
    await house.apply.drain("a")
    found = await house.found()

    class Killed(BaseException):
        pass

    def killed(done: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        await house.keep_fit.rebuild(killed)
    with pytest.raises(Unavailable, match="being rebuilt"):
        await house.found()
    assert await house.apply.drain("a") == 3
    assert await house.found() == found


async def test_what_a_service_applied_before_the_index_was_emptied_is_in_it_afterwards(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.hold_documents(5)
    await house.apply.drain("a")
    found, clear = await house.found(), house.index.clear

    async def after_a_service() -> None:
        await house.apply.drain("a")
        await clear()

    monkeypatch.setattr(house.index, "clear", after_a_service)
    assert await house.keep_fit.rebuild() == 5
    assert await house.found() == found


async def test_documents_that_come_to_a_lost_index_do_not_hide_the_loss(house: House) -> None:
    await house.hold_documents(5)
    await house.apply.drain("a")
    await house.index.clear()
    await house.hold_documents(1, "new")
    assert await house.apply.drain("a") >= 6
    assert len(await house.found()) == 6


async def test_an_index_that_cannot_be_read_is_rebuilt(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_loss, "LOOK_AGAIN_SECONDS", 0.0)
    await house.hold_documents(3)
    await house.apply.drain("a")
    house.index.unreadable = 1
    assert await house.keep_fit("a") == 0, "it may be away for a moment"
    house.index.unreadable = 1_000
    assert await house.keep_fit("a") == 3
    assert await house.apply.drain("a") == 3
    assert len(await house.found()) == 3


async def test_an_index_that_is_empty_because_nothing_is_there_is_not_lost(house: House) -> None:
    assert await house.keep_fit("a") == 0
