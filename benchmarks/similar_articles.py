"""How long a tenant with many articles waits for those that already answer a topic, model and passages apart."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from random import Random
from statistics import median, quantiles
from typing import Final

from benchmarks.corpus import Corpus
from benchmarks.processes import data_directory
from benchmarks.report import Figure, at_most
from contentgen.bootstrap.database import database
from contentgen.settings import Settings
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
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_http.opening import open_services

DESCRIPTION: Final = "articles that answer a topic, among 10,000 (not among the default ones)"

ARTICLES: Final = 10_000
BATCH: Final = 500
SUBJECTS: Final = 500  # that the vectors of topics lie around
CITED: Final = 12  # passages of an article
PASSAGES: Final = 5_000
ASKED: Final = 60
TARGET_MS: Final = 100.0
SPACE: Final = VectorSpace("benchmark", 384)


def run() -> list[Figure]:
    with data_directory() as folder:
        settings = Settings(embeddings="hashed", data_dir=folder)
        with database(settings) as db:
            db.migrate()
            return asyncio.run(_figures(settings, db.conninfo))


async def _figures(settings: Settings, conninfo: str) -> list[Figure]:
    async with open_services(settings, conninfo) as services:
        tenant = (await services.people.tenants.create("Many articles", PlanName.BUSINESS)).tenant.id
        many = Many(Random(1))
        await many.fill(services.ports.unit_of_work, tenant)
        took = [await many.asked(services.ports.unit_of_work, tenant) for _ in range(ASKED)]
    p95 = quantiles(took, n=20)[-1]
    return [
        at_most(
            f"articles that answer a topic, among {ARTICLES:,} of a tenant: p95",
            p95,
            TARGET_MS,
            " ms",
            product=f"p50 {median(took):.0f}, p95 {p95:.0f} ms",
            reference="without the topic's vector and its passages",
        )
    ]


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
                    await tx.articles.add(article)
                await tx.article_topics.save(SPACE, [self._read(article) for article in articles])

    async def asked(self, unit_of_work: UnitOfWork, tenant: TenantId) -> float:
        """Milliseconds until the articles that answer a topic are known."""
        topic = self._corpus.title()
        words = {Language.EN: significant_words(topic, Language.EN, self._analysis)}
        asked = AskedTopic(topic, words, self._vector(), self._cited())
        began = time.perf_counter()
        async with unit_of_work() as tx:
            found = await tx.article_topics.near(tenant, SPACE, asked)
        await asyncio.to_thread(similar_articles, Asked(asked, {}), found, self._analysis)
        return (time.perf_counter() - began) * 1e3

    def _read(self, article: Article) -> ReadTopic:
        words = significant_words(article.title, Language.EN, self._analysis)
        sections = (SourcedSection("One", self._cited()),)
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
