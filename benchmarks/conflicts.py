"""Measure how long the search for conflicts takes in a large knowledge base, the first time and after some passages
changed.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Final

import psutil  # type: ignore[import-untyped]
from attrs import evolve

from benchmarks.bulk import PASSAGES, Writer, fill
from benchmarks.corpus import Corpus
from benchmarks.installation import COUNTRY, NICHE, Installation, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import MIB, data_directory
from benchmarks.report import Figure, at_most
from contentgen_adapters.runtime import SystemClock
from contentgen_core.model.conflict import ConflictReport
from contentgen_core.model.knowledge import KbDocument, KbView, Passage
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.conflicts.find_conflicts import BATCH_PASSAGES, NEIGHBOURS
from contentgen_http.jobs.runner import JobRunner

DESCRIPTION: Final = "conflicts in 100,000 passages, at first and after 100 changed (15 minutes; not a default one)"

ALL: Final = int(os.environ.get("BENCH_PASSAGES", "100000"))
CHANGED: Final = 100
TELLING: Final = 5
TOLD_BY: Final = 8
WRONG: Final = 0.01
SAMPLE: Final = 20  # batches that the bare candidates are sought for
TARGET_MINUTES: Final = 10.0
TARGET_SECONDS: Final = 10.0


def run() -> list[Figure]:
    with data_directory() as folder:
        return asyncio.run(_figures(folder))


async def _figures(folder: Path) -> list[Figure]:
    async with installation(folder, InstantModel(), 0) as here:
        [caller] = await fill(here, ALL, 1, Facts)
        view = KbView(NICHE, caller.tenant_id, frozenset({COUNTRY}))
        bare = await _bare(here, view)
        memory = asyncio.create_task(_most_memory())
        first, seconds, cpu = await _searched(here, caller)
        peak = await _ended(memory)
        assert (first.passages, first.waiting) == (ALL, 0), first
        await _change(here, view)
        again, after, _ = await _searched(here, caller)
        assert again.passages == CHANGED, again
    size = f"{ALL:,} passages"
    return [
        at_most(
            f"conflicts of {size}, first search",
            seconds / 60,
            TARGET_MINUTES,
            " min",
            product=f"{ALL / seconds:,.0f} passages/s, {cpu:.0f} s of CPU without PostgreSQL's; {first.compared:,} "
            f"pairs, {first.found:,} conflicts",
            reference="hashed vectors that are there already",
        ),
        Figure(
            f"conflicts of {size}, first search against the bare candidates",
            f"{1e3 * seconds / ALL:.2f} ms for a passage",
            f"{1e3 * bare:.2f} ms to read its vector, its {NEIGHBOURS + 1} nearest, and those",
            f"{seconds / ALL / bare:.2g} ×",
            "(information)",
        ),
        at_most(
            f"conflicts of {size}, search after {CHANGED} changed",
            after,
            TARGET_SECONDS,
            " s",
            product=f"{again.compared:,} pairs, {again.found:,} conflicts",
            reference="",
        ),
        Figure(f"most resident memory of the first search, {size}", f"{peak:.0f} MiB", "PostgreSQL not counted"),
    ]


class Facts(Writer):
    """Passages of which one in TELLING tells a fact, as TOLD_BY do, a few of them with another figure."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus)
        self._random = Random(3)
        self._facts = [
            (f"{corpus.title()} {n}", corpus.title().lower(), self._random.randint(10, 900))
            for n in range(ALL // TELLING // TOLD_BY)
        ]

    def passage(self, document: KbDocument, index: int, theme: Sequence[str]) -> Passage:
        if self._random.randrange(TELLING):
            return super().passage(document, index, theme)
        name, what, figure = self._random.choice(self._facts)
        told = 2 * figure if self._random.random() < WRONG else figure
        fact = f"{name} pays {told} pounds for each {what}."
        return self.made(document, index, name, f"{fact} {self.corpus.passage(90, theme)}")


async def _bare(here: Installation, view: KbView) -> float:
    """Seconds for each passage until its candidates are read, of a sample."""
    async with here.services.jobs.generate_article.retrieve.unit_of_work() as tx:
        documents = await tx[Knowledge].documents(view, None, SAMPLE * BATCH_PASSAGES // PASSAGES)
    begun, seen = time.perf_counter(), 0
    for start in range(0, len(documents), BATCH_PASSAGES // PASSAGES):
        some = documents[start : start + BATCH_PASSAGES // PASSAGES]
        async with here.services.jobs.generate_article.retrieve.unit_of_work() as tx:
            passages = await tx[Knowledge].passages_of([document.id for document in some])
        vectors = await here.services.ports.index.vectors([passage.ref for passage in passages])
        hits = await here.services.ports.index.nearest(view, list(vectors.values()), NEIGHBOURS + 1)
        async with here.services.jobs.generate_article.retrieve.unit_of_work() as tx:
            await tx[Knowledge].passages(view, list({hit.ref for each in hits for hit in each}))
        seen += len(passages)
    return (time.perf_counter() - begun) / seen


async def _searched(here: Installation, caller: Caller) -> tuple[ConflictReport, float, float]:
    """Return the result of a search, and the seconds from its request to its end, on the clock and of the CPU."""
    conflicts, runner = here.services.knowledge.conflicts, JobRunner(here.services, 1)
    begun, cpu = time.perf_counter(), time.process_time()
    search = await conflicts.run(caller, NICHE)
    running = asyncio.create_task(runner.run())
    try:
        while search.job_id is not None:  # the database is asked
            await asyncio.sleep(0.5)
            page = await conflicts.page(caller, NICHE, None, None, 1)
            assert page.search is not None
            search = page.search
        assert search.last is not None
        assert search.last.error is None, search.last.error
        return search.last, time.perf_counter() - begun, time.process_time() - cpu
    finally:
        runner.stop(at_once=True)
        with suppress(asyncio.CancelledError):
            await running


async def _change(here: Installation, view: KbView) -> None:
    """CHANGED passages of the first documents say something more, and can be found."""
    async with here.services.jobs.generate_article.retrieve.unit_of_work() as tx:
        documents = await tx[Knowledge].documents(view, None, CHANGED // PASSAGES)
        passages = await tx[Knowledge].passages_of([document.id for document in documents])
        now = SystemClock().now() + timedelta(seconds=1)
        revised = [
            (
                evolve(document, content_hash=f"{document.content_hash[:-1]}!", revised_at=now),
                [
                    evolve(p, text=f"{p.text} Nothing else.", content_hash=f"{p.content_hash[:-1]}!")
                    for p in passages
                    if p.document.id == document.id
                ],
            )
            for document in documents
        ]
        await tx[Knowledge].replace(revised)
    await here.services.knowledge.apply_index_changes.drain("benchmark")
    await here.services.knowledge.embed_passages.drain("benchmark")


async def _most_memory() -> float:
    """MiB, until it is cancelled."""
    process, most = psutil.Process(), 0.0
    try:
        while True:
            most = max(most, process.memory_info().rss / MIB)
            await asyncio.sleep(0.2)
    except asyncio.CancelledError:
        return most


async def _ended(memory: asyncio.Task[float]) -> float:
    memory.cancel()
    return await memory
