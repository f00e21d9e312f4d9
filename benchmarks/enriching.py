"""Measure an enrichment from a topic to passages on it: ten pages found, read, taken apart, indexed and counted."""

from __future__ import annotations

import asyncio
import time
import urllib.request
from pathlib import Path
from statistics import median
from typing import Final

from attrs import frozen

from benchmarks import local_web
from benchmarks.configuration import embeddings
from benchmarks.corpus import Corpus
from benchmarks.installation import COUNTRY, NICHE, PASSAGES
from benchmarks.processes import Program, data_directory, module
from benchmarks.report import Figure, at_most
from contentgen_core.model.enrichment import ENDED, EnrichmentStatus
from contentgen_core.model.job import JobKind
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.documents import SourceText
from contentgen_core.use_cases.enrichment.start import EnrichCommand, Started
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings
from contentgen_http.jobs.runner import running_jobs
from contentgen_http.processes.garbage_collection import freeze_loaded_objects
from contentgen_http.services import Services
from contentgen_http.services.open_services import open_services

DESCRIPTION: Final = "enrichment: 10 pages of 100 KB with instant servers, from the request to completed"

RUNS: Final = 5  # of tenants of their own, after a first one that starts the processes that read pages
KNOWN: Final = 1_000  # passages that are there already
TARGET: Final = 3.0  # seconds
LOOK_EVERY: Final = 0.02


@frozen
class Run:
    """Seconds from the request to completed, and in each state; what came of it."""

    seconds: float
    states: dict[str, float]
    insights: int


def run() -> list[Figure]:
    with data_directory() as folder, module("benchmarks.local_web") as web:
        first, *runs = _enriched(folder, web)
        bare = median(_bare(web) for _ in range(RUNS))
    seconds = median(r.seconds for r in runs)
    states = {state: median(r.states.get(state, 0.0) for r in runs) for state in runs[0].states}
    return [
        at_most(
            f"seconds of an enrichment of {local_web.PAGES} pages of 100 KB, {runs[0].insights} insights",
            seconds,
            TARGET,
            " s",
            product=f"{seconds:.2f} s ({seconds / bare:.1f} ×; {_told(states)})",
            reference=f"{bare:.2f} s (the same pages fetched and read by trafilatura alone, one after the other)",
        ),
        at_most(
            "the same, the first one of a process",
            first.seconds,
            TARGET,
            " s",
            product=f"{first.seconds:.2f} s ({_told(first.states)})",
            reference=f"{bare:.2f} s",
        ),
    ]


def _told(states: dict[str, float]) -> str:
    return ", ".join(f"{state} {seconds:.2f}" for state, seconds in states.items())


def _enriched(folder: Path, web: Program) -> list[Run]:
    settings = Settings(
        embeddings=embeddings(),
        data_dir=folder,
        web_search="serper",
        serper_api_key="the-key-of-the-search",
        serper_base_url=f"http://127.0.0.1:{web.port}",
        allowed_private_hosts=f"127.0.0.1:{web.port}",
    )
    with database(settings) as db:
        db.migrate()
        return asyncio.run(_measured(settings, db.conninfo))


async def _measured(settings: Settings, conninfo: str) -> list[Run]:
    topic, _ = local_web.pages()
    async with open_services(settings, conninfo) as services:
        await services.upkeep.catalogue()
        known = Corpus(seed=2).documents(KNOWN // PASSAGES, PASSAGES)
        await services.knowledge.import_sources(
            KbScope(NICHE), (SourceText(d["id"], d["title"], d["text"], d["url"]) for d in known)
        )
        await services.knowledge.apply_index_changes.drain("benchmark")
        await services.knowledge.embed_passages.drain("benchmark")
        await services.ports.index.optimize()
        await freeze_loaded_objects(services.ports.index)  # as the service does
        async with running_jobs(services, JobKind.ENRICH_TOPIC):
            return [await _one(services, topic) for _ in range(1 + RUNS)]


async def _one(services: Services, topic: str) -> Run:
    caller = (await services.people.tenants.create("Benchmark", PlanName.BUSINESS)).caller
    await services.agents.niches.activate(ActivateNicheCommand(caller, NICHE, ("professional",), ("en",), (COUNTRY,)))
    begun = time.perf_counter()
    outcome = await services.knowledge.enrich(EnrichCommand(caller, f"{NICHE}-{COUNTRY}", topic))
    assert isinstance(outcome, Started)
    enrichment = outcome.enrichment
    states: dict[str, float] = {}
    entered = time.perf_counter()
    while enrichment.status not in ENDED:
        await asyncio.sleep(LOOK_EVERY)
        before, enrichment = enrichment.status, await services.knowledge.enrichments.get(caller, outcome.enrichment.id)
        if enrichment.status is not before:
            now = time.perf_counter()
            states[str(before)] = states.get(str(before), 0.0) + now - entered
            entered = now
    assert enrichment.status is EnrichmentStatus.COMPLETED, enrichment.error
    assert len(enrichment.documents) == local_web.PAGES
    return Run(time.perf_counter() - begun, states, enrichment.insights_added)


def _bare(web: Program) -> float:
    """Seconds to fetch the same pages and make text of them, loaded libraries and one core."""
    import trafilatura

    begun = time.perf_counter()
    for number in range(local_web.PAGES):
        page = urllib.request.urlopen(f"http://127.0.0.1:{web.port}/page/{number}", timeout=30).read()
        text = trafilatura.extract(page.decode(), output_format="markdown", favor_recall=True)
        assert text is not None
        assert len(text) > local_web.PAGE_BYTES // 4
    return time.perf_counter() - begun
