"""The grounding receipt: for each sentence of an article, what it rests on and whether that holds."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef

LEXICAL: Final = "lexical"
"""The verifier that is made of rules and word lists."""


class GroundingLevel(StrEnum):
    """full: every checkable sentence is supported; partial: some are; none: written without any source."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


class Verdict(StrEnum):
    """unsourced: a sentence without a citation in an article that has none to give."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNSOURCED = "unsourced"


@frozen
class Support:
    """The passage, and the span of characters in it, that a sentence rests on; `score` in 0..1."""

    source: SourceRef
    content_hash: str
    start: int
    end: int
    score: float


@frozen
class SentenceReceipt:
    """`citations` are the numbers shown in the text. `missing_facts`: figures, dates and names not in the passages.
    `citations_needed`: how many of its citations contribute (ALCE's precision counts them). `verifier`: who judged
    it, LEXICAL or the entailment model's name."""

    text: str
    citations: tuple[int, ...]
    verdict: Verdict
    support: Support | None = None
    missing_facts: tuple[str, ...] = ()
    citations_needed: int = 0
    marked: bool = False
    verifier: str = LEXICAL


@frozen
class GroundingTotals:
    """Shares in 0..1; a share of nothing is 1. Recall and precision by ALCE's formulas (Gao et al. 2023) with our own
    deterministic verifier in the place of its entailment model, or with one where it is configured.

    `copied_8grams`: the share of the article's runs of eight words, outside quotations and headings, that stand word
    for word in a passage it cites (0 where there is no such run); None in receipts from before it was counted."""

    sentences: int
    citation_validity: float
    citation_recall: float
    citation_precision: float
    quote_match: float
    fact_match: float
    longest_verbatim_run: int
    copied_8grams: float | None = None


@frozen
class Grounding:
    level: GroundingLevel
    totals: GroundingTotals
    sentences: tuple[SentenceReceipt, ...] = ()

    @property
    def verifier(self) -> str:
        """The entailment model that judged some of the sentences, or LEXICAL: each sentence says who judged it."""
        return next((s.verifier for s in self.sentences if s.verifier != LEXICAL), LEXICAL)
