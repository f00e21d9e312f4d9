"""Measure what a page of 20 articles costs the server, key, rate limit, log and metrics included."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from statistics import median
from typing import Final

from attrs import frozen

from benchmarks.configuration import embeddings
from benchmarks.corpus import Corpus
from benchmarks.load import generate, request
from benchmarks.processes import Program, data_directory, module, service, settle
from benchmarks.report import Figure, at_most
from contentgen_adapters.runtime import SystemClock, Uuid7Ids
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Article, ArticleStatus, Brief, Seo
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings
from contentgen_http.services import Services
from contentgen_http.services.open_services import open_services

DESCRIPTION: Final = "GET /articles: CPU of the server for a page of 20 articles"

TENANTS: Final = 300
ARTICLES: Final = 20  # of each tenant
WORDS: Final = 200  # of each article
REQUESTS: Final = 2_000  # of one round
WARM_UP: Final = 1_500
ROUNDS: Final = 9
TARGET: Final = 1.5


@frozen
class Reader:
    tenant_id: str
    key: str


def run() -> list[Figure]:
    with data_directory() as folder:
        settings = Settings(embeddings=embeddings(), data_dir=folder)
        with database(settings) as db:
            db.migrate()
            readers = asyncio.run(filled(settings, db.conninfo))
            with service(folder) as product, module("benchmarks.bare_listing", db.conninfo) as bare:
                return _measured(product, bare, readers)


def _measured(product: Program, bare: Program, readers: list[Reader]) -> list[Figure]:
    for body in (
        product.get("/articles", x_api_key=readers[0].key),
        bare.get(f"/articles?tenant={readers[0].tenant_id}"),
    ):
        assert len(json.loads(body)["articles"]) == ARTICLES
    with_key = [request("/articles", x_api_key=reader.key) for reader in readers]
    by_tenant = [request(f"/articles?tenant={reader.tenant_id}") for reader in readers]
    settle(product)
    generate(product.port, with_key, WARM_UP)
    generate(bare.port, by_tenant, WARM_UP)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_round(product, with_key))
        theirs.append(_round(bare, by_tenant))
    product_cpu, bare_cpu = (median(cpu for cpu, _, _ in rounds) for rounds in (ours, theirs))
    ratio = median(mine[0] / other[0] for mine, other in zip(ours, theirs, strict=True))
    return [
        at_most(
            f"server CPU a request ({TENANTS} tenants, 32 connections, articles of {WORDS} words)",
            ratio,
            TARGET,
            " ×",
            product=f"{product_cpu * 1e6:.0f} µs",
            reference=f"{bare_cpu * 1e6:.0f} µs (bare Litestar handler, one pooled query, msgspec structs)",
        ),
        Figure(
            "requests a second of one process (load and database on the same cores)",
            f"{median(rate for _, rate, _ in ours):,.0f}",
            f"{median(rate for _, rate, _ in theirs):,.0f}",
        ),
        Figure(
            "bytes of an answer",
            f"{median(size for _, _, size in ours):,.0f}",
            f"{median(size for _, _, size in theirs):,.0f}",
        ),
    ]


def _round(program: Program, requests: list[str]) -> tuple[float, float, float]:
    """CPU seconds of the server a request, requests a second, bytes an answer."""
    before = program.cpu_seconds()
    load = generate(program.port, requests, REQUESTS)
    cpu = program.cpu_seconds() - before
    return cpu / load.answers, load.answers / load.seconds, load.body_bytes / load.answers


async def filled(settings: Settings, conninfo: str) -> list[Reader]:
    """Tenants with articles, and a key of each."""
    corpus, readers = Corpus(seed=1), []
    async with open_services(settings, conninfo) as services:
        for number in range(TENANTS):
            made = await services.people.tenants.create(f"Tenant {number}", PlanName.BUSINESS)
            await add_articles(services, made.caller, corpus)
            readers.append(Reader(made.tenant.id, made.key.secret))
    return readers


async def add_articles(services: Services, caller: Caller, corpus: Corpus) -> None:
    ids, now = Uuid7Ids(), SystemClock().now()
    async with services.ports.unit_of_work() as tx:
        for number in range(ARTICLES):
            topic = corpus.title()
            made = now - timedelta(hours=number)
            await tx[Articles].add(
                Article(
                    id=ArticleId(ids.new()),
                    tenant_id=caller.tenant_id,
                    niche_key="home-energy",
                    brief=Brief(topic, Language.EN, keywords=("heat", "pump")),
                    topic_key=topic.casefold(),
                    title=topic,
                    status=ArticleStatus.PUBLISHED if number % 2 else ArticleStatus.GENERATED,
                    created_at=made,
                    updated_at=made,
                    agent_key=AgentKey("home-energy", "GB"),
                    created_by=caller.user_id,
                    content=corpus.passage(WORDS),
                    excerpt=corpus.passage(20),
                    slug=f"article-{number}",
                    seo=Seo(topic, corpus.passage(15)),
                    published_at=made if number % 2 else None,
                    word_count=WORDS,
                    progress=100,
                )
            )
