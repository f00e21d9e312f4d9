"""Measure whole articles: written about the subjects of knowledge bases that also hold other subjects, by the product's
own path, beside LexRank and TextRank over the same passages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any, Final

from attrs import frozen

from benchmarks.quality import article_sets
from benchmarks.quality.article_sets import ArticleSet, Topic
from benchmarks.quality.report import Table, at_least, at_most
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Article
from contentgen_core.model.grounding import GroundingLevel
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.vocabulary import LENGTHS
from contentgen_core.policies.evaluation.article_figures import Figures, Unit, figures, forecast_error
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_grounded import ArticleLength, CoreServices, Language, in_memory, write_article

LENGTH: Final = ArticleLength.STANDARD
FITTED: Final = frozenset({"freshwiki-en", "piaf-fr"})
"""The sets that the judgement of what is on a topic was fitted to."""
GAIN: Final = 1.1
WHOLE: Final = "the passages whole"
"""What recall they allow at most: no summary, and not compared with."""
ANALYSIS: Final = IcuTextAnalysis()


@frozen
class Written:
    """An article with its figures, and the recall of the gold lead by it and by the two summaries (None without a
    lead): ROUGE-1 and ROUGE-2 each."""

    topic: Topic
    article: Article
    figures: Figures
    recall: dict[str, tuple[float, float]] | None


def run(data: Path) -> list[Table]:
    sets = article_sets.load(data)
    written = {each.name: asyncio.run(_written(each)) for each in sets}
    absent = {each.name: asyncio.run(_absent(each)) for each in sets}
    return [_figures_table(written, absent), _recall_table(written)]


async def _written(each: ArticleSet) -> list[Written]:
    paragraphs = {paragraph.id: paragraph for paragraph in each.paragraphs}
    found: list[Written] = []
    async with in_memory() as services:
        await import_paragraphs(services, each)
        for topic in each.topics:
            article = await article_about(services, each, topic)
            keys = await source_keys(services, {source.parent_id for source in article.sources})
            cited = {source.number: keys[source.parent_id] for source in article.sources}
            texts = [paragraphs[keys[source.parent_id]].text for source in article.sources]
            found.append(
                Written(
                    topic,
                    article,
                    figures(article, _units(each, topic), cited, LENGTHS[LENGTH].max_words),
                    _recall(article, topic, texts, each.language) if topic.lead and texts else None,
                )
            )
    return found


def _units(each: ArticleSet, topic: Topic) -> dict[str, Unit]:
    """The paragraphs, as an article on this subject should use them."""
    themes, own = topic.themes, frozenset(topic.docs)
    return {p.id: Unit(p.text, p.group == topic.id, p.id in own, themes.get(p.id, p.group)) for p in each.paragraphs}


async def _absent(each: ArticleSet) -> list[GroundingLevel]:
    """The levels of articles, forced, about each second subject over a knowledge base without all of these."""
    asked = each.topics[::2]
    without = {topic.id for topic in asked}
    kept = tuple(paragraph for paragraph in each.paragraphs if paragraph.group not in without)
    rest = ArticleSet(each.name, each.language, kept, asked)
    async with in_memory() as services:
        await import_paragraphs(services, rest)
        return [
            article.grounding.level
            for article in [await article_about(services, rest, topic) for topic in asked]
            if article.grounding is not None
        ]


async def import_paragraphs(services: CoreServices, each: ArticleSet) -> None:
    """Import all paragraphs and index them by words and by meaning, as in a service that runs for a while."""
    await write_article(
        services, each.topics[0].title, each.sources(), language=each.language, length=LENGTH, allow_low_coverage=True
    )
    await services.knowledge.embed_passages.drain("bench")


async def article_about(services: CoreServices, each: ArticleSet, topic: Topic) -> Article:
    return await write_article(services, topic.title, language=each.language, length=LENGTH, allow_low_coverage=True)


async def source_keys(services: CoreServices, ids: Collection[DocumentId]) -> dict[DocumentId, str]:
    """Return the paragraphs' ids by those of their documents."""
    async with services.ports.unit_of_work() as tx:
        passages = await tx[Knowledge].passages_of(sorted(ids))
    return {passage.document.id: passage.document.source_key for passage in passages}


