"""The model in one process for several others: the contract, and what happens when that process ends."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import psutil
import pytest

from contentgen_adapters.embeddings.semantic import program, starting, weights
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.process import SharedSemanticProcess
from contentgen_adapters.embeddings.semantic.program import READY
from contentgen_adapters.embeddings.semantic.starting import shared_program
from contentgen_adapters.embeddings.semantic.weights import Weights
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.testing.embedder import EmbedderContract
from contentgen_grounded.bootstrap.shared_embedding import embedding_process


@pytest.fixture
async def askers() -> AsyncIterator[socket.socket]:
    async with shared_program(2) as through:
        yield through


class TestSharedSemanticProcess(EmbedderContract):
    @pytest.fixture
    async def embedder(self, askers: socket.socket) -> AsyncIterator[Embedder]:
        async with aclosing(await SharedSemanticProcess.open(askers)) as opened:
            yield opened


def programs() -> list[int]:
    """The processes that embed, of those that this one started."""
    started = psutil.Process().children()
    return [one.pid for one in started if program.__name__ in " ".join(one.cmdline())]


def oom_score(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text())


async def test_several_get_the_very_vectors_of_the_model_from_one_process(askers: socket.socket) -> None:
    within = SemanticEmbedder(Weights(weights.known_file()))
    texts = ["Heat pumps move heat.", "Une pompe à chaleur", "日本語", ""]
    assert programs() == [], "none before somebody asks"
    async with (
        aclosing(await SharedSemanticProcess.open(askers)) as one,
        aclosing(await SharedSemanticProcess.open(askers)) as other,
    ):
        found = await asyncio.gather(one.embed(texts, "passage"), other.embed(texts, "query"))
        assert found == [await within.embed(texts, "passage"), await within.embed(texts, "query")]
        assert len(programs()) == 1


async def test_who_waits_for_a_process_that_dies_gets_the_answer_of_the_next_one(askers: socket.socket) -> None:
    async with (
        aclosing(await SharedSemanticProcess.open(askers)) as one,
        aclosing(await SharedSemanticProcess.open(askers)) as other,
    ):
        [before] = await one.embed(["heat"], "query")
        slow = [asyncio.create_task(each.embed(["heat " * 100] * 50, "passage")) for each in (one, other)]
        await asyncio.sleep(0.1)
        [killed] = programs()
        os.kill(killed, signal.SIGKILL)
        assert await one.embed(["heat"], "query") == [before]
        assert [len(vectors) for vectors in await asyncio.gather(*slow)] == [50, 50]
        [next_one] = programs()
        assert next_one != killed


async def test_one_that_is_closed_leaves_the_others_theirs(askers: socket.socket) -> None:
    async with aclosing(await SharedSemanticProcess.open(askers)) as other:
        [before] = await other.embed(["heat"], "query")
        embedder = await SharedSemanticProcess.open(askers)
        await embedder.embed(["heat"], "query")
        slow = asyncio.create_task(embedder.embed(["heat " * 400] * 200, "passage"))
        await asyncio.sleep(0.1)
        await embedder.aclose()
        with pytest.raises(ProviderFailed):
            await slow
        assert await other.embed(["heat"], "query") == [before]


async def test_a_model_that_cannot_be_loaded_is_a_failure_for_who_asks_for_it(
    askers: socket.socket, tmp_path: Path
) -> None:
    async with (
        aclosing(SharedSemanticProcess(askers, tmp_path / "missing")) as bad,
        aclosing(await SharedSemanticProcess.open(askers)) as good,
    ):
        with pytest.raises(ProviderFailed, match="does not answer"):
            await bad.embed(["heat"], "query")
        assert len(await good.embed(["heat"], "query")) == 1


@pytest.mark.parametrize("executable", ["/bin/false", "/nowhere/python"])
async def test_a_process_that_cannot_start_is_a_failure_soon(
    askers: socket.socket, monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    monkeypatch.setattr(starting, "PAUSE_SECONDS", 0.05)
    async with aclosing(await SharedSemanticProcess.open(askers)) as embedder:
        with monkeypatch.context() as broken:
            broken.setattr(sys, "executable", executable)
            with pytest.raises(ProviderFailed, match="does not answer"):
                await asyncio.wait_for(embedder.embed(["heat"], "query"), 20)
        assert len(await embedder.embed(["heat"], "query")) == 1, "once it can"


async def test_it_ends_with_the_block() -> None:
    async with shared_program(1) as askers, aclosing(await SharedSemanticProcess.open(askers)) as embedder:
        await embedder.embed(["heat"], "query")
        assert len(programs()) == 1
    assert programs() == []


async def test_it_goes_on_for_those_who_outlive_who_started_it_and_ends_with_the_last() -> None:
    askers, asked = socket.socketpair()
    with asked:
        process = await starting.start("1", tasks=asked.fileno())
    try:
        with askers:
            assert process.stdout is not None
            assert await process.stdout.readexactly(len(READY)) == READY
            async with aclosing(await SharedSemanticProcess.open(askers)) as embedder:
                assert len(await embedder.embed(["heat"], "query")) == 1
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        await starting.kill(process)


async def test_it_steps_back_first_where_memory_is_short_and_ends_by_no_signal_of_a_service_manager(
    askers: socket.socket,
) -> None:
    async with aclosing(await SharedSemanticProcess.open(askers)) as embedder:
        [before] = await embedder.embed(["heat"], "query")
        [pid] = programs()
        assert oom_score(pid) == 800
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(pid, number)
        assert await embedder.embed(["heat"], "query") == [before]
        assert programs() == [pid]


async def test_elsewhere_than_on_linux_each_process_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    async with embedding_process(2) as askers:
        assert askers is not None
    monkeypatch.setattr(sys, "platform", "darwin")
    async with embedding_process(2) as askers:
        assert askers is None
