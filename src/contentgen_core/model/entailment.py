"""What an entailment model is asked, and what it answers."""

from __future__ import annotations

from typing import Final

from attrs import frozen

MAX_PAIRS: Final = 256
MAX_PREMISE: Final = 2_000
MAX_HYPOTHESIS: Final = 2_000
"""Characters. With its hypothesis a premise then about fills the 512 tokens that most such models read."""

# How far from 1 the probabilities may sum: they come as single-precision numbers.
_SUM_TOLERANCE: Final = 1e-3


@frozen
class Pair:
    """Does the hypothesis follow from the premise?"""

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
