"""Measure how long a search takes within the service beside the bare queries it rests on, what it finds, and the cost
of writing.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import mean, quantiles
from typing import Final

import lancedb
import numpy as np
import psutil  # type: ignore[import-untyped]
from attrs import frozen
from lancedb.query import MatchQuery

from benchmarks.bulk import TENANTS, Writer, fill, next_number, scopes, store
from benchmarks.exhaustive import lexical_top
from benchmarks.installation import COUNTRY, NICHE, Installation, installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import MIB, data_directory
from benchmarks.report import Figure, at_least, at_most
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.lance import store as lance
from contentgen_adapters.lance.layout import WORDS, vectors_table
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.bm25 import Bm25
from contentgen_core.policies.retrieval.ranking import topic_query
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.knowledge.candidate_search import CandidateSearch
from contentgen_core.use_cases.knowledge.retrieve import CANDIDATES_PER_SIDE

QUERIES: Final = 200
WARM_UP: Final = 100
LIMIT: Final = 20
TARGET_RATIO: Final = 2.0
WRITING_RATIO: Final = 2.0
TARGET_RECALL: Final = 0.95
_WRITTEN_AT_ONCE: Final = 50  # documents

Ask = Callable[[KbView, str], Awaitable[object]]


@frozen
class Latency:
    """Percentiles in milliseconds."""

    p50: float
    p95: float
    most: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Latency:
        percentiles = quantiles(seconds, n=20)
        return cls(1000 * percentiles[9], 1000 * percentiles[18], 1000 * max(seconds))

    def __str__(self) -> str:
        return f"p50 {self.p50:.1f}, p95 {self.p95:.1f} ms"


async def figures(passages: int, target_ms: float, exhaustive: int, kept: Path | None = None) -> list[Figure]:
    """The figures of an index of so many passages; `exhaustive` topics are searched in every passage as well. `kept`: a
    folder that stays if the run is stopped, and with which the next one goes on."""
    with data_directory() if kept is None else _until_done(kept) as folder:
        async with installation(folder, InstantModel(), 0) as here:
            return await measured(here, await fill(here, passages), passages, target_ms, exhaustive)


@contextlib.contextmanager
def _until_done(folder: Path) -> Iterator[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    yield folder
    shutil.rmtree(folder)


async def measured(
    here: Installation, tenants: Sequence[Caller], passages: int, target_ms: float, exhaustive: int
) -> list[Figure]:
    """The figures of a filled installation. It is written to."""
    views = [KbView(NICHE, tenant.tenant_id, frozenset({COUNTRY})) for tenant in tenants]
    topics = here.corpus.topics(2 * QUERIES + WARM_UP)
    asked = [(views[i % TENANTS], topic) for i, topic in enumerate(topics)]
    bare = await _bare(here.index_folder)
    product, reference = await _in_turns(product_search(here), bare, asked[: QUERIES + WARM_UP])
    memory = psutil.Process().memory_info().rss / MIB
    words = await _lexical_recall(here, asked[:exhaustive])
    near = await _vector_recall(here.index_folder, asked[:exhaustive])
    async with _writing(here, tenants, passages) as written:
        busy = Latency.of([await timed(product_search(here), *each) for each in asked[-QUERIES:]])
    size = f"{passages:,} passages"
    what = f"search, {size} of {TENANTS} tenants and all, {LIMIT} results"
    alike = f"{reference} (the two bare queries alike: same terms, vector and filter, stored words of each hit)"
    return [
        at_most(f"{what}: p95", product.p95, target_ms, " ms", product=str(product), reference=alike),
        at_most(
            f"{what}: p95 against bare queries",
            product.p95 / reference.p95,
            TARGET_RATIO,
            " ×",
            product=f"{product.p95:.1f} ms (p50: {product.p50 / reference.p50:.1f} ×)",
            reference=f"{reference.p95:.1f} ms",
        ),
        at_most(
            f"the same while passages are written and upkeep runs in the same process, {size}",
            busy.p95 / product.p95,
            WRITING_RATIO,
            " ×",
            product=f"{busy}, longest {busy.most:.0f} ms; {written[0]:,} passages written, {written[1]} times upkeep",
            reference=f"{product.p95:.1f} ms (nothing written)",
        ),
        at_least(
            f"the exhaustively best {LIMIT} by words found, {size}",
            words,
            TARGET_RECALL,
            "",
            product=f"{CANDIDATES_PER_SIDE} candidates, {exhaustive} topics",
            reference="our BM25 over every passage of the view",
        ),
        Figure(
            f"the exhaustively nearest {LIMIT} found, {size}",
            f"{CANDIDATES_PER_SIDE} candidates, {exhaustive} topics",
            "every vector of the view",
            f"{near:.3g}",
            "(information)",
        ),
        Figure(f"resident memory after {QUERIES + WARM_UP} searches, {size}", f"{memory:.0f} MiB", "", "", ""),
    ]


def product_search(here: Installation, *, to_write: bool = False) -> Ask:
    """The search of the service. `to_write`: with what a check of coverage needs."""
    retrieve = here.services.jobs.generate_article.retrieve

    async def ask(view: KbView, topic: str) -> None:
        ranked = (await (retrieve if to_write else retrieve.to_show)(view, topic, LIMIT)).ranked
        assert ranked, topic
        assert all(view.sees(found.passage.document.scope) for found in ranked), topic

    return ask


async def _bare(folder: Path) -> Ask:
    """The full-text and the vector query of the product's tables, side by side: what a program would ask that trusts
    the index alone. A row's words stand for its text, which they equal in length."""
    words, vectors = await _tables(folder)
    analysis, embedder = IcuTextAnalysis(), HashedEmbedder()
    columns = ["document_id", "chunk_index"]

    async def ask(view: KbView, topic: str) -> None:
        terms = " ".join(f"en:{term}" for term in analysis.terms(topic, Language.EN))
        [vector] = await embedder.embed([topic], "query")
        seen = lance.visible(view)
        text = words.query().nearest_to_text(MatchQuery(terms, "words"))  # type: ignore[call-arg]
        every = vectors.query().nearest_to(np.asarray(vector, dtype=np.float32))
        near = every.distance_type("cosine").refine_factor(1)
        found = await asyncio.gather(
            text.where(seen).limit(CANDIDATES_PER_SIDE).select([*columns, "words", "_score"]).to_arrow(),
            near.where(seen).limit(CANDIDATES_PER_SIDE).select([*columns, "_distance"]).to_arrow(),
        )
        assert all(rows.to_pylist() for rows in found), topic

    return ask