def _figures_table(written: dict[str, list[Written]], absent: dict[str, list[GroundingLevel]]) -> Table:
    rows: list[Sequence[str]] = []
    for name, articles in written.items():
        sourced = [w for w in articles if w.article.sources]
        about = sorted(w.figures.on_subject for w in sourced)
        used = [w.figures.used for w in articles if w.figures.used is not None]
        pure = [w.figures.purity for w in sourced if w.figures.purity is not None]
        forecast = [forecast_error(w.article) for w in sourced]
        claimed = sum(level is not GroundingLevel.NONE for level in absent[name])
        shown = f"{name}{', fitted' if name in FITTED else ''}"
        rows += [
            (shown, "sentences on the subject, mean", *at_least(fmean(about), 0.97)),
            (shown, "the same, 10th percentile", *at_least(quantiles(about, n=10)[0], 0.90)),
            (shown, f"paragraphs used ({len(used)} topics)", *at_least(fmean(used), 0.80)),
            (shown, "section purity", *at_least(fmean(pure), 0.90)),
            (shown, "unresolved references", *at_most(sum(len(w.figures.unresolved) for w in articles), 0, 0)),
            (shown, "near-identical pairs", *at_most(sum(w.figures.repeated for w in articles), 0, 0)),
            (shown, "forecast of words, mean error", *at_most(fmean(forecast), 0.15)),
            (shown, f"{len(absent[name])} topics not held, called full or partial", *at_most(claimed, 0, 0)),
            (shown, f"without any source, of {len(articles)}", str(len(articles) - len(sourced)), "", ""),
            (shown, "words, mean", f"{fmean(w.article.word_count for w in articles):.0f}", "", ""),
        ]
    return Table(
        "Articles of standard length, forced, by the writer without a model",
        ("knowledge base", "figure", "measured", "target", ""),
        rows,
        "Fitted: what is on a topic was learned from these; the other sets share one list of subjects in three "
        "languages. Articles without any source are outlines, and are left out of all figures but the last three.",
    )


def _recall_table(written: dict[str, list[Written]]) -> Table:
    rows: list[Sequence[str]] = []
    for name, articles in written.items():
        recalled = [w.recall for w in articles if w.recall is not None]
        if not recalled:
            continue
        for i, measure in enumerate(("ROUGE-1", "ROUGE-2")):
            means = {system: fmean(r[system][i] for r in recalled) for system in recalled[0]}
            best = max(value for system, value in means.items() if system not in ("product", WHOLE))
            rows += [(name, measure, system, f"{value:.3f}", "", "") for system, value in means.items()]
            rows.append((name, measure, "product over the better summary", *at_least(means["product"] / best, GAIN)))
    return Table(
        "Recall of the real article's lead",
        ("knowledge base", "measure", "system", "measured", "target", ""),
        rows,
        "LexRank and TextRank (sumy) pick as many words from the same passages; recall by rouge-score, stemmed. The "
        "passages whole are more than any article of this length can say.",
    )


def _recall(article: Article, topic: Topic, texts: Sequence[str], language: Language) -> dict[str, tuple[float, float]]:
    from rouge_score import rouge_scorer  # type: ignore[import-not-found,unused-ignore]

    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2"], use_stemmer=True)
    grounding = article.grounding
    own = " ".join(sentence.text for sentence in grounding.sentences) if grounding else ""
    summaries = {"product": own} | _summaries(texts, len(own.split()), language) | {WHOLE: "\n".join(texts)}

    def of(text: str) -> tuple[float, float]:
        found = scorer.score(topic.lead, text)
        return found["rouge1"].recall, found["rouge2"].recall

    return {system: of(text) for system, text in summaries.items()}


class _Tokenizer:
    """Sentences and words as the product reads them, for sumy."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def to_sentences(self, text: str) -> list[str]:
        return [span.of(text) for span in ANALYSIS.sentences(text, self._language)]

    def to_words(self, text: str) -> list[str]:
        return [token.text.casefold() for token in ANALYSIS.tokens(text, self._language)]


def _summaries(texts: Sequence[str], words: int, language: Language) -> dict[str, str]:
    """Return the first sentences by LexRank and by TextRank, up to so many words."""
    from sumy.parsers.plaintext import PlaintextParser  # type: ignore[import-not-found,unused-ignore]
    from sumy.summarizers.lex_rank import LexRankSummarizer  # type: ignore[import-not-found,unused-ignore]
    from sumy.summarizers.text_rank import TextRankSummarizer  # type: ignore[import-not-found,unused-ignore]

    document = PlaintextParser.from_string("\n".join(texts), _Tokenizer(language)).document
    found: dict[str, str] = {}
    for name, summarizer in (("LexRank", LexRankSummarizer), ("TextRank", TextRankSummarizer)):
        chosen = summarizer()(document, lambda rated: _within(rated, words))
        found[name] = " ".join(str(sentence) for sentence in chosen)
    return found


def _within(rated: Sequence[Any], words: int) -> Sequence[Any]:
    """Return the best sentences that reach so many words. `rated`: sumy's, best first."""
    total = 0
    for i, info in enumerate(rated):
        total += len(str(info.sentence).split())
        if total >= words:
            return rated[: i + 1]
    return rated
