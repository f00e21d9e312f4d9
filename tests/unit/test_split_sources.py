"""The texts of an import are taken apart on several cores as they are on one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from typing import Final
from unittest.mock import patch

import pytest
from attrs import define, field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_core.errors import Unavailable
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.ports.documents import Unsplit
from contentgen_core.testing import builders
from contentgen_core.use_cases.knowledge import split_sources
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument
from contentgen_core.use_cases.knowledge.split_sources import SplitSources
from contentgen_grounded.bootstrap.memory import memory_ports
from tests.support.house import SECRET

PORTS: Final = memory_ports(SECRET)
CHUNK: Final = ChunkDocument(PORTS.chunker, PORTS.analysis, PORTS.entities)
TEXTS: Final = (
    "A heat pump moves heat from outside air into a house.",
    "Une pompe à chaleur déplace la chaleur de l'air extérieur vers la maison.",
    "Die Wärmepumpe bringt Wärme aus der Außenluft ins Haus.",
    "",
)


@frozen
class Behaviour:
    """Of a call elsewhere: how many turns of the loop it takes, and whether it fails in the end."""

    turns: int
    fails: bool


@define
class Elsewhere:
    """Takes texts apart as another process would, after a while, or not at all."""

    behaviours: deque[Behaviour]
    at_once: int = 2
    busy: int = 0
    calls: list[int] = field(factory=list)

    async def passages(self, sources: Sequence[Unsplit]) -> list[list[Passage]]:
        self.calls.append(len(sources))
        behaviour = self.behaviours.popleft() if self.behaviours else Behaviour(0, fails=False)
        self.busy += 1
        assert self.busy <= self.at_once
        try:
            for _ in range(behaviour.turns):
                await asyncio.sleep(0)
        finally:
            self.busy -= 1
        if behaviour.fails:
            raise Unavailable("The process is gone.")
        return [CHUNK(source.document, source.text) for source in sources]


def unsplit(texts: Sequence[str]) -> list[Unsplit]:
    return [
        Unsplit(builders.kb_document(title=f"Document {n}", language=PORTS.detector.detect(text)), text)
        for n, text in enumerate(texts)
    ]


def read(sources: Sequence[Unsplit], failure: Exception | None, taken: list[Unsplit]) -> Iterator[Unsplit]:
    for source in sources:
        taken.append(source)
        yield source
    if failure is not None:
        raise failure


async def all_of(split: SplitSources, sources: Iterator[Unsplit]) -> list[tuple[KbDocument, list[Passage]]]:
    async with aclosing(split(sources)) as parts:
        return [one async for part in parts for one in part]


@given(
    st.lists(st.sampled_from(TEXTS), max_size=30),
    st.lists(st.builds(Behaviour, st.integers(0, 20), st.booleans()), max_size=20),
    st.integers(1, 4),
)
@settings(deadline=None)
async def test_wherever_texts_are_taken_apart_they_give_the_same_in_the_same_order(
    texts: list[str], behaviours: list[Behaviour], size: int
) -> None:
    sources = unsplit(texts)
    elsewhere = Elsewhere(deque(behaviours))
    with patch.object(split_sources, "PART_SOURCES", size), patch.object(split_sources, "ALONE_CHARACTERS", 0):
        found = await all_of(SplitSources(CHUNK, elsewhere), iter(sources))
    wanted = [(source.document, CHUNK(source.document, source.text)) for source in sources]
    assert found == wanted
    assert [[p.entities for p in passages] for _, passages in found] == [
        [p.entities for p in passages] for _, passages in wanted
    ]
    assert elsewhere.busy == 0


async def test_processes_take_part_in_large_imports_alone() -> None:
    sources = unsplit([TEXTS[0]] * 400)
    elsewhere = Elsewhere(deque())
    split = SplitSources(CHUNK, elsewhere)
    await all_of(split, iter(sources))
    assert elsewhere.calls == [], "these take less than a process to start"
    with patch.object(split_sources, "ALONE_CHARACTERS", 1_000), patch.object(split_sources, "PART_SOURCES", 5):
        await all_of(split, iter(sources))
    assert elsewhere.calls[:2] == [0, 0], "each is started before it is needed"
    assert sum(elsewhere.calls) > 0


async def test_a_process_that_does_not_start_is_not_asked_again() -> None:
    elsewhere = Elsewhere(deque([Behaviour(0, fails=True)] * 2))
    sources = unsplit([TEXTS[0]] * 40)
    with patch.object(split_sources, "ALONE_CHARACTERS", 0), patch.object(split_sources, "PART_SOURCES", 2):
        found = await all_of(SplitSources(CHUNK, elsewhere), iter(sources))
    assert len(found) == 40
    assert elsewhere.calls == [0, 0]


@pytest.mark.parametrize("alone", [0, 10_000])
async def test_what_the_sources_raise_comes_after_what_was_read_before(alone: int) -> None:
    sources, elsewhere = unsplit(TEXTS * 10), Elsewhere(deque([Behaviour(30, fails=False)] * 4))
    found: list[KbDocument] = []

    async def take_apart() -> None:
        failing = read(sources, OSError("unreadable"), [])
        async with aclosing(SplitSources(CHUNK, elsewhere)(failing)) as parts:
            async for part in parts:
                found.extend(document for document, _ in part)

    with (
        patch.object(split_sources, "ALONE_CHARACTERS", alone),
        patch.object(split_sources, "PART_SOURCES", 4),
        pytest.raises(OSError, match="unreadable"),
    ):
        await take_apart()
    assert [document.id for document in found] == [source.document.id for source in sources]


async def test_sources_are_read_as_they_are_needed_and_no_further_than_that() -> None:
    sources, taken = unsplit([TEXTS[0]] * 1_000), list[Unsplit]()
    with patch.object(split_sources, "PART_SOURCES", 10):
        async with aclosing(SplitSources(CHUNK)(read(sources, None, taken))) as parts:
            async for _ in parts:
                break
        assert len(taken) <= 50
        read_so_far = len(taken)
        await asyncio.sleep(0.05)
        assert len(taken) == read_so_far, "the sources are the caller's again"
