"""A second look at the candidates of a search: what the best of them are about counts for the others too.

Pseudo-relevance feedback in the manner of RM3 (Abdul-Jaleel et al. 2004, "UMass at TREC 2004: Novelty and HARD"), but
within the candidates: the words that tell the best passages from the others are a second, longer query."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Final

from contentgen_core.model.knowledge import Passage
from contentgen_core.policies.retrieval.bm25 import K1, B

BEST: Final = 5  # passages that are read again
WORDS: Final = 20  # words taken from them
SHARE: Final = 0.15
"""Of the new score, for a topic of at most FEW terms; a longer one says by itself what it is about."""
FEW: Final = 3


def share(terms: int) -> float:
    """How much of the score the second look makes for a topic of so many terms."""
    return SHARE * min(1.0, FEW / terms) if terms else 0.0


def seconded(passages: Sequence[Passage], scores: Sequence[float], asked: Collection[str]) -> list[float]:
    """For each passage its score, 0..1, by the words of the best ones. `asked` are the topic's own terms, which have
    been counted already. Copies of one content are read once. All 0 when the best share no word with
    the others."""
    counts = [Counter(passage.terms) for passage in passages]
    mean = sum(len(p.terms) for p in passages) / len(passages) if passages else 0.0
    damping = [K1 * (1 - B + B * (len(p.terms) / mean if mean else 1.0)) for p in passages]
    weights = _words(passages, scores, counts, damping, asked)
    total = sum(weights.values())
    if not total:
        return [0.0] * len(passages)
    found = []
    for count, damped in zip(counts, damping, strict=True):
        found.append(sum(w * count[t] / (count[t] + damped) for t, w in weights.items() if t in count) / total)
    return found


def _words(
    passages: Sequence[Passage],
    scores: Sequence[float],
    counts: Sequence[Counter[str]],
    damping: Sequence[float],
    asked: Collection[str],
) -> dict[str, float]:
    best = _best(passages, scores)
    held = Counter(chain.from_iterable(counts))  # in how many passages each occurs
    weights: dict[str, float] = {}
    for place in best:
        for term, frequency in counts[place].items():
            if held[term] > 1 and term not in asked:
                # The view's statistics know the topic's terms alone: how telling another is, the candidates show.
                telling = math.log((len(passages) + 1) / (held[term] + 0.5))
                weight = scores[place] * frequency / (frequency + damping[place]) * max(telling, 0.0)
                weights[term] = weights.get(term, 0.0) + weight
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:WORDS])


def _best(passages: Sequence[Passage], scores: Sequence[float]) -> list[int]:
    """The places of the best passages that score at all, best first, one of each content."""
    order = sorted(range(len(passages)), key=lambda i: (-scores[i], passages[i].document.id, passages[i].chunk_index))
    contents: dict[str, int] = {}
    for place in order:
        if scores[place] > 0.0:
            contents.setdefault(passages[place].content_hash, place)
        if len(contents) == BEST:
            break
    return list(contents.values())
