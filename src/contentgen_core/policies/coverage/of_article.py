"""Apply the coverage of a topic to an article: the sources to write it from, and the coverage stated in its receipt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from attrs import evolve

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import ArticleCoverage, Coverage, CoverageEvidence, CoverageLevel
from contentgen_core.model.grounding import Grounding, GroundingLevel
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import RankedPassage

MAX_MISSING_WORDS: Final = 8
"""The most words that an article carries as missing from its sources."""
NOT_BY_CHANCE: Final = 3
"""Passages of one document that a search by meaning takes together for on the topic."""


def article_coverage(coverage: Coverage) -> ArticleCoverage:
    """Return the part of a topic's coverage that its article stores."""
    missing = missing_from(coverage.evidence)[:MAX_MISSING_WORDS]
    return ArticleCoverage(coverage.level, coverage.score, missing, coverage.provisional)


def missing_from(evidence: CoverageEvidence) -> tuple[str, ...]:
    """Return the things that the topic lists and no source is on, then the other words of it that no source has."""
    named = {word for name in evidence.unsourced for word in re.split(r"[\W_]+", name.casefold())}
    return (*evidence.unsourced, *(word for word in evidence.missing_terms if word.casefold() not in named))


def sources_on_topic(
    ranked: Sequence[RankedPassage], coverage: Coverage, chosen: Collection[DocumentId] = ()
) -> tuple[RankedPassage, ...]:
    """The passages to write from, in their order: those that the coverage allows, without those that are about
    something else, judged with their documents. Nothing fills an article up.

    `chosen`: documents that a person chose for this article; they stay."""
    allowed = _allowed_sources(ranked, coverage)
    about = allowed - coverage.off_topic or allowed
    return tuple(each for each in ranked if each.ref in about or each.passage.document.id in chosen)


def _allowed_sources(ranked: Sequence[RankedPassage], coverage: Coverage) -> frozenset[SourceRef]:
    """Return the sources that an article may be written from. A search returns the best of what there is, which may be
    on something else. Where the topic is not covered, only the passages on it. Where it is hardly covered: by words,
    the passages of documents with a passage on it; by meaning, which tells neighbouring subjects apart already, all
    passages if any is on it, or if so many are of one document that this is no chance (a long topic can be in other
    words than its sources)."""
    refs = frozenset(each.ref for each in ranked)
    kept = refs & coverage.evidence.on_topic
    if coverage.level is CoverageLevel.INSUFFICIENT:
        return kept
    if coverage.level is not CoverageLevel.LOW:
        return refs
    if coverage.evidence.nearness is not None:
        most_of_one = max(Counter(ref.document_id for ref in refs).values(), default=0)
        return refs if kept or most_of_one >= NOT_BY_CHANCE else frozenset()
    documents = {ref.document_id for ref in kept}
    return frozenset(ref for ref in refs if ref.document_id in documents)


def within_coverage(grounding: Grounding, coverage: ArticleCoverage | None) -> Grounding:
    """The receipt with the coverage of the topic, and a level that says no more than this allows: `none` where the
    sources do not cover it, at most `partial` where they hardly do, however many sentences are supported."""
    level = grounding.level
    if coverage is not None and coverage.level is CoverageLevel.INSUFFICIENT:
        level = GroundingLevel.NONE
    elif coverage is not None and coverage.level is CoverageLevel.LOW and level is GroundingLevel.FULL:
        level = GroundingLevel.PARTIAL
    return evolve(grounding, level=level, coverage=coverage)
