"""The grounding receipt: for each sentence of an article its citations, its verdict and the span that supports it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.vocabulary import Language

LEXICAL: Final = "lexical"
"""The name of the verifier made of rules and word lists."""


class GroundingLevel(StrEnum):
    """full: every checkable sentence is supported, none is out of context, the text is in the language that it claims,
    and the topic is covered; partial: some are supported, or the topic is covered in part; none: written without any
    source, or without one on the topic."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


class Verdict(StrEnum):
    """The verdict on a sentence. out of context: the cited passage states it of another thing than the article's reader
    would understand; unsourced: a sentence without a citation in an article without sources."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    OUT_OF_CONTEXT = "outOfContext"
    UNSOURCED = "unsourced"


@frozen
class Support:
    """The span of a passage that supports a sentence, in characters [start, end); `score` in 0..1."""

    source: SourceRef
    content_hash: str
    start: int
    end: int
    score: float


@frozen
class SentenceReceipt:
    """The check of one sentence. `citations`: the numbers shown in the text. `missing_facts`: figures, dates and names
    that are not in the cited passages, words that none of them says, and words in the place of theirs that mean
    something else. `citations_needed`:
    how many citations contribute, for ALCE's precision. `marked`: whether the text marks it as unsourced. `verifier`:
    LEXICAL, or the name of the entailment model that judged it. `nearness`: how near in meaning it is, in 0..1, to the
    sentence of the cited passages that is nearest; None where words and facts decided without it. `passage_language`:
    of the passage, where it is another than the sentence's, so that figures, names and nearness decided without
    words."""

    text: str
    citations: tuple[int, ...]
    verdict: Verdict
    support: Support | None = None
    missing_facts: tuple[str, ...] = ()
    citations_needed: int = 0
    marked: bool = False
    verifier: str = LEXICAL
    nearness: float | None = None
    passage_language: Language | None = None


@frozen
class GroundingTotals:
    """Totals of a receipt. Shares in 0..1; a share of nothing is 1. Recall and precision by ALCE's formulas (Gao et al.
    2023), with the deterministic verifier or, where one is configured, an entailment model.

    `copied_8grams`: the share of the article's runs of eight words, outside quotations and headings, that stand word
    for word in a passage it cites (0 without such a run); None in receipts from before it was counted."""

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
    """The grounding receipt of an article. `sentences`: in the order of the text. `coverage`: that of its topic, which
    bounds the level; None where it is not known."""

    level: GroundingLevel
    totals: GroundingTotals
    sentences: tuple[SentenceReceipt, ...] = ()
    coverage: ArticleCoverage | None = None

    @property
    def verifier(self) -> str:
        """The entailment model that judged some of the sentences, or LEXICAL; each sentence has its own verifier."""
        return next((s.verifier for s in self.sentences if s.verifier != LEXICAL), LEXICAL)
