"""Find the passages on a topic, by words and meaning together, and by their similarity to one another. A paragraph in
the middle of a text seldom names the text's subject, but is near to paragraphs that do. So each passage is compared
with the topic first, then with the passages that are most likely on the topic and with those that are not, in rounds.
Each round is a logistic regression (on_topic_weights.py), fitted on knowledge bases with known subjects."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.policies.retrieval.on_topic_weights import FIRST, FURTHER, Fitted
from contentgen_core.policies.text.nearness import NearnessScale, cosine

MOST_COMPARED: Final = 40
"""The best passages of a search, which are compared with each other; the others are not on the topic."""
ON_TOPIC: Final = 0.68
"""The probability from which a passage is on the topic."""
SAME_DOCUMENT: Final = 0.35
"""The same for a passage of a document that has one which is."""
SHARE_OF_LIKELIEST: Final = 0.7
"""Of the likeliest passage's probability: what counts beside it where the topic is covered."""
LIKELIEST: Final = 0.4
"""The least probability of that passage."""
STANDING_OUT: Final = 0.25
"""Of the way from the usual combined score of a search to its best."""
MOST_STANDING_OUT: Final = 0.45
"""The same where all passages that are compared are likely on the topic."""
CROWD: Final = 0.4
"""The share of likely passages from which probabilities alone do not tell them apart."""
CERTAIN: Final = 0.95
"""The probability from which a passage need not stand out, below the CROWD."""
NEAREST_OF_DOCUMENT: Final = 3
"""Passages of a document whose mean nearness to the topic is the document's."""
DOCUMENT_STANDING_OUT: Final = 0.5
"""Of the way from the usual document of a search to its nearest."""
FEWEST_DOCUMENTS: Final = 3
"""Documents of several passages that tell what is usual."""
FEW: Final = 20
"""Fewer passages tell too little of what is usual: among them the likeliest is taken for one on the topic, and those
that are at least half as likely with it."""
LEAST_AMONG_FEW: Final = 0.1
"""The least probability of any of these, but where the topic is covered."""

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


@frozen
class Compared:
    """The data by which passages are compared. `ranked`: best first; `vectors`: of unit length; `nearness`: to the
    topic, above the usual, on the `scale`."""

    ranked: Sequence[RankedPassage]
    vectors: Mapping[SourceRef, Sequence[float]]
    nearness: Mapping[SourceRef, float]
    scale: NearnessScale


class Rounds:
    """The features of the MOST_COMPARED best passages, round by round."""

    def __init__(self, compared: Compared) -> None:
        """`compared`: at least one passage."""
        self.best = compared.ranked[:MOST_COMPARED]
        most = max(ranked.combined_score for ranked in self.best)
        self._own = [(compared.nearness[r.ref], r.rerank_score, r.combined_score / (most or 1.0)) for r in self.best]
        self._search = (most, max(nearness for nearness, *_ in self._own), max(words for _, words, _ in self._own))
        self._near = _symmetric([compared.vectors[r.ref] for r in self.best], compared.scale)
        self._usual = _usual_pair(self._near)

    def first(self) -> list[tuple[float, ...]]:
        """Return the features of the first round: for each passage the nearness to the topic above the usual, the score
        by words, and the combined score as a share of the best one; then of the whole search the best combined score,
        nearness and score by words."""
        return [(*own, *self._search) for own in self._own]

    def among(self, likely: Sequence[float]) -> list[tuple[float, ...]]:
        """Return the features of a later round: for each passage its three of the first round; then its nearness to the
        likely passages above the usual, and how much nearer it is than the nearest others; then those of the search.
        `likely`: the probability of each passage by the round before."""
        others = (_among_others(i, likely, self._near, self._usual) for i in range(len(self.best)))
        return [(*own, *found, *self._search) for own, found in zip(self._own, others, strict=True)]


def probabilities(compared: Compared) -> dict[SourceRef, float]:
    """Return the probability that each of the MOST_COMPARED best passages is on the topic. Takes some tens of
    milliseconds."""
    if not compared.ranked:
        return {}
    rounds = Rounds(compared)
    likely = [_logistic(FIRST, features) for features in rounds.first()]
    for fitted in FURTHER:
        likely = [_logistic(fitted, features) for features in rounds.among(likely)]
    return {ranked.ref: probability for ranked, probability in zip(rounds.best, likely, strict=True)}


def on_topic(
    ranked: Sequence[RankedPassage],
    likely: Mapping[SourceRef, float],
    nearness: Mapping[SourceRef, float],
    *,
    covered: bool = False,
) -> tuple[RankedPassage, ...]:
    """The passages on the topic, in their order: likely ones that stand out from what is usual in this search. In a
    knowledge base on one field all passages are near to its topics, and few are on one of them. There, those of the
    documents on it are taken, and of others what is nearer to it than these are.

    `ranked`: all that the search found; `likely`: as `probabilities` gives it; a passage without is not on the topic.
    `nearness`: of these to the topic beside each other (text/nearness.py), since on one field all are near to it.
    `covered`: whether a coverage check says that there are sources on it; then those are taken that are nearly as
    likely as the likeliest, however likely that is.
    """
    least = _least_probability(likely, covered=covered)
    standing_out = _standing_out(ranked, likely)
    whole, elsewhere = _documents(ranked, likely, nearness)
    sure = {
        r.ref for r in ranked if likely.get(r.ref, -1.0) >= least and r.ref in standing_out and r.ref not in elsewhere
    }
    documents = {r.passage.document.id for r in ranked if r.ref in sure}
    beside = min(least, SAME_DOCUMENT)
    return tuple(
        r
        for r in ranked
        if r.ref in sure
        or (
            r.passage.document.id in documents
            and likely.get(r.ref, -1.0) >= beside
            and (r.ref in standing_out or r.ref in whole)
            and r.ref not in elsewhere
        )
    )


