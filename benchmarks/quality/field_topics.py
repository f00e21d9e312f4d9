"""Measure articles from a knowledge base on one field, in which every document is near to every topic: the share that
comes from documents on the topic.
"""

from __future__ import annotations

import asyncio
import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from attrs import frozen

from benchmarks.quality.report import Table, at_least
from contentgen_core.model.article import Article
from contentgen_core.model.knowledge import Passage
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_grounded import CoreServices, Language, in_memory, write_article
from contentgen_http.demo.tenant import samples

TOPICS: Final = Path(__file__).with_name("field_topics.tsv")
NICHES: Final = {"home-energy": Language.EN, "cybersecurite-pme": Language.FR}
FITTED: Final = "home-energy"
MOST_DOCUMENTS: Final = 100


@frozen
class Case:
    """A topic, and the documents on it by the last part of their address, the one on it alone first."""

    topic: str
    documents: Sequence[str]


@frozen
class Written:
    """An article. `on_topic`: the share of its sentences that cite a document on the topic, None if it has none;
    `used`: the share of the first document's passages that it cites.
    """

    on_topic: float | None
    used: float
    words: int


def cases(niche: str) -> list[Case]:
    with TOPICS.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["niche"] == niche]
    return [Case(row["topic"], row["documents"].split()) for row in rows]


def run(data: Path) -> list[Table]:
    """Run the benchmark. `data` is not read: the knowledge bases are those of the demonstration."""
    rows: list[Sequence[str]] = []
    for niche in NICHES:
        shown = f"{niche}{', fitted' if niche == FITTED else ''}"
        articles = asyncio.run(_written(niche))
        shares = [each.on_topic for each in articles if each.on_topic is not None]
        used, words = fmean(each.used for each in articles), fmean(each.words for each in articles)
        rows += [
            (shown, "sentences from documents on the topic, mean", *at_least(fmean(shares), 0.97)),
            (shown, "passages of the topic's own document used, mean", *at_least(used, 0.80)),
            (shown, f"of {len(articles)} topics, without a sentence", str(len(articles) - len(shares)), "", ""),
            (shown, "words, mean", f"{words:.0f}", "", ""),
        ]
    return [
        Table(
            "Articles from a knowledge base on one field",
            ("knowledge base", "figure", "measured", "target", ""),
            rows,
            "Fitted: how far a document has to stand out was chosen on this one. Written whatever the coverage; "
            "articles without a sentence are left out of the first figure.",
        )
    ]


async def _written(niche: str) -> list[Written]:
    async with in_memory() as services:
        articles = await articles_on(services, niche, [case.topic for case in cases(niche)])
        passages = await all_passages(services)
    held = Counter(name_of(passage.document.url) for passage in passages)
    return [_figures(case, article, held) for case, article in zip(cases(niche), articles, strict=True)]


async def articles_on(services: CoreServices, niche: str, topics: Iterable[str]) -> list[Article]:
    """Write an article on each topic, whatever the coverage, from the samples of the niche."""
    return [
        await write_article(services, topic, samples(niche), language=NICHES[niche], allow_low_coverage=True)
        for topic in topics
    ]


async def all_passages(services: CoreServices) -> list[Passage]:
    async with services.ports.unit_of_work() as tx:
        return await tx[Knowledge].passages_of(await tx[Knowledge].all_documents(None, MOST_DOCUMENTS))


def _figures(case: Case, article: Article, held: Mapping[str, int]) -> Written:
    """Return the figures of the articles. `held`: how many passages each document has."""
    documents = {source.number: name_of(source.url) for source in article.sources}
    sentences = article.grounding.sentences if article.grounding else ()
    cited = [documents[sentence.citations[0]] in case.documents for sentence in sentences if sentence.citations]
    own = case.documents[0]
    used = {source.chunk_index for source in article.sources if name_of(source.url) == own}
    return Written(fmean(cited) if cited else None, len(used) / held[own], article.word_count)


def name_of(url: str | None) -> str:
    """Return the last part of a document's address."""
    return (url or "").rpartition("/")[2]
