"""`python -m benchmarks.quality.fit_coverage` fits the coverage score on the collections that CONTENTGEN_BENCH_DATA
names and writes its weights and cut-offs into the product. The quality page reports every collection with weights that
were fitted without its family."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from benchmarks.quality.collections import SETTING
from benchmarks.quality.coverage_cases import Case, Left, all_cases
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.coverage import weights as coverage_weights
from contentgen_core.policies.coverage.assessment import (
    NEEDS,
    ON_TOPIC_PROBABILITY,
    features,
    limited_by_supply,
    supply,
)

TARGET: Final = Path(coverage_weights.__file__)
UNCOVERED_ACCEPTED: Final = 0.025
"""At the cut-off for `good`, among the cases fitted on; a little below the target, for collections not seen."""
NOT_FITTED: Final = frozenset({"scifact"})
"""Collections in which a topic's subject goes on being treated by other documents when its own are gone: a claim of
medicine among thousands of abstracts. Such cases are reported, never fitted on: their label says less than they do."""
_RIDGE: Final = 1e-3
_STEPS: Final = 3_000
_RATE: Final = 0.05
_LEAST: Final = 1e-9
_CUTS: Final = np.arange(0.05, 0.96, 0.01)

Floats = NDArray[np.float64]


@frozen
class Fitted:
    """`cuts`: the scores (0..100) from which a level is low, good, excellent."""

    intercept: float
    weights: dict[str, float]
    cuts: tuple[float, float, float]

    def score(self, case: Case, length: ArticleLength = ArticleLength.STANDARD) -> float:
        evidence = case.evidence
        if not evidence.saturation:
            return 0.0
        found = features(evidence)
        logit = self.intercept + sum(weight * found[name] for name, weight in self.weights.items())
        return 100 * limited_by_supply(1 / (1 + math.exp(-logit)), supply(evidence, length))

    def level(self, score: float) -> CoverageLevel:
        return list(CoverageLevel)[sum(score >= cut for cut in self.cuts)]


def committed() -> Fitted:
    """What the product has now."""
    return Fitted(
        coverage_weights.INTERCEPT,
        coverage_weights.WEIGHTS,
        (coverage_weights.LOW_FROM, coverage_weights.GOOD_FROM, coverage_weights.EXCELLENT_FROM),
    )


def enough(case: Case, length: ArticleLength) -> bool:
    """The truth of a case: a title has as many documents of its own as an article of this length should rest on; a
    question, which one document answers, has it."""
    return case.documents >= (NEEDS[length].documents if case.shelf.has_articles else 1)


def true_level(case: Case) -> CoverageLevel:
    """The four levels of a title: no document of its own, 1 or 2, 3 or 4, more."""
    levels = list(CoverageLevel)
    return levels[(case.documents > 0) + (case.documents > 2) + (case.documents > 4)]


def fit(cases: Sequence[Case]) -> Fitted:
    """Weights of a logistic regression, none below 0, of which the product's fixed rule for supply takes its part, by
    gradient descent (Adam: Kingma & Ba 2015) with projection; then the cut-offs. Titles are fitted at every length,
    questions at the shortest; covered and uncovered count the same, and so does each form (titles, questions) of each
    family. Cases of NOT_FITTED without a document of their own are left out."""
    cases = [case for case in cases if not (case.left is Left.NONE and case.shelf.name in NOT_FITTED)]
    rows, supplies, truth, weight = [], [], [], []
    for group in _groups(cases):
        asked = [
            (case, length)
            for case in group
            for length in (ArticleLength if case.shelf.has_articles else (ArticleLength.SHORT,))
        ]
        covered = np.array([enough(case, length) for case, length in asked])
        rows += [list(features(case.evidence).values()) for case, _ in asked]
        supplies += [supply(case.evidence, length) for case, length in asked]
        truth.append(covered)
        weight.append(np.where(covered, 0.5 / covered.sum(), 0.5 / (~covered).sum()))
    names = list(features(cases[0].evidence))
    weights, intercept = _logistic(np.array(rows), np.concatenate(truth), np.concatenate(weight), np.array(supplies))
    fitted = Fitted(intercept, dict(zip(names, map(float, weights), strict=True)), (0.0, 0.0, 0.0))
    return Fitted(fitted.intercept, fitted.weights, _cuts(fitted, cases))


def _groups(cases: Iterable[Case]) -> list[list[Case]]:
    groups: dict[tuple[str, bool], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.shelf.family, case.shelf.has_articles), []).append(case)
    return list(groups.values())


def _logistic(rows: Floats, truth: NDArray[np.bool_], weight: Floats, supply: Floats) -> tuple[Floats, float]:
    spread = rows.std(axis=0) + 1e-9
    scaled = np.column_stack([(rows - rows.mean(axis=0)) / spread, np.ones(len(rows))])
    weight = weight / weight.sum()
    at, mean, square = np.zeros((3, scaled.shape[1]))
    ridge = np.append(np.full(rows.shape[1], _RIDGE), 0.0)
    for step in range(1, _STEPS + 1):
        found = 1 / (1 + np.exp(-scaled @ at))
        # of the cross entropy of what `limited_by_supply` leaves, by the logit
        part = np.where(found > ON_TOPIC_PROBABILITY, supply, 1.0)
        left = np.minimum(found, ON_TOPIC_PROBABILITY) + supply * np.maximum(0.0, found - ON_TOPIC_PROBABILITY)
        slope = (left - truth) / np.maximum(left * (1 - left), _LEAST) * part * found * (1 - found)
        gradient = scaled.T @ (slope * weight) + ridge * at
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        at = at - _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        at[:-1] = np.maximum(at[:-1], 0.0)
    weights = at[:-1] / spread
    return weights, float(at[-1] - weights @ rows.mean(axis=0))


def _cuts(fitted: Fitted, cases: Sequence[Case]) -> tuple[float, float, float]:
    """`good`: the lowest that accepts few enough of the uncovered (the mean over the groups); then `low` and
    `excellent` by the best macro-F1 over titles."""
    groups = [[fitted.score(c) for c in group if c.left in (Left.NONE, Left.ELSEWHERE)] for group in _groups(cases)]
    good = next(
        (cut for cut in 100 * _CUTS if np.mean([np.mean(np.array(g) >= cut) for g in groups]) <= UNCOVERED_ACCEPTED),
        95.0,
    )
    titles = [case for case in cases if case.shelf.has_articles]
    if not titles:
        return good / 2, float(good), (good + 100) / 2
    scores, truth = np.array([fitted.score(c) for c in titles]), [true_level(c) for c in titles]
    best = (-1.0, good / 2, (good + 100) / 2)
    for low in (cut for cut in 100 * _CUTS if cut < good):
        for excellent in (cut for cut in 100 * _CUTS if cut > good):
            found = (scores >= low).astype(int) + (scores >= good) + (scores >= excellent)
            best = max(best, (macro_f1(truth, [list(CoverageLevel)[i] for i in found]), low, excellent))
    return round(float(best[1]), 1), round(float(good), 1), round(float(best[2]), 1)


def macro_f1(truth: Sequence[CoverageLevel], found: Sequence[CoverageLevel]) -> float:
    """The mean over the levels of 2·hits / (true + found), 0 for a level that is in neither."""
    return float(np.mean([f1_of(level, truth, found) for level in CoverageLevel]))


def f1_of(level: CoverageLevel, truth: Sequence[CoverageLevel], found: Sequence[CoverageLevel]) -> float:
    hits = sum(t is level and f is level for t, f in zip(truth, found, strict=True))
    named = sum(t is level for t in truth) + sum(f is level for f in found)
    return 2 * hits / named if named else 0.0


def held_out(cases: Sequence[Case]) -> dict[str, Fitted]:
    """For each family what is fitted on all others."""
    families = dict.fromkeys(case.shelf.family for case in cases)
    return {family: fit([case for case in cases if case.shelf.family != family]) for family in families}


def written(fitted: Fitted) -> str:
    """The product's module of weights."""
    low, good, excellent = fitted.cuts
    weights = "\n".join(f'    "{name}": {weight:.3f},' for name, weight in fitted.weights.items())
    return f'''\
"""Weights and cut-offs of the coverage score. Written by `python -m benchmarks.quality.fit_coverage`."""

from __future__ import annotations

from typing import Final

INTERCEPT: Final = {fitted.intercept:.3f}
WEIGHTS: Final[dict[str, float]] = {{
{weights}
}}
LOW_FROM: Final = {low:.1f}
GOOD_FROM: Final = {good:.1f}
EXCELLENT_FROM: Final = {excellent:.1f}
'''


def main() -> int:
    if SETTING not in os.environ:
        print(f"set {SETTING} to the folder of the collections", file=sys.stderr)
        return 2
    fitted = fit(all_cases(Path(os.environ[SETTING])))
    assert all(a <= b for a, b in pairwise(fitted.cuts))
    TARGET.write_text(written(fitted), "utf-8")
    print(written(fitted))
    return 0


if __name__ == "__main__":
    sys.exit(main())
