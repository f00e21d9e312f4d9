"""Measure the bytes stored for an article, a passage, a job and an event in PostgreSQL and in the search index."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import psycopg

from benchmarks.installation import NICHE, Installation, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import data_directory
from benchmarks.report import Figure
from contentgen_adapters.runtime import SystemClock, Uuid7Ids
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.agent_event import AgentEvent, AgentEventKind
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import AgentId, ArticleId, TenantId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_http.jobs.runner import JobRunner

DESCRIPTION: Final = "bytes of an article, a passage, a job and an event, in PostgreSQL and in the search index"

PASSAGES: Final = 5_000
ARTICLES: Final = 50
EVENTS: Final = 2_000
LIMIT_SECONDS: Final = 300.0

_SIZES: Final = """
SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def run() -> list[Figure]:
    with data_directory() as folder:
        return asyncio.run(_run(folder))


async def _run(folder: Path) -> list[Figure]:
    model = InstantModel()
    async with installation(folder, model, 0) as here:
        empty = _sizes(here)
    async with installation(folder / "filled", model, PASSAGES) as here:
        filled, index = _sizes(here), _bytes_below(here.index_folder)
        caller = await here.tenant()
        articles = [await _asked(here, caller, topic) for topic in here.corpus.topics(ARTICLES)]
        await _all_written(here, caller, articles)
        written = _sizes(here)
        async with here.services.ports.unit_of_work() as tx:
            for _ in range(EVENTS):
                await tx[AgentEvents].append(_event(caller.tenant_id))
        told = _sizes(here)
        words = [(await here.services.writing.articles.one(caller, article)).word_count for article in articles[:20]]
    knowledge = sum(size - empty.get(name, 0) for name, size in filled.items())
    of_articles = {name: size - filled[name] for name, size in written.items()}
    jobs = of_articles.pop("jobs", 0)
    articles_bytes = sum(of_articles.values())
    events = sum(size - written[name] for name, size in told.items())
    return [
        _figure(
            f"a passage of 100-120 words in PostgreSQL ({PASSAGES:,})", knowledge / PASSAGES, _largest(filled, empty)
        ),
        _figure("the same in the search index (vectors of 384 dimensions)", index / PASSAGES, ""),
        _figure(
            f"an article of {sum(words) / len(words):.0f} words in PostgreSQL ({ARTICLES})",
            articles_bytes / ARTICLES,
            _largest(written, filled),
        ),
        _figure("a job", jobs / ARTICLES, "kept for a week after its end"),
        _figure(f"an event of an agent ({EVENTS:,})", events / EVENTS, ""),
    ]


def _figure(what: str, size: float, where: str) -> Figure:
    return Figure(what, f"{size:,.0f} bytes", where, f"{size / 1000:.1f} kB", "(information)")


def _largest(now: dict[str, int], before: dict[str, int]) -> str:
    grown = sorted(((size - before.get(name, 0), name) for name, size in now.items()), reverse=True)
    whole = sum(size for size, _ in grown if size > 0)
    return ", ".join(f"{name} {size / whole:.0%}" for size, name in grown[:4] if size > 0)


def _sizes(here: Installation) -> dict[str, int]:
    with psycopg.connect(here.conninfo, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        return {str(name): int(size) for name, size in connection.execute(_SIZES).fetchall()}


def _bytes_below(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _event(tenant_id: TenantId) -> AgentEvent:
    return AgentEvent(
        tenant_id=tenant_id,
        kind=AgentEventKind.EXECUTION_COMPLETED,
        at=SystemClock().now(),
        agent_id=AgentId(Uuid7Ids().new()),
        agent_key=AgentKey(NICHE, "GB"),
        agent_name="Home energy in Great Britain",
        article_ids=(ArticleId(Uuid7Ids().new()),),
    )


async def _asked(here: Installation, caller: Caller, topic: str) -> ArticleId:
    command = GenerateArticleCommand(caller, NICHE, topic, language=Language.EN)
    return await here.services.writing.generate(command)


async def _all_written(here: Installation, caller: Caller, articles: list[ArticleId]) -> None:
    runner = asyncio.create_task(JobRunner(here.services, 32).run())
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            for article in articles:
                while (await here.services.writing.articles.one(caller, article)).status is ArticleStatus.GENERATING:  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
    finally:
        runner.cancel()
        await asyncio.gather(runner, return_exceptions=True)
