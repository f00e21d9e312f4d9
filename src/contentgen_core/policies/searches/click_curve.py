"""Share of impressions that is clicked, by the position in the results."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import define, frozen

from contentgen_core.model.search_demand import CurveSource

FEWEST_POSITIONS: Final = 5
"""Whole positions with FEWEST_IMPRESSIONS or more that a curve of one's own takes."""
FEWEST_IMPRESSIONS: Final = 500
LAST_POSITION: Final = 20


@frozen
class ClickCurve:
    """The share by position, through `points` (position, share) whose positions rise and whose shares do not; straight
    between two of them, level before the first and behind the last."""

    points: tuple[tuple[float, float], ...]
    source: CurveSource

    def at(self, position: float) -> float:
        """The share that is clicked, in 0..1; no better position has a lower one."""
        place = bisect_right(self.points, position, key=lambda point: point[0])
        if place == 0:
            return self.points[0][1]
        if place == len(self.points):
            return self.points[-1][1]
        (start, high), (end, low) = self.points[place - 1], self.points[place]
        return high + (low - high) * (position - start) / (end - start)


PUBLISHED: Final = ClickCurve(
    tuple(
        (float(position), share)
        for position, share in enumerate(
            (0.285, 0.157, 0.110, 0.080, 0.072, 0.051, 0.040, 0.032, 0.028, 0.025, 0.005), start=1
        )
    ),
    CurveSource.PUBLISHED,
)
"""SISTRIX, 2020: 80 million keywords of Google, positions 1 to 10; of those behind it says that each is well below one
percent, for which half a percent stands."""


@define
class _Block:
    """Neighbouring positions with one share."""

    positions: list[float]
    clicks: float
    impressions: float

    @property
    def share(self) -> float:
        return min(1.0, self.clicks / self.impressions)


def fit_curve(figures: Iterable[tuple[float, int, int]]) -> ClickCurve:
    """Return the curve of these figures (position, impressions, clicks); the published one where they are too few. The
    shares of whole positions, each weighted by its impressions, are approximated by shares that do not rise (isotonic
    regression by pooling adjacent violators)."""
    shown: dict[int, list[int]] = {}
    for position, impressions, clicks in figures:
        if 0.5 <= position < LAST_POSITION + 0.5:
            total = shown.setdefault(round(position) or 1, [0, 0])
            total[0] += clicks
            total[1] += impressions
    enough = sorted((position, c, i) for position, (c, i) in shown.items() if i >= FEWEST_IMPRESSIONS)
    if len(enough) < FEWEST_POSITIONS:
        return PUBLISHED
    points = [(position, block.share) for block in _pool(enough) for position in block.positions]
    return ClickCurve(tuple(points), CurveSource.OWN)


def _pool(sums: Sequence[tuple[int, int, int]]) -> list[_Block]:
    blocks: list[_Block] = []
    for position, clicks, impressions in sums:
        blocks.append(_Block([float(position)], clicks, impressions))
        while len(blocks) > 1 and blocks[-1].share > blocks[-2].share:
            last = blocks.pop()
            blocks[-1].positions += last.positions
            blocks[-1].clicks += last.clicks
            blocks[-1].impressions += last.impressions
    return blocks
