"""Measure many articles at once in one process, with a model that takes a second a call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Final

from benchmarks.configuration import embedder_cpu_seconds
from benchmarks.installation import NICHE, Installation, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import data_directory
from benchmarks.report import Figure, at_least
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.generation.write_article import SECTIONS_AT_ONCE
from contentgen_http.jobs.runner import JobRunner

DESCRIPTION: Final = "200 articles in flight in one process: share of the ideal throughput"

ARTICLES: Final = 200
CALL_SECONDS: Final = 1.0
LONG_CALL_SECONDS: Final = 15.0  # nearer to what a large model takes for a section
PASSAGES: Final = 2_000
TARGET: Final = 80.0  # percent
LIMIT_SECONDS: Final = 180.0


def run() -> list[Figure]:
    with data_directory() as folder:
        return asyncio.run(_run(folder))


def ideal_seconds(call_seconds: float) -> float:
    """An article is a plan (one call), then its sections, a few at a time; all articles go on side by side, and
    nothing but the model takes time."""
    rounds = 1 + ceil(LENGTHS[ArticleLength.STANDARD].sections / SECTIONS_AT_ONCE)
    return rounds * call_seconds


async def _run(folder: Path) -> list[Figure]:
    model = InstantModel()
    async with installation(folder, model, PASSAGES) as here:
        seconds, cpu = await _written(here, model, CALL_SECONDS)
        long_seconds, long_cpu = await _written(here, model, LONG_CALL_SECONDS)
    ideal, long_ideal = ideal_seconds(CALL_SECONDS), ideal_seconds(LONG_CALL_SECONDS)
    return [
        at_least(
            f"{ARTICLES} standard articles at once, {CALL_SECONDS:g} s a call",
            100 * ideal / seconds,
            TARGET,
            " %",
            product=_speed(seconds, cpu),
            reference=f"{ARTICLES / ideal:.1f} articles/s (ideal {ideal:g} s: plan, then sections {SECTIONS_AT_ONCE}"
            " at a time, no work but the model's)",
        ),
        Figure(
            f"the same, {LONG_CALL_SECONDS:g} s a call",
            _speed(long_seconds, long_cpu),
            f"{ARTICLES / long_ideal:.1f} articles/s (ideal {long_ideal:g} s)",
            f"{100 * long_ideal / long_seconds:.3g} %",
            "(information)",
        ),
    ]


async def _written(here: Installation, model: InstantModel, call_seconds: float) -> tuple[float, float]:
    """Seconds and CPU seconds from the start of a runner until all articles asked for before are there."""
    caller = await here.tenant()
    model.seconds = 0.0
    articles = [await _asked(here, caller, topic) for topic in here.corpus.topics(ARTICLES)]
    model.seconds = call_seconds
    cpu, begun = _cpu_seconds(), time.perf_counter()
    runner = asyncio.create_task(JobRunner(here.services, ARTICLES).run())
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            await _all_written(here, caller, articles)
        return time.perf_counter() - begun, _cpu_seconds() - cpu
    finally:
        runner.cancel()
        with suppress(asyncio.CancelledError):
            await runner


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process, and of the embedding process."""
    return time.process_time() + embedder_cpu_seconds()


def _speed(seconds: float, cpu: float) -> str:
    return f"{ARTICLES / seconds:.1f} articles/s ({seconds:.1f} s, of which {cpu:.1f} s CPU)"


async def _asked(here: Installation, caller: Caller, topic: str) -> ArticleId:
    command = GenerateArticleCommand(caller, NICHE, topic, language=Language.EN)
    return await here.services.writing.generate(command)


async def _all_written(here: Installation, caller: Caller, articles: Sequence[ArticleId]) -> None:
    read = here.services.writing.articles
    for article_id in articles:
        while (article := await read.one(caller, article_id)).status is ArticleStatus.GENERATING:  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        assert article.status is ArticleStatus.GENERATED, article.error
