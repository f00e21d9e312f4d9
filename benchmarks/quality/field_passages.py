"""Articles from a knowledge base on one field, sentence by sentence: which ones a reader took for on the topic."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from attrs import frozen

from benchmarks.quality.field_topics import FITTED, NICHES, all_passages, articles_on, name_of
from benchmarks.quality.report import Table, at_least
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Article
from contentgen_core.model.grounding import Verdict
from contentgen_grounded import CoreServices, Language, Settings, in_memory

TOPICS: Final = Path(__file__).with_name("field_passages.tsv")
SETTINGS: Final = {
    "with multilingual-e5-small": Settings(embeddings="semantic"),
    "by words": Settings(embeddings="hashed"),
}
ANALYSIS: Final = IcuTextAnalysis()


@frozen
class Case:
    """A topic with what a reader took for on it. `passages`: those that answer it, as `document#number`; `beside`:
    further ones that may stand in an article on it, or of a passage the sentences that may (`document#number:0,3`)."""

    topic: str
    passages: Sequence[str]
    beside: Sequence[str]


@frozen
class Written:
    """An article. `on_topic`: the share of its sentences that a reader judged to be on the topic, None if it has none;
    `supported`: the share of those that their sources support; `used`: of the passages that answer the topic.
    """

    on_topic: float | None
    supported: float
    used: float
    words: int


def cases(niche: str) -> list[Case]:
    with TOPICS.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["niche"] == niche]
    return [Case(row["topic"], row["passages"].split(), row["beside"].split()) for row in rows]


def run(data: Path) -> list[Table]:
    """Run the benchmark. `data` is not read: the knowledge bases are those of the demonstration."""
    rows: list[Sequence[str]] = []
    for how, settings in SETTINGS.items():
        for niche in NICHES:
            shown = f"{niche}, {how}{', fitted' if niche == FITTED else ''}"
            articles = asyncio.run(_written(niche, settings))
            shares = [each.on_topic for each in articles if each.on_topic is not None]
            rows += [
                (shown, "sentences on the topic, mean", *at_least(fmean(shares), 0.90)),
                (shown, "the same, of the worst article", f"{min(shares):.3f}", "", ""),
                (shown, "passages that answer the topic, used", *at_least(fmean(a.used for a in articles), 0.80)),
                (shown, "sentences supported", *at_least(fmean(a.supported for a in articles), 1.0)),
                (shown, f"of {len(articles)} topics, without a sentence", str(len(articles) - len(shares)), "", ""),
                (shown, "words, mean", f"{fmean(each.words for each in articles):.0f}", "", ""),
            ]
    return [
        Table(
            "Articles from a knowledge base on one field, read sentence by sentence",
            ("knowledge base", "figure", "measured", "target", ""),
            rows,
            "Fitted: how far a passage has to be about the topic was chosen on this one. Written whatever the "
            "coverage; articles without a sentence are left out of the first two figures.",
        )
    ]


async def _written(niche: str, settings: Settings) -> list[Written]:
    async with in_memory(settings) as services:
        articles = await articles_on(services, niche, [case.topic for case in cases(niche)])
        texts = await _sentences(services, NICHES[niche])
    return [_figures(case, article, texts) for case, article in zip(cases(niche), articles, strict=True)]


async def _sentences(services: CoreServices, language: Language) -> dict[str, list[str]]:
    """The sentences of each passage, as `document#number`."""
    return {
        f"{name_of(each.document.url)}#{each.chunk_index}": [
            span.of(text).strip() for text in each.text.splitlines() for span in ANALYSIS.sentences(text, language)
        ]
        for each in await all_passages(services)
    }


def _figures(case: Case, article: Article, texts: Mapping[str, Sequence[str]]) -> Written:
    """Return the figures of an article. `texts`: the sentences of each passage."""
    whole = {*case.passages, *(each for each in case.beside if ":" not in each)}
    alone = {
        texts[ref][int(n)]
        for ref, _, places in (each.partition(":") for each in case.beside)
        for n in places.split(",")
        if n
    }
    sources = {source.number: f"{name_of(source.url)}#{source.chunk_index}" for source in article.sources}
    sentences = article.grounding.sentences if article.grounding else ()
    cited = [(sources[each.citations[0]], each) for each in sentences if each.citations]
    return Written(
        fmean(ref in whole or each.text in alone for ref, each in cited) if cited else None,
        fmean(each.verdict is Verdict.SUPPORTED for _, each in cited) if cited else 1.0,
        fmean(ref in {each for each, _ in cited} for ref in case.passages),
        article.word_count,
    )
