"""What a coverage check recommends agrees with the level, the words and the plan it is said beside."""

from __future__ import annotations

import re

from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.coverage import Coverage, CoverageEvidence, PlanQuality, TermFinding, WordForecast
from contentgen_core.model.coverage import CoverageLevel as Level
from contentgen_core.model.tenant import PlanName, Quota
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength
from contentgen_core.policies.coverage.assessment import (
    PRODUCT,
    READY,
    Enforcement,
    can_generate,
    enforce,
    level_of,
    plan_quality,
    probability,
    recommendations,
    warnings,
)
from contentgen_core.policies.tenancy.plans import PLANS

NEEDED = re.compile(r"\b(add|enrich|should|needs|rephrase|choose)\b|not found|no source", re.IGNORECASE)
WORDS = ("heat", "pump", "noise", "Norway")
YEAR = 2026
SHARES = st.sampled_from((0.0, 0.4, 0.7, 0.84, 0.85, 0.9, 1.0))
STRENGTHS = st.floats(0, 1) | st.sampled_from((0.6, 0.9, 1.0))


@frozen
class Check:
    """What a check knows of a topic, for one length and plan."""

    evidence: CoverageEvidence
    length: ArticleLength
    plan: PlanName
    forecasts: tuple[WordForecast, ...]

    def coverage(self, length: ArticleLength) -> Coverage:
        score = round(100 * probability(self.evidence, length), 1)
        return Coverage(level_of(score, PRODUCT.cuts_for(self.evidence)), score, self.evidence)

    def advice(self) -> tuple[str, ...]:
        return recommendations(self.coverage(self.length), self.length, self.plan, YEAR, self.forecasts)

    def forecast(self, length: ArticleLength) -> WordForecast:
        return next(forecast for forecast in self.forecasts if forecast.length is length)


@st.composite
def evidences(draw: st.DrawFn) -> CoverageEvidence:
    passages, missing = draw(st.integers(0, 24)), draw(st.integers(0, 3))
    documents = draw(st.integers(min(1, passages), min(passages, 9)))
    single = draw(st.integers(0, 4 - missing))
    nearness = draw(st.none() | STRENGTHS.map(lambda share: 2 * share))
    return CoverageEvidence(
        saturation=draw(STRENGTHS),
        information=60 * draw(STRENGTHS),
        missing=missing,
        breadth=documents * draw(st.floats(0.5, 1)),
        depth=passages * draw(st.floats(0.5, 1)),
        nearness=nearness,
        prominence=draw(STRENGTHS) if nearness is not None else 0.0,
        subject_words=draw(st.integers(0, 6)),
        documents=documents,
        passages=passages,
        newest=draw(st.none() | st.integers(2015, YEAR)),
        terms=WORDS,
        missing_terms=WORDS[:missing],
        found=tuple(TermFinding(word, 2, 1 if n < single else 2) for n, word in enumerate(WORDS[missing:])),
    )


@st.composite
def checks(draw: st.DrawFn) -> Check:
    plan = draw(st.sampled_from(PlanName))
    included = [length for length in ArticleLength if length in PLANS[plan].lengths]
    targets = {length: LENGTHS[length].target_words for length in included}
    forecasts = [WordForecast(length, target, round(target * draw(SHARES))) for length, target in targets.items()]
    return Check(draw(evidences()), draw(st.sampled_from(included)), plan, tuple(forecasts))


@given(checks())
def test_ready_is_said_first_where_level_and_words_say_so_and_nowhere_else(check: Check) -> None:
    advice, level = check.advice(), check.coverage(check.length).level
    quality = plan_quality(level, check.forecast(check.length))
    ready = quality in (PlanQuality.GOOD, PlanQuality.EXCELLENT)
    assert (advice[0] == READY) is ready
    assert advice.count(READY) == ready
    if ready:
        assert can_generate(level, check.plan)
        assert enforce(level, allow_low=False, plan=check.plan) is Enforcement.PROCEED


@given(checks())
def test_of_an_excellent_level_nothing_is_needed(check: Check) -> None:
    if check.coverage(check.length).level is Level.EXCELLENT:
        assert not any(NEEDED.search(line) for line in check.advice())


@given(checks())
def test_of_a_level_that_is_not_enough_something_is_needed(check: Check) -> None:
    coverage = check.coverage(check.length)
    if coverage.level in (Level.LOW, Level.INSUFFICIENT):
        advice = check.advice()
        assert any(NEEDED.search(line) for line in advice)
        assert not advice[0].startswith("Or ")
        assert bool(warnings(coverage, check.plan)) is can_generate(coverage.level, check.plan)
    else:
        assert not warnings(coverage, check.plan)


@given(checks())
def test_another_length_is_proposed_only_where_its_own_check_is_ready(check: Check) -> None:
    proposed = re.findall(r"For a (\w+) article the present sources would be enough", " ".join(check.advice()))
    assert len(proposed) <= 1
    for name in proposed:
        length = ArticleLength(name)
        assert list(ArticleLength).index(length) < list(ArticleLength).index(check.length)
        assert length in PLANS[check.plan].lengths
        quality = plan_quality(check.coverage(length).level, check.forecast(length))
        assert quality in (PlanQuality.GOOD, PlanQuality.EXCELLENT)


@given(checks())
def test_what_the_plan_lacks_is_not_proposed(check: Check) -> None:
    said = " ".join(check.advice())
    if PLANS[check.plan].limits[Quota.ENRICHMENTS] == 0:
        assert "Enrich it by web search" not in said
    else:
        assert "with the Pro plan" not in said


@given(checks())
def test_nothing_is_said_twice(check: Check) -> None:
    advice = check.advice()
    assert advice
    assert len(set(advice)) == len(advice)
