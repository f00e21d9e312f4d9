"""How much of a trend a topic is: a score from 0 to 100, of four parts from 0 to 1.

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
"""What velocity calls new, and the time its pace is counted over."""
LEAST_USUAL: Final = 1.0
"""Sources a day that count as usual where less is: one mention alone is no rush."""
HALF_BREADTH: Final = 3.0
"""Independent sources at which breadth is one half."""
HALF_LIFE: Final = timedelta(hours=48)
FULL_ENGAGEMENT: Final = 1_000.0
"""Comments, points, shares and clicks from which engagement is 1."""
CLICK: Final = 1.0
"""What a visitor's click counts beside a comment under a source."""


@frozen
class Measures:
    """What the score is made of. `new`: independent sources of the last DAY; `usual`: how many a day are usual;
    `publishers`: independent sources in all; `age`: since the newest source; `engagement`: comments, points, shares and
    clicks, of each publisher its most discussed page alone."""

    new: int
    usual: float
    publishers: int
    age: timedelta
    engagement: float


@frozen
class ScoreParts:
    """Each from 0 to 1."""

    velocity: float
    breadth: float
    recency: float
    engagement: float


def parts(measures: Measures) -> ScoreParts:
    """velocity = new / (new + usual); breadth = 1 − 2^(−publishers / 3); recency = 2^(−age / 48 h); engagement =
    log(1 + engagement) / log(1 + 1000), 1 at most."""
    usual = max(LEAST_USUAL, measures.usual)
    age = max(timedelta(), measures.age)
    return ScoreParts(
        velocity=measures.new / (measures.new + usual),
        breadth=1 - 2 ** (-measures.publishers / HALF_BREADTH),
        recency=2 ** -(age / HALF_LIFE),
        engagement=min(1.0, math.log1p(measures.engagement) / math.log1p(FULL_ENGAGEMENT)),
    )


def score(measures: Measures) -> float:
    """From 0 to 100, to a tenth. Never lower for more new sources, more publishers or more engagement, never higher
    for age or a busier past."""
    part = parts(measures)
    weighed = (
        VELOCITY * part.velocity
        + BREADTH * part.breadth
        + RECENCY * part.recency
        + ENGAGEMENT * part.engagement
    )  # fmt: skip
    return round(100 * weighed, 1)


def measures_of(trend: Trend, niche_pace: float, now: datetime) -> Measures:
    """`niche_pace`: see `niche_pace`."""
    newest = max((source.published_at for source in trend.sources), default=trend.last_seen_at)
    return Measures(
        new=len({source.publisher for source in trend.sources if now - source.published_at < DAY}),
        usual=max(pace(trend, now), niche_pace),
        publishers=trend.publishers,
        age=now - newest,
        engagement=_engagement(trend.sources) + CLICK * trend.clicks,
    )


def pace(trend: Trend, now: datetime) -> float:
    """Independent sources a day, at the best time of the trend's own past: what its history tells until a DAY ago. What
    slows down does not count as fast again later, therefore the best and not the last; 0 without a past."""
    past = [point for point in trend.history if now - point.at >= DAY]
    return max((_pace_at(point, trend.first_seen_at) for point in past), default=0.0)


def niche_pace(trends: Iterable[Trend], now: datetime) -> float:
    """The mean pace of the niche's trends that have a past; 0 where none has."""
    paces = sorted(found for trend in trends if (found := pace(trend, now)))
    return math.fsum(paces) / len(paces) if paces else 0.0


def _pace_at(point: TrendPoint, first_seen_at: datetime) -> float:
    return point.sources / max(1.0, (point.at - first_seen_at) / DAY)


def _engagement(sources: Sequence[TrendSource]) -> float:
    most: dict[str, int] = {}
    for source in sources:
        most[source.publisher] = max(most.get(source.publisher, 0), source.engagement or 0)
    return float(sum(most.values()))
