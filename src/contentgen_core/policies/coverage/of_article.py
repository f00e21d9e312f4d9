"""What the coverage of its topic means for an article: which sources it is written from, what its receipt may say."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from attrs import evolve

from contentgen_core.model.coverage import ArticleCoverage, Coverage, CoverageLevel
from contentgen_core.model.grounding import Grounding, GroundingLevel
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import RankedPassage

MAX_MISSING_WORDS: Final = 8
"""The most words that an article carries as missing from its sources."""


def carried(coverage: Coverage) -> ArticleCoverage:
    """What an article keeps of the coverage of its topic."""
    return ArticleCoverage(coverage.level, coverage.score, coverage.evidence.missing_terms[:MAX_MISSING_WORDS])


def sources_on_topic(
    ranked: Sequence[RankedPassage], coverage: Coverage, chosen: Collection[DocumentId] = ()
) -> tuple[RankedPassage, ...]:
    """The passages to write from. A search gives the best of what there is, which may be about something else. So where
    the topic is not covered, those alone that are on it; where it hardly is, by words those of documents that have one
    on it, and by meaning, which told neighbouring subjects apart already, all of them if any is.

    `chosen`: documents that a person chose for this article; they stay."""
    if coverage.level not in (CoverageLevel.INSUFFICIENT, CoverageLevel.LOW):
        return tuple(ranked)
    on_topic = coverage.evidence.on_topic
    kept = {each.ref for each in ranked if each.ref in on_topic}
    if coverage.level is CoverageLevel.LOW and kept:
        by_meaning = coverage.evidence.nearness is not None
        documents = {each.passage.document.id for each in ranked if by_meaning or each.ref in kept}
        kept = {each.ref for each in ranked if each.passage.document.id in documents}
    return tuple(each for each in ranked if each.ref in kept or each.passage.document.id in chosen)


def within_coverage(grounding: Grounding, coverage: ArticleCoverage | None) -> Grounding:
    """The receipt with the coverage of the topic, and a level that says no more than this allows: `none` where the
    sources do not cover it, at most `partial` where they hardly do, however many sentences are supported."""
    level = grounding.level
    if coverage is not None and coverage.level is CoverageLevel.INSUFFICIENT:
        level = GroundingLevel.NONE
    elif coverage is not None and coverage.level is CoverageLevel.LOW and level is GroundingLevel.FULL:
        level = GroundingLevel.PARTIAL
    return evolve(grounding, level=level, coverage=coverage)
