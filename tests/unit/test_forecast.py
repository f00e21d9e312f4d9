"""The forecast of words agrees with what is then written, and with what a check says of it."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm.extractive.writer import ExtractiveWriter
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.coverage import (
    PLAN_QUALITY,
    Coverage,
    CoverageEvidence,
    CoverageLevel,
    PlanQuality,
    WordForecast,
)
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.policies.coverage.assessment import plan_quality, recommendations
from contentgen_core.testing.content_model import NICHE as NICHE_BRIEF
from contentgen_core.testing.content_model import sample_brief, sample_sources
from contentgen_core.use_cases.articles.check_coverage import CheckCoverageCommand
from contentgen_core.use_cases.articles.forecast import ForecastWords
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from tests.support.house import AGENT, COVERED, open_house

ANALYSIS = IcuTextAnalysis()
LEVELS = st.sampled_from(CoverageLevel)
FORECASTS = st.builds(
    lambda length, words: WordForecast(length, LENGTHS[length].target_words, words),
    st.sampled_from(ArticleLength),
    st.integers(0, 5_000),
)


async def test_check_plan_and_article_have_the_same_words() -> None:
    async with open_house() as house:
        writing = house.services.writing
        forecast = ForecastWords(house.model, ANALYSIS, by_writing=True)
        check = evolve(writing.check_coverage, forecast=forecast)
        report = await check(CheckCoverageCommand(house.caller, AGENT, COVERED))
        by_length = {found.length: found for found in report.forecasts}
        assert by_length.keys() == set(ArticleLength)
        planned = await evolve(writing.plan, forecast=forecast)(
            PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN)
        )
        assert planned.forecast is not None
        assert planned.article.plan is not None
        assert len(planned.forecast.sections) == len(planned.article.plan.sections)
        await writing.start_from_plan(StartFromPlanCommand(house.caller, planned.article.id))
        await house.work()
        article = await house.article(planned.article.id)
        assert by_length[ArticleLength.STANDARD].words == planned.forecast.words == article.word_count
        assert report.quality is PlanQuality.POOR  # these notes are a few sentences


@pytest.mark.parametrize("length", ArticleLength)
async def test_a_model_is_not_asked_and_carries_no_more_than_its_sources_say(length: ArticleLength) -> None:
    sources = sample_sources()
    writer = ExtractiveWriter(ANALYSIS)
    bound = await ForecastWords(writer, ANALYSIS).of_topic(sample_brief(), NICHE_BRIEF, sources, length)
    said = sum(len(ANALYSIS.tokens(source.passage.text, Language.EN)) for source in sources)
    assert bound.words == min(said, LENGTHS[length].target_words)
    assert (await ForecastWords(writer, ANALYSIS).of_topic(sample_brief(), NICHE_BRIEF, (), length)).words == 0


@given(LEVELS, FORECASTS)
def test_a_plan_is_no_better_than_its_coverage_nor_than_its_words(level: CoverageLevel, forecast: WordForecast) -> None:
    quality = plan_quality(level, forecast)
    better_first = list(PlanQuality)
    assert better_first.index(quality) >= better_first.index(PLAN_QUALITY[level])
    if quality in (PlanQuality.GOOD, PlanQuality.EXCELLENT):
        assert forecast.words >= 0.85 * forecast.target
    if forecast.words >= 0.85 * forecast.target:
        assert quality is PLAN_QUALITY[level]


@given(LEVELS, st.sampled_from(ArticleLength), st.lists(st.integers(0, 5_000), min_size=4, max_size=4))
def test_recommendations_never_contradict_the_forecast(
    level: CoverageLevel, length: ArticleLength, words: list[int]
) -> None:
    evidence = CoverageEvidence(saturation=0.9, information=30.0, breadth=9.0, depth=30.0, documents=9, passages=30)
    forecasts = [
        WordForecast(each, LENGTHS[each].target_words, n) for each, n in zip(ArticleLength, words, strict=True)
    ]
    advice = " ".join(recommendations(Coverage(level, 90.0, evidence), length, forecasts=forecasts))
    for forecast in forecasts:
        enough = forecast.words >= 0.85 * forecast.target
        named = forecast.length.replace("_", " ")
        if not enough:
            assert f"For a {named} article the present sources would be enough" not in advice
        if forecast.length is length:
            assert (f"about {forecast.words} of the {forecast.target} words" in advice) == (not enough)
            assert enough or "You can generate the article" not in advice
