"""The model in a process of its own: the contract, and what happens when that process ends or many texts come."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from contentgen_adapters.embeddings.semantic import weights
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.process import SemanticProcess
from contentgen_adapters.embeddings.semantic.weights import Weights
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.testing.embedder import EmbedderContract


class TestSemanticProcess(EmbedderContract):
    @pytest.fixture
    async def embedder(self) -> AsyncIterator[Embedder]:
        async with aclosing(await SemanticProcess.open()) as opened:
            yield opened


async def test_it_gives_the_very_vectors_of_the_model() -> None:
    within = SemanticEmbedder(Weights(weights.known_file()))
    texts = ["Heat pumps move heat.", "Une pompe à chaleur", "日本語", ""]
    async with aclosing(await SemanticProcess.open()) as apart:
        assert (apart.model, apart.dimension, apart.embedding_weight) == (within.model, within.dimension, 1.0)
        for kind in ("passage", "query"):
            assert await apart.embed(texts, kind) == await within.embed(texts, kind)
        assert await apart.embed([], "query") == []


async def test_who_waits_for_a_process_that_dies_gets_the_answer_of_the_next_one() -> None:
    async with aclosing(await SemanticProcess.open()) as embedder:
        [before] = await embedder.embed(["heat"], "query")
        assert embedder._process is not None
        slow = asyncio.create_task(embedder.embed(["heat " * 100] * 50, "passage"))
        await asyncio.sleep(0.1)
        os.kill(embedder._process.pid, signal.SIGKILL)
        assert await embedder.embed(["heat"], "query") == [before]
        assert len(await slow) == 50


async def test_a_process_that_dies_each_time_is_a_failure() -> None:
    async with aclosing(await SemanticProcess.open()) as embedder:
        slow = asyncio.create_task(embedder.embed(["heat " * 400] * 500, "passage"))
        killed = set[int]()
        while not slow.done():
            await asyncio.sleep(0.02)
            process = embedder._process
            if process is not None and process.pid not in killed:
                killed.add(process.pid)
                os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(ProviderFailed, match="does not answer"):
            await slow
        assert len(killed) == 2


async def test_closing_ends_it_and_whoever_waits() -> None:
    embedder = await SemanticProcess.open()
    await embedder.embed(["heat"], "query")
    process = embedder._process
    assert process is not None
    slow = asyncio.create_task(embedder.embed(["heat " * 400] * 200, "passage"))
    await asyncio.sleep(0.1)
    await embedder.aclose()
    assert process.returncode is not None
    with pytest.raises(ProviderFailed):
        await slow


async def test_a_process_that_cannot_start_is_a_failure(tmp_path: Path) -> None:
    async with aclosing(SemanticProcess(tmp_path / "missing")) as embedder:
        with pytest.raises(ProviderFailed, match="does not answer"):
            await embedder.embed(["heat"], "query")


async def test_it_ends_with_the_service(tmp_path: Path) -> None:
    embedder = await SemanticProcess.open()
    await embedder.embed(["heat"], "query")
    process = embedder._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()  # as when the service is killed
    assert await asyncio.wait_for(process.wait(), 10) == 0
