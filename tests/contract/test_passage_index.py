"""The contract of the passage index over LanceDB and memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.memory.passage_index import MemoryIndex
from contentgen_core.ports.knowledge_base import PassageIndex
from contentgen_core.testing.passage_index import PassageIndexContract
from contentgen_core.testing.passage_search import DIMENSION, MODEL, Reopen, axis, by_vector, entry, put, refs


class TestMemoryIndex(PassageIndexContract):
    @pytest.fixture
    def index(self) -> PassageIndex:
        return MemoryIndex(MODEL, DIMENSION)

    @pytest.fixture
    def reopen(self, index: MemoryIndex) -> Reopen:
        async def reopened(model: str, dimension: int) -> PassageIndex:
            return index.reopened(model, dimension)

        return reopened


class TestLanceIndex(PassageIndexContract):
    @pytest.fixture
    async def index(self, tmp_path: Path) -> AsyncIterator[PassageIndex]:
        opened = await LanceIndex.open(str(tmp_path), MODEL, DIMENSION)
        yield opened
        await opened.close()

    @pytest.fixture
    async def reopen(self, index: PassageIndex, tmp_path: Path) -> AsyncIterator[Reopen]:
        async with AsyncExitStack() as opened:

            async def reopened(model: str, dimension: int) -> PassageIndex:
                other = await LanceIndex.open(str(tmp_path), model, dimension)
                opened.push_async_callback(other.close)
                return other

            yield reopened


async def test_an_index_in_memory_without_a_dimension_takes_that_of_its_first_vector() -> None:
    index = MemoryIndex()
    assert await by_vector(index, axis(0)) == set()
    new = entry("pump")
    await put(index, [new])
    assert await by_vector(index, axis(0)) == refs(new)
    await index.clear()
    with pytest.raises(ValueError, match="4 dimensions"):
        await put(index, [entry("pump", axis(0, 4))])
