"""Reliability diagrams: how often what is scored at p comes true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

BINS: Final = 5
SIDE: Final = 320
MARGIN: Final = 46
COLOURS: Final = ("#1b6ca8", "#c8553d", "#588157", "#8e6c8a", "#b08900", "#444444")


@frozen
class Bin:
    """A bin of scores. `score`, `share`: the mean score and the share that came true, 0..1; `weight`: its part of
    all.
    """

    score: float
    share: float
    weight: float


def bins(pairs: Sequence[tuple[float, bool]]) -> tuple[Bin, ...]:
    """Scores in fifths of 0..1, empty ones left out. True and false cases weigh the same in sum (even odds)."""
    true = sum(came for _, came in pairs)
    weights = {True: 0.5 / max(1, true), False: 0.5 / max(1, len(pairs) - true)}
    found = []
    for place in range(BINS):
        inside = [(score, came) for score, came in pairs if min(BINS - 1, int(score * BINS)) == place]
        weight = sum(weights[came] for _, came in inside)
        if inside:
            mean = sum(score * weights[came] for score, came in inside) / weight
            found.append(Bin(mean, sum(weights[came] for _, came in inside if came) / weight, weight))
    return tuple(found)


def calibration_error(found: Sequence[Bin]) -> float:
    """The expected calibration error (Naeini et al. 2015): the mean distance of score and share, by weight."""
    return sum(b.weight * abs(b.score - b.share) for b in found) / sum(b.weight for b in found)


def diagram(series: Mapping[str, Sequence[Bin]]) -> str:
    """Draw as SVG: score to the right, share upwards, the diagonal for a perfect score, a line for each series."""
    width, height = SIDE + 2 * MARGIN + 130, SIDE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#999"/>',
        f'<path d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}" stroke="#bbb" stroke-dasharray="4"/>',
        f'<text x="{MARGIN + SIDE / 2}" y="{height - 10}" text-anchor="middle">score</text>',
        f'<text transform="translate(14 {MARGIN + SIDE / 2}) rotate(-90)" text-anchor="middle">'
        "share with enough documents, %</text>",
    ]
    for tick in range(0, 101, 20):
        parts.append(f'<text x="{_x(tick / 100)}" y="{_y(0) + 16}" text-anchor="middle">{tick}</text>')
        parts.append(f'<text x="{MARGIN - 6}" y="{_y(tick / 100) + 4}" text-anchor="end">{tick}</text>')
    for place, (name, found) in enumerate(series.items()):
        colour = COLOURS[place % len(COLOURS)]
        path = "L".join(f"{_x(b.score)} {_y(b.share)}" for b in found)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{_x(b.score)}" cy="{_y(b.share)}" r="3.5" fill="{colour}"/>' for b in found]
        at = MARGIN + 14 + 18 * place
        parts.append(f'<text x="{MARGIN + SIDE + 12}" y="{at}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _x(value: float) -> float:
    return round(MARGIN + SIDE * value, 1)


def _y(value: float) -> float:
    return round(MARGIN + SIDE * (1 - value), 1)
