"""Charts as places of bars and labels, which a template draws as SVG. Bars stand on zero; labels never overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import Final

from attrs import frozen

WIDTH: Final = 360.0
HEIGHT: Final = 170.0
_TOP: Final = 12.0
_BOTTOM: Final = 22.0
_SIGN: Final = 7.0
"""The widest that a letter of a label gets, at most, in its size of 12."""
_GAP: Final = 8.0
"""Between labels, and between the axis and its figures."""
_TICKS: Final = 4
_STEPS: Final = (1.0, 2.0, 5.0, 10.0)


@frozen
class Point:
    """A bar. `value`: None where nothing is known, which is not zero; `title`: what it is, in words."""

    label: str
    value: float | None
    title: str


@frozen
class Bar:
    x: float
    y: float
    width: float
    height: float
    title: str


@frozen
class Label:
    x: float
    y: float
    text: str


@frozen
class Chart:
    """`left`, `right`, `base`: the ends of the axis, and its height; `ticks`: figures beside lines at their height."""

    width: float
    height: float
    left: float
    right: float
    base: float
    bars: tuple[Bar, ...]
    labels: tuple[Label, ...]
    ticks: tuple[Label, ...]


def bar_chart(
    points: Sequence[Point], figure: Callable[[float], str], most: float | None = None, *, whole: bool = False
) -> Chart:
    """A bar for each point, from left to right. `figure`: how a value is written beside the axis; `most`: the top of
    the axis where it is known, such as 100 for a score; `whole`: whether values are counts, so that no half of one
    stands at the axis. Raises ValueError for a negative value."""
    values = [point.value for point in points if point.value is not None]
    if any(value < 0 for value in values):
        raise ValueError("bars stand on zero: no value may be negative")
    marks = axis(most if most is not None else max(values, default=0.0), 1.0 if whole else 0.0)
    top, base, right = marks[-1], HEIGHT - _BOTTOM, WIDTH - _GAP
    figures = [figure(mark) for mark in marks]
    left = max(len(text) for text in figures) * _SIGN + _GAP
    slot = (right - left) / max(len(points), 1)

    def height(value: float) -> float:
        return (base - _TOP) * value / top

    bars = tuple(
        Bar(left + slot * (n + 0.15), base - height(point.value), slot * 0.7, height(point.value), point.title)
        for n, point in enumerate(points)
        if point.value is not None
    )
    ticks = tuple(Label(left - _GAP / 2, base - height(mark), text) for mark, text in zip(marks, figures, strict=True))
    return Chart(WIDTH, HEIGHT, left, right, base, bars, _labels(points, left, slot, base + 15), ticks)


def axis(most: float, least: float = 0.0) -> list[float]:
    """Round figures from zero to the first one that is not below `most`: few, and equally far apart, `least` at least.
    At least up to one where there is nothing to show."""
    if most <= 0:
        return [0.0, 1.0]
    rough = max(most / _TICKS, least)
    scale = 10.0 ** floor(log10(rough))
    step = next(scale * factor for factor in _STEPS if scale * factor >= rough * (1 - 1e-9))
    return [step * n for n in range(ceil(most / step - 1e-9) + 1)]


def _labels(points: Sequence[Point], left: float, slot: float, y: float) -> tuple[Label, ...]:
    """Under their bars, every second or third only where they would overlap: the last one always stands."""
    widest = max((len(point.label) for point in points), default=0) * _SIGN + _GAP
    every = max(1, ceil(widest / slot)) if points else 1
    last = len(points) - 1
    return tuple(
        Label(left + slot * (n + 0.5), y, point.label) for n, point in enumerate(points) if (last - n) % every == 0
    )
