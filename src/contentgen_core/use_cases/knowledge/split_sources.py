"""Taking the texts of an import apart, on several cores and in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from typing import Final, TypeAlias

from contentgen_core.errors import Unavailable
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.ports.documents import SourceSplitter, Unsplit
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument
from contentgen_core.use_cases.use_case import use_case

PART_CHARACTERS: Final = 60_000
PART_SOURCES: Final = 50
"""Of what is taken apart at once: as a rule some 80 passages, a twentieth of a second."""
ALONE_CHARACTERS: Final = 1_000_000
"""Of an import, that are taken apart in this process alone: until another has started, and knows the words of a
language, it has cost as much as these do."""

Split: TypeAlias = list[tuple[KbDocument, list[Passage]]]
_Place: TypeAlias = Callable[[Sequence[Unsplit]], Awaitable[list[list[Passage]]]]


@use_case
class SplitSources:
    """`elsewhere`: takes texts apart in other processes; None: all are taken apart here, in a thread."""

    chunk: ChunkDocument
    elsewhere: SourceSplitter | None = None

    async def __call__(self, sources: Iterator[Unsplit]) -> AsyncGenerator[Split, None]:
        """The documents with their passages, in order, a few at a time. `sources` is consumed lazily, in a thread; what
        it raises is raised after what came before. Close the iteration: only then is `sources` the caller's again."""
        places: asyncio.Queue[_Place] = asyncio.Queue()
        places.put_nowait(self._here)
        at_work = deque[asyncio.Task[Split]]()
        others: list[asyncio.Task[None]] = []
        following = _read_on(sources)
        failure: Exception | None = None
        read = 0
        try:
            while failure is None:
                try:
                    part = await asyncio.shield(following)
                except Exception as raised:  # once what was read before it has been taken apart
                    failure = raised
                    continue
                if not part:
                    break
                following = _read_on(sources)
                at_work.append(asyncio.create_task(self._split(part, places)))
                read += sum(len(source.text) for source in part)
                if self.elsewhere and read >= ALONE_CHARACTERS and not others:
                    join = (_joined(self.elsewhere, places) for _ in range(self.elsewhere.at_once))
                    others = [asyncio.create_task(joining) for joining in join]
                while at_work and (at_work[0].done() or len(at_work) > self._most_at_work()):
                    yield await at_work.popleft()
            while at_work:
                yield await at_work.popleft()
            if failure is not None:
                raise failure
        finally:
            for task in (*at_work, *others):
                task.cancel()
            # A thread cannot be cancelled: it is waited for.
            await asyncio.gather(following, *at_work, *others, return_exceptions=True)

    def _most_at_work(self) -> int:
        """Twice as many as there are places, so that none is idle while the first of them takes long."""
        return 2 * (1 + (self.elsewhere.at_once if self.elsewhere else 0))

    async def _split(self, part: Sequence[Unsplit], places: asyncio.Queue[_Place]) -> Split:
        place = await places.get()
        try:
            passages = await place(part)
        except Unavailable:  # whatever befell another process
            passages = await self._here(part)
        finally:
            places.put_nowait(place)
        return [(source.document, of_it) for source, of_it in zip(part, passages, strict=True)]

    async def _here(self, part: Sequence[Unsplit]) -> list[list[Passage]]:
        return await asyncio.to_thread(lambda: [self.chunk(source.document, source.text) for source in part])


async def _joined(elsewhere: SourceSplitter, places: asyncio.Queue[_Place]) -> None:
    """One place more, once a process has started."""
    try:
        await elsewhere.passages(())
    except Unavailable:
        return
    places.put_nowait(elsewhere.passages)


def _read_on(sources: Iterator[Unsplit]) -> asyncio.Task[list[Unsplit]]:
    return asyncio.create_task(asyncio.to_thread(_next_part, sources))


def _next_part(sources: Iterator[Unsplit]) -> list[Unsplit]:
    part: list[Unsplit] = []
    characters = 0
    for source in sources:
        part.append(source)
        characters += len(source.text)
        if characters >= PART_CHARACTERS or len(part) >= PART_SOURCES:
            break
    return part
