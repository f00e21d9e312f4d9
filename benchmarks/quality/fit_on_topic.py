"""`python -m benchmarks.quality.fit_on_topic` fits what is on a topic on the knowledge bases of FITTED, in the folder
that CONTENTGEN_BENCH_DATA names; prints the weights of the product's rounds, and what they keep on all of them."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from benchmarks.quality import article_sets
from benchmarks.quality.article_sets import ArticleSet, Topic
from benchmarks.quality.articles import FITTED
from benchmarks.quality.baselines import Remembering
from benchmarks.quality.collections import SETTING, Paragraph
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.policies.retrieval.on_topic import MOST_COMPARED, ON_TOPIC, Compared, Rounds
from contentgen_core.policies.retrieval.on_topic_weights import FURTHER, Fitted
from contentgen_core.policies.text.nearness import cosine
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_grounded import CoreServices, Settings
from contentgen_grounded.bootstrap import providers
from contentgen_grounded.bootstrap.memory import memory_ports
from contentgen_grounded.bootstrap.options import chosen_options

NICHE: Final = "fit"
SEED: Final = 5
COUNTS: Final = {"whole": 10, "own": 2, "few": 1, "other": 1, "without": 1}
"""How often a case of each kind counts. whole: the knowledge base as it is; own: the subject's paragraphs alone; few:
these and one to six others; other: one other subject's alone, or several paragraphs of others; without: the whole
knowledge base without the subject."""
_RIDGE: Final = 1e-3
_STEPS: Final = 60

Floats = NDArray[np.float64]


@frozen
class Case:
    """A topic over a knowledge base. `on_topic`: for each of the compared passages whether it is on the subject;
    `held`: the number of the subject's paragraphs.
    """

    name: str
    kind: str
    rounds: Rounds
    on_topic: Floats
    held: int


async def cases(data: Path, embedder: Embedder) -> list[Case]:
    """Return the cases of all knowledge bases and topics, without those whose search finds nothing."""
    chance = random.Random(SEED)
    found: list[Case] = []
    for each in article_sets.load(data):
        async with _opened(embedder, each, each.paragraphs) as retrieve:
            for topic in each.topics:
                found += await _case(retrieve, each, topic, "whole")
        for topic in each.topics:
            for kind, paragraphs in _variants(each, topic, chance):
                async with _opened(embedder, each, paragraphs) as retrieve:
                    found += await _case(retrieve, each, topic, kind)
    return found


def _variants(each: ArticleSet, topic: Topic, chance: random.Random) -> Iterator[tuple[str, list[Paragraph]]]:
    own = [p for p in each.paragraphs if p.group == topic.id]
    others = [p for p in each.paragraphs if p.group != topic.id]
    another = chance.choice(sorted({p.group for p in others}))
    yield "own", own
    yield "few", own + chance.sample(others, chance.randint(1, 6))
    yield "other", chance.sample(others, chance.randint(2, 15))
    yield "other", [p for p in others if p.group == another]
    yield "without", others


@asynccontextmanager
async def _opened(embedder: Embedder, each: ArticleSet, paragraphs: Sequence[Paragraph]) -> AsyncIterator[Retrieve]:
    settings = Settings(embeddings="hashed")
    async with providers.with_chosen_adapters(settings, memory_ports()) as ports:
        ports = evolve(ports, embedder=embedder, former_models=())
        services = CoreServices.compose(ports, chosen_options(settings, ports.model))
        sources = ArticleSet(each.name, each.language, tuple(paragraphs), ()).sources()
        await services.knowledge.import_sources(KbScope(NICHE), sources)
        await services.knowledge.apply_index_changes.drain("fit")
        await services.knowledge.embed_passages.drain("fit")
        yield services.jobs.generate_article.retrieve


async def _case(retrieve: Retrieve, each: ArticleSet, topic: Topic, kind: str) -> list[Case]:
    retrieved = await retrieve(KbView(NICHE), topic.title, MOST_COMPARED)
    ranked, background, vector = retrieved.by_words(), retrieved.background, retrieved.vector
    if not ranked or background is None or vector is None:
        return []
    vectors = await retrieve.vectors_of(ranked[:MOST_COMPARED])
    near = {ref: background.scale.of(cosine(vector, other)) - background.level for ref, other in vectors.items()}
    rounds = Rounds(Compared(ranked, vectors, near, background.scale))
    groups = {paragraph.id: paragraph.group for paragraph in each.paragraphs}
    own = [float(groups[r.passage.document.source_key] == topic.id) for r in rounds.best]
    held = 0 if kind in ("other", "without") else sum(group == topic.id for group in groups.values())
    return [Case(each.name, kind, rounds, np.array(own), held)]


def fit(training: Sequence[Case], rounds: int) -> list[Fitted]:
    """A regression for each round, each over the features that the one before leads to."""
    features: list[Floats] = [np.array(case.rounds.first()) for case in training]
    found: list[Fitted] = []
    for _ in range(rounds):
        found.append(_regression(training, features))
        likely = [_probability(found[-1], each) for each in features]
        features = [np.array(case.rounds.among(each.tolist())) for case, each in zip(training, likely, strict=True)]
    return found


def _regression(training: Sequence[Case], features: Sequence[Floats]) -> Fitted:
    """Fit by Newton's method; each case weighs the same, however many passages it has, times COUNTS."""
    rows, labels = np.concatenate(features), np.concatenate([case.on_topic for case in training])
    counts = [np.full(len(case.on_topic), COUNTS[case.kind] / len(case.on_topic)) for case in training]
    weights = np.concatenate(counts)
    weights /= weights.mean()
    mean, spread = rows.mean(0), rows.std(0) + 1e-9
    inputs = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    ridge = _RIDGE * len(rows) * np.eye(inputs.shape[1])
    ridge[-1, -1] = 0.0
    found = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        at = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (weights * (at - labels)) + ridge @ found
        curvature = (inputs * (weights * at * (1 - at))[:, None]).T @ inputs + ridge
        found -= np.linalg.solve(curvature, slope)
    scaled = found[:-1] / spread
    return Fitted(tuple(round(float(w), 3) for w in scaled), round(float(found[-1] - scaled @ mean), 3))


