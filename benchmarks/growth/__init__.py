"""Measure what statements of the repositories cost as the tables grow: pages that they read, in databases of three
sizes.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
from attrs import asdict, frozen

from benchmarks.configuration import embeddings
from benchmarks.growth.filling import Filling
from benchmarks.growth.plans import Connection, Plan, plans
from benchmarks.growth.questions import questions
from benchmarks.growth.tables import PASSAGES, Size
from benchmarks.processes import data_directory
from benchmarks.report import Figure
from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings

DESCRIPTION: Final = (
    "pages that each statement reads, at a hundredth, a tenth and all of 10,000 tenants, a million articles and ten"
    " million passages (GROWTH_SHARE=0.1 for a tenth of that; GROWTH_FOLDER=… keeps the database and goes on with it)"
)

SHARES: Final = (0.01, 0.1, 1.0)
MOST_TIMES: Final = 1.5
MOST_MORE: Final = 30
"""Pages of the last tenfold growth: what is logarithmic adds a level to each index that it descends into, for each of
twenty rows at most, and what is proportional becomes ten times as much."""


def run() -> list[Figure]:
    most = float(os.environ.get("GROWTH_SHARE", "1"))
    with _folder() as folder:
        settings = Settings(embeddings=embeddings(), data_dir=folder)
        with database(settings) as db:
            db.migrate()
            return asyncio.run(_measured(db.conninfo, [share * most for share in SHARES]))


@contextmanager
def _folder() -> Iterator[Path]:
    if kept := os.environ.get("GROWTH_FOLDER"):
        yield Path(kept)
    else:
        with data_directory() as folder:
            yield folder


async def _measured(conninfo: str, shares: Sequence[float]) -> list[Figure]:
    async with (
        create_pool(conninfo, max_size=2) as pool,
        await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection,
    ):
        await connection.execute("SET jit = off")
        filling = await Filling.begun(connection, PostgresUnitOfWork(pool))
        found, before = [], Size(0, 0, 0)
        for size in map(Size.of, shares):
            what = f"costs among {size.articles}"
            costs = await filling.kept(what)
            if costs is None:
                await filling.grow(before, size)
                costs = json.dumps(await _asked(connection, size), default=asdict)
                await filling.keep(what, costs)
            found.append({question: Cost(**cost) for question, cost in json.loads(costs).items()})
            before = size
    every = [f"{size.tenants:,}, {size.articles:,}, {PASSAGES * size.documents:,}" for size in map(Size.of, shares)]
    rows = Figure("tenants, articles, passages", every[-1], "; ".join(every[:-1]))
    return [rows, *(_figure(question, [each[question] for each in found]) for question in found[-1])]


@frozen
class Cost:
    """The cost of all statements of a question. `nodes`: the steps of their plans."""

    milliseconds: float
    pages: int
    nodes: tuple[str, ...]

    @classmethod
    def of(cls, each: Sequence[Plan]) -> Cost:
        nodes = tuple(dict.fromkeys(node for plan in each for node in plan.nodes))
        return cls(sum(plan.milliseconds for plan in each), sum(plan.pages for plan in each), nodes)

    def __str__(self) -> str:
        return f"{self.pages:,} pages, {self.milliseconds:.2f} ms"


async def _asked(connection: Connection, size: Size) -> Mapping[str, Cost]:
    """Ask a question, then undo and vacuum its changes, so that the next one does not read them."""
    costs = {}
    for name, question in questions(size).items():
        each = await plans(connection, question)
        costs[name] = Cost.of(each)
        for table in sorted(frozenset().union(*(plan.changed for plan in each))):
            await connection.execute(f"VACUUM (INDEX_CLEANUP ON) {table}".encode())
    return costs


def _figure(question: str, costs: Sequence[Cost]) -> Figure:
    *_, tenth, whole = costs
    growth = whole.pages / max(1, tenth.pages)
    return Figure(
        question,
        str(whole),
        "; ".join(map(str, costs[:-1])),
        f"{growth:.2f} ×",
        f"≤ {MOST_TIMES:g} ×, or {MOST_MORE} pages more",
        whole.pages <= max(MOST_TIMES * tenth.pages, tenth.pages + MOST_MORE),
    )
