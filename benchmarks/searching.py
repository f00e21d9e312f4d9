"""How long the service's retrieval takes: LanceDB's candidates, PostgreSQL's truth and statistics, our ranking."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import quantiles
from typing import Final

import lancedb
import numpy as np
from lancedb.query import MatchQuery

from benchmarks.installation import COUNTRY, NICHE, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import data_directory
from benchmarks.report import Figure
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.lance.layout import TABLE
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.vocabulary import Language

DESCRIPTION: Final = "search: latency of the service's retrieval beside a bare hybrid query"

PASSAGES: Final = 5_000
QUERIES: Final = 200
WARM_UP: Final = 20
LIMIT: Final = 20
CANDIDATES: Final = 60  # of each side, as the product asks for

Ask = Callable[[str], Awaitable[int]]


def run() -> list[Figure]:
    with data_directory() as folder:
        return asyncio.run(_run(folder))


async def _run(folder: Path) -> list[Figure]:
    async with installation(folder, InstantModel(), PASSAGES) as here:
        caller = await here.tenant()
        view = KbView(NICHE, caller.tenant_id, frozenset({COUNTRY}))
        retrieve = here.services.write_article.retrieve

        async def ours(topic: str) -> int:
            return len((await retrieve(view, topic, LIMIT)).ranked)

        topics = here.corpus.topics(QUERIES + WARM_UP)
        product = await _milliseconds(ours, topics)
        reference = await _milliseconds(await _bare(here.index_folder), topics)
    return [
        Figure(
            f"retrieve, {name}, {PASSAGES:,} passages, {LIMIT} results",
            f"{mine:.1f} ms",
            f"{other:.1f} ms (bare hybrid query: the same terms and vector, no filter, no truth, no ranking)",
            f"{mine / other:.1f} ×",
            "(information)",
        )
        for name, mine, other in zip(("p50", "p95"), product, reference, strict=True)
    ]


async def _bare(folder: Path) -> Ask:
    """The full-text and the vector query of the product's table, side by side, with their texts analysed."""
    table = await (await lancedb.connect_async(str(folder))).open_table(TABLE)
    analysis, embedder = IcuTextAnalysis(), HashedEmbedder()

    async def ask(topic: str) -> int:
        words = " ".join(f"en:{term}" for term in analysis.terms(topic, Language.EN))
        [vector] = await embedder.embed([topic], "query")
        text = table.query().nearest_to_text(MatchQuery(words, "words")).limit(CANDIDATES)  # type: ignore[call-arg]
        near = table.query().nearest_to(np.asarray(vector, dtype=np.float32)).distance_type("cosine").limit(CANDIDATES)
        columns = ["document_id", "chunk_index"]
        found = await asyncio.gather(
            text.select([*columns, "_score"]).to_arrow(), near.select([*columns, "_distance"]).to_arrow()
        )
        return sum(map(len, found))

    return ask


async def _milliseconds(ask: Ask, topics: Sequence[str]) -> tuple[float, float]:
    """Median and 95th percentile of a query's latency."""
    taken = []
    for topic in topics:
        begun = time.perf_counter()
        assert await ask(topic), topic
        taken.append(1000 * (time.perf_counter() - begun))
    percentiles = quantiles(taken[WARM_UP:], n=20)
    return percentiles[9], percentiles[18]
