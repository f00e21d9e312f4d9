"""Assess how well a knowledge base covers a topic, whether an article may be generated, and what to advise. Adding a
passage, with the same statistics, never lowers a score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.coverage import (
    PLAN_QUALITY,
    PROVISIONAL,
    Coverage,
    CoverageEvidence,
    CoverageLevel,
    PlanQuality,
    WordForecast,
)
from contentgen_core.model.knowledge import RankedPassage, TermStatistics
from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.calibration import Calibration, Cuts
from contentgen_core.policies.coverage.evidence import coverage_evidence, shortness
from contentgen_core.policies.coverage.meaning import Meaning
from contentgen_core.policies.coverage.weights import LONG, SHORT, WORDS
from contentgen_core.policies.retrieval.ranking import TopicQuery
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.policies.text.plurals import pluralize
from contentgen_core.policies.text.title_words import importance

# At this information, in nats, of the best passage, the feature `information` is one half.
HALF_INFORMATION: Final = 8.0
# From this nearness on, the feature `nearness` is 1.
MOST_NEARNESS: Final = 2.0
# At so many documents on the topic the feature `breadth` is one half.
HALF_BREADTH: Final = 2.0
# From this many missing words on, the feature `found` is 0.
MAX_MISSING: Final = 5
# Up to this probability that the sources are on the topic, it is the score. The part above it is multiplied by how far
# the sources suffice for the length, of which MIN_SUPPLY is the least.
ON_TOPIC_PROBABILITY: Final = 0.6
MIN_SUPPLY: Final = 0.3
# The most missing words that a recommendation names.
MAX_NAMED_WORDS: Final = 8
# From this many documents on, a recommendation names words that only one of them has.
SEVERAL: Final = 3
# From this share of the words of its length on, an article is not called short, and from the second on its plan fair.
ENOUGH_WORDS: Final = 0.85
FAIR_WORDS: Final = 0.5
# Sources of this age, in years, are called old.
OLD_AFTER_YEARS: Final = 2
READY: Final = "Your knowledge base covers this topic. You can generate the article."


ENOUGH: Final = (CoverageLevel.GOOD, CoverageLevel.EXCELLENT)
"""The levels at which an article may be generated."""


class Enforcement(StrEnum):
    """The effect of coverage on a generation: it proceeds, it is forced although coverage is low, or it is blocked."""

    PROCEED = "proceed"
    FORCED = "forced"
    BLOCKED = "blocked"


@frozen
class Need:
    """The independent documents and the passages on the topic that an article of some length needs."""

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
    meaning: Meaning | None = None,
) -> Coverage:
    """The coverage of a topic for an article of this length.

    `ranked`: everything a search found, best first (from `ranking.rank`). `statistics`: the off-topic statistics, by
    language. `meaning`: None where the embedder models none. Passages of origin `ai` and copies are no evidence."""
    evidence = coverage_evidence(query, ranked, statistics, meaning)
    score = round(100 * probability(evidence, length), 1)
    return Coverage(level_of(score, PRODUCT.cuts_for(evidence)), score, evidence, tuple(ranked))


def features(evidence: CoverageEvidence) -> dict[str, float]:
    """The inputs of the logistic regression on words, each in 0..1 and none lower for more evidence."""
    return {
        "saturation": evidence.saturation,
        "information": evidence.information / (evidence.information + HALF_INFORMATION),
        "found": 1.0 - min(evidence.missing, MAX_MISSING) / MAX_MISSING,
    }


def features_of_long(evidence: CoverageEvidence) -> dict[str, float]:
    """Return the features of a long topic where meaning is compared: those without meaning, and one more."""
    return {**features(evidence), "nearness": min(1.0, max(0.0, evidence.nearness or 0.0) / MOST_NEARNESS)}


def features_of_short(evidence: CoverageEvidence) -> dict[str, float]:
    """Return the features of a short topic where meaning is compared. Two more than without meaning: a long topic's
    neighbours stand out as well, and are as many when the passage that answers it is gone."""
    return {
        **features_of_long(evidence),
        "prominence": min(1.0, evidence.prominence),
        "breadth": evidence.breadth / (evidence.breadth + HALF_BREADTH),
    }


@frozen
class Calibrations:
    """`words`: of words alone; `long`, `short`: of long and of short topics where meaning is compared."""

    words: Calibration = WORDS
    long: Calibration = LONG
    short: Calibration = SHORT

    def logit(self, evidence: CoverageEvidence) -> float:
        """The log-odds that the sources are on the topic; where meaning is compared, those of a long and of a short
        topic in proportion."""
        if evidence.nearness is None:
            return self.words.logit(features(evidence))
        share = shortness(evidence.subject_words)
        by_short = self.short.logit(features_of_short(evidence))
        return (1 - share) * self.long.logit(features_of_long(evidence)) + share * by_short

    def cuts_for(self, evidence: CoverageEvidence) -> Cuts:
        """Return the cuts for scores of such evidence, in the same proportion."""
        if evidence.nearness is None:
            return self.words.cuts
        share = shortness(evidence.subject_words)
        low, good, excellent = (
            (1 - share) * of_long + share * of_short
            for of_long, of_short in zip(self.long.cuts, self.short.cuts, strict=True)
        )
        return low, good, excellent


PRODUCT: Final = Calibrations()


def probability(evidence: CoverageEvidence, length: ArticleLength, calibrations: Calibrations = PRODUCT) -> float:
    """The calibrated probability, in 0..1, that the knowledge base holds enough for an article of this length: a
    logistic regression with weights of at least 0, so that more evidence never lowers it, then `limited_by_supply`. 0
    where nothing was found."""
    if not evidence.saturation and evidence.nearness is None:
        return 0.0
    on_topic = 1 / (1 + math.exp(-calibrations.logit(evidence)))
    return limited_by_supply(on_topic, supply(evidence, length))


def limited_by_supply(on_topic: float, supply: float) -> float:
    """The probability `on_topic` (0..1) that the sources are on the topic, with the part above ON_TOPIC_PROBABILITY
    multiplied by `supply` (0..1). Rises with both."""
    return min(on_topic, ON_TOPIC_PROBABILITY) + supply * max(0.0, on_topic - ON_TOPIC_PROBABILITY)


def supply(evidence: CoverageEvidence, length: ArticleLength) -> float:
    """Return how far the sources on the topic suffice for an article of this length, in MIN_SUPPLY..1. The needs are an
    editor's rule, not fitted to data: `fit_coverage` takes them as given."""
    need = NEEDS[length]
    documents = min(1.0, evidence.breadth / need.documents)
    passages = min(1.0, evidence.depth / need.passages)
    return MIN_SUPPLY + (1 - MIN_SUPPLY) * (documents + passages) / 2


