"""Confidence intervals of means, and of how means of the same cases differ."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Final

from contentgen_core.model.evaluation import Interval

Z95: Final = 1.959964
"""Standard deviations to either side of the mean that hold 95 % of a normal distribution."""


def interval_of_mean(values: Sequence[float], *, shares: bool = True) -> Interval:
    """Return the interval of the mean of independent values of at least 0: Wilson's score interval (1927) where each
    is 0 or 1, else Student's (1908). `shares`: whether 1 is the most that a value can be. Raises ValueError for no
    values."""
    if not values:
        raise ValueError("no values")
    most = 1.0 if shares else max(1.0, 2 * max(values))
    if shares and all(value in (0.0, 1.0) for value in values):
        return _wilson(sum(values), len(values))
    found = _student(values)
    return Interval(max(0.0, found.low), min(most, found.high))


def interval_of_difference(before: Sequence[float], now: Sequence[float]) -> Interval:
    """Return the interval of the mean's change, for values of the same cases in the same order. Unbounded for fewer
    than two pairs."""
    return _student([later - earlier for earlier, later in zip(before, now, strict=True)])


def _wilson(successes: float, of: int) -> Interval:
    share = successes / of
    spread = Z95 * sqrt(share * (1 - share) / of + Z95**2 / (4 * of**2))
    middle, scale = share + Z95**2 / (2 * of), 1 + Z95**2 / of
    return Interval(max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def _student(values: Sequence[float]) -> Interval:
    if len(values) < 2:
        return Interval(-inf, inf)
    mean, half = fmean(values), _t95(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(mean - half, mean + half)


def _t95(freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's distribution, as Z95 is of the normal one, by the expansion of
    Fisher and Cornish (1960), exact to a hundredth from five degrees of freedom on."""
    z = Z95
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
