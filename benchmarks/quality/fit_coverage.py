"""`python -m benchmarks.quality.fit_coverage` fits the coverage score on the collections that CONTENTGEN_BENCH_DATA
names, for words alone and for an embedder that models meaning, and writes its weights and cut-offs into the product.
The quality page reports every collection with weights that were fitted without its family."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from benchmarks.quality.baselines import Remembering
from benchmarks.quality.collections import SETTING
from benchmarks.quality.coverage_cases import Case, Left, all_cases
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.coverage import weights as coverage_weights
from contentgen_core.policies.coverage.assessment import (
    NEEDS,
    ON_TOPIC_PROBABILITY,
    Calibrations,
    features,
    features_of_long,
    features_of_short,
    level_of,
    probability,
    supply,
)
from contentgen_core.policies.coverage.calibration import Calibration, Cuts
from contentgen_core.policies.coverage.evidence import shortness

TARGET: Final = Path(coverage_weights.__file__)
UNCOVERED_ACCEPTED: Final = 0.025
"""At the cut-off for `good`, among the cases fitted on; a little below the target, for collections not seen."""
UNCOVERED_TITLES_ACCEPTED: Final = 0.005
"""The same for titles where meaning is compared, which tells them apart better."""
TITLES_WEIGH: Final = 4.0
"""How much more than questions titles count where short topics are fitted: those are titles, questions seldom are."""
NOT_FITTED: Final = frozenset({"scifact"})
"""Collections in which a topic's subject goes on being treated by other documents when its own are gone: a claim of
medicine among thousands of abstracts. Such cases are reported, never fitted on: their label says less than they do."""
_RIDGE: Final = 1e-3
_STEPS: Final = 3_000
_RATE: Final = 0.05
_LEAST: Final = 1e-9
_CUTS: Final = np.arange(0.05, 0.96, 0.01)

Floats = NDArray[np.float64]


def score_of(case: Case, fitted: Calibrations, length: ArticleLength = ArticleLength.STANDARD) -> float:
    return 100 * probability(case.evidence, length, fitted)


def level(case: Case, score: float, fitted: Calibrations) -> CoverageLevel:
    return level_of(score, fitted.cuts_for(case.evidence))


def enough(case: Case, length: ArticleLength) -> bool:
    """The truth of a case: a title has as many documents of its own as an article of this length should rest on; a
    question, which one document answers, has it."""
    return case.documents >= (NEEDS[length].documents if case.shelf.has_articles else 1)


def true_level(case: Case) -> CoverageLevel:
    """The four levels of a title: no document of its own, 1 or 2, 3 or 4, more."""
    levels = list(CoverageLevel)
    return levels[(case.documents > 0) + (case.documents > 2) + (case.documents > 4)]


def fit(by_words: Sequence[Case], by_meaning: Sequence[Case] = ()) -> Calibrations:
    """Fit the score. `by_words`, `by_meaning`: the cases with an embedder that compares spelling, and with one that
    models meaning, if there is one.
    """
    words = _fit_words(by_words)
    by_meaning = [case for case in by_meaning if case.evidence.nearness is not None]
    return _fit_meaning(by_meaning, words) if by_meaning else Calibrations(words)


def _fit_words(cases: Sequence[Case]) -> Calibration:
    """Fit the weights of a logistic regression, none below 0, beside the product's fixed rule for supply, by gradient
    descent (Adam: Kingma & Ba 2015) with projection; then the cut-offs. Titles are fitted at every length, questions
    at the shortest; covered and uncovered count the same, and so does each form (titles, questions) of each family.
    Cases of NOT_FITTED without a document of their own are left out.
    """
    asked = _asked(cases)
    rows = [features(case.evidence) for case, _ in asked.cases]
    words = _regression(asked, rows, np.ones(len(rows)), np.zeros(len(rows)))
    return evolve(words, cuts=_cuts(Calibrations(words), cases))


def _fit_meaning(cases: Sequence[Case], words: Calibration) -> Calibrations:
    """Fit the same for long topics over the questions; then for short ones over all cases, as far as they are short,
    with more weight on titles.
    """
    questions = _asked([case for case in cases if not case.shelf.has_articles])
    rows = [features_of_long(case.evidence) for case, _ in questions.cases]
    long = _regression(questions, rows, np.ones(len(rows)), np.zeros(len(rows)))
    asked = _asked(cases)
    asked = evolve(
        asked, weight=asked.weight * [TITLES_WEIGH if case.shelf.has_articles else 1.0 for case, _ in asked.cases]
    )
    share = np.array([shortness(case.evidence.subject_words) for case, _ in asked.cases])
    by_long = np.array([long.logit(features_of_long(case.evidence)) for case, _ in asked.cases])
    short = _regression(
        asked, [features_of_short(case.evidence) for case, _ in asked.cases], share, (1 - share) * by_long
    )
    fitted = Calibrations(words, long, short)
    titles = [case for case in cases if case.shelf.has_articles]
    long = evolve(long, cuts=_cuts(fitted, [case for case in cases if not case.shelf.has_articles]))
    return Calibrations(words, long, evolve(short, cuts=_cuts(fitted, titles, UNCOVERED_TITLES_ACCEPTED)))


@frozen
class _Asked:
    """A case to fit on: `covered`: the truth; `weight`: how much it counts."""

    cases: Sequence[tuple[Case, ArticleLength]]
    covered: NDArray[np.bool_]
    weight: Floats


def _asked(cases: Sequence[Case]) -> _Asked:
    cases = [case for case in cases if not _is_left_out(case)]
    together, truth, weight = [], [], []
    for group in _groups(cases):
        asked = [
            (case, length)
            for case in group
            for length in (ArticleLength if case.shelf.has_articles else (ArticleLength.SHORT,))
        ]
        covered = np.array([enough(case, length) for case, length in asked])
        together += asked
        truth.append(covered)
        weight.append(np.where(covered, 0.5 / covered.sum(), 0.5 / (~covered).sum()))
    return _Asked(together, np.concatenate(truth), np.concatenate(weight))


def _is_left_out(case: Case) -> bool:
    return case.left is Left.NONE and case.shelf.name in NOT_FITTED


def _regression(asked: _Asked, rows: Sequence[dict[str, float]], share: Floats, rest: Floats) -> Calibration:
    """Fit one regression. `share`: its weight in each case; `rest`: the rest of the case's log-odds."""
    supplies = np.array([supply(case.evidence, length) for case, length in asked.cases])
    table = np.array([list(row.values()) for row in rows])
    weights, intercept = _logistic(table, share, rest, asked.covered, asked.weight, supplies)
    fitted = {name: float(weight) for name, weight in zip(rows[0], weights, strict=True)}
    return Calibration(intercept, fitted, (0.0, 0.0, 0.0))


