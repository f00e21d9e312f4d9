"""What is particular to the index on LanceDB: damage, other processes, size, and when the library is loaded."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.lance import index as lance_index
from contentgen_adapters.lance import layout, upkeep
from contentgen_adapters.lance.index import MAX_DOCUMENTS_IN_VIEW, LanceIndex
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.errors import StaleIndex, Unavailable
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import IndexCounts, IndexedPassage
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.testing import builders
from contentgen_core.testing.passage_search import (
    DIMENSION,
    MODEL,
    NICHE,
    VIEW,
    axis,
    by_vector,
    by_words,
    entry,
    put,
    refs,
)
from contentgen_core.testing.runtime import ManualClock
from contentgen_core.use_cases.knowledge import index_loss
from contentgen_core.use_cases.knowledge.embed_passages import EmbedPassages
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges, MaintainIndex, RebuildIndex

Damage = Callable[[Path], None]

WRITER = """
import asyncio, sys
from attrs import evolve
from contentgen_adapters.lance.index import LanceIndex
from contentgen_core.testing.passage_search import DIMENSION, MODEL, entry, put

async def main():
    index = await LanceIndex.open(sys.argv[1], MODEL, DIMENSION)
    print("ready", flush=True)
    sys.stdin.readline()
    for round in range(5):
        await put(index, [entry("pump", id=f"document-{round}-{i}") for i in range(20)])

