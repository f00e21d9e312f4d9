"""Weights of what is on a topic. Fitted by `python -m benchmarks.quality.fit_on_topic`."""

from __future__ import annotations

from typing import Final

from attrs import frozen


@frozen
class Fitted:
    """A logistic regression over the features of a round, in their order."""

    weights: tuple[float, ...]
    intercept: float


FIRST: Final = Fitted((2.32, 1.734, 4.761, 8.549, -1.003, 2.063), -10.372)
FURTHER: Final = (
    Fitted((0.516, 1.891, 1.734, 7.432, 2.479, 7.679, -0.844, 3.135), -10.132),
    Fitted((1.2, 1.908, 1.142, 5.519, 2.662, 7.17, -0.946, 2.774), -9.281),
)
