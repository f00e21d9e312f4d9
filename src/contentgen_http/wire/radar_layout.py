"""The positions of trends on the radar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.trend import Trend

MOST_SECTORS: Final = 12
"""Niches with a sector of their own, but one; further niches share the last sector."""
OTHERS: Final = ("", "Other niches")
Sector = tuple[str, str, float, float]
"""Key and name of a niche, and the angles where its sector begins and ends (degrees clockwise from the top)."""


@frozen
class RadarPoint:
    """A trend on the radar. `number`: its rank by score, from 1. `angle`: degrees clockwise from the top. `distance`:
    from the centre, 0 (a score of 100) to 1 (a score of 0)."""

    trend: Trend
    niche_name: str
    number: int
    angle: float
    distance: float


def radar_points(trends: Sequence[Trend], names: Mapping[str, str]) -> tuple[list[RadarPoint], list[Sector]]:
    """The points of trends, best first, and the sectors of their niches.

    Sectors have equal widths, in the order of keys. Within a sector trends are spread evenly in the order of slugs, so
    that a trend keeps its angle while scores change. `names`: of niches by key.
    """
    keys = sorted({trend.niche_key for trend in trends})
    if len(keys) > MOST_SECTORS:
        keys = sorted(sorted(keys, key=lambda key: -sum(t.niche_key == key for t in trends))[: MOST_SECTORS - 1])
        named = [*((key, names[key]) for key in keys), OTHERS]
    else:
        named = [(key, names[key]) for key in keys]
    width = 360 / len(named) if named else 360.0
    sectors = [(key, name, n * width, (n + 1) * width) for n, (key, name) in enumerate(named)]
    angles: dict[str, float] = {}
    for key, _, begin, _ in sectors:
        of_sector = sorted(t.slug for t in trends if t.niche_key == key or (not key and t.niche_key not in keys))
        for n, slug in enumerate(of_sector, 1):
            angles[slug] = begin + width * n / (len(of_sector) + 1)
    ranked = sorted(trends, key=lambda trend: (-trend.score, trend.slug))
    places = [
        RadarPoint(trend, names[trend.niche_key], n, angles[trend.slug], 1 - min(100.0, max(0.0, trend.score)) / 100)
        for n, trend in enumerate(ranked, 1)
    ]
    return places, sectors