asyncio.run(main())
"""


def overwrite_files(under: str) -> Damage:
    def damage(table: Path) -> None:
        for file in (table / under).rglob("*"):
            if file.is_file():
                file.write_bytes(b"garbage")

    return damage


DAMAGES: dict[str, Damage] = {
    "manifests": overwrite_files("_versions"),
    "rows": overwrite_files("data"),
    "indices": overwrite_files("_indices"),
    "rows_gone": lambda table: shutil.rmtree(table / "data"),
    "table_gone": shutil.rmtree,
}
# An index file that is held in memory is no loss yet: searches go on.
LOSSES: dict[str, Damage] = {
    **{name: damage for name, damage in DAMAGES.items() if name != "indices"},
    "folder_gone": lambda table: shutil.rmtree(table.parent),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
async def test_a_damaged_index_says_how_to_rebuild_it_and_clearing_mends_it(tmp_path: Path, damage: Damage) -> None:
    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    await put(index, [entry("pump")])
    await index.optimize()
    damage(tmp_path / "passages.lance")
    opened_later = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    for handle in (index, opened_later):
        await answers_or_names_the_rebuild(partial(handle.search, VIEW, {Language.EN: ["pump"]}, axis(0), 5))
        await answers_or_names_the_rebuild(partial(put, handle, [entry("pump")]))
        await answers_or_names_the_rebuild(handle.optimize)
        await answers_or_names_the_rebuild(handle.check)
    await opened_later.clear()
    mended = entry("pump")
    await put(opened_later, [mended])
    for handle in (index, opened_later):
        await handle.check()
        assert await by_words(handle, "pump") == await by_vector(handle, axis(0)) == refs(mended)


async def answers_or_names_the_rebuild(call: Callable[[], Awaitable[object]]) -> None:
    try:
        await call()
    except (StaleIndex, Unavailable) as exc:
        assert "contentgen kb reindex" in str(exc)  # noqa: PT017


@pytest.mark.parametrize("damaged", ["manifests", "rows_gone"])
@pytest.mark.parametrize("table", ["passages", "vectors"])
async def test_the_check_finds_damage(tmp_path: Path, damaged: str, table: str) -> None:
    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    await put(index, [entry("pump")])
    DAMAGES[damaged](next(tmp_path.glob(f"{table}*.lance")))  # noqa: ASYNC240 - the files of a test
    with pytest.raises(Unavailable, match="contentgen kb reindex"):
        await (await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)).check()


async def test_an_index_of_an_older_layout_counts_as_lost_and_one_of_a_newer_layout_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    await put(index, [entry("pump")])
    monkeypatch.setattr(layout, "LAYOUT", layout.LAYOUT + 1)
    searches = (partial(by_words, index, "pump"), partial(by_vector, index, axis(0)))
    for call in (index.check, index.verify, *searches):
        with pytest.raises(Unavailable, match="being rebuilt"):
            await call()
    await index.clear()
    await put(index, [entry("pump")])
    monkeypatch.undo()
    for call in (index.check, partial(put, index, [entry("pump")]), *searches):
        with pytest.raises(StaleIndex, match="newer version"):
            await call()


async def test_who_has_the_index_in_memory_sees_what_is_gone_from_the_disk(tmp_path: Path) -> None:
    """Else nobody would rebuild what no other process can read."""
    index = await LanceIndex.open(str(tmp_path / "index"), MODEL, DIMENSION)
    for _ in range(2):
        await put(index, [entry("pump", id=f"document-{n}") for n in range(5)])
        await index.optimize()
    await put(index, [entry("pump", id="document-late")])
    shutil.copytree(tmp_path / "index", tmp_path / "whole")
    for file in sorted(file for file in (tmp_path / "index").rglob("*") if file.is_file()):
        file.unlink()
        try:
            await (await LanceIndex.open(str(tmp_path / "index"), MODEL, DIMENSION)).check()
        except Unavailable:
            with pytest.raises(Unavailable):
                await index.verify()
        shutil.copy(tmp_path / "whole" / file.relative_to(tmp_path / "index"), file)
    await index.verify()


async def test_a_place_that_is_no_folder_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(Unavailable):
        await (await LanceIndex.open(str(tmp_path / "file"), MODEL, DIMENSION)).check()


async def test_processes_that_write_the_same_passages_store_each_once(tmp_path: Path) -> None:
    writers = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", WRITER, str(tmp_path)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        for _ in range(2)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert await writer.stdout.readline() == b"ready\n"
    printed = await asyncio.gather(*(writer.communicate(b"go\n") for writer in writers))
    assert [writer.returncode for writer in writers] == [0, 0], printed
    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    hits = await index.search(VIEW, {Language.EN: ["pump"]}, axis(0), 1_000)
    assert len(hits) == len({hit.ref for hit in hits}) == 100


async def test_many_handles_open_a_new_folder_at_once(tmp_path: Path) -> None:
    handles = await asyncio.gather(*(LanceIndex.open(str(tmp_path / "new"), MODEL, DIMENSION) for _ in range(6)))
    new = entry("pump.a")
    await put(handles[0], [new])
    for handle in handles:
        await handle.check()
        assert await by_words(handle, "pump.a") == refs(new)
        assert await by_words(handle, "pump") == set()


async def test_upkeep_that_loses_every_race_is_left_for_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def preempted(table: object) -> None:
        raise RuntimeError("lance error: Retryable commit conflict")

    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    await put(index, [entry("pump")])
    monkeypatch.setattr(upkeep, "optimize", preempted)
    await index.optimize()
    overwrite_files("_versions")(tmp_path / "passages.lance")
    with pytest.raises(Unavailable):
        await index.optimize()


async def test_a_large_index_gets_a_vector_index_and_stays_exact_within_a_narrow_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "EXACT_INDEX_FROM", 100)
    monkeypatch.setattr(upkeep, "COMPRESSED_INDEX_FROM", 400)
    monkeypatch.setattr(upkeep, "ROWS_PER_PARTITION", 20)
    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    vectors = np.random.default_rng(3).standard_normal((2_000, DIMENSION))
    entries = [entry(f"w{i}", vector=list(v), scope=tenth(i)) for i, v in enumerate(vectors)]
    await grow(index, entries[:90], expected=[])
    await grow(index, entries[90:300], expected=[("vector_exact_300", "IvfFlat")])
    await grow(index, entries[300:450], expected=[("vector_compressed_450", "IvfRq")])
    await grow(index, entries[450:600], expected=[("vector_compressed_450", "IvfRq")])
    await grow(index, entries[600:], expected=[("vector_compressed_2000", "IvfRq")])
    late = entry("late", vector=axis(5), scope=KbScope(NICHE, TenantId("tenth")))
    await put(index, [late])
    mine = [i for i in range(2_000) if i % 10 == 0]
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for asked in range(0, 2_000, 400):
        hits = await index.search(KbView(NICHE, TenantId("tenth")), {}, list(vectors[asked]), 300)
        assert {hit.ref for hit in hits} == refs(*(entries[i] for i in mine), late)
        cosines = {hit.ref: hit.cosine for hit in hits}
        for i in mine[:20]:
            assert cosines[entries[i].passage.ref] == pytest.approx(unit[i] @ unit[asked], abs=1e-4)


async def test_vectors_that_cannot_be_compressed_get_a_vector_index_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "EXACT_INDEX_FROM", 100)
    monkeypatch.setattr(upkeep, "COMPRESSED_INDEX_FROM", 200)
    monkeypatch.setattr(upkeep, "ROWS_PER_PARTITION", 20)
    index = await LanceIndex.open(str(tmp_path), MODEL, 6)
    vectors = np.random.default_rng(3).standard_normal((300, 6))
    entries = [entry(f"w{i}", vector=list(v)) for i, v in enumerate(vectors)]
    await grow(index, entries, expected=[("vector_partitioned_300", "IvfFlat")])
    hits = await index.search(VIEW, {}, list(vectors[7]), 300)
    assert {hit.ref for hit in hits} == refs(*entries)


async def grow(index: LanceIndex, entries: list[IndexedPassage], expected: list[tuple[str, str]]) -> None:
    await put(index, entries)
    await index.optimize()
    found = [i for i in await (await index._current_table(index._vectors)).list_indices() if i.columns == ["vector"]]
    assert [(i.name, i.index_type) for i in found] == expected


def tenth(number: int) -> KbScope:
    return KbScope(NICHE, TenantId("tenth" if number % 10 == 0 else "others"))


async def test_an_id_that_would_read_as_the_platforms_is_refused(tmp_path: Path) -> None:
    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    with pytest.raises(ValueError, match="never empty"):
        await put(index, [entry("pump", scope=KbScope(NICHE, TenantId("")))])
    with pytest.raises(ValueError, match="never empty"):
        await by_words(index, "pump", view=KbView(NICHE, TenantId("")))


async def test_a_view_names_a_bounded_number_of_documents(tmp_path: Path) -> None:
    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    one = entry("pump")
    await put(index, [one])
    others = [DocumentId(f"d{i}") for i in range(MAX_DOCUMENTS_IN_VIEW - 1)]
    most = KbView(NICHE, document_ids=frozenset([one.passage.document.id, *others]))
    assert await by_words(index, "pump", view=most) == refs(one)
    more = KbView(NICHE, document_ids=frozenset([one.passage.document.id, *others, DocumentId("one more")]))
    with pytest.raises(ValueError, match="at most 10000"):
        await by_words(index, "pump", view=more)


async def test_words_that_end_alike_or_are_common_are_not_confused(tmp_path: Path) -> None:
    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
    words = ["run", "running", "Run", "the", "thé", "x" * 200]
    document = builders.kb_document()
    passages = [
        IndexedPassage(builders.passage(document, chunk_index=i, terms=(word,)), axis(0))
        for i, word in enumerate(words)
    ]
    await put(index, passages)
    await index.optimize()
    for passage, word in zip(passages, words, strict=True):
        assert await by_words(index, word) == refs(passage)


async def test_the_library_is_loaded_by_opening_an_index_and_not_before() -> None:
    script = (
        "import sys, contentgen_adapters.lance.index; sys.exit('lancedb' in sys.modules or 'pyarrow' in sys.modules)"
    )
    assert await (await asyncio.create_subprocess_exec(sys.executable, "-c", script)).wait() == 0


@pytest.mark.parametrize("damage", LOSSES.values(), ids=LOSSES.keys())
async def test_an_index_that_is_lost_while_it_is_used_is_rebuilt_from_the_database(
    tmp_path: Path, damage: Damage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_loss, "LOOK_AGAIN_SECONDS", 0.0)
    embedder, unit_of_work = HashedEmbedder(), MemoryUnitOfWork()
    index = await LanceIndex.open(str(tmp_path / "index"), embedder.model, embedder.dimension)
    apply = ApplyIndexChanges(unit_of_work, index, ManualClock())
    async with unit_of_work() as tx:
        for _ in range(3):
            document = builders.kb_document()
            await tx[Knowledge].add([(document, [builders.passage(document)])])
    await apply.drain("a")
    view = KbView(builders.kb_document().scope.niche_key)
    found = await by_words(index, "heat", view=view)
    assert len(found) == 3
    damage(tmp_path / "index" / "passages.lance")
    assert await apply.loss.restore_if_lost(await apply.loss.counts()) == 3
    assert await apply.drain("a") == 3
    assert await by_words(index, "heat", view=view) == found
    assert await apply.loss.restore_if_lost(await apply.loss.counts()) == 0


@pytest.mark.parametrize("table", ["passages", "vectors_*"])
async def test_a_table_that_is_as_it_was_before_its_newest_version_gets_back_what_it_had(
    tmp_path: Path, table: str
) -> None:
    embedder, unit_of_work, clock = HashedEmbedder(), MemoryUnitOfWork(), ManualClock()
    index = await LanceIndex.open(str(tmp_path / "index"), embedder.model, embedder.dimension)
    apply = ApplyIndexChanges(unit_of_work, index, clock)
    embed = EmbedPassages(unit_of_work, index, embedder, clock)
    keep_fit = MaintainIndex(unit_of_work, index, RebuildIndex(unit_of_work, index, apply), embed, clock)
    for _ in range(3):
        async with unit_of_work() as tx:
            document = builders.kb_document()
            await tx[Knowledge].add([(document, [builders.passage(document)])])
        await apply.drain("a")
        await embed.drain("a")
    assert await index.verify() == IndexCounts(3, 3)
    [folder] = (tmp_path / "index").glob(f"{table}.lance")
    newest = min((folder / "_versions").glob("*.manifest"))  # they are numbered backwards
    newest.unlink()
    assert await index.verify() != IndexCounts(3, 3)
    assert await keep_fit("b") == (3 if table == "passages" else 0)
    await apply.drain("b")
    await embed.drain("b")
    assert await index.verify() == IndexCounts(3, 3)


async def test_a_disk_that_stands_still_holds_nobody_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lance_index, "_READ_SECONDS", 0.1)
    index = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)

    async def stand_still(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("contentgen_adapters.lance.store.lexical", stand_still)
    async with asyncio.timeout(5):
        with pytest.raises(Unavailable):
            await by_words(index, "pump")
