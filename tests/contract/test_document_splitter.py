"""The splitter of documents: in a thread and in processes alike, and in processes never for long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import psutil
import pytest
import pytest_asyncio
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.documents.source_splitting import ProcessSourceSplitter
from contentgen_adapters.documents.splitting import LIMITS, ProcessSplitter
from contentgen_adapters.shared.processes import worker
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_core.errors import Unavailable, UnreadableFile
from contentgen_core.model.ids import TenantId
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import Unsplit
from contentgen_core.testing import builders, strategies
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument, SplitInThread
from contentgen_grounded.bootstrap.memory import memory_ports
from contentgen_grounded.bootstrap.splitting import SPLITTING, SPLITTING_MANY
from tests.support.house import SECRET

pytestmark = pytest.mark.asyncio(loop_scope="module")

TENANT = TenantId("t")
TEXTS = {
    Language.EN: "# Heat pumps\n\nAda Lovelace wrote of ISO 9001. A heat pump moves heat.\n\n## Winter\n\n" * 40,
    Language.JA: "# 熱\n\n熱ポンプは熱を運ぶ。" * 50,
    Language.FR: "Un texte sans titre, avec l’été et 3,5 kW. " * 30,
    Language.DE: "",
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[ProcessPool]:
    async with aclosing(ProcessPool(2)) as opened:
        yield opened


@pytest.mark.parametrize("language", TEXTS)
async def test_a_process_gives_what_a_thread_gives(pool: ProcessPool, language: Language) -> None:
    ports = memory_ports(SECRET)
    in_thread = SplitInThread(ChunkDocument(ports.chunker, ports.analysis, ports.entities))
    document, text = evolve(builders.kb_document(), language=language), TEXTS[language]
    wanted = await in_thread.passages(document, text, TENANT)
    found = await ProcessSplitter(pool, SPLITTING).passages(document, text, TENANT)
    assert found == wanted
    assert [passage.entities for passage in found] == [passage.entities for passage in wanted]
    assert bool(text) == bool(found)


async def test_a_text_that_takes_too_long_is_refused(pool: ProcessPool) -> None:
    limits: Any = evolve(LIMITS, cpu=0.2)
    with pytest.raises(UnreadableFile, match="was not read within"):
        await ProcessSplitter(pool, SPLITTING, limits).passages(builders.kb_document(), "# a\n" * 500_000, TENANT)


async def test_without_a_place_one_comes_back_later() -> None:
    pool = ProcessPool()
    await pool.aclose()
    with pytest.raises(Unavailable):
        await ProcessSplitter(pool, SPLITTING).passages(builders.kb_document(), "Text.", TENANT)


SOURCES = st.lists(
    st.builds(Unsplit, strategies.kb_documents(), strategies.texts() | st.sampled_from(list(TEXTS.values()))),
    max_size=5,
)


@given(sources=SOURCES)
@settings(deadline=None, max_examples=50)
async def test_sources_are_taken_apart_in_a_process_as_in_a_thread(pool: ProcessPool, sources: list[Unsplit]) -> None:
    ports = memory_ports(SECRET)
    chunk = ChunkDocument(ports.chunker, ports.analysis, ports.entities)
    wanted = [chunk(source.document, source.text) for source in sources]
    found = await ProcessSourceSplitter(pool, SPLITTING_MANY, 1).passages(sources)
    assert found == wanted
    assert [[p.entities for p in passages] for passages in found] == [
        [p.entities for p in passages] for passages in wanted
    ]


async def test_sources_whose_process_dies_are_taken_apart_by_another(pool: ProcessPool) -> None:
    splitter = ProcessSourceSplitter(pool, SPLITTING_MANY, 1)
    sources = [Unsplit(builders.kb_document(), TEXTS[Language.EN] * 10) for _ in range(20)]
    wanted = await splitter.passages(sources)
    working = asyncio.create_task(splitter.passages(sources))
    await asyncio.sleep(0.05)
    at_work = [process for process in psutil.Process().children() if worker.__name__ in process.cmdline()]
    for process in at_work:
        process.kill()
    assert at_work
    assert not working.done()
    assert await working == wanted


async def test_sources_that_take_a_process_too_long_are_left_to_this_one(pool: ProcessPool) -> None:
    limits: Any = evolve(LIMITS, cpu=0.2)
    source = Unsplit(builders.kb_document(), "# a\n" * 500_000)
    with pytest.raises(Unavailable, match="was not read within"):
        await ProcessSourceSplitter(pool, SPLITTING_MANY, 1, limits).passages([source])
