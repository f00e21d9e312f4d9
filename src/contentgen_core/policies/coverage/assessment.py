"""How well a knowledge base covers a topic, what follows from that, and what to do about it.

One more passage, with the same statistics, never lowers a score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.coverage import Coverage, CoverageEvidence, CoverageLevel
from contentgen_core.model.knowledge import RankedPassage, TermStatistics
from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.evidence import gather
from contentgen_core.policies.coverage.weights import EXCELLENT_FROM, GOOD_FROM, INTERCEPT, LOW_FROM, WEIGHTS
from contentgen_core.policies.retrieval.ranking import TopicQuery
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.policies.text.plurals import pluralize
from contentgen_core.policies.text.title_words import importance

# At so many nats in one passage its words speak half as strongly for coverage as they ever could.
HALF_TELLING: Final = 8.0
# A topic that so many words are missing of misses everything.
MISSING_AT_MOST: Final = 5
# From these odds on, the sources are on the topic for all that words can tell, and what counts is how many there are.
# Of what is above, a topic with next to no sources keeps the share THIN.
ON_TOPIC_ODDS: Final = 0.6
THIN: Final = 0.3
# How many missing words a recommendation names.
NAMED_WORDS: Final = 8
# From so many documents on, that one alone has a word is worth saying.
MANY: Final = 3
# The age in years from which on sources are called old.
OLD_AFTER: Final = 2


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

    `statistics` are those of the view's background. Passages of origin `ai` and repeated content are no evidence.
    """
    evidence = gather(query, ranked, statistics)
    score = round(100 * probability(evidence, length), 1)
    return Coverage(level_of(score), score, evidence, tuple(ranked))


def features(evidence: CoverageEvidence) -> dict[str, float]:
    """What the logistic regression adds up, each in 0..1 and none lower for more evidence."""
    return {
        "saturation": evidence.saturation,
        "information": evidence.information / (evidence.information + HALF_TELLING),
        "found": 1.0 - min(evidence.missing, MISSING_AT_MOST) / MISSING_AT_MOST,
    }


def probability(evidence: CoverageEvidence, length: ArticleLength) -> float:
    """The calibrated probability, in 0..1, that the KB holds enough for an article of this length: a logistic
    regression whose weights are at least 0, so that more evidence never lowers it, of which `supplied` leaves as much
    as the sources go for. Nothing found: 0."""
    if not evidence.saturation:
        return 0.0
    found = features(evidence)
    logit = INTERCEPT + sum(weight * found[name] for name, weight in WEIGHTS.items())
    return supplied(1 / (1 + math.exp(-logit)), supply(evidence, length))


def supplied(odds: float, supply: float) -> float:
    """What is left of the odds, 0..1, that sources are on the topic, for an article that they go as far for as
    `supply` says: of what is above ON_TOPIC_ODDS the share `supply`. Rises with both."""
    return min(odds, ON_TOPIC_ODDS) + supply * max(0.0, odds - ON_TOPIC_ODDS)


def supply(evidence: CoverageEvidence, length: ArticleLength) -> float:
    """How far the sources on the topic go for an article of this length, in THIN..1. An editor's rule, which no data
    here could teach: the fit takes it as given."""
    need = NEEDS[length]
    documents = min(1.0, evidence.breadth / need.documents)
    passages = min(1.0, evidence.depth / need.passages)
    return THIN + (1 - THIN) * (documents + passages) / 2


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


def recommendations(
    coverage: Coverage, length: ArticleLength, plan: PlanName | None = None, year: int | None = None
) -> tuple[str, ...]:
    """What to do next, in words for whoever writes the articles; most useful first, never empty. With a plan, only
    what it includes is proposed; with the present year, sources that have grown old are named."""
    evidence, need = coverage.evidence, NEEDS[length]
    advice: list[str] = []
    if evidence.documents == 0:
        advice.append(f"Your knowledge base has no source on this topic yet. {_how_to_add(plan)}")
    elif evidence.documents < need.documents:
        advice.append(
            f"{pluralize(evidence.documents, 'independent source')} on this topic found; {_article(length)} should "
            f"rest on at least {need.documents}. {_how_to_add(plan)}"
        )
    elif evidence.passages < need.passages:
        advice.append(
            f"The sources touch this topic in {pluralize(evidence.passages, 'passage')}; {_article(length)} needs "
            f"about {need.passages}. Add sources that treat it in more depth."
        )
    if evidence.missing_terms:
        advice.append(_missing(evidence))
    elif coverage.score < 100 * ON_TOPIC_ODDS and evidence.terms:  # above, only the number of sources is short
        advice.append("Your sources have the words of this topic, but hardly together: none treats it as a whole.")
    if coverage.level is not CoverageLevel.EXCELLENT and (single := _in_one_source_only(evidence)):
        advice.append(f"Only one source says anything on {_quoted(single)}. Add a second one.")
    if year is not None and evidence.newest is not None and evidence.newest <= year - OLD_AFTER:
        advice.append(f"Nothing on this topic is newer than {evidence.newest}. Add a recent source.")
    shorter = _shorter_that_fits(coverage, length)
    if shorter is not None:
        advice.append(f"For {_article(shorter)} the present sources would be enough.")
    if coverage.level in (CoverageLevel.LOW, CoverageLevel.INSUFFICIENT) and evidence.documents:
        advice.append("Or choose a narrower topic, closer to what your sources are about.")
    return tuple(advice) or ("Your knowledge base covers this topic. You can generate the article.",)


def _missing(evidence: CoverageEvidence) -> str:
    missing = evidence.missing_terms
    terms = f"{len(missing)} of {pluralize(len(evidence.terms), 'term')} not found in your knowledge base: "
    terms += f"{_quoted(missing)}."
    return f"{terms} Add a source that covers {'this' if len(missing) == 1 else 'them'}, or rephrase the topic without."


def _in_one_source_only(evidence: CoverageEvidence) -> tuple[str, ...]:
    """Words that one document alone has, where several are on the topic."""
    if evidence.documents < MANY:
        return ()
    return tuple(found.word for found in evidence.found if found.documents == 1 and importance(found.word) == 1.0)


def _quoted(words: Sequence[str]) -> str:
    named = ", ".join(f"“{word}”" for word in words[:NAMED_WORDS])
    return f"{named} and others" if len(words) > NAMED_WORDS else named


def _how_to_add(plan: PlanName | None) -> str:
    if plan is None or PLANS[plan].limits[Quota.ENRICHMENTS] != 0:
        return "Enrich it by web search, or add documents of your own."
    return "Add documents of your own on it; with the Pro plan you can also enrich it by web search."


def _article(length: ArticleLength) -> str:
    return f"a {length.replace('_', ' ')} article"


def _shorter_that_fits(coverage: Coverage, length: ArticleLength) -> ArticleLength | None:
    """The longest shorter length that the same evidence lifts to a level at which nothing is blocked."""
    if coverage.level in (CoverageLevel.EXCELLENT, CoverageLevel.GOOD):
        return None
    lengths = list(ArticleLength)
    for shorter in reversed(lengths[: lengths.index(length)]):
        if 100 * probability(coverage.evidence, shorter) >= GOOD_FROM:
            return shorter
    return None
