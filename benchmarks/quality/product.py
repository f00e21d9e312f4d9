"""Run the product's own path from a collection to a ranking: imported, cut, analysed, embedded and indexed by the
product's use cases, searched and ranked as a request is.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from attrs import evolve, frozen

from benchmarks.quality.collections import Collection
from contentgen_adapters.lance.index import MAX_HITS, LanceIndex
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.runtime import SystemClock, Uuid7Ids
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_adapters.text.language import LangidDetector
from contentgen_core.model.knowledge import IndexHit, KbScope, KbView, RankedPassage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.ranking import Candidate, EmbeddingWeight, TopicQuery, rank, topic_query
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.knowledge_base import Embedder, PassageIndex, Vector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument
from contentgen_core.use_cases.knowledge.embed_passages import EmbedPassages
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.knowledge.import_sources import ImportSources
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.knowledge.missing_vectors import BEST_OF_EACH, MissingVectors
from contentgen_core.use_cases.knowledge.retrieve import CANDIDATES_PER_SIDE

NICHE: Final = "bench"
VIEW: Final = KbView(NICHE)
LIMIT: Final = 2 * CANDIDATES_PER_SIDE  # every candidate: what is measured is the order, not the page length

ANALYSIS: Final = IcuTextAnalysis()


@frozen
class Asked:
    """The inputs of ranking one query: ranking alone can then be repeated."""

    query: TopicQuery
    candidates: tuple[Candidate, ...]
    statistics: Mapping[Language, TermStatistics]
    embedding_weight: Mapping[Language, float]

    def ranked(self, embedding_weight: EmbeddingWeight, limit: int = LIMIT) -> tuple[RankedPassage, ...]:
        return rank(self.query, self.candidates, self.statistics, embedding_weight, limit)


@frozen
class Shelf:
    """A collection in the product's stores."""

    unit_of_work: MemoryUnitOfWork
    index: PassageIndex
    embedder: Embedder
    embedding_weight: EmbeddingWeights

    async def ask(self, text: str) -> Asked:
        """Search as `Retrieve` does, up to the ranking; passages off the topic are not cut."""
        query, vector = await self._read(text)
        return await self._asked(query, await self.index.search(VIEW, query.terms, vector, CANDIDATES_PER_SIDE))

    async def ask_while_missing(self, text: str, share: float) -> Asked:
        """Search while only this share of the documents (0 to 1, by the digest of their key) has vectors. Vectors that
        a search adds are deleted again.
        """
        query, vector = await self._read(text)
        by_words = await self.index.search(VIEW, query.terms, None, CANDIDATES_PER_SIDE)
        every = await self.index.search(VIEW, {}, vector, MAX_HITS)
        async with self.unit_of_work() as tx:
            passages = await tx[Knowledge].passages(VIEW, [hit.ref for hit in every])
        near = [hit for hit in every if _is_among(passages[hit.ref].document.source_key, share)]
        nearest = sorted(near, key=lambda hit: -(hit.cosine or 0.0))[:CANDIDATES_PER_SIDE]
        cosines = {hit.ref: hit.cosine for hit in nearest}
        met = {hit.ref: IndexHit(hit.ref, hit.text_score, cosines.get(hit.ref)) for hit in by_words}
        asked = await self._asked(query, list(({hit.ref: hit for hit in nearest} | met).values()))
        best = [found.ref for found in asked.ranked(0.0, BEST_OF_EACH)]
        filled = await MissingVectors(self.unit_of_work, self.embedder).fill(asked.candidates, best, vector)
        return evolve(asked, candidates=tuple(filled))

    async def _read(self, text: str) -> tuple[TopicQuery, Vector]:
        async with self.unit_of_work() as tx:
            languages = await tx[Knowledge].languages(VIEW)
        [vector] = await self.embedder.embed([text], "query")
        return topic_query(text, languages, ANALYSIS), vector

    async def _asked(self, query: TopicQuery, hits: Sequence[IndexHit]) -> Asked:
        async with self.unit_of_work() as tx:
            passages = await tx[Knowledge].passages(VIEW, [hit.ref for hit in hits])
            statistics = await tx[Knowledge].statistics(VIEW, query.terms)
        candidates = tuple(Candidate(passages[hit.ref], hit) for hit in hits if hit.ref in passages)
        return Asked(query, candidates, statistics, await self.embedding_weight(frozenset(query.terms)))


def _is_among(key: str, share: float) -> bool:
    return int.from_bytes(sha256(key.encode()).digest()[:4]) < share * 2**32


@asynccontextmanager
async def shelved(collection: Collection, embedder: Embedder) -> AsyncIterator[Shelf]:
    """The collection imported and indexed by LanceDB in a folder that goes away afterwards."""
    unit_of_work = MemoryUnitOfWork()
    clock = SystemClock()
    importing = ImportSources(
        unit_of_work, ChunkDocument(MarkdownChunker(ANALYSIS), ANALYSIS), LangidDetector(), clock, Uuid7Ids(clock)
    )
    sources = (SourceText(d.id, d.title, d.text, language=collection.language) for d in collection.documents)
    await importing(KbScope(NICHE), sources)
    with TemporaryDirectory() as folder:
        index = await LanceIndex.open(str(Path(folder) / "index"), embedder.model, embedder.dimension)
        try:
            changes = ApplyIndexChanges(unit_of_work, index, clock)
            await changes.drain("bench")
            await EmbedPassages(unit_of_work, index, embedder, clock).drain("bench")
            await index.optimize()
            yield Shelf(unit_of_work, index, embedder, EmbeddingWeights(embedder))
        finally:
            await index.close()


def documents_of(ranked: Sequence[RankedPassage]) -> list[str]:
    """The collection's documents in the order of their best passages."""
    return list(dict.fromkeys(r.passage.document.source_key for r in ranked))
