"""Topic coverage: its states, when two topics are one, how hot a topic is, and when to look again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import IllegalTransition
from contentgen_core.model.area import Area, looks_like_agent_key
from contentgen_core.model.coverage import Coverage, CoverageEvidence
from contentgen_core.model.ids import JobId
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.topic_coverage import MAX_TOPICS, TRANSITIONS, TopicState, Totals
from contentgen_core.model.topic_coverage import ComputationStatus as Status
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.coverage.assessment import level_of
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.policies.topics.seeds import Seed, distinct_topics, heat, refresh_due
from contentgen_core.policies.topics.similarity import are_similar, significant_words
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

ANALYSIS = IcuTextAnalysis()
_words = st.frozensets(st.sampled_from("abcdefgh"), min_size=1)


# ------------------------------------------------------------------------------------------------------- the states


@given(st.lists(st.sampled_from(["start", "seed", "assess", "complete", "fail"]), max_size=40), st.integers(0, 5))
def test_whatever_is_tried_only_the_table_of_transitions_happens_and_a_result_is_whole(
    steps: list[str], topics: int
) -> None:
    coverage, now = builders.topic_coverage(), MOMENT
    candidates = [f"Topic {n}" for n in range(topics)]
    for step in steps:
        before, now = coverage, now + timedelta(seconds=1)
        try:
            match step:
                case "start":
                    coverage = coverage.started(now, JobId("j"))
                case "seed":
                    coverage = coverage.with_candidates(candidates) if coverage.job_id else coverage
                case "assess":
                    coverage = coverage.with_assessed([TopicState(t, True, 1.0) for t in coverage.left[:1]])
                case "complete":
                    coverage = coverage.completed(now)
                case _:
                    coverage = coverage.failed(now, "because")
        except IllegalTransition:
            assert coverage == before
        if coverage.status is not before.status:
            assert coverage.status in TRANSITIONS[before.status]
        if coverage.topics != before.topics:
            assert {topic.name for topic in coverage.topics} == set(candidates)
        assert (coverage.status is Status.COMPUTING) == (coverage.job_id is not None)
        assert (coverage.status is Status.FAILED) == (coverage.error is not None)
        assert (coverage.status is Status.READY) <= (coverage.computed_at is not None)


def test_a_failure_keeps_the_former_topics_and_their_date() -> None:
    first = builders.topic_coverage().started(MOMENT, JobId("j")).with_candidates(["Wind"])
    ready = first.with_assessed([TopicState("Wind", True, 50.0)]).completed(MOMENT)
    failed = ready.started(MOMENT + timedelta(hours=1), JobId("k")).failed(MOMENT + timedelta(hours=2), "away")
    assert (failed.topics, failed.computed_at, failed.error) == (ready.topics, MOMENT, "away")


@given(st.lists(st.booleans(), max_size=MAX_TOPICS))
def test_the_totals_add_up_and_the_percentage_is_a_share(covered: list[bool]) -> None:
    totals = Totals(len(covered), sum(covered))
    assert totals.covered + totals.uncovered == totals.topics
    assert 0 <= totals.percent <= 100
    assert (totals.percent == 100) == (bool(covered) and all(covered))
    assert (totals.percent == 0) == (not any(covered))


@given(st.text("abc-", min_size=1), st.sampled_from([None, "GB", "FR"]))
def test_an_areas_name_says_whether_it_is_an_agents(niche_key: str, country: str | None) -> None:
    area = Area(niche_key, country)
    assert looks_like_agent_key(str(area)) == (country is not None)


# ------------------------------------------------------------------------------------------------- topics and heat


def _coverage(score: float, passages: int) -> Coverage:
    return Coverage(level_of(score), score, CoverageEvidence(passages=passages))


@given(st.floats(0, 100), st.integers(0, 100), st.floats(0, 100), st.integers(0, 100))
def test_heat_is_bounded_and_grows_with_the_score_and_with_what_is_said(
    score: float, passages: int, more_score: float, more: int
) -> None:
    low = heat(_coverage(min(score, more_score), passages))
    assert 0 <= low <= heat(_coverage(max(score, more_score), passages + more)) <= 100
    assert heat(_coverage(0, 0)) == 0
    assert heat(_coverage(100, 20)) == 100


@given(_words, _words)
def test_likeness_is_symmetric_and_everything_is_like_itself(one: frozenset[str], other: frozenset[str]) -> None:
    assert are_similar(one, one)
    assert are_similar(one, other) == are_similar(other, one)


@given(st.lists(st.text("abc AB-é1", max_size=12), max_size=30), st.integers(0, 10))
def test_distinct_topics_are_some_of_the_seeds_in_order_none_like_another_and_no_more_than_asked(
    texts: list[str], limit: int
) -> None:
    topics = distinct_topics((Seed(text, Language.EN) for text in texts), ANALYSIS, limit)
    folded = [" ".join(text.split()) for text in texts]
    places = [folded.index(topic) for topic in topics]
    assert places == sorted(places)
    assert len(topics) <= limit
    words = [significant_words(topic, Language.EN, ANALYSIS) for topic in topics]
    assert not any(are_similar(a, b) for n, a in enumerate(words) for b in words[:n])
    assert len({topic_key(topic) for topic in topics}) == len(topics)


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (["Heat pumps", "heat pump", "HEAT  PUMP"], ["Heat pumps"]),
        (["Heat pump", "Heat pump noise"], ["Heat pump", "Heat pump noise"]),
        (["Heat pump noise", "The complete guide to heat pump noise in 2026"], ["Heat pump noise"]),
        (["Heat pump noise at night", "Heat pump noise by night limits"], ["Heat pump noise at night"]),
        (["", "  ", "…!", "x" * 501], []),
    ],
)
def test_topics_that_differ_in_a_word_or_in_title_words_are_one(texts: Sequence[str], kept: Sequence[str]) -> None:
    assert distinct_topics((Seed(text, Language.EN) for text in texts), ANALYSIS) == tuple(kept)


def test_two_hundred_topics_are_the_most() -> None:
    seeds = [Seed(f"{a} {b}", Language.EN) for a in "abcdefghijklmnopqrst" for b in "bcdefghijklmnopqrstuv"]
    assert len(distinct_topics(seeds, ANALYSIS)) == MAX_TOPICS


@given(st.sampled_from(PlanName), st.integers(0, 10**7))
def test_a_run_under_way_is_never_due_and_what_was_due_stays_due(plan: PlanName, seconds: int) -> None:
    freshness, later = PLANS[plan].topic_coverage_freshness, MOMENT + timedelta(seconds=seconds)
    running = builders.topic_coverage().started(MOMENT, JobId("j")).with_candidates([])
    assert not refresh_due(running, freshness, later)
    for ended in (running.completed(MOMENT), running.failed(MOMENT, "away")):
        if refresh_due(ended, freshness, later):
            assert refresh_due(ended, freshness, later + timedelta(seconds=1))
    assert refresh_due(None, freshness, later)
