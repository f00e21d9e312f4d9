"""The coverage that an article carries, and what it allows: which sources are used, what the receipt may say."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.coverage import ArticleCoverage, Coverage, CoverageEvidence, CoverageLevel
from contentgen_core.model.grounding import Grounding, GroundingLevel, GroundingTotals
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.coverage_notice import NOTICES
from contentgen_core.policies.articles.markdown_document import markdown_document
from contentgen_core.policies.coverage.assessment import can_generate, warnings
from contentgen_core.policies.coverage.of_article import sources_on_topic, within_coverage
from contentgen_core.ports.documents import SourceText
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.check_coverage import CheckCoverageCommand
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand, Planned
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from tests.support.house import AGENT, COVERED, NICHE, House, findable, open_house

OFF_TOPIC = "Medieval falconry and its laws"
TEA = (
    "Green tea is steamed soon after it is picked, which keeps it green. Keeping the tin closed keeps the smell.",
    "Black tea is left to oxidise for hours. The tea houses of the city sold it by the pound on every corner.",
    "Water for white tea should not boil. Seventy degrees are enough, and two minutes.",
    "A garden on the rooftop of the tea company grows mint, which is drunk fresh in summer.",
    "Matcha is ground from leaves that were shaded. It is whisked in a bowl.",
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def plan(house: House, topic: str, **changes: object) -> Planned:
    command = PlanArticleCommand(house.caller, AGENT, topic, language=Language.EN)
    return await house.services.writing.plan(evolve(command, **changes))


async def test_a_plan_and_its_article_carry_the_coverage_of_the_check(house: House) -> None:
    planned = await plan(house, COVERED)
    coverage = planned.article.coverage
    assert coverage is not None
    assert coverage.level in (CoverageLevel.GOOD, CoverageLevel.EXCELLENT)
    await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, planned.article.id))
    await house.work()
    article = await house.article(planned.article.id)
    assert article.coverage == coverage
    assert article.grounding is not None
    assert article.grounding.coverage == coverage
    assert article.grounding.level is GroundingLevel.FULL


async def test_an_article_that_nobody_checked_is_judged_when_its_sources_are_chosen(house: House) -> None:
    command = GenerateArticleCommand(house.caller, NICHE, OFF_TOPIC, language=Language.EN)
    id = await house.services.writing.generate(command)
    assert (await house.article(id)).coverage is None
    await house.work()
    article = await house.article(id)
    assert article.status is ArticleStatus.GENERATED
    assert article.coverage is not None
    assert article.coverage.level is CoverageLevel.INSUFFICIENT
    assert "falconry" in article.coverage.missing
    assert article.grounding is not None
    assert article.grounding.level is GroundingLevel.NONE
    assert not article.sources


async def test_a_client_admits_with_its_level_but_does_not_change_what_the_article_carries(house: House) -> None:
    refs = tuple(source.ref for source in (await plan(house, COVERED)).sources)
    planned = await plan(house, "Heat pump regulations on Mars", coverage_level="high", coverage_sources=refs)
    assert planned.article.coverage is not None
    assert planned.article.coverage.level in (CoverageLevel.INSUFFICIENT, CoverageLevel.LOW)


@pytest.mark.parametrize("topic", ["Keeping bees on a city rooftop", "Keeping bees", "City gardens"])
async def test_few_notes_on_something_else_are_not_written_from(topic: str) -> None:
    async with open_house(PlanName.BUSINESS) as house:
        custom = evolve(house, caller=(await house.other_tenant(PlanName.BUSINESS)))
        notes = [SourceText(f"tea-{n}", f"Tea {n}", text, None, Language.EN) for n, text in enumerate(TEA)]
        await house.services.knowledge.import_sources(KbScope(NICHE, custom.caller.tenant_id), notes)
        await findable(house.services)
        planned = await plan(custom, topic, allow_low_coverage=True)
        assert planned.sources == ()
        assert planned.article.plan is not None
        assert planned.article.plan.cited == frozenset()
        await house.services.writing.start_from_plan(StartFromPlanCommand(custom.caller, planned.article.id))
        await house.work()
        article = await custom.article(planned.article.id)
        assert article.status is ArticleStatus.GENERATED
        assert article.sources == ()
        assert article.grounding is not None
        assert article.grounding.level is GroundingLevel.NONE


@given(st.sampled_from(CoverageLevel), st.booleans(), st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=8))
def test_sources_on_something_else_fill_no_article(
    level: CoverageLevel, by_meaning: bool, found: list[tuple[int, bool]]
) -> None:
    documents = [builders.kb_document() for _ in range(4)]
    ranked = [builders.ranked_passage(builders.passage(documents[n], chunk_index=i)) for i, (n, _) in enumerate(found)]
    on_topic = frozenset(each.ref for each, (_, on) in zip(ranked, found, strict=True) if on)
    evidence = CoverageEvidence(nearness=0.5 if by_meaning else None, on_topic=on_topic)
    kept = sources_on_topic(ranked, Coverage(level, 10.0, evidence))
    assert on_topic <= {each.ref for each in kept}
    by_document = Counter(each.passage.document.id for each in ranked)
    if level in (CoverageLevel.GOOD, CoverageLevel.EXCELLENT):
        assert kept == tuple(ranked)
    elif level is CoverageLevel.LOW and by_meaning:
        assert kept == (tuple(ranked) if on_topic or max(by_document.values(), default=0) >= 3 else ())
    elif level is CoverageLevel.INSUFFICIENT:
        assert {each.ref for each in kept} == on_topic
    else:
        about = {ref.document_id for ref in on_topic}
        assert {each.ref for each in kept} == {each.ref for each in ranked if each.ref.document_id in about}
    chosen = [documents[0].id]
    stay = sources_on_topic(ranked, Coverage(level, 10.0, evidence), chosen)
    assert {each.ref for each in ranked if each.passage.document.id in chosen} <= {each.ref for each in stay}
    off = frozenset(each.ref for each in ranked if each.passage.document.id != documents[1].id)
    about = sources_on_topic(ranked, Coverage(level, 10.0, evidence, off_topic=off))
    assert about == (tuple(each for each in kept if each.ref not in off) or kept)
    assert bool(about) == bool(kept), "what the coverage allows is not taken away as a whole"


async def test_a_plan_that_is_never_blocked_is_warned_by_the_check(house: House) -> None:
    command = CheckCoverageCommand(house.on_plan(PlanName.BUSINESS), AGENT, "Keeping heat pumps in falconries")
    report = await house.services.writing.check_coverage(command)
    assert report.can_generate
    [warning] = report.warnings
    assert "falconries" in warning
    assert (await house.services.writing.check_coverage(evolve(command, topic=COVERED))).warnings == ()


@pytest.mark.parametrize("plan_name", PlanName)
@given(st.sampled_from(CoverageLevel))
def test_the_check_warns_where_it_allows_what_is_not_covered(plan_name: PlanName, level: CoverageLevel) -> None:
    coverage = Coverage(level, 10.0, CoverageEvidence(missing_terms=("bees",)))
    allowed, low = can_generate(level, plan_name), level in (CoverageLevel.INSUFFICIENT, CoverageLevel.LOW)
    assert bool(warnings(coverage, plan_name)) == (allowed and low)
    assert all("“bees”" in warning for warning in warnings(coverage, plan_name))


@given(
    st.sampled_from(GroundingLevel),
    st.none() | st.builds(ArticleCoverage, st.sampled_from(CoverageLevel), st.floats(0, 100)),
)
def test_a_level_never_says_more_than_the_coverage_allows(
    level: GroundingLevel, coverage: ArticleCoverage | None
) -> None:
    receipt = Grounding(level, GroundingTotals(1, 1.0, 1.0, 1.0, 1.0, 1.0, 0))
    within = within_coverage(receipt, coverage)
    rising = [GroundingLevel.NONE, GroundingLevel.PARTIAL, GroundingLevel.FULL]
    most = {CoverageLevel.INSUFFICIENT: 0, CoverageLevel.LOW: 1}.get(coverage.level, 2) if coverage else 2
    assert rising.index(within.level) == min(rising.index(level), most)
    assert within.coverage == coverage


def test_a_markdown_export_tells_what_is_not_covered_in_the_articles_language() -> None:
    for language, notices in NOTICES.items():
        assert len(set(notices)) == 2
        article = builders.article(
            content="A text.",
            brief=builders.brief(language=language),
            coverage=ArticleCoverage(CoverageLevel.LOW, 30.0),
        )
        assert markdown_document(article).index(f"> {notices[1]}\n") < markdown_document(article).index("A text.")
        assert ">" not in markdown_document(evolve(article, coverage=ArticleCoverage(CoverageLevel.GOOD, 80.0)))
    assert set(NOTICES) == set(Language)
