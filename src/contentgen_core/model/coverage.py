"""How well the KB covers a topic. Two vocabularies exist (specification); one mapping joins them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.knowledge import RankedPassage


class CoverageLevel(StrEnum):
    """The levels as a check answers them."""

    INSUFFICIENT = "insufficient"
    LOW = "low"
    GOOD = "good"
    EXCELLENT = "excellent"


class PlanQuality(StrEnum):
    EXCELLENT = "excellent"
    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"


REQUEST_LEVELS: Final[dict[str, CoverageLevel]] = {
    "high": CoverageLevel.EXCELLENT,
    "medium": CoverageLevel.GOOD,
    "low": CoverageLevel.LOW,
    "insufficient": CoverageLevel.INSUFFICIENT,
    # the recommended flow passes the check's own words straight on
    "excellent": CoverageLevel.EXCELLENT,
    "good": CoverageLevel.GOOD,
}

PLAN_QUALITY: Final[dict[CoverageLevel, PlanQuality]] = {
    CoverageLevel.EXCELLENT: PlanQuality.EXCELLENT,
    CoverageLevel.GOOD: PlanQuality.GOOD,
    CoverageLevel.LOW: PlanQuality.FAIR,
    CoverageLevel.INSUFFICIENT: PlanQuality.POOR,
}


@frozen
class CoverageEvidence:
    """What a score rests on, so that it can be explained. Shares are in 0..1; of all but `agreement` and the terms,
    more never speaks against coverage.

    term_share: idf-weighted share of the topic's terms found in the best three documents together;
    matched: how many of the topic's words the best single passage holds together, words of titles counting little;
    saturation: best passage's BM25 over its upper bound for this query;
    documents: independent documents with a passage on the topic; passages: such passages;
    newest: the latest year in which one of these documents was fetched, None where no date is known;
    agreement: overlap of the lexical and the vector ranking; missing_terms: the topic's words found nowhere.
    """

    term_share: float = 0.0
    matched: float = 0.0
    saturation: float = 0.0
    documents: int = 0
    passages: int = 0
    newest: int | None = None
    agreement: float = 0.0
    terms: tuple[str, ...] = ()
    missing_terms: tuple[str, ...] = ()


@frozen
class Coverage:
    """`score` is in 0..100. `ranked`: the passages found, best first, near-duplicates removed."""

    level: CoverageLevel
    score: float
    evidence: CoverageEvidence
    ranked: tuple[RankedPassage, ...] = ()

    @property
    def sources_found(self) -> int:
        return len({r.passage.document.id for r in self.ranked})
