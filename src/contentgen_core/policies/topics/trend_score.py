"""Score of a trend from 0 to 100, of four parts from 0 to 1.

score = 100 × (0.30 velocity + 0.35 breadth + 0.25 recency + 0.10 engagement)

The page docs/explanation/trends.md gives the formula with a worked example."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from attrs import frozen

from contentgen_core.model.trend import Trend, TrendPoint, TrendSource

VELOCITY: Final = 0.30
BREADTH: Final = 0.35
RECENCY: Final = 0.25
ENGAGEMENT: Final = 0.10

DAY: Final = timedelta(days=1)
"""Sources younger than this are new to velocity, which counts per day."""
MIN_USUAL: Final = 1.0
"""Sources per day that count as usual where the usual number is less: one mention alone is no surge."""
PUBLISHERS_AT_HALF: Final = 3.0
"""Independent sources at which breadth is one half."""
HALF_LIFE: Final = timedelta(hours=48)
FULL_ENGAGEMENT: Final = 1_000.0
"""Comments, points, shares and clicks from which engagement is 1."""
CLICK_WEIGHT: Final = 1.0
"""The weight of a visitor's click; a comment under a source has 1."""


@frozen
class TrendSignals:
    """The inputs of the score. `new`: independent sources of the last DAY; `usual`: the usual number per day;
    `publishers`: independent sources in all; `age`: since the newest source; `engagement`: comments, points, shares and
    clicks, for each publisher those of its most discussed page."""

    new: int
    usual: float
    publishers: int
    age: timedelta
    engagement: float


@frozen
class ScoreParts:
    """The parts of the score, each from 0 to 1."""

    velocity: float
    breadth: float
    recency: float
    engagement: float


def score_parts(signals: TrendSignals) -> ScoreParts:
    """velocity = new / (new + usual); breadth = 1 − 2^(−publishers / 3); recency = 2^(−age / 48 h); engagement =
    log(1 + engagement) / log(1 + 1000), 1 at most."""
    usual = max(MIN_USUAL, signals.usual)
    age = max(timedelta(), signals.age)
    return ScoreParts(
        velocity=signals.new / (signals.new + usual),
        breadth=1 - 2 ** (-signals.publishers / PUBLISHERS_AT_HALF),
        recency=2 ** -(age / HALF_LIFE),
        engagement=min(1.0, math.log1p(signals.engagement) / math.log1p(FULL_ENGAGEMENT)),
    )


def score(signals: TrendSignals) -> float:
    """Return the score from 0 to 100, to a tenth. Monotone: it never falls with more new sources, publishers or
    engagement, and never rises with age or with a higher usual number."""
    part = score_parts(signals)
    weighed = (
        VELOCITY * part.velocity
        + BREADTH * part.breadth
        + RECENCY * part.recency
        + ENGAGEMENT * part.engagement
    )  # fmt: skip
    return round(100 * weighed, 1)


def trend_signals(trend: Trend, niche_pace: float, now: datetime) -> TrendSignals:
    """The inputs of a trend's score at `now`. `niche_pace`: from the function of this name."""
    newest = max((source.published_at for source in trend.sources), default=trend.last_seen_at)
    return TrendSignals(
        new=len({source.publisher for source in trend.sources if now - source.published_at < DAY}),
        usual=max(pace(trend, now), niche_pace),
        publishers=trend.publishers,
        age=now - newest,
        engagement=_engagement(trend.sources) + CLICK_WEIGHT * trend.clicks,
    )


def pace(trend: Trend, now: datetime) -> float:
    """The highest number of independent sources per day in the trend's history before the last DAY; 0 without one. The
    highest and not the last, so that a topic that slows down does not count as fast again later."""
    past = [point for point in trend.history if now - point.at >= DAY]
    return max((_pace_at(point, trend.first_seen_at) for point in past), default=0.0)


def niche_pace(trends: Iterable[Trend], now: datetime) -> float:
    """The mean pace of the niche's trends that have a history before the last DAY; 0 where none has."""
    paces = sorted(found for trend in trends if (found := pace(trend, now)))
    return math.fsum(paces) / len(paces) if paces else 0.0


def _pace_at(point: TrendPoint, first_seen_at: datetime) -> float:
    return point.sources / max(1.0, (point.at - first_seen_at) / DAY)


def _engagement(sources: Sequence[TrendSource]) -> float:
    most: dict[str, int] = {}
    for source in sources:
        most[source.publisher] = max(most.get(source.publisher, 0), source.engagement or 0)
    return float(sum(most.values()))
