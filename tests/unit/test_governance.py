"""Governance: the scores are bounded, what is better never scores lower, and what is seen is what is said."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import NotFound
from contentgen_core.model.article import ArticleSource, ArticleStatus
from contentgen_core.model.governance import Criterion, DocumentFacts, Evaluation, Finding, Grade, Pace, PublishedFacts
from contentgen_core.model.grounding import Grounding, GroundingLevel
from contentgen_core.model.ids import DocumentId, JobId
from contentgen_core.model.knowledge import Origin
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.model.topic_coverage import TopicState
from contentgen_core.policies.topics import governance as policy
from contentgen_core.policies.topics.governance import GRADES, WEIGHTS, ArticleWords
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.support.house import AGENT, COVERED, NICHE, House, open_house

DAY = timedelta(days=1)

_share = st.floats(0, 1)
_documents = st.lists(
    st.builds(
        DocumentFacts,
        origin=st.sampled_from(Origin),
        created_at=st.integers(-10, 3_000).map(lambda days: MOMENT - days * DAY),
        url=st.none()
        | st.sampled_from(["https://a.example/1", "https://www.a.example/2", "https://b.example/", "http://[x"]),
        fetched_at=st.none() | st.integers(0, 900).map(lambda days: MOMENT - days * DAY),
        published=st.none() | st.dates(date(1990, 1, 1), date(2027, 1, 1)),
    ),
    max_size=30,
)
_published = st.lists(st.builds(PublishedFacts, st.integers(0, 3), st.none() | _share, st.none() | _share), max_size=20)
_word_sets = st.frozensets(st.sampled_from("abcdefgh"), min_size=1)
_articles = st.lists(st.builds(ArticleWords, st.just("T"), _word_sets, _word_sets), max_size=12)
_paces = st.builds(Pace, st.integers(0, 50), st.integers(0, 150), st.floats(1, 12))


def findings(
    documents: list[DocumentFacts], published: list[PublishedFacts], articles: list[ArticleWords], pace: Pace
) -> list[Finding]:
    return [
        policy.coverage(None),
        policy.freshness(documents, MOMENT),
        policy.diversity(documents),
        policy.cadence(pace),
        policy.originality(articles),
        policy.judge_grounding(published),
    ]


# ------------------------------------------------------------------------------------------------------- properties


def test_the_weights_are_shares_of_a_hundred_for_every_criterion() -> None:
    assert set(WEIGHTS) == set(Criterion)
    assert sum(WEIGHTS.values()) == 100


@given(_documents, _published, _articles, _paces)
def test_every_finding_is_bounded_graded_and_says_something(
    documents: list[DocumentFacts], published: list[PublishedFacts], articles: list[ArticleWords], pace: Pace
) -> None:
    found = findings(documents, published, articles, pace)
    assert [finding.criterion for finding in found] == list(Criterion)
    for finding in found:
        assert 0 <= finding.score <= 100
        assert finding.grade is policy.grade_of(finding.score)
        assert finding.evidence.endswith(".")
        assert finding.next_action.endswith(".")
        assert finding.measured or (finding.score == 0 and not finding.figures)
    score, grade, action = policy.overall(found)
    assert 0 <= score <= 100
    assert grade is policy.grade_of(score)
    assert action in {finding.next_action for finding in found}
    assert findings(documents, published, articles, pace) == found, "the same facts give the same findings"


@given(st.floats(0, 100), st.floats(0, 100))
def test_a_higher_score_never_has_a_worse_grade(one: float, other: float) -> None:
    assert policy.grade_of(max(one, other)) <= policy.grade_of(min(one, other))
    assert [policy.grade_of(least) for least, _ in GRADES] == list(Grade)[:-1]


@given(_documents, st.data())
def test_a_younger_document_never_lowers_the_freshness(documents: list[DocumentFacts], data: st.DataObject) -> None:
    if not documents:
        return
    place = data.draw(st.integers(0, len(documents) - 1))
    younger = list(documents)
    younger[place] = evolve(documents[place], published=None, fetched_at=MOMENT)
    assert policy.freshness(younger, MOMENT).score >= policy.freshness(documents, MOMENT).score


@given(_documents)
def test_a_new_host_never_lowers_the_diversity_and_what_a_model_wrote_never_raises_it(
    documents: list[DocumentFacts],
) -> None:
    before = policy.diversity(documents).score
    new = DocumentFacts(Origin.WEB, MOMENT, "https://new.example/")
    assert policy.diversity([*documents, new]).score >= before
    assert policy.diversity([*documents, evolve(new, origin=Origin.AI)]).score <= before


@given(_paces, st.integers(0, 20), st.integers(0, 60))
def test_publishing_more_never_lowers_the_cadence(pace: Pace, more: int, in_all: int) -> None:
    busier = evolve(pace, last_30_days=pace.last_30_days + more, last_90_days=pace.last_90_days + in_all)
    assert policy.cadence(busier).score >= policy.cadence(pace).score


@given(_articles, st.data())
def test_a_repetition_never_raises_the_originality(articles: list[ArticleWords], data: st.DataObject) -> None:
    if articles:
        copy = data.draw(st.sampled_from(articles))
        assert policy.originality([*articles, copy]).score <= policy.originality(articles).score
    fresh = ArticleWords("New", frozenset("xyz"), frozenset("xyz"))
    assert policy.originality([*articles, fresh]).score >= policy.originality(articles).score


@given(_published, _share, _share, _share)
def test_a_better_receipt_never_lowers_the_grounding(
    published: list[PublishedFacts], recall: float, precision: float, better: float
) -> None:
    worse = policy.judge_grounding([*published, PublishedFacts(1, recall, precision)]).score
    assert policy.judge_grounding([*published, PublishedFacts(1, max(recall, better), precision)]).score >= worse
    assert policy.judge_grounding([*published, PublishedFacts(1, recall, max(precision, better))]).score >= worse
    assert policy.judge_grounding([*published, PublishedFacts(0, recall, precision)]).score <= worse


@given(_documents, _published, _articles, _paces, st.data())
def test_a_better_criterion_never_lowers_the_whole(
    documents: list[DocumentFacts],
    published: list[PublishedFacts],
    articles: list[ArticleWords],
    pace: Pace,
    data: st.DataObject,
) -> None:
    found = findings(documents, published, articles, pace)
    place = data.draw(st.integers(0, len(found) - 1))
    if found[place].measured:
        better = list(found)
        better[place] = evolve(found[place], score=data.draw(st.floats(found[place].score, 100)))
        assert policy.overall(better)[0] >= policy.overall(found)[0]


@given(st.none() | st.integers(0, 1_000), st.integers(0, 20), st.integers(0, 30))
def test_the_aim_is_within_reason_and_an_agents_is_no_more_than_its_niches(
    articles: int | None, niches: int, countries: int
) -> None:
    assert 1 <= policy.monthly_aim(articles, niches, countries) <= policy.monthly_aim(articles, niches) <= 12


# --------------------------------------------------------------------------------------------------------- examples


def test_the_age_of_a_document_is_its_own_date_then_when_it_was_fetched_then_when_it_came_in() -> None:
    year = DocumentFacts(Origin.WEB, MOMENT, published=(MOMENT - 365 * DAY).date(), fetched_at=MOMENT)
    assert policy.freshness([year], MOMENT).score == pytest.approx(50, abs=0.1)
    fetched = DocumentFacts(Origin.WEB, MOMENT - 999 * DAY, fetched_at=MOMENT - 365 * DAY)
    assert policy.freshness([fetched], MOMENT).score == 50
    came_in = DocumentFacts(Origin.IMPORT, MOMENT - 730 * DAY)
    assert policy.freshness([came_in], MOMENT).score == 25


def test_four_equal_hosts_and_a_fifth_written_by_a_model_are_three_quarters_of_four_fifths() -> None:
    documents = [DocumentFacts(Origin.WEB, MOMENT, f"https://{host}.example/") for host in ("a", "b", "c", "www.d")]
    finding = policy.diversity([*documents, DocumentFacts(Origin.AI, MOMENT, "https://a.example/")])
    assert finding.score == 60
    assert finding.figures == {"hosts": 4, "herfindahlIndex": 0.25, "largestShare": 0.25, "aiShare": 0.2}


def test_half_the_aim_in_the_last_month_and_the_whole_before_is_seventy() -> None:
    assert policy.cadence(Pace(last_30_days=2, last_90_days=12, aim=4.0)).score == 70
    assert "Publish 2 more articles a month" in policy.cadence(Pace(2, 12, 4.0)).next_action


def test_coverage_is_the_share_of_topics_and_names_what_is_missing() -> None:
    states = [TopicState("Wind", True, 60.0), TopicState("Waves", False, 10.0)]
    run = builders.topic_coverage().started(MOMENT, JobId("j")).with_candidates(["Wind", "Waves"])
    finding = policy.coverage(run.with_assessed(states).completed(MOMENT))
    assert (finding.score, finding.grade) == (50, Grade.D)
    assert "Waves" in finding.next_action
    assert "1 of 2 topics" in finding.evidence
    failed = run.failed(MOMENT, "away")
    assert not policy.coverage(failed).measured


def test_what_is_not_measured_does_not_count_but_is_what_to_do_first() -> None:
    good = [
        Finding(criterion, 90.0, Grade.A, "Fine.", {}, "Go on.")
        for criterion in Criterion
        if criterion is not Criterion.COVERAGE
    ]
    score, grade, action = policy.overall([policy.coverage(None), *good])
    assert (score, grade) == (90, Grade.A)
    assert "POST /seo/topic-coverage" in action


# ------------------------------------------------------------------------------------------------------- end to end


async def evaluate(house: House, key: str = NICHE) -> Evaluation:
    return await house.services.knowledge.evaluate_governance(house.caller, key)


def of(evaluation: Evaluation, criterion: Criterion) -> Finding:
    return next(finding for finding in evaluation.findings if finding.criterion is criterion)


async def publish(house: House, topic: str, days_ago: int = 0, **changes: Any) -> None:
    article = builders.article(
        topic,
        tenant_id=house.caller.tenant_id,
        status=ArticleStatus.PUBLISHED,
        published_at=house.clock.now() - days_ago * DAY,
        created_at=house.clock.now() - days_ago * DAY,
        **changes,
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)


async def test_a_new_niche_is_told_to_compute_its_topics_first() -> None:
    async with open_house() as house:
        evaluation = await evaluate(house)
        assert not of(evaluation, Criterion.COVERAGE).measured
        assert not of(evaluation, Criterion.GROUNDING).measured
        assert not of(evaluation, Criterion.ORIGINALITY).measured
        assert of(evaluation, Criterion.FRESHNESS).score == 100
        assert of(evaluation, Criterion.CADENCE).score == 0
        assert evaluation.evaluated_at == house.clock.now()
        assert "topic-coverage" in evaluation.next_action
        assert await house.work() == 0, "an evaluation starts nothing"


async def test_the_last_topic_coverage_counts() -> None:
    async with open_house() as house:
        await house.services.knowledge.topic_coverages.recompute(house.caller, None, NICHE)
        await house.work()
        coverage = await house.services.knowledge.topic_coverages.read(house.caller, None, NICHE)
        finding = of(await evaluate(house), Criterion.COVERAGE)
        assert finding.score == coverage.totals.percent
        assert of(await evaluate(house, AGENT), Criterion.COVERAGE) == finding, "it sees the same country"


async def test_repeated_topics_and_the_pace_are_seen() -> None:
    async with open_house() as house:
        await publish(house, COVERED, 40)
        await publish(house, f"The complete guide to {COVERED.lower()}", 3)
        await publish(house, "Solar panels on a south roof", 2)
        evaluation = await evaluate(house)
        originality, cadence = of(evaluation, Criterion.ORIGINALITY), of(evaluation, Criterion.CADENCE)
        assert originality.figures == {"articles": 3, "repeated": 1}
        assert "complete guide" in originality.next_action
        assert (cadence.figures["last30Days"], cadence.figures["last90Days"]) == (2, 3)


async def test_an_agent_is_judged_by_its_own_articles() -> None:
    async with open_house() as house:
        await publish(house, "Solar panels on a south roof", 2)
        assert of(await evaluate(house, AGENT), Criterion.CADENCE).figures["last30Days"] == 0
        assert of(await evaluate(house), Criterion.CADENCE).figures["last30Days"] == 1


async def test_receipts_and_articles_without_sources_are_weighed() -> None:
    async with open_house() as house:
        totals = builders.full_article().grounding
        assert totals is not None
        receipt = Grounding(GroundingLevel.FULL, evolve(totals.totals, citation_recall=0.9, citation_precision=0.9), ())
        source = (ArticleSource(1, "A source", DocumentId("d"), 0),)
        await publish(house, "Wind", grounding=receipt, sources=source)
        assert of(await evaluate(house), Criterion.GROUNDING).score == 90
        await publish(house, "Waves")
        assert of(await evaluate(house), Criterion.GROUNDING).score == 45
        await publish(house, "Water", sources=source)
        finding = of(await evaluate(house), Criterion.GROUNDING)
        assert finding.score == 45, "what a person has changed is not judged"
        assert "1 changed" in finding.evidence


async def test_the_aim_follows_the_plan() -> None:
    async with open_house() as house:
        aims = {}
        for plan in PlanName:
            evaluation = await house.services.knowledge.evaluate_governance(house.on_plan(plan), NICHE)
            aims[plan] = of(evaluation, Criterion.CADENCE).figures["aimPerMonth"]
        assert list(aims.values()) == [3, 12, 12, 12]


async def test_a_viewer_may_look_and_nobody_looks_at_what_is_not_theirs() -> None:
    async with open_house() as house:
        viewer = evolve(house.caller, role=Role.VIEWER)
        assert (await house.services.knowledge.evaluate_governance(viewer, NICHE)).area.niche_key == NICHE
        for key in ("ecommerce", "nope", "home-energy-FR", ""):
            with pytest.raises(NotFound):
                await evaluate(house, key)
        other = await house.other_tenant()
        await publish(house, "Wind")
        theirs = await house.services.knowledge.evaluate_governance(other, NICHE)
        assert not of(theirs, Criterion.ORIGINALITY).measured
