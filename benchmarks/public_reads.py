"""Measure what a public read costs the server when its answer is ready: limits, ETag, log and metrics included."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.configuration import embeddings
from benchmarks.corpus import Corpus
from benchmarks.load import generate, request
from benchmarks.processes import Program, data_directory, module, service, settle
from benchmarks.report import Figure, at_least, at_most
from contentgen_adapters.runtime import SystemClock, Uuid7Ids
from contentgen_core.model.article import Article, ArticleSource, ArticleStatus, Brief, PublicCategory
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.trend import Trend, TrendCategory, TrendSlug, TrendSource
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.trends import Trends
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings
from contentgen_http.services.open_services import open_services

DESCRIPTION: Final = "GET /public/trends and /public/kb-articles/{slug}, ready answers: CPU of the server"

TRENDS: Final = 40
SOURCES: Final = 6  # of each trend
WORDS: Final = 900  # of the article
SLUG: Final = "heat-pumps"
PATHS: Final = ("/public/trends", f"/public/kb-articles/{SLUG}")
REQUESTS: Final = 8_000  # of one round
WARM_UP: Final = 2_000
ROUNDS: Final = 7
RATIO_TARGET: Final = 1.5
RATE_TARGET: Final = 2_000.0


def run() -> list[Figure]:
    with data_directory() as folder:
        settings = Settings(embeddings=embeddings(), data_dir=folder)
        with database(settings) as db:
            db.migrate()
            asyncio.run(filled(settings, db.conninfo))
            with service(folder) as product:
                return [figure for path in PATHS for figure in _measured(product, path, folder / "answer")]


def _measured(product: Program, path: str, kept: Path) -> list[Figure]:
    kept.write_bytes(product.get(path))
    with module("benchmarks.bare_bytes", path, str(kept)) as bare:
        assert bare.get(path) == kept.read_bytes()
        settle(product)
        for program in (product, bare):
            generate(program.port, [request(path)], WARM_UP)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(_round(product, path))
            theirs.append(_round(bare, path))
    product_cpu, bare_cpu = (median(cpu for cpu, _ in rounds) for rounds in (ours, theirs))
    product_rate, bare_rate = (median(rate for _, rate in rounds) for rounds in (ours, theirs))
    ratio = median(mine[0] / other[0] for mine, other in zip(ours, theirs, strict=True))
    return [
        at_most(
            f"{path}: server CPU a request (32 connections, {kept.stat().st_size:,} bytes)",
            ratio,
            RATIO_TARGET,
            " ×",
            product=f"{product_cpu * 1e6:.0f} µs",
            reference=f"{bare_cpu * 1e6:.0f} µs (bare Litestar handler, the same bytes)",
        ),
        at_least(
            f"{path}: requests a second of one process (load on the same cores)",
            product_rate,
            RATE_TARGET,
            "",
            product=f"{product_rate:,.0f}",
            reference=f"{bare_rate:,.0f}",
        ),
    ]


def _round(program: Program, path: str) -> tuple[float, float]:
    """CPU seconds of the server a request, requests a second. Every lifetime of the answer it is made once anew."""
    before = program.cpu_seconds()
    load = generate(program.port, [request(path)], REQUESTS)
    return (program.cpu_seconds() - before) / load.answers, load.answers / load.seconds


async def filled(settings: Settings, conninfo: str) -> None:
    """A public article, and trends with sources."""
    corpus, ids, now = Corpus(seed=1), Uuid7Ids(), SystemClock().now()
    async with open_services(settings, conninfo) as services:
        await services.upkeep.catalogue()
        made = await services.people.tenants.create("Tenant", PlanName.BUSINESS)
        async with services.ports.unit_of_work() as tx:
            await tx[Articles].add(
                Article(
                    id=ArticleId(ids.new()),
                    tenant_id=made.tenant.id,
                    niche_key="home-energy",
                    brief=Brief("Heat pumps", Language.EN),
                    topic_key="heat pumps",
                    title="Heat pumps",
                    status=ArticleStatus.PUBLISHED,
                    created_at=now,
                    updated_at=now,
                    content=corpus.passage(WORDS),
                    slug=SLUG,
                    is_public=True,
                    public_category=PublicCategory.OTHER,
                    sources=tuple(
                        ArticleSource(n, corpus.title(), DocumentId(ids.new()), 0, f"https://example.org/{n}")
                        for n in range(1, 21)
                    ),
                    word_count=WORDS,
                    progress=100,
                )
            )
            for number in range(TRENDS):
                sources = tuple(
                    TrendSource(
                        f"https://example.org/{number}/{n}",
                        corpus.title(),
                        f"Publisher {n}",
                        TrendCategory.NEWS,
                        now - timedelta(hours=n),
                        now,
                    )
                    for n in range(SOURCES)
                )
                await tx[Trends].save(
                    Trend(
                        slug=TrendSlug(f"trend-{number}"),
                        niche_key="home-energy",
                        title=corpus.title(),
                        summary=corpus.passage(30),
                        category=TrendCategory.NEWS,
                        language=Language.EN,
                        score=float(number),
                        sources=sources,
                        history=(),
                        first_seen_at=now,
                        last_seen_at=now,
                        updated_at=now,
                    )
                )