def level_of(score: float, cuts: Cuts = WORDS.cuts) -> CoverageLevel:
    """The level of a score in 0..100, by the cut-offs of the calibration that it comes from."""
    return list(CoverageLevel)[sum(score >= cut for cut in cuts)]


def enforce(level: CoverageLevel, allow_low: bool, plan: PlanName) -> Enforcement:
    """The specification's table "Coverage enforcement". A plan that bypasses coverage is never blocked."""
    if level in (CoverageLevel.EXCELLENT, CoverageLevel.GOOD):
        return Enforcement.PROCEED
    return Enforcement.FORCED if allow_low or PLANS[plan].bypasses_coverage else Enforcement.BLOCKED


def can_generate(level: CoverageLevel, plan: PlanName) -> bool:
    """Whether a check recommends to generate: not with an insufficient knowledge base on a plan that coverage can
    block."""
    return level is not CoverageLevel.INSUFFICIENT or PLANS[plan].bypasses_coverage


def warnings(coverage: Coverage, plan: PlanName) -> tuple[str, ...]:
    """Return what an article will lack on a topic that may be generated but is not well covered; empty where the topic
    is covered, or where generation is refused."""
    if coverage.level in ENOUGH or not can_generate(coverage.level, plan):
        return ()
    missing, unsourced = coverage.evidence.missing_terms, coverage.evidence.unsourced
    covers = "hardly covers" if coverage.level is CoverageLevel.LOW else "does not cover"
    said = f"The knowledge base {covers} this topic (level {coverage.level})"
    if unsourced:
        said += f": no source is on {_quote(unsourced)}. "
    else:
        said += f": no source has {_quote(missing)}. " if missing else ". "
    if not PLANS[plan].bypasses_coverage:
        return (f"{said}It is refused unless you allow low coverage, and the article then says so.",)
    return (f"{said}Your plan is not blocked by that: the article is written, as short as it has to be, and says so.",)


def plan_quality(level: CoverageLevel, forecast: WordForecast) -> PlanQuality:
    """Return the expected quality of a plan from these sources: no better than the coverage, nor than the possible
    length."""
    by_words = PlanQuality.EXCELLENT
    if forecast.share < ENOUGH_WORDS:
        by_words = PlanQuality.FAIR if forecast.share >= FAIR_WORDS else PlanQuality.POOR
    return max(PLAN_QUALITY[level], by_words, key=list(PlanQuality).index)


