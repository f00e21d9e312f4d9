"""Finding what is spoken of now, in feeds, by searches, in the knowledge base."""

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
    """`candidates`: newest first, each page once. `faults`: what could not be asked and why, a line each for an
    operator; whatever else there is was found all the same."""

    candidates: tuple[TrendCandidate, ...] = ()
    faults: tuple[str, ...] = ()


class TrendFinder(Protocol):
    async def find(self, niche: Niche, since: datetime) -> Findings:
        """Pages on the niche's subject that were published since then, none dated after the present. Titles and
        excerpts are one line of plain text without markup. Where nobody can be asked there is nothing to find: what a
        single source does wrong is a fault, and never raised."""
        ...
