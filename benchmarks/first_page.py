"""Measure what a page of the list of articles costs a tenant with very many, beside one with few."""

from __future__ import annotations

import asyncio
import json
import time
from statistics import median
from typing import Final

import psycopg

from benchmarks.configuration import embeddings
from benchmarks.corpus import Corpus
from benchmarks.listing import Reader, add_articles
from benchmarks.load import generate, request
from benchmarks.processes import Program, data_directory, service
from benchmarks.report import Figure, at_most
from contentgen_core.model.tenant import PlanName
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings
from contentgen_http.services.open_services import open_services

DESCRIPTION: Final = "GET /articles of a tenant with 100,000 articles and of one with 100"

MANY: Final = 100_000
FEW: Final = 100
REQUESTS: Final = 190  # of one round: a tenant has 2,000 in a minute
ROUNDS: Final = 9
TARGET: Final = 1.5
_ASKED: Final = 15  # times for each of the other pages
_OWN: Final = 20  # made by the product; the others are copies of these

_COPIED: Final = (
    "id || lpad(n::text, 6, '0'), created_at - n * interval '1 minute', updated_at - n * interval '1 minute',"
    " published_at - n * interval '1 minute'"
)


def run() -> list[Figure]:
    with data_directory() as folder:
        settings = Settings(embeddings=embeddings(), data_dir=folder)
        with database(settings) as db:
            db.migrate()
            many, few = asyncio.run(_fill(settings, db.conninfo))
            with service(folder) as product:
                return [_first_pages(product, many, few), *_other_pages(product, many)]


def _first_pages(product: Program, many: Reader, few: Reader) -> Figure:
    for reader, total in ((many, MANY), (few, FEW)):
        page = json.loads(product.get("/articles", x_api_key=reader.key))
        assert (page["total"], len(page["articles"])) == (total, 20)
    rounds = []
    for number in range(ROUNDS + 1):
        pair = [(reader, [request("/articles", x_api_key=reader.key)]) for reader in (many, few)]
        taken = {}
        for reader, requests in pair if number % 2 else reversed(pair):
            load = generate(product.port, requests, REQUESTS)
            taken[reader.tenant_id] = load.seconds / load.answers
        rounds.append((taken[many.tenant_id], taken[few.tenant_id]))
    rounds = rounds[1:]  # the first one warms up
    of_many, of_few = (median(times) for times in zip(*rounds, strict=True))
    return at_most(
        f"first page of a tenant with {MANY:,} articles against one with {FEW} (32 connections, service and database)",
        median(big / small for big, small in rounds),
        TARGET,
        " ×",
        product=f"{of_many * 1e6:.0f} µs",
        reference=f"{of_few * 1e6:.0f} µs (the same of the tenant with {FEW})",
    )


def _other_pages(product: Program, many: Reader) -> list[Figure]:
    pages = {
        "page 5,000": "/articles?page=5000",
        "first page of one status of one niche": "/articles?nicheKey=home-energy&status=draft",
        "first page of a search for a word of one article": "/articles?search=singular",
        "first page of a search for a word of every article": "/articles?search=ubiquitous",
    }
    return [
        Figure(f"{what}, {MANY:,} articles", f"{_seconds(product, path, many) * 1e3:.1f} ms", target="(information)")
        for what, path in pages.items()
    ]


def _seconds(product: Program, path: str, reader: Reader) -> float:
    times = []
    for _ in range(_ASKED):
        begun = time.perf_counter()
        product.get(path, x_api_key=reader.key)
        times.append(time.perf_counter() - begun)
    return median(times)


async def _fill(settings: Settings, conninfo: str) -> tuple[Reader, Reader]:
    corpus = Corpus(seed=1)
    async with open_services(settings, conninfo) as services:
        readers = []
        for name in ("many", "few"):
            made = await services.people.tenants.create(name, PlanName.BUSINESS)
            await add_articles(services, made.caller, corpus)
            readers.append(Reader(made.tenant.id, made.key.secret))
    many, few = readers
    await asyncio.to_thread(copy_articles, conninfo, {many.tenant_id: MANY, few.tenant_id: FEW})
    return many, few


def copy_articles(conninfo: str, totals: dict[str, int]) -> None:
    """Copies of what is there, made in the database: a hundred thousand calls would take minutes."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("UPDATE articles SET words = words || 'ubiquitous'::tsvector")
        connection.execute("DROP INDEX articles_words")
        columns = connection.execute(
            "SELECT string_agg(column_name, ', ') FROM information_schema.columns WHERE table_name = 'articles'"
            " AND column_name NOT IN ('id', 'created_at', 'updated_at', 'published_at')"
        ).fetchone()
        assert columns is not None
        for tenant, total in totals.items():
            connection.execute(
                f"INSERT INTO articles (id, created_at, updated_at, published_at, {columns[0]})"
                f" SELECT {_COPIED}, {columns[0]} FROM articles, generate_series(1, %s) AS n WHERE tenant_id = %s",
                (total // _OWN - 1, tenant),
            )
        connection.execute(
            "UPDATE articles SET words = words || 'singular'::tsvector WHERE id = (SELECT max(id) FROM articles"
            " WHERE tenant_id = %s)",
            (next(iter(totals)),),
        )
        connection.execute(
            "UPDATE articles SET status = 'draft' WHERE id IN (SELECT id FROM articles ORDER BY id LIMIT 50)"
        )
        connection.execute("CREATE INDEX articles_words ON articles USING gin (words) WITH (fastupdate = off)")
        connection.execute("VACUUM ANALYZE articles, article_counts")