def recommendations(
    coverage: Coverage,
    length: ArticleLength,
    plan: PlanName | None = None,
    year: int | None = None,
    forecasts: Sequence[WordForecast] = (),
) -> tuple[str, ...]:
    """Return the next steps, in words for the tenant's editors; most useful first, never empty. A provisional answer
    begins with saying so. A covered topic with enough sources for the length begins with that; improvements are then
    not called needed, and an excellent topic lacks nothing. `plan`: only features that it includes are proposed.
    `year`: the present one, to name sources that have grown old. `forecasts`: of each length, as far as they are
    known."""
    carried = {forecast.length: forecast for forecast in forecasts}
    short = length in carried and carried[length].share < ENOUGH_WORDS
    covered = coverage.level in ENOUGH
    advice = [PROVISIONAL] if coverage.provisional else []
    advice += [] if short or not covered else [READY]
    if not covered:
        advice += _list_needs(coverage, length, plan)
    elif coverage.level is not CoverageLevel.EXCELLENT:
        advice += _list_improvements(coverage, length, plan)
    newest = coverage.evidence.newest
    if year is not None and newest is not None and newest <= year - OLD_AFTER_YEARS:
        advice.append(f"Nothing on this topic is newer than {newest}. A recent source would bring it up to date.")
    if short and (covered or coverage.evidence.documents):  # else it is said already that there is no source
        advice.append(_too_few_words(carried[length]))
    shorter = None if covered and not short else _shorter_that_fits(coverage, length, carried)
    if shorter is not None:
        advice.append(f"For {_article(shorter)} the present sources would be enough.")
    if not covered and coverage.evidence.documents:
        choose = "Or choose" if advice else "Choose"
        advice.append(f"{choose} a narrower topic, closer to what your sources are about.")
    return tuple(advice)


def _list_needs(coverage: Coverage, length: ArticleLength, plan: PlanName | None) -> list[str]:
    """Return what a topic that is not covered lacks."""
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
    if evidence.unsourced:
        which = "it" if len(evidence.unsourced) == 1 else "them"
        advice.append(
            f"No source is on {_quote(evidence.unsourced)}. Add one that is, or leave {which} out of the topic."
        )
    elif evidence.missing_terms:
        which = "this" if len(evidence.missing_terms) == 1 else "them"
        advice.append(f"{_not_found(evidence)} Add a source that covers {which}, or rephrase the topic without.")
    elif coverage.score < 100 * ON_TOPIC_PROBABILITY and evidence.terms:  # above, only the number of sources is short
        advice.append("Your sources have the words of this topic, but hardly together: none treats it as a whole.")
    return [*advice, *_single(evidence)]


def _list_improvements(coverage: Coverage, length: ArticleLength, plan: PlanName | None) -> list[str]:
    """Return what would improve an article on a covered topic."""
    evidence, need = coverage.evidence, NEEDS[length]
    advice: list[str] = []
    if evidence.documents < need.documents:
        found = pluralize(evidence.documents, "independent source")
        advice.append(
            f"It would stand firmer on {need.documents} independent sources: {found} found. {_how_to_add(plan)}"
        )
    elif evidence.passages < need.passages:
        advice.append("Sources that treat this topic in more depth would make it richer.")
    if evidence.missing_terms:
        which = "it" if len(evidence.missing_terms) == 1 else "them"
        advice.append(f"{_not_found(evidence)} The article says nothing on {which} until a source does.")
    return [*advice, *_single(evidence)]


def _not_found(evidence: CoverageEvidence) -> str:
    missing = evidence.missing_terms
    terms = pluralize(len(evidence.terms), "term")
    return f"{len(missing)} of {terms} not found in your knowledge base: {_quote(missing)}."


def _single(evidence: CoverageEvidence) -> list[str]:
    words = _in_one_source_only(evidence)
    return [f"Only one source says anything on {_quote(words)}. A second one would confirm it."] if words else []


def _in_one_source_only(evidence: CoverageEvidence) -> tuple[str, ...]:
    """Words that only one document has, where at least SEVERAL are on the topic."""
    if evidence.documents < SEVERAL:
        return ()
    return tuple(found.word for found in evidence.found if found.documents == 1 and importance(found.word) == 1.0)


def _quote(words: Sequence[str]) -> str:
    named = ", ".join(f"“{word}”" for word in words[:MAX_NAMED_WORDS])
    return f"{named} and others" if len(words) > MAX_NAMED_WORDS else named


def _how_to_add(plan: PlanName | None) -> str:
    if plan is None or PLANS[plan].limits[Quota.ENRICHMENTS] != 0:
        return "Enrich it by web search, or add documents of your own."
    return "Add documents of your own on it; with the Pro plan you can also enrich it by web search."


def _article(length: ArticleLength) -> str:
    return f"a {length.replace('_', ' ')} article"


def _too_few_words(forecast: WordForecast) -> str:
    return f"The sources carry about {forecast.words} of the {forecast.target} words of {_article(forecast.length)}."


def _shorter_that_fits(
    coverage: Coverage, length: ArticleLength, carried: Mapping[ArticleLength, WordForecast]
) -> ArticleLength | None:
    """The longest shorter length that the same evidence covers, and whose words are carried as far as that is known."""
    evidence = coverage.evidence
    if evidence.unsourced:
        return None
    lengths = list(ArticleLength)
    for shorter in reversed(lengths[: lengths.index(length)]):
        covered = level_of(100 * probability(evidence, shorter), PRODUCT.cuts_for(evidence)) in ENOUGH
        if covered and (shorter not in carried or carried[shorter].share >= ENOUGH_WORDS):
            return shorter
    return None
