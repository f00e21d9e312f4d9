"""Finding candidates for trends in feeds, web searches and the knowledge base."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Protocol

from attrs import frozen

from contentgen_core.model.niche import Niche
from contentgen_core.model.trend import TrendCandidate

MAX_CANDIDATES: Final = 1_000
"""Of one finder for one niche; the newest come first."""


@frozen
class Findings:
    """The result of a finder. `candidates`: newest first, each page once. `faults`: what could not be read and why, one
    line each for an operator; the rest was found all the same."""

    candidates: tuple[TrendCandidate, ...] = ()
    faults: tuple[str, ...] = ()


class TrendFinder(Protocol):
    async def find(self, niche: Niche, since: datetime) -> Findings:
        """Pages on the niche's subject published after `since`, none dated after the present. Titles and excerpts are
        one line of plain text. Failures of single sources are `faults` and never raised."""
        ...
