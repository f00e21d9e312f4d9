"""Measures of a ranking and of scores against judgements."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from math import log2
from statistics import fmean


def ndcg(ranking: Sequence[str], grades: Mapping[str, int], depth: int = 10) -> float:
    """Normalised discounted cumulative gain of one query, 0..1: the sum over the first `depth` places i of
    grade / log2(i + 1), divided by that of the best possible order (Järvelin & Kekäläinen 2002, "Cumulated Gain-Based
    Evaluation of IR Techniques", with the grade itself as gain, as trec_eval's ndcg_cut and BEIR have it). 0 for a
    query without relevant documents. An id named twice counts at its first place."""
    best = _discounted_gain(sorted(grades.values(), reverse=True)[:depth])
    return _discounted_gain(grades.get(id, 0) for id in list(dict.fromkeys(ranking))[:depth]) / best if best else 0.0


def mean_ndcg(rankings: Mapping[str, Sequence[str]], judged: Mapping[str, Mapping[str, int]], depth: int = 10) -> float:
    """The mean over the judged queries; one that was not answered counts 0."""
    return fmean(ndcg(rankings.get(query, ()), grades, depth) for query, grades in judged.items())


def recall(rankings: Mapping[str, Sequence[str]], judged: Mapping[str, Mapping[str, int]], depth: int) -> float:
    """The mean share of a query's relevant documents among its first `depth`, 0..1."""
    relevant = {query: {id for id, grade in grades.items() if grade > 0} for query, grades in judged.items()}
    return fmean(
        len(wanted & set(list(dict.fromkeys(rankings.get(query, ())))[:depth])) / len(wanted)
        for query, wanted in relevant.items()
        if wanted
    )


def auroc(high: Sequence[float], low: Sequence[float]) -> float:
    """The chance that one of `high` is above one of `low`, ties counting half (Mann and Whitney 1947)."""
    ordered = sorted(low)
    wins = sum((bisect_left(ordered, x) + bisect_right(ordered, x)) / 2 for x in high)
    return wins / (len(high) * len(low))


def _discounted_gain(grades: Iterable[int]) -> float:
    return sum(grade / log2(place + 1) for place, grade in enumerate(grades, start=1))
