"""Where trends are on the radar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.trend import Trend

MOST_SECTORS: Final = 12
"""Of niches with trends on the radar; the others share one."""
OTHERS: Final = ("", "Other niches")
Sector = tuple[str, str, float, float]
"""Key and name of a niche, and its angles."""


@frozen
class Place:
    """`angle`: degrees clockwise from the top. `distance`: 0 (a score of 100) to 1 (a score of 0)."""

    trend: Trend
    niche_name: str
    number: int
    angle: float
    distance: float


def radar(trends: Sequence[Trend], names: Mapping[str, str]) -> tuple[list[Place], list[Sector]]:
    """Sectors of one width, in the order of the niches' keys. In a sector trends are spread evenly in the order of
    their slugs, so that a trend keeps its direction while scores change. The same trends give the same places."""
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
        Place(trend, names[trend.niche_key], n, angles[trend.slug], 1 - min(100.0, max(0.0, trend.score)) / 100)
        for n, trend in enumerate(ranked, 1)
    ]
    return places, sectors
