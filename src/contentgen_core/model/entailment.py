"""The input and the output of an entailment model."""

from __future__ import annotations

from typing import Final

from attrs import frozen

MAX_PAIRS: Final = 256
MAX_PREMISE: Final = 2_000
MAX_HYPOTHESIS: Final = 2_000
"""In characters. A premise of this length with its hypothesis fills about 512 tokens, which most such models read."""

# The tolerance of the sum of probabilities, which come as single-precision numbers.
_SUM_TOLERANCE: Final = 1e-3


@frozen
class Pair:
    """A premise and a hypothesis: does the second follow from the first?"""

    premise: str
    hypothesis: str


@frozen
class Judgement:
    """Probabilities in 0..1 that sum to 1. Raises ValueError for others."""

    entailment: float
    neutral: float
    contradiction: float

    def __attrs_post_init__(self) -> None:
        values = (self.entailment, self.neutral, self.contradiction)
        if not all(0.0 <= value <= 1.0 for value in values) or abs(sum(values) - 1.0) > _SUM_TOLERANCE:
            raise ValueError(f"{values} are no probabilities that sum to 1")
