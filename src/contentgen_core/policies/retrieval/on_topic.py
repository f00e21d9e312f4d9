"""Which passages are on a topic, by words and meaning together, and by what they have in common with one another.

A paragraph in the middle of a text seldom names the text's subject, but is near to paragraphs that do. So each passage
is compared with the topic first, then with the passages that are most likely on the topic and with those that are not,
in rounds. Each round is a logistic regression; fitted on knowledge bases with known subjects (docs/quality.md).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.policies.text.nearness import NearnessScale, cosine

MOST_COMPARED: Final = 40
"""The best passages of a search, which are compared with each other; the others are not on the topic."""
ON_TOPIC: Final = 0.68
"""The probability from which a passage is on the topic."""
SAME_DOCUMENT: Final = 0.35
"""The same for a passage of a document that has one which is."""
STANDING_OUT: Final = 0.25
"""Of the way from the usual combined score of a search to its best."""
FEW: Final = 20
"""Fewer passages tell too little of what is usual: among them the likeliest is taken for one on the topic (whether the
topic is covered at all is for the coverage check), and those that are at least half as likely with it."""

_COMPANY: Final = 5
"""The likeliest passages that each one is compared with."""
_LEAST_WEIGHT: Final = 0.02
_LIKELY: Final = 0.5
_USUAL_PAIR: Final = 0.45
"""How near two passages of one knowledge base are, on the scale of nearness."""
_MOST_USUAL_PAIR: Final = 0.55
_USUAL_COUNTS: Final = 10
"""As many passages as the usual value counts for beside those compared."""
_REST: Final = 0.12
"""How much nearer than usual the nearest passages off the topic are, where there are none to compare with."""
_FEWEST: Final = 20
"""Passages that document frequencies are taken of at least, so that few passages do not make all words frequent."""

# For the first round: the nearness to the topic above the usual, the score by words, and the combined score as a share
# of the best one; then of the whole search the best combined score, nearness and score by words. The other rounds have
# after the first three the nearness to the company above the usual, the words shared with it, and how much nearer it is
# than the nearest others.
_FIRST: Final = ((2.471, 1.792, 4.661, 8.110, -0.972, 2.124), -10.121)
_ROUNDS: Final = (
    ((-0.921, 1.244, 2.272, 9.715, 8.132, 1.783, 6.175, -1.170, 3.065), -8.953),
    ((0.572, 2.037, 0.979, 6.986, -2.912, 2.996, 6.067, -1.191, 2.623), -8.045),
)


@frozen
class Compared:
    """What passages are compared by. `ranked`: best first; `vectors`: of unit length; `nearness`: to the topic, above
    what is usual, on the `scale`."""

    ranked: Sequence[RankedPassage]
    vectors: Mapping[SourceRef, Sequence[float]]
    nearness: Mapping[SourceRef, float]
    scale: NearnessScale


def probabilities(compared: Compared) -> dict[SourceRef, float]:
    """For each of the MOST_COMPARED best passages, how likely it is on the topic. Takes some tens of milliseconds."""
    best = compared.ranked[:MOST_COMPARED]
    if not best:
        return {}
    most = max(ranked.combined_score for ranked in best)
    own = [(compared.nearness[r.ref], r.rerank_score, r.combined_score / (most or 1.0)) for r in best]
    whole = (most, max(nearness for nearness, *_ in own), max(words for _, words, _ in own))
    likely = [_logistic(_FIRST, (*features, *whole)) for features in own]
    near = _symmetric([compared.vectors[r.ref] for r in best], compared.scale)
    shared = _shared_words(best)
    usual = _usual_pair(near)
    for fitted in _ROUNDS:
        found = [_among_others(i, likely, near, shared, usual) for i in range(len(best))]
        likely = [_logistic(fitted, (*features, *others, *whole)) for features, others in zip(own, found, strict=True)]
    return {ranked.ref: probability for ranked, probability in zip(best, likely, strict=True)}


def on_topic(ranked: Sequence[RankedPassage], likely: Mapping[SourceRef, float]) -> tuple[RankedPassage, ...]:
    """The passages on the topic, in their order: likely ones that stand out from what is usual in this search. In a
    knowledge base on one field all passages are near to its topics, and few are on one of them.

    `ranked`: all that the search found; `likely`: as `probabilities` gives it; a passage without is not on the topic.
    """
    least = ON_TOPIC
    if len(likely) < FEW:
        least = min(least, max(likely.values(), default=0.0) / 2)
    standing_out = _standing_out(ranked)
    sure = {r.ref for r in ranked if likely.get(r.ref, -1.0) >= least and r.ref in standing_out}
    documents = {r.passage.document.id for r in ranked if r.ref in sure}
    beside = min(least, SAME_DOCUMENT)
    return tuple(
        r
        for r in ranked
        if r.ref in sure
        or (r.passage.document.id in documents and likely.get(r.ref, -1.0) >= beside and r.ref in standing_out)
    )


def _standing_out(ranked: Sequence[RankedPassage]) -> frozenset[SourceRef]:
    """Those whose combined score is some way from the usual one to the best; all of them where there are too few to
    know what is usual."""
    scores = sorted((r.combined_score for r in ranked), reverse=True)[: 2 * MOST_COMPARED]
    if len(scores) < MOST_COMPARED:
        return frozenset(r.ref for r in ranked)
    usual = median(scores)
    least = usual + STANDING_OUT * (scores[0] - usual)
    return frozenset(r.ref for r in ranked if r.combined_score >= least)


def _among_others(
    place: int,
    likely: Sequence[float],
    near: Sequence[Sequence[float]],
    shared: Sequence[Sequence[float]],
    usual: float,
) -> tuple[float, float, float]:
    """The features of a passage among the others: see _ROUNDS."""
    others = [i for i in range(len(likely)) if i != place]
    company = sorted(others, key=lambda i: (-likely[i], i))[:_COMPANY]
    if not company:
        return 0.0, 0.0, -_REST
    weights = [max(_LEAST_WEIGHT, likely[i]) for i in company]
    whole = math.fsum(weights)
    nearness = math.fsum(w * near[place][i] for w, i in zip(weights, company, strict=True)) / whole
    nearness = (nearness * len(company) + usual) / (len(company) + 1)
    words = math.fsum(w * shared[place][i] for w, i in zip(weights, company, strict=True)) / whole
    apart = sorted((near[place][i] for i in others if likely[i] <= _LIKELY), reverse=True)[:_COMPANY]
    rest = math.fsum([*apart, *[usual + _REST] * (_COMPANY - len(apart))]) / _COMPANY
    return nearness - usual, words, nearness - rest


def _symmetric(vectors: Sequence[Sequence[float]], scale: NearnessScale) -> list[list[float]]:
    near = [[0.0] * len(vectors) for _ in vectors]
    for i, one in enumerate(vectors):
        for j in range(i):
            near[i][j] = near[j][i] = scale.of(cosine(one, vectors[j]))
    return near


def _usual_pair(near: Sequence[Sequence[float]]) -> float:
    """How near two of the passages usually are; the fewer there are, the more what is usual elsewhere counts."""
    pairs = [near[i][j] for i in range(len(near)) for j in range(i)]
    middle = min(median(pairs), _MOST_USUAL_PAIR) if pairs else _USUAL_PAIR
    return (len(near) * middle + _USUAL_COUNTS * _USUAL_PAIR) / (len(near) + _USUAL_COUNTS)


def _shared_words(best: Sequence[RankedPassage]) -> list[list[float]]:
    """The cosine of each two passages' terms, weighted by inverse document frequency; terms of half of them left
    out."""
    counts = [Counter(r.passage.terms) for r in best]
    frequency = Counter(term for bag in counts for term in bag)
    of = max(_FEWEST, len(best))
    bags: list[dict[str, float]] = []
    for bag in counts:
        weighted = {
            term: (1 + math.log(count)) * math.log(1 + of / frequency[term])
            for term, count in bag.items()
            if frequency[term] <= of / 2
        }
        norm = math.sqrt(math.fsum(w * w for w in weighted.values())) or 1.0
        bags.append({term: w / norm for term, w in weighted.items()})
    shared = [[0.0] * len(bags) for _ in bags]
    for i, one in enumerate(bags):
        for j in range(i):
            shared[i][j] = shared[j][i] = math.fsum(w * bags[j][t] for t, w in one.items() if t in bags[j])
    return shared


def _logistic(fitted: tuple[Sequence[float], float], features: Sequence[float]) -> float:
    weights, constant = fitted
    at = constant + math.fsum(w * x for w, x in zip(weights, features, strict=True))
    return 1.0 / (1.0 + math.exp(-at))
