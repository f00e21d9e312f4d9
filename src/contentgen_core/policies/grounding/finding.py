"""The degree to which passages support a claim."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contentgen_core.policies.grounding.evidence import Window

# A sentence is supported from this score on (with no fact missing).
SUPPORTED_FROM: Final = 0.5
# The most that a sentence can score that misses a fact, or whose source says the opposite: other words cannot make up
# for it.
REFUSED: Final = 0.45


@frozen
class Finding:
    """The support in the windows chosen, with what is missing."""

    score: float
    windows: tuple[Window, ...]
    missing: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return self.score >= SUPPORTED_FROM and not self.missing
