"""Measure how long a search takes whose question is embedded by a model of meaning in the same request."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import Final

from benchmarks.bulk import TENANTS, fill
from benchmarks.installation import COUNTRY, NICHE, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import data_directory
from benchmarks.report import Figure, at_most
from benchmarks.search_latency import QUERIES, WARM_UP, Latency, product_search, timed
from contentgen_adapters.embeddings.semantic.process import SemanticProcess
from contentgen_core.model.knowledge import KbView

DESCRIPTION: Final = "search with multilingual-e5-small at 5,000 and 100,000 passages: latency"

SIZES: Final = ((5_000, 25.0), (100_000, 40.0))
"""Passages, the target of p95 in milliseconds."""


def run() -> list[Figure]:
    return [asyncio.run(_figure(*size)) for size in SIZES]


async def _figure(passages: int, target_ms: float) -> Figure:
    async with aclosing(await SemanticProcess.open()) as embedder:
        with data_directory() as folder:
            async with installation(folder, InstantModel(), 0, embedder) as here:
                tenants = await fill(here, passages)
                views = [KbView(NICHE, tenant.tenant_id, frozenset({COUNTRY})) for tenant in tenants]
                topics = here.corpus.topics(QUERIES + WARM_UP)
                show, write = product_search(here), product_search(here, to_write=True)
                searched, checked, embedded = [], [], []
                for number, topic in enumerate(topics):
                    searched.append(await timed(show, views[number % TENANTS], topic))
                    checked.append(await timed(write, views[number % TENANTS], f"The {topic}"))
                    begun = time.perf_counter()
                    await embedder.embed([topic + " "], "query")
                    embedded.append(time.perf_counter() - begun)
    search, check, question = (Latency.of(taken[WARM_UP:]) for taken in (searched, checked, embedded))
    return at_most(
        f"search by words and meaning, {passages:,} passages of {TENANTS} tenants and all: p95",
        search.p95,
        target_ms,
        " ms",
        product=f"{search}; for an article, with coverage: {check}",
        reference=f"{question} (the question alone, in the process of the model)",
    )