async def _tables(folder: Path) -> tuple[lancedb.AsyncTable, lancedb.AsyncTable]:
    """Return the table of words, and that of vectors."""
    connection, embedder = await lancedb.connect_async(str(folder)), HashedEmbedder()
    vectors = vectors_table(embedder.model, embedder.dimension)
    return await connection.open_table(WORDS), await connection.open_table(vectors)


async def _in_turns(product: Ask, reference: Ask, asked: Sequence[tuple[KbView, str]]) -> tuple[Latency, Latency]:
    """Let both answer each topic and go first by turns: neither finds more of it in memory than the other."""
    taken: dict[Ask, list[float]] = {product: [], reference: []}
    for number, each in enumerate(asked):
        for ask in (product, reference) if number % 2 else (reference, product):
            taken[ask].append(await timed(ask, *each))
    return Latency.of(taken[product][WARM_UP:]), Latency.of(taken[reference][WARM_UP:])


async def timed(ask: Ask, view: KbView, topic: str) -> float:
    """Seconds."""
    begun = time.perf_counter()
    await ask(view, topic)
    return time.perf_counter() - begun


async def _lexical_recall(here: Installation, asked: Sequence[tuple[KbView, str]]) -> float:
    """The share of the exhaustively best by words that is among the candidates by words."""
    retrieve, shares = here.services.jobs.generate_article.retrieve, []
    for (view, topic), best in zip(asked, await lexical_top(here, asked, LIMIT), strict=True):
        query = topic_query(topic, [Language.EN], retrieve.analysis)
        slots = asyncio.Semaphore(1)
        search = CandidateSearch(retrieve.unit_of_work, retrieve.index, view, CANDIDATES_PER_SIDE, slots)
        await search.by_words(query.terms)
        async with retrieve.unit_of_work() as tx:
            [statistics] = (await tx[Knowledge].statistics(view, query.terms)).values()
        search.keep_best({Language.EN: Bm25(query.terms[Language.EN], statistics, query.words)})
        shares.append(len(best & {found.passage.ref for found in search.candidates()}) / len(best))
    return mean(shares)


async def _vector_recall(folder: Path, asked: Sequence[tuple[KbView, str]]) -> float:
    _, table = await _tables(folder)
    embedder, shares = HashedEmbedder(), []
    for view, topic in asked:
        [vector] = await embedder.embed([topic], "query")
        seen = lance.visible(view)
        every = table.query().nearest_to(np.asarray(vector, dtype=np.float32)).distance_type("cosine")
        best = await every.where(seen).bypass_vector_index().limit(LIMIT).select(["id", "_distance"]).to_arrow()
        found = {str(ref) for ref in await lance.nearest(table, seen, vector, CANDIDATES_PER_SIDE)}
        shares.append(len(found.intersection(best["id"].to_pylist())) / len(best))
    return mean(shares)


@contextlib.asynccontextmanager
async def _writing(here: Installation, tenants: Sequence[Caller], passages: int) -> AsyncIterator[list[int]]:
    """Documents come in, are indexed and folded in without a break; how many passages so far, and times upkeep."""
    written, first = [0, 0], await next_number(here)
    documents = Writer(here.corpus).documents(first, passages, scopes(tenants))

    async def write() -> None:
        while True:
            batch = await asyncio.to_thread(lambda: list(islice(documents, _WRITTEN_AT_ONCE)))
            await store(here, batch)
            await here.services.knowledge.apply_index_changes.drain("benchmark")
            written[0] += sum(len(cut) for _, cut in batch)
            await here.services.ports.index.optimize()
            written[1] += 1

    writing = asyncio.create_task(write())
    try:
        yield written
        assert written[1], "no upkeep was done meanwhile"
    finally:
        writing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writing
