"""Measure how long a tenant with many articles waits for those that already answer a topic, model and passages
apart.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import timedelta
from random import Random
from statistics import median, quantiles
from typing import Final

import psycopg
from attrs import frozen

from benchmarks.configuration import embeddings
from benchmarks.corpus import Corpus
from benchmarks.processes import data_directory
from benchmarks.report import Figure, at_most
from contentgen_adapters.runtime import SystemClock, Uuid7Ids
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Article, ArticleStatus, Brief
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.knowledge import VectorSpace
from contentgen_core.model.similar_article import AskedTopic, ReadTopic, SourcedSection
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.similar_articles import Asked, similar_articles
from contentgen_core.policies.topics.similarity import significant_words
from contentgen_core.ports.repositories.article_topics import ArticleTopics
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings
from contentgen_http.services.open_services import open_services

DESCRIPTION: Final = "articles that answer a topic, among 10,000 and 100,000 (4 minutes; not among the default ones)"

ARTICLES: Final = 10_000
COPIES: Final = 10  # of each among the most
BATCH: Final = 500
SUBJECTS: Final = 500  # that the vectors of topics lie around
SECTIONS: Final = 6  # of an article
CITED: Final = 12  # passages of an article, and on a topic
PASSAGES: Final = 5_000
ASKED: Final = 60
WARM_UP: Final = 10
TARGET_MS: Final = 100.0
SPACE: Final = VectorSpace("benchmark", 384)


def run() -> list[Figure]:
    with data_directory() as folder:
        settings = Settings(embeddings=embeddings(), data_dir=folder)
        with database(settings) as db:
            db.migrate()
            return asyncio.run(_figures(settings, db.conninfo))


async def _figures(settings: Settings, conninfo: str) -> list[Figure]:
    async with open_services(settings, conninfo) as services:
        tenant = (await services.people.tenants.create("Many articles", PlanName.BUSINESS)).tenant.id
        many, unit_of_work = Many(Random(1)), services.ports.unit_of_work
        await many.fill(unit_of_work, tenant)
        found = []
        for count in (ARTICLES, COPIES * ARTICLES):
            if count > ARTICLES:
                await _copy(conninfo)
            await _settle(conninfo)
            took = [await many.asked(unit_of_work, tenant) for _ in range(WARM_UP + ASKED)][WARM_UP:]
            found.append(_figure(count, [each.all for each in took], [each.queries for each in took]))
    return found


def _figure(count: int, took: Sequence[float], queries: Sequence[float]) -> Figure:
    p95 = quantiles(took, n=20)[-1]
    return at_most(
        f"articles that answer a topic, among {count:,} of a tenant: p95",
        p95,
        TARGET_MS,
        " ms",
        product=f"p50 {median(took):.0f}, p95 {p95:.0f} ms, without the topic's vector and its passages",
        reference=f"p50 {median(queries):.0f}, p95 {quantiles(queries, n=20)[-1]:.0f} ms of it for the queries",
    )


async def _copy(conninfo: str) -> None:
    """Copy each article COPIES times, directly in the database."""
    numbers = f"generate_series(2, {COPIES}) AS n"
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as database:
        for table, key in (("articles", "id"), ("article_topics", "article_id")):
            again = f"jsonb_build_object('{key}', {key} || '-' || n)"
            await database.execute(
                f"INSERT INTO {table} SELECT (jsonb_populate_record(t, {again})).* FROM {table} t, {numbers}".encode()
            )


async def _settle(conninfo: str) -> None:
    """Do what autovacuum has done in a service that has run for a day."""
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as database:
        await database.execute("VACUUM ANALYZE")


@frozen
class Took:
    """A time in milliseconds. `queries`: the part of the database, with the reading of its rows."""

    all: float
    queries: float


class Many:
    """Articles of one tenant, and topics that are asked for among them."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._corpus = Corpus(seed=2)
        self._analysis = IcuTextAnalysis()
        self._subjects = [self._direction() for _ in range(SUBJECTS)]

    async def fill(self, unit_of_work: UnitOfWork, tenant: TenantId) -> None:
        ids, now = Uuid7Ids(), SystemClock().now()
        for start in range(0, ARTICLES, BATCH):
            articles = [
                Article(
                    id=ArticleId(ids.new()),
                    tenant_id=tenant,
                    niche_key="home-energy",
                    brief=Brief(topic, Language.EN),
                    topic_key=topic.casefold(),
                    title=topic,
                    status=ArticleStatus.PUBLISHED,
                    created_at=now - timedelta(minutes=start + number),
                    updated_at=now,
                )
                for number in range(BATCH)
                for topic in [self._corpus.title()]
            ]
            async with unit_of_work() as tx:
                for article in articles:
                    await tx[Articles].add(article)
                await tx[ArticleTopics].save(SPACE, [self._read(article) for article in articles])

    async def asked(self, unit_of_work: UnitOfWork, tenant: TenantId) -> Took:
        """How long until the articles that answer a topic are known."""
        topic = self._corpus.title()
        words = {Language.EN: significant_words(topic, Language.EN, self._analysis)}
        asked = AskedTopic(topic, words, self._vector(), self._cited())
        began = time.perf_counter()
        async with unit_of_work() as tx:
            found = await tx[ArticleTopics].near(tenant, SPACE, asked)
        read = time.perf_counter()
        await asyncio.to_thread(similar_articles, Asked(asked, {}), found, self._analysis)
        return Took((time.perf_counter() - began) * 1e3, (read - began) * 1e3)

    def _read(self, article: Article) -> ReadTopic:
        words = significant_words(article.title, Language.EN, self._analysis)
        each, cited = CITED // SECTIONS, self._cited()
        sections = tuple(
            SourcedSection(self._corpus.title(), cited[n * each : (n + 1) * each]) for n in range(SECTIONS)
        )
        return ReadTopic(article.id, article.revision, Language.EN, words, self._vector(), sections)

    def _cited(self) -> tuple[SourceRef, ...]:
        return tuple(SourceRef(f"d{self._random.randrange(PASSAGES // 10)}", n) for n in range(CITED))

    def _vector(self) -> tuple[float, ...]:
        subject = self._random.choice(self._subjects)
        return _unit([s + 0.3 * o for s, o in zip(subject, self._direction(), strict=True)])

    def _direction(self) -> tuple[float, ...]:
        return _unit([self._random.gauss(0, 1) for _ in range(SPACE.dimension)])


def _unit(numbers: list[float]) -> tuple[float, ...]:
    length = sum(n * n for n in numbers) ** 0.5
    return tuple(n / length for n in numbers)