def _groups(cases: Iterable[Case]) -> list[list[Case]]:
    groups: dict[tuple[str, bool], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.shelf.family, case.shelf.has_articles), []).append(case)
    return list(groups.values())


def _logistic(
    rows: Floats, share: Floats, rest: Floats, truth: NDArray[np.bool_], weight: Floats, supply: Floats
) -> tuple[Floats, float]:
    spread = rows.std(axis=0) + 1e-9
    scaled = share[:, None] * np.column_stack([(rows - rows.mean(axis=0)) / spread, np.ones(len(rows))])
    weight = weight / weight.sum()
    at, mean, square = np.zeros((3, scaled.shape[1]))
    ridge = np.append(np.full(rows.shape[1], _RIDGE), 0.0)
    for step in range(1, _STEPS + 1):
        found = 1 / (1 + np.exp(-scaled @ at - rest))
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


def _cuts(fitted: Calibrations, cases: Sequence[Case], accepted: float = UNCOVERED_ACCEPTED) -> Cuts:
    """Choose the cut-offs. `good`: the lowest that accepts few enough of the uncovered (the mean over the groups); then
    `low` and `excellent` by the best macro-F1 over titles.
    """
    cases = [case for case in cases if not _is_left_out(case)]
    groups = [[score_of(c, fitted) for c in group if c.left in (Left.NONE, Left.ELSEWHERE)] for group in _groups(cases)]
    good = next(
        (cut for cut in 100 * _CUTS if np.mean([np.mean(np.array(g) >= cut) for g in groups]) <= accepted),
        95.0,
    )
    titles = [case for case in cases if case.shelf.has_articles]
    if not titles:
        return good / 2, float(good), (good + 100) / 2
    scores, truth = np.array([score_of(c, fitted) for c in titles]), [true_level(c) for c in titles]
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


def held_out(by_words: Sequence[Case], by_meaning: Sequence[Case]) -> dict[str, Calibrations]:
    """Fit for each family on all others."""
    return {
        family: fit(
            [case for case in by_words if case.shelf.family != family],
            [case for case in by_meaning if case.shelf.family != family],
        )
        for family in dict.fromkeys(case.shelf.family for case in by_words)
    }


def written(fitted: Calibrations) -> str:
    """The product's module of weights."""
    return f'''\
"""Weights and cut-offs of the coverage score. Written by `python -m benchmarks.quality.fit_coverage`."""

from __future__ import annotations

from typing import Final

from contentgen_core.policies.coverage.calibration import Calibration

{_calibration("WORDS", fitted.words)}
"""For words alone."""
{_calibration("LONG", fitted.long)}
"""For long topics where the embedder models meaning."""
{_calibration("SHORT", fitted.short)}
"""For short topics there."""
'''


def _calibration(name: str, fitted: Calibration) -> str:
    weights = "\n".join(f'        "{feature}": {weight:.3f},' for feature, weight in fitted.weights.items())
    cuts = ", ".join(f"{cut:.1f}" for cut in fitted.cuts)
    return f"""\
{name}: Final = Calibration(
    intercept={fitted.intercept:.3f},
    weights={{
{weights}
    }},
    cuts=({cuts}),
)"""


def main() -> int:
    if SETTING not in os.environ:
        print(f"set {SETTING} to the folder of the collections", file=sys.stderr)
        return 2
    data = Path(os.environ[SETTING])
    semantic = Remembering(asyncio.run(SemanticEmbedder.open()))
    fitted = fit(all_cases(data, HashedEmbedder()), all_cases(data, semantic))
    assert all(a <= b for found in (fitted.words, fitted.long, fitted.short) for a, b in pairwise(found.cuts))
    TARGET.write_text(written(fitted), "utf-8")
    print(written(fitted))
    return 0


if __name__ == "__main__":
    sys.exit(main())