def _probability(fitted: Fitted, features: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-(features @ np.array(fitted.weights) + fitted.intercept)))
    return result


def probabilities(fitted: Sequence[Fitted], case: Case) -> Floats:
    likely = _probability(fitted[0], np.array(case.rounds.first()))
    for each in fitted[1:]:
        likely = _probability(each, np.array(case.rounds.among(likely.tolist())))
    return likely


def report(fitted: Sequence[Fitted], among: Sequence[Case]) -> Iterator[str]:
    """Lines of what ON_TOPIC keeps: the mean share of the kept that are the subject's, and of the subject's that are
    kept; where there are none of it, the share of searches that keep any."""
    for name, kind in dict.fromkeys((case.name, case.kind) for case in among):
        group = [case for case in among if (case.name, case.kind) == (name, kind)]
        kept = [(case, probabilities(fitted, case) >= ON_TOPIC) for case in group]
        if not group[0].held:
            yield f"{name:13} {kind:8} keeps any: {np.mean([chosen.any() for _, chosen in kept]):.2f}"
            continue
        precision = np.mean([case.on_topic[chosen].mean() for case, chosen in kept if chosen.any()])
        recall = np.mean([case.on_topic[chosen].sum() / case.held for case, chosen in kept])
        yield f"{name:13} {kind:8} precision {precision:.3f} recall {recall:.3f}"


def main() -> int:
    if SETTING not in os.environ:
        print(f"set {SETTING} to the folder of the collections", file=sys.stderr)
        return 2
    embedder = Remembering(asyncio.run(SemanticEmbedder.open()))
    found = asyncio.run(cases(Path(os.environ[SETTING]), embedder))
    fitted = fit([case for case in found if case.name in FITTED], 1 + len(FURTHER))
    for each in fitted:
        print(each)
    print(*report(fitted, found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
