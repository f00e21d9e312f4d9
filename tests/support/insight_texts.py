"""Ids of texts that the pages of insight put together from a value."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.writing import FiguresBy, Stage

_CHARTS: Final = ("articles", "words", "coverage", "support", "tokens", "cost")
INSIGHT: Final = {
    *(f"by-{by.value}" for by in FiguresBy),
    *(f"trace-{stage.value}" for stage in Stage),
    *(f"insight-{name}" for name in (*_CHARTS, "unknown")),
}