def depends_on_coverage(likely: Mapping[SourceRef, float]) -> bool:
    """Whether it makes a difference to `on_topic` if the topic is covered."""
    return _least_probability(likely, covered=True) < _least_probability(likely, covered=False)


def _least_probability(likely: Mapping[SourceRef, float], *, covered: bool) -> float:
    likeliest = max(likely.values(), default=0.0)
    if len(likely) < FEW:
        return max(min(ON_TOPIC, likeliest / 2), 0.0 if covered else LEAST_AMONG_FEW)
    if covered and likeliest >= LIKELIEST:
        return min(ON_TOPIC, SHARE_OF_LIKELIEST * likeliest)
    return ON_TOPIC


def _documents(
    ranked: Sequence[RankedPassage], likely: Mapping[SourceRef, float], nearness: Mapping[SourceRef, float]
) -> tuple[frozenset[SourceRef], frozenset[SourceRef]]:
    """Return, of documents with several passages, the passages of those that stand out by their nearness, and those of
    the others that are not nearer than the nearest document; both empty where such documents are too few to tell what
    is usual."""
    several: dict[DocumentId, list[SourceRef]] = {}
    for each in ranked:
        if each.ref in likely:
            several.setdefault(each.passage.document.id, []).append(each.ref)
    several = {document: refs for document, refs in several.items() if len(refs) > 1}
    if len(several) < FEWEST_DOCUMENTS:
        return frozenset(), frozenset()
    near = {
        document: fmean(sorted((nearness[ref] for ref in refs), reverse=True)[:NEAREST_OF_DOCUMENT])
        for document, refs in several.items()
    }
    usual, nearest = median(near.values()), max(near.values())
    least = usual + DOCUMENT_STANDING_OUT * (nearest - usual)
    whole = frozenset(ref for document, refs in several.items() if near[document] >= least for ref in refs)
    others = (ref for document, refs in several.items() if near[document] < least for ref in refs)
    return whole, frozenset(ref for ref in others if nearness[ref] < nearest)


def _standing_out(ranked: Sequence[RankedPassage], likely: Mapping[SourceRef, float]) -> frozenset[SourceRef]:
    """Return the passages whose combined score is far enough from the usual one to the best: farther the more passages
    are likely on the topic, and the certain ones where those are few; all of them where there are too few to tell what
    is usual."""
    scores = sorted((r.combined_score for r in ranked), reverse=True)[: 2 * MOST_COMPARED]
    if len(scores) < MOST_COMPARED:
        return frozenset(r.ref for r in ranked)
    crowd = sum(probability >= ON_TOPIC for probability in likely.values()) / MOST_COMPARED
    usual = median(scores)
    least = usual + _share_of_the_way(crowd) * (scores[0] - usual)
    certain = CERTAIN if crowd <= CROWD else math.inf
    return frozenset(r.ref for r in ranked if r.combined_score >= least or likely.get(r.ref, 0.0) >= certain)


def _share_of_the_way(crowd: float) -> float:
    """STANDING_OUT up to a quarter of the passages, then in proportion up to MOST_STANDING_OUT for all of them."""
    return STANDING_OUT + (MOST_STANDING_OUT - STANDING_OUT) * max(0.0, crowd - 0.25) / 0.75


def _among_others(
    place: int,
    likely: Sequence[float],
    near: Sequence[Sequence[float]],
    usual: float,
) -> tuple[float, float]:
    """The two features of a passage among the others: see Rounds.among."""
    others = [i for i in range(len(likely)) if i != place]
    company = sorted(others, key=lambda i: (-likely[i], i))[:_COMPANY]
    if not company:
        return 0.0, -_REST
    weights = [max(_LEAST_WEIGHT, likely[i]) for i in company]
    whole = math.fsum(weights)
    nearness = math.fsum(w * near[place][i] for w, i in zip(weights, company, strict=True)) / whole
    nearness = (nearness * len(company) + usual) / (len(company) + 1)
    apart = sorted((near[place][i] for i in others if likely[i] <= _LIKELY), reverse=True)[:_COMPANY]
    rest = math.fsum([*apart, *[usual + _REST] * (_COMPANY - len(apart))]) / _COMPANY
    return nearness - usual, nearness - rest


def _symmetric(vectors: Sequence[Sequence[float]], scale: NearnessScale) -> list[list[float]]:
    near = [[0.0] * len(vectors) for _ in vectors]
    for i, one in enumerate(vectors):
        for j in range(i):
            near[i][j] = near[j][i] = scale.of(cosine(one, vectors[j]))
    return near


def _usual_pair(near: Sequence[Sequence[float]]) -> float:
    """Return the usual nearness of two of the passages; the fewer there are, the more the general default counts."""
    pairs = [near[i][j] for i in range(len(near)) for j in range(i)]
    middle = min(median(pairs), _MOST_USUAL_PAIR) if pairs else _USUAL_PAIR
    return (len(near) * middle + _USUAL_COUNTS * _USUAL_PAIR) / (len(near) + _USUAL_COUNTS)


def _logistic(fitted: Fitted, features: Sequence[float]) -> float:
    at = fitted.intercept + math.fsum(w * x for w, x in zip(fitted.weights, features, strict=True))
    return 1.0 / (1.0 + math.exp(-at))
