"""Measure statistics, entities and graph of a large knowledge base of 100,000 passages, as a tenant asks for them."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

import psycopg

from benchmarks.configuration import embeddings
from benchmarks.processes import data_directory
from benchmarks.report import Figure, at_most
from contentgen_adapters.entities.graphs import NetworkxTools
from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_adapters.runtime import SystemClock, Uuid7Ids
from contentgen_core.model.entity import EntityMention, EntityType
from contentgen_core.model.ids import DocumentId, NicheId
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin, Passage, VectorSpace
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.testing import builders
from contentgen_core.use_cases.knowledge.overview import MAX_NODES, ReadOverview
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings

DESCRIPTION: Final = "kb: statistics, entities and graph of 100,000 passages"

PASSAGES: Final = 100_000
NAMES: Final = 120_000  # that there are; a text names by Zipf's law, and by its document's theme
MENTIONS: Final = 8  # of a passage
TARGET_SECONDS: Final = 1.0
ROUNDS: Final = 7
NODES: Final = 40
_OF_A_DOCUMENT: Final = 5
_AT_ONCE: Final = 2_000
_THEMES: Final = 60
_NICHE: Final = "home-energy"
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)

Documents = list[tuple[KbDocument, list[Passage]]]


def run() -> list[Figure]:
    with data_directory() as folder:
        return asyncio.run(_run(folder))


async def _run(folder: Path) -> list[Figure]:
    settings = Settings(embeddings=embeddings(), data_dir=folder)
    with database(settings) as db:
        db.migrate()
        async with create_pool(db.conninfo) as pool:
            unit_of_work = PostgresUnitOfWork(pool)
            caller = await _fill(unit_of_work)
            async with await psycopg.AsyncConnection.connect(db.conninfo, autocommit=True) as connection:
                await connection.execute("VACUUM ANALYZE")
                bare = await _seconds(lambda: _bare(connection))
            read = ReadOverview(
                unit_of_work, NetworkxTools(), SystemClock(), Uuid7Ids(), VectorSpace("none", 1), curates=False
            )
            graph = await _seconds(lambda: _graph(read, caller, NODES))
            largest = await _seconds(lambda: _graph(read, caller, MAX_NODES))
            entities = await _seconds(lambda: read.entities(caller, _NICHE, 50))
            statistics = await _seconds(lambda: read.statistics(caller, _NICHE))
    reference = f"{1000 * bare:.0f} ms (bare SELECT of what the graph is counted from)"
    return [
        at_most(
            f"graph of {nodes} nodes, {PASSAGES:,} passages",
            seconds,
            TARGET_SECONDS,
            " s",
            product=f"{1000 * seconds:.0f} ms ({seconds / bare:.1f} ×)",
            reference=reference,
        )
        for nodes, seconds in ((NODES, graph), (MAX_NODES, largest))
    ] + [
        Figure(f"{what} of the same", f"{1000 * seconds:.0f} ms", target="(information)")
        for what, seconds in (("entities", entities), ("statistics", statistics))
    ]


async def _graph(read: ReadOverview, caller: Caller, nodes: int) -> None:
    found = (await read.graph(caller, _NICHE, nodes)).graph
    assert len(found.nodes) == nodes
    assert found.edges
    assert found.passages == PASSAGES


async def _bare(connection: psycopg.AsyncConnection) -> None:
    rows = await (await connection.execute("SELECT mentions FROM kb_document_entities", binary=True)).fetchall()
    assert len(rows) == PASSAGES // _OF_A_DOCUMENT


async def _seconds(ask: Callable[[], Awaitable[object]]) -> float:
    """The median of several, after one that warms up."""
    taken = []
    for _ in range(ROUNDS + 1):
        begun = time.perf_counter()
        await ask()
        taken.append(time.perf_counter() - begun)
    return median(taken[1:])


async def _fill(unit_of_work: PostgresUnitOfWork) -> Caller:
    """Fill the knowledge base: seven tenths of the documents are the platform's, three the tenant's own; it sees all of
    them.
    """
    tenant, user = builders.tenant(plan=PlanName.BUSINESS), builders.user()
    niche = Niche(NicheId(builders.new_id()), _NICHE, "Home energy", _NOW)
    async with unit_of_work() as tx:
        await tx[Tenants].add(tenant)
        await tx[Niches].add(niche)
        await tx[Niches].set_activation(tenant.id, niche, builders.activation())
    documents = _documents(Random(6), [KbScope(_NICHE)] * 7 + [KbScope(_NICHE, tenant.id)] * 3)
    while batch := list(islice(documents, _AT_ONCE)):
        async with unit_of_work() as tx:
            await tx[Knowledge].add(batch)
    return Caller(tenant.id, user.id, plan=tenant.plan, role=user.role)


def _documents(random: Random, scopes: list[KbScope]) -> Iterator[tuple[KbDocument, list[Passage]]]:
    weights = list(accumulate(1 / (rank + 10) for rank in range(NAMES)))
    themes = [random.choices(range(NAMES // 10), k=25) for _ in range(_THEMES)]
    text = " ".join(f"word{random.randrange(3_000)}" for _ in range(110))
    for number in range(PASSAGES // _OF_A_DOCUMENT):
        document = KbDocument(
            id=DocumentId(f"{number:08}"),
            scope=scopes[number % len(scopes)],
            source_key=f"doc-{number}",
            title=f"Document {number}",
            language=Language.EN,
            origin=Origin.IMPORT,
            content_hash=hashlib.sha256(str(number).encode()).hexdigest(),
            created_at=_NOW,
        )
        theme = random.choice(themes)
        yield document, [_passage(document, index, text, random, weights, theme) for index in range(_OF_A_DOCUMENT)]


def _passage(
    document: KbDocument, index: int, text: str, random: Random, weights: list[float], theme: list[int]
) -> Passage:
    named = {*random.choices(range(NAMES), cum_weights=weights, k=MENTIONS - 2), *random.choices(theme, k=2)}
    mentions = tuple(EntityMention(f"name {n}", f"Name {n}", EntityType.CONCEPT, 1 + n % 3) for n in sorted(named))
    return Passage(document, index, text, document.content_hash, terms=("word", f"word{index}"), entities=mentions)
