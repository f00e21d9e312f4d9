"""The contract of `PassageIndex`. Inherit `PassageIndexContract` in a test module and give it two fixtures:

`index`: an empty index made with `MODEL` and `DIMENSION`;
`reopen`: a function `(model, dimension) -> awaitable` that opens the storage of that same `index` once more.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import IndexCounts, IndexedPassage, PassageIndex
from contentgen_core.testing import builders
from contentgen_core.testing.passage_search import (
    DIMENSION,
    MODEL,
    VIEW,
    PassageSearchContract,
    Reopen,
    axis,
    by_vector,
    by_words,
    entry,
    put,
    refs,
)


class PassageIndexContract(PassageSearchContract):
    """`behind`: seconds after which one handle sees what another one wrote."""

    behind: ClassVar[float] = 0.0

    async def test_upserting_the_same_again_adds_nothing(self, index: PassageIndex) -> None:
        entries = [entry(f"pump {i}", axis(i % DIMENSION)) for i in range(20)]
        await put(index, entries)
        before = await index.search(VIEW, {Language.EN: ["pump"]}, axis(0), 100)
        await put(index, entries)
        await put(index, entries[::-1])
        after = await index.search(VIEW, {Language.EN: ["pump"]}, axis(0), 100)
        assert len(before) == 20
        assert {hit.ref for hit in after} == refs(*entries)
        assert len(after) == 20

    async def test_upserting_a_passage_anew_replaces_its_words_and_its_vector(self, index: PassageIndex) -> None:
        old = entry("before", axis(0))
        new = IndexedPassage(builders.passage(old.passage.document, "after"), axis(1))
        await put(index, [old])
        await put(index, [new])
        assert await by_words(index, "before") == set()
        (hit,) = await index.search(VIEW, {Language.EN: ["after"]}, axis(1), 10)
        assert hit.cosine == pytest.approx(1.0, abs=1e-5)

    async def test_a_passage_twice_in_one_call_is_stored_once_as_given_last(self, index: PassageIndex) -> None:
        old = entry("before")
        new = IndexedPassage(builders.passage(old.passage.document, "after"), axis(0))
        await put(index, [old, new])
        assert await by_words(index, "before") == set()
        assert len(await index.search(VIEW, {Language.EN: ["after"]}, axis(0), 10)) == 1

    async def test_concurrent_upserts_of_the_same_passages_store_each_once(
        self, index: PassageIndex, reopen: Reopen
    ) -> None:
        entries = [entry(f"pump {i}") for i in range(10)]
        writers = [index, await reopen(MODEL, DIMENSION), await reopen(MODEL, DIMENSION)]
        for _ in range(3):
            await asyncio.gather(*(put(writer, entries) for writer in writers * 2))
        await asyncio.sleep(self.behind)
        hits = await index.search(VIEW, {Language.EN: ["pump"]}, axis(0), 100)
        assert sorted(str(hit.ref) for hit in hits) == sorted(map(str, refs(*entries)))

    async def test_another_handle_sees_what_was_written(self, index: PassageIndex, reopen: Reopen) -> None:
        other = await reopen(MODEL, DIMENSION)
        new = entry("pump")
        await put(index, [new])
        await asyncio.sleep(self.behind)
        assert await by_words(other, "pump") == refs(new)
        await other.remove([new.passage.document.id])
        await asyncio.sleep(self.behind)
        assert await by_words(index, "pump") == set()

    async def test_a_removed_document_is_found_no_more_and_the_others_stay(self, index: PassageIndex) -> None:
        document = builders.kb_document()
        parts = [IndexedPassage(builders.passage(document, chunk_index=i), axis(0)) for i in range(5)]
        kept = entry("pump")
        await put(index, [*parts, kept])
        for _ in range(2):
            await index.remove([document.id, DocumentId("unknown")])
            assert await by_words(index, "pump") == await by_vector(index, axis(0)) == refs(kept)
        await index.remove([])
        await put(index, parts)
        assert await by_words(index, "pump") == refs(*parts, kept)

    async def test_of_a_revised_document_only_the_passages_that_it_has_are_found(self, index: PassageIndex) -> None:
        document = builders.kb_document()
        parts = [IndexedPassage(builders.passage(document, "pump", chunk_index=i), axis(0)) for i in range(5)]
        other = entry("pump")
        await put(index, [*parts, other])
        for _ in range(2):
            await index.retain(document.id, {1, 3, 9})
            assert await by_words(index, "pump") == await by_vector(index, axis(0)) == refs(parts[1], parts[3], other)
        await index.retain(DocumentId("unknown"), set())
        await index.retain(document.id, set())
        assert await by_words(index, "pump") == await by_vector(index, axis(0)) == refs(other)
        await put(index, parts)
        assert await by_words(index, "pump") == refs(*parts, other)

    async def test_many_documents_are_removed_in_one_call(self, index: PassageIndex) -> None:
        entries = [entry("pump") for _ in range(1_200)]
        await put(index, entries)
        await index.remove([e.passage.document.id for e in entries[:-1]])
        assert await by_words(index, "pump") == refs(entries[-1])

    async def test_reading_and_writing_go_on_during_upkeep(self, index: PassageIndex) -> None:
        first = [entry(f"pump {i}") for i in range(50)]
        await put(index, first)
        late = [entry(f"pump late {i}") for i in range(5)]

        async def read() -> None:
            for _ in range(10):
                assert refs(*first) <= await by_words(index, "pump")

        async def write() -> None:
            for one in late:
                await put(index, [one])

        await asyncio.gather(index.optimize(), read(), write(), index.optimize())
        await index.optimize()
        assert await by_words(index, "pump") == await by_vector(index, axis(0)) == refs(*first, *late)

    async def test_a_cleared_index_is_empty_and_can_be_filled_again(self, index: PassageIndex) -> None:
        one = entry("pump")
        await put(index, [one, entry("pump")])
        assert not await index.is_empty()
        await index.clear()
        assert await index.is_empty()
        assert await by_words(index, "pump") == await by_vector(index, axis(0)) == set()
        await put(index, [one])
        assert await by_words(index, "pump") == refs(one)
        await index.check()

    async def test_a_passage_is_found_by_words_before_it_has_a_vector(self, index: PassageIndex) -> None:
        early, late = entry("pump", axis(1)), entry("pump", axis(1))
        await index.upsert([early.passage, late.passage])
        assert not await index.has_vectors()
        assert await by_words(index, "pump") == refs(early, late)
        assert await by_vector(index, axis(1)) == set()
        await index.upsert_vectors([late])
        assert await index.has_vectors()
        assert await by_vector(index, axis(1)) == refs(late)
        (hit,) = [h for h in await index.search(VIEW, {Language.EN: ["pump"]}, axis(1), 10) if h.cosine is not None]
        assert hit.ref == late.passage.ref
        assert hit.text_score > 0

    async def test_what_it_has_is_counted(self, index: PassageIndex) -> None:
        assert await index.verify() == IndexCounts(0, 0)
        one, other, third = entry("pump", axis(1)), entry("pump", axis(2)), entry("pump", chunk_index=3)
        await put(index, [one, other])
        await index.upsert([third.passage, other.passage])
        assert await index.verify() == IndexCounts(3, 2)
        await put(index, [one])
        assert await index.verify() == IndexCounts(3, 2)
        await index.remove([one.passage.document.id])
        assert await index.verify() == IndexCounts(2, 1)
        await index.clear_vectors(MODEL, DIMENSION)
        assert await index.verify() == IndexCounts(2, 0)

    async def test_words_that_are_written_again_leave_the_vector(self, index: PassageIndex) -> None:
        one = entry("pump", axis(1))
        await put(index, [one])
        await index.upsert([one.passage])
        assert await by_vector(index, axis(1)) == refs(one)

    async def test_the_vectors_of_passages_are_read_at_once(self, index: PassageIndex) -> None:
        one, other = entry(vector=axis(1)), entry(vector=axis(2), chunk_index=3)
        wordy = entry()
        await put(index, [one, other])
        await index.upsert([wordy.passage])
        unknown = SourceRef("no' such", 0)
        asked = [one.passage.ref, other.passage.ref, wordy.passage.ref, unknown]
        found = {ref: list(vector) for ref, vector in (await index.vectors(asked)).items()}
        assert found == {one.passage.ref: axis(1), other.passage.ref: axis(2)}
        assert await index.vectors([one.passage.ref, unknown]) == {one.passage.ref: axis(1)}
        assert not await index.vectors([])

    @pytest.mark.parametrize(("model", "dimension"), [("other-model", DIMENSION), (MODEL, 4)])
    async def test_vectors_of_another_model_are_filled_beside_those_that_serve(
        self, index: PassageIndex, reopen: Reopen, model: str, dimension: int
    ) -> None:
        one, two = entry("pump", axis(0)), entry("pump", axis(1))
        await put(index, [one, two])
        other = await reopen(model, dimension)
        await asyncio.sleep(self.behind)
        assert not await other.has_vectors()
        assert await by_words(other, "pump") == refs(one, two)
        assert await by_vector(other, axis(0, dimension)) == set()
        await other.upsert_vectors([IndexedPassage(one.passage, axis(0, dimension))])
        assert await by_vector(other, axis(0, dimension)) == refs(one)
        assert await by_vector(index, axis(1)) == refs(one, two)
        await other.remove([one.passage.document.id])
        await asyncio.sleep(self.behind)
        assert await by_vector(index, axis(1)) == refs(two)
        await other.clear_vectors(MODEL, DIMENSION)
        await other.clear_vectors("never used", DIMENSION)
        await asyncio.sleep(self.behind)
        assert await by_vector(index, axis(1)) == set()
        assert await by_words(index, "pump") == refs(two)
        await index.upsert_vectors([two])
        assert await by_vector(index, axis(1)) == refs(two)

    async def test_a_cleared_index_has_no_vectors_of_any_model(self, index: PassageIndex, reopen: Reopen) -> None:
        one = entry("pump")
        await put(index, [one])
        other = await reopen("other-model", DIMENSION)
        await other.clear()
        await asyncio.sleep(self.behind)
        assert not await index.has_vectors()
        await put(index, [one])
        assert await by_vector(index, axis(0)) == await by_words(index, "pump") == refs(one)

    async def test_a_vector_of_another_dimension_is_refused(self, index: PassageIndex) -> None:
        await index.upsert([entry("pump").passage])
        with pytest.raises(ValueError, match="4 dimensions"):
            await index.upsert_vectors([entry("pump", axis(0, 4))])
        with pytest.raises(ValueError, match="4 dimensions"):
            await index.search(VIEW, {}, axis(0, 4), 10)
        assert not await index.has_vectors()
