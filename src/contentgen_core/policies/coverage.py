"""How well a knowledge base covers a topic, what follows from that, and what to do about it.

One more passage, with the same statistics, never lowers a score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.coverage import Coverage, CoverageEvidence, CoverageLevel
from contentgen_core.model.knowledge import RankedPassage, TermStatistics
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage_evidence import TopicEvidence, gather
from contentgen_core.policies.plans import PLANS, Quota
from contentgen_core.policies.ranking import TopicQuery

# BM25 over its bound comes near 1 only for absurd repetition; this much is all that a good passage reaches.
FULL_SATURATION: Final = 0.55
# The score: relevance (weights of its parts, together 1) times supply (from THIN for one passage up to 1).
TERM_WEIGHT: Final = 0.25
FOCUS_WEIGHT: Final = 0.40
SATURATION_WEIGHT: Final = 0.35
THIN: Final = 0.45
EXCELLENT_FROM: Final = 72.0
GOOD_FROM: Final = 52.0
LOW_FROM: Final = 32.0
# How many missing words a recommendation names.
NAMED_WORDS: Final = 8


class Enforcement(StrEnum):
    """What happens to a generation: it proceeds, it is forced against the coverage's advice, or it is blocked."""

    PROCEED = "proceed"
    FORCED = "forced"
    BLOCKED = "blocked"


@frozen
class Need:
    """The independent documents and the passages on its topic that an article of some length can be written from."""

    documents: int
    passages: int


NEEDS: Final[dict[ArticleLength, Need]] = {
    ArticleLength.SHORT: Need(documents=2, passages=4),
    ArticleLength.STANDARD: Need(documents=3, passages=7),
    ArticleLength.LONG: Need(documents=4, passages=11),
    ArticleLength.VERY_LONG: Need(documents=6, passages=16),
}


def assess(
    query: TopicQuery,
    ranked: Sequence[RankedPassage],
    statistics: Mapping[Language, TermStatistics],
    length: ArticleLength,
) -> Coverage:
    """What `ranked` (best first, from `ranking.rank`) holds on the topic, for an article of this length.

    `statistics` are those of the reader's view. Passages of origin `ai` and repeated content are no evidence.
    """
    evidence = gather(query, ranked, statistics)
    score = round(100 * _relevance(evidence) * _supply(evidence.shown, length), 1)
    return Coverage(level_of(score), score, evidence.shown, tuple(ranked))


def _relevance(evidence: TopicEvidence) -> float:
    """How much of the topic is met, together and in one place, in 0..1."""
    return (
        TERM_WEIGHT * evidence.shown.term_share
        + FOCUS_WEIGHT * evidence.focus
        + SATURATION_WEIGHT * min(1.0, evidence.shown.saturation / FULL_SATURATION)
    )


def _supply(evidence: CoverageEvidence, length: ArticleLength) -> float:
    """How far the passages on the topic go for an article of this length, in THIN..1."""
    need = NEEDS[length]
    supplied = (min(1.0, evidence.documents / need.documents) + min(1.0, evidence.passages / need.passages)) / 2
    return THIN + (1 - THIN) * supplied


def level_of(score: float) -> CoverageLevel:
    if score >= EXCELLENT_FROM:
        return CoverageLevel.EXCELLENT
    if score >= GOOD_FROM:
        return CoverageLevel.GOOD
    return CoverageLevel.LOW if score >= LOW_FROM else CoverageLevel.INSUFFICIENT


def enforce(level: CoverageLevel, allow_low: bool, plan: PlanName) -> Enforcement:
    """The specification's table "Coverage enforcement". A plan that bypasses coverage is never blocked."""
    if level in (CoverageLevel.EXCELLENT, CoverageLevel.GOOD):
        return Enforcement.PROCEED
    return Enforcement.FORCED if allow_low or PLANS[plan].bypasses_coverage else Enforcement.BLOCKED


def can_generate(level: CoverageLevel, plan: PlanName) -> bool:
    """Whether a check recommends generation: always, but for an insufficient KB on a plan that coverage can block."""
    return level is not CoverageLevel.INSUFFICIENT or PLANS[plan].bypasses_coverage


def recommendations(coverage: Coverage, length: ArticleLength, plan: PlanName | None = None) -> tuple[str, ...]:
    """What to do next, in words for whoever writes the articles; most useful first, never empty. With a plan, only
    what it includes is proposed."""
    evidence, need = coverage.evidence, NEEDS[length]
    advice: list[str] = []
    if evidence.documents == 0:
        advice.append(f"Your knowledge base has no source on this topic yet. {_how_to_add(plan)}")
    elif evidence.documents < need.documents:
        advice.append(
            f"{_count(evidence.documents, 'independent source')} on this topic found; {_article(length)} should rest "
            f"on at least {need.documents}. {_how_to_add(plan)}"
        )
    elif evidence.passages < need.passages:
        advice.append(
            f"The sources touch this topic in {_count(evidence.passages, 'passage')}; {_article(length)} needs about "
            f"{need.passages}. Add sources that treat it in more depth."
        )
    if evidence.missing_terms:
        named = ", ".join(f"“{word}”" for word in evidence.missing_terms[:NAMED_WORDS])
        advice.append(
            f"Not found in your knowledge base: {named}. Add a source that covers this, or rephrase the topic without."
        )
    shorter = _shorter_that_fits(coverage, length)
    if shorter is not None:
        advice.append(f"For {_article(shorter)} the present sources would be enough.")
    if coverage.level in (CoverageLevel.LOW, CoverageLevel.INSUFFICIENT) and evidence.documents:
        advice.append("Or choose a narrower topic, closer to what your sources are about.")
    return tuple(advice) or ("Your knowledge base covers this topic. You can generate the article.",)


def _how_to_add(plan: PlanName | None) -> str:
    if plan is None or PLANS[plan].limits[Quota.ENRICHMENTS] != 0:
        return "Enrich it by web search, or add documents of your own."
    return "Add documents of your own on it; with the Pro plan you can also enrich it by web search."


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _article(length: ArticleLength) -> str:
    return f"a {length.replace('_', ' ')} article"


def _shorter_that_fits(coverage: Coverage, length: ArticleLength) -> ArticleLength | None:
    """The longest shorter length that the same evidence lifts to a level at which nothing is blocked."""
    if coverage.level in (CoverageLevel.EXCELLENT, CoverageLevel.GOOD):
        return None
    lengths = list(ArticleLength)
    for shorter in reversed(lengths[: lengths.index(length)]):
        score = coverage.score * _supply(coverage.evidence, shorter) / _supply(coverage.evidence, length)
        if score >= GOOD_FROM:
            return shorter
    return None
