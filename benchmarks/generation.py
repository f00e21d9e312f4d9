"""Measure the service's own work for one article: everything but the model, which answers at once."""

from __future__ import annotations

import asyncio
import os
import time
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Final

import uvloop
from attrs import evolve

from benchmarks.configuration import HASHED, embedder_cpu_seconds, embeddings
from benchmarks.installation import COUNTRY, NICHE, Installation, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import data_directory, database_cpu_seconds
from benchmarks.report import Figure, at_most
from contentgen_adapters.runtime import Uuid7Ids
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import JobKind
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import NicheBrief, PlanRequest, SectionRequest
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.use_cases.articles.plan import PlanArticleCommand

DESCRIPTION: Final = "generate: CPU of a standard article, PostgreSQL's as well, with a model that answers at once"

PASSAGES: Final = int(os.environ.get("BENCH_PASSAGES", "10000"))
ARTICLES: Final = 40
WARM_UP: Final = 5
TARGET: Final = 60.0  # ms


def run() -> list[Figure]:
    with data_directory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:  # as the service's
        return loop.run(_run(InstantModel(), folder))


async def _run(model: InstantModel, folder: Path) -> list[Figure]:
    async with installation(folder, model, PASSAGES) as here:
        caller = await here.tenant()
        topics = here.corpus.topics(WARM_UP + ARTICLES)
        for topic in topics[:WARM_UP]:
            await write(here, caller, topic)
        model.calls, costs, written = 0, [], []
        before = database_cpu_seconds(here.conninfo)
        for topic in topics[WARM_UP:]:
            begun = _cpu_seconds()
            written.append(await write(here, caller, topic))
            costs.append(1000 * (_cpu_seconds() - begun))
        database = 1000 * (database_cpu_seconds(here.conninfo) - before) / ARTICLES
        calls = model.calls // ARTICLES
        bare = await _bare(here, model, written, calls)
    service = median(costs)
    cost = service + database
    words, sources = (round(median(figures)) for figures in zip(*map(_size, written), strict=True))
    return [
        at_most(
            f"CPU of an article ({words} words, {sources} sources, {calls} calls) from {PASSAGES:,} passages",
            cost,
            TARGET,
            " ms",
            product=f"{cost:.0f} ms (service {service:.0f}, PostgreSQL {database:.0f}; {cost / bare:.0f} ×)",
            reference=f"{bare:.2f} ms ({calls} bare calls of that model and one row written, likewise)",
        )
    ]


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process, and of the embedding process if there is one."""
    return time.process_time() + (embedder_cpu_seconds() if embeddings() != HASHED else 0.0)


async def write(here: Installation, caller: Caller, topic: str) -> Article:
    """Plan, write and check one article, as the service and its runner do."""
    services = here.services
    command = PlanArticleCommand(caller, f"{NICHE}-{COUNTRY}", topic, language=Language.EN, auto_validate=True)
    planned = await services.writing.plan(command)
    now = services.ports.clock.now()
    async with services.ports.unit_of_work() as tx:
        [job] = await tx[Jobs].claim("benchmark", frozenset(JobKind), now, now + timedelta(minutes=1), 1)
    await services.jobs.generate_article(job)
    article = await services.writing.articles.one(caller, planned.article.id)
    assert article.status is ArticleStatus.GENERATED, article.error
    assert article.sources, topic
    return article


async def _bare(here: Installation, model: InstantModel, written: list[Article], calls: int) -> float:
    """Milliseconds of CPU, PostgreSQL's as well, for the calls of the model and one insertion of the finished article's
    row."""
    ids, costs = Uuid7Ids(), []
    before = database_cpu_seconds(here.conninfo)
    for article in written:
        plan = article.plan
        assert plan is not None
        niche = NicheBrief(NICHE)
        copy = evolve(article, id=ArticleId(ids.new()), job_id=None)
        begun = time.process_time()
        await model.plan(PlanRequest(article.brief, niche, ()))
        for position in range(calls - 1):
            await model.write_section(SectionRequest(article.brief, plan, plan.sections[position], position, ()))
        async with here.services.ports.unit_of_work() as tx:
            await tx[Articles].add(copy)
        costs.append(1000 * (time.process_time() - begun))
    return median(costs) + 1000 * (database_cpu_seconds(here.conninfo) - before) / len(written)


def _size(article: Article) -> tuple[int, int]:
    return article.word_count, len(article.sources)
