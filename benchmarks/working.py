"""A worker's process from a full queue to an empty one, with a model that takes two seconds a call."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.support.redis_server import RedisServer

from benchmarks.in_flight import ideal_seconds
from benchmarks.installation import NICHE, Installation, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import data_directory
from benchmarks.report import Figure, at_least
from contentgen_adapters.dramatiq.queue import DramatiqQueue
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import ArticleQuery
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_grounded.settings import Settings
from contentgen_http.jobs.runner import JobRunner

DESCRIPTION: Final = "1,000 articles through the queue on one worker process: share of the ideal throughput"

ARTICLES: Final = 1_000
TENANTS: Final = 5
CALL_SECONDS: Final = 2.0
CONCURRENCY: Final = Settings().generations
PASSAGES: Final = 2_000
TARGET: Final = 80.0  # percent
LIMIT_SECONDS: Final = 1_500.0


def run() -> list[Figure]:
    with data_directory() as folder, RedisServer() as server:
        return asyncio.run(_run(folder, server))


async def _run(folder: Path, server: RedisServer) -> list[Figure]:
    model = InstantModel()
    async with installation(folder, model, PASSAGES) as here:
        callers = [await here.tenant() for _ in range(TENANTS)]
        for number, topic in enumerate(here.corpus.topics(ARTICLES)):
            command = GenerateArticleCommand(callers[number % TENANTS], NICHE, topic, language=Language.EN)
            await here.services.writing.generate(command)
        model.seconds = CALL_SECONDS
        seconds, cpu = await _worked(here, callers, server)
    ideal = ARTICLES / CONCURRENCY * ideal_seconds(CALL_SECONDS)
    return [
        at_least(
            f"{ARTICLES:,} standard articles on one worker process, {CONCURRENCY} at a time, {CALL_SECONDS:g} s a call",
            100 * ideal / seconds,
            TARGET,
            " %",
            product=f"{ARTICLES / seconds:.2f} articles/s ({seconds:.0f} s, of which {cpu:.0f} s CPU)",
            reference=f"{ARTICLES / ideal:.2f} articles/s (ideal {ideal:.0f} s: {CONCURRENCY} at a time,"
            f" {ideal_seconds(CALL_SECONDS):g} s each, no work but the model's)",
        )
    ]


async def _worked(here: Installation, callers: list[Caller], server: RedisServer) -> tuple[float, float]:
    """Seconds and CPU seconds from the worker's start until every article is there."""
    queue = DramatiqQueue(server.url)
    runner = JobRunner(here.services, CONCURRENCY, queue=queue)
    cpu, begun = time.process_time(), time.perf_counter()
    running = asyncio.create_task(runner.run())
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            while await _under_way(here, callers):  # noqa: ASYNC110 - the database is asked
                await asyncio.sleep(0.5)
        return time.perf_counter() - begun, time.process_time() - cpu
    finally:
        runner.stop(at_once=True)
        with suppress(asyncio.CancelledError):
            await running
        queue.close()


async def _under_way(here: Installation, callers: list[Caller]) -> int:
    left = 0
    for caller in callers:
        for status in (ArticleStatus.GENERATING, ArticleStatus.FAILED):
            page = await here.services.writing.articles.page(
                ArticleQuery(caller.tenant_id, limit=1, statuses=frozenset({status}))
            )
            assert status is ArticleStatus.GENERATING or page.total == 0, page.articles
            left += page.total
    return left
