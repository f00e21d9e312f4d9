"""Figures that say how much there is, and not what happened a moment ago."""

from __future__ import annotations


def rounded_down(count: int, digits: int = 2) -> int:
    """To its first `digits` digits: 12,345 becomes 12,000. What is below ten is 0: single articles are somebody's."""
    if count < 10:
        return 0
    unit: int = 10 ** max(0, len(str(count)) - digits)
    return count // unit * unit
