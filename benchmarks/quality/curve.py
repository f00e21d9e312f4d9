"""A curve with points beside it, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

SIDE: Final = 420
MARGIN: Final = 46
LINE: Final = 14
LETTER: Final = 7
"""At most, of the width of a label, the room beside its point included."""


@frozen
class Curve:
    """A curve. `points`: from left to right, both numbers in 0..1."""

    name: str
    points: Sequence[tuple[float, float]]


def curves(curve: Curve, points: Mapping[str, tuple[float, float]], axes: tuple[str, str]) -> str:
    """Draw curves. `points`: by name, in 0..1. `axes`: the labels of the horizontal and the vertical axis."""
    width, height = SIDE + 2 * MARGIN + 170, SIDE + 2 * MARGIN
    path = "L".join(f"{_x(x)} {_y(y)}" for x, y in curve.points)
    last_x, last_y = curve.points[-1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#999"/>',
        f'<text x="{MARGIN + SIDE / 2}" y="{height - 10}" text-anchor="middle">{axes[0]}</text>',
        f'<text transform="translate(14 {MARGIN + SIDE / 2}) rotate(-90)" text-anchor="middle">{axes[1]}</text>',
        f'<path d="M{path}" fill="none" stroke="#1b6ca8" stroke-width="2"/>',
        f'<text x="{_x(last_x) + 8}" y="{_y(last_y)}" fill="#1b6ca8">{curve.name}</text>',
    ]
    for tick in range(0, 101, 20):
        parts.append(f'<text x="{_x(tick / 100)}" y="{_y(0) + 16}" text-anchor="middle">{tick / 100:.1f}</text>')
        parts.append(f'<text x="{MARGIN - 6}" y="{_y(tick / 100) + 4}" text-anchor="end">{tick / 100:.1f}</text>')
    below = 0.0  # where the next label may stand
    for name, (x, y) in sorted(points.items(), key=lambda named: -named[1][1]):
        at = max(_y(y) + 4, below)
        below = at + LINE
        beside, anchor = (_x(x) + 7, "start") if _x(x) + LETTER * len(name) < MARGIN + SIDE else (_x(x) - 7, "end")
        parts.append(f'<circle cx="{_x(x)}" cy="{_y(y)}" r="4" fill="#c8553d"/>')
        parts.append(f'<text x="{beside:.1f}" y="{at:.1f}" fill="#c8553d" text-anchor="{anchor}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _x(value: float) -> float:
    return round(MARGIN + SIDE * value, 1)


def _y(value: float) -> float:
    return round(MARGIN + SIDE * (1 - value), 1)
