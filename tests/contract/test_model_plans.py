"""A model's plan is one of such an article, or is asked for again, or is made without the model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm import wire
from contentgen_adapters.llm.catalog import WriterSettings, build_writer
from contentgen_adapters.llm.conversation import InvalidAnswer, NoUsableAnswer
from contentgen_adapters.llm.extractive import ExtractiveWriter
from contentgen_adapters.llm.fence import Labels
from contentgen_adapters.llm.plan_reading import PlanReader
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article_plan import validate_edited_plan
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.ports.content_model import PlanRequest
from contentgen_core.testing.content_model import NICHE, sample_brief, sample_sources
from tests.contract.model_server import KEY, ModelServer

SOURCES = sample_sources()
REQUEST = PlanRequest(sample_brief(ArticleLength.STANDARD), NICHE, SOURCES)
EXTRACTIVE = ExtractiveWriter(IcuTextAnalysis())
Sections = list[dict[str, Any]]


def sections(count: int) -> Sections:
    return [
        {"heading": f"Part {n}", "goal": "g", "keyPoints": [f"point {n}"], "sources": [f"S{n}"], "targetWords": 100}
        for n in range(1, count + 1)
    ]


def answer(planned: Sections, **changes: Any) -> str:
    seo = {"metaTitle": "t", "metaDescription": "d", "keywords": []}
    plan = {"title": "A title", "angle": "a", "audience": "b", "sections": planned, "faq": [], "seo": seo}
    return json.dumps(plan | changes)


def with_second(**changes: Any) -> Sections:
    planned = sections(4)
    planned[1] |= changes
    return planned


BAD: dict[str, tuple[Sections, str]] = {
    "one section for five": (sections(1), "there must be 2 to 10 sections, not 1"),
    "no section": ([], "there must be 2 to 10 sections, not 0"),
    "eleven sections for five": (sections(9) + sections(11)[9:], "there must be 2 to 10 sections, not 11"),
    "a heading twice": (with_second(heading="## part: 1"), "section 2 has the heading of an earlier one, '## part: 1'"),
    "no heading": (with_second(heading="  "), "section 2 has no heading"),
    "a heading of signs": (with_second(heading="***"), "section 2 has no heading"),
    "no key points": (with_second(keyPoints=[]), "section 2 has no key points"),
    "empty key points": (with_second(keyPoints=["", " – "]), "section 2 has no key points"),
    "key points of another": (with_second(keyPoints=["Point 1"]), "section 2 has the key points of earlier ones"),
    "no sources": (with_second(sources=[]), "section 2 names no source that was given"),
    "unknown sources": (with_second(sources=["S77"]), "section 2 names sources that were not given: S77"),
}


@pytest.mark.parametrize("bad", BAD)
async def test_a_bad_plan_is_asked_for_again_with_the_reason(bad: str) -> None:
    planned, reason = BAD[bad]
    server = ModelServer(answer(planned), answer(sections(4)))
    plan = (await server.openai(planner=EXTRACTIVE).plan(REQUEST)).value
    assert [section.heading for section in plan.sections] == [f"Part {n}" for n in range(1, 5)]
    assert len(server.requests) == 2
    assert reason in server.prompt()


async def test_the_last_section_may_gather_what_others_said() -> None:
    planned = sections(4)
    planned[3]["keyPoints"] = ["Point 1", "Point 2"]
    server = ModelServer(answer(planned))
    assert len((await server.openai().plan(REQUEST)).value.sections) == 4
    assert len(server.requests) == 1


async def test_of_a_plan_that_stays_bad_what_is_good_is_taken_if_it_is_enough() -> None:
    server = ModelServer(*[answer(with_second(keyPoints=[]))] * 2)
    plan = (await server.openai(planner=EXTRACTIVE).plan(REQUEST)).value
    assert [section.heading for section in plan.sections] == ["Part 1", "Part 3", "Part 4"]
    assert len(server.requests) == 2


def built(server: ModelServer) -> Any:
    settings = WriterSettings(openai_api_key=KEY, openai_base_url="https://models.example/v1")
    return build_writer(settings, IcuTextAnalysis(), server.client())


def of_anthropic(server: ModelServer) -> Any:
    return build_writer(WriterSettings(anthropic_api_key=KEY), IcuTextAnalysis(), server.client())


@pytest.mark.parametrize("writer", [built, of_anthropic])
@pytest.mark.parametrize("bad", [answer(sections(1)), answer([]), "nonsense", answer(sections(4), title=" ")])
async def test_a_plan_that_stays_bad_is_made_without_the_model(writer: Callable[[Any], Any], bad: str) -> None:
    server = ModelServer(*[bad] * 2)
    found = await writer(server).plan(REQUEST)
    assert found.value == (await EXTRACTIVE.plan(REQUEST)).value
    assert len(server.requests) == 2
    assert (found.usage.input_tokens, found.usage.output_tokens) == (200, 40), "what the bad answers took is counted"
    assert found.usage.model != EXTRACTIVE.name


async def test_an_outline_without_sources_is_made_without_the_model_as_well() -> None:
    request = PlanRequest(sample_brief(), NICHE, ())
    found = await ModelServer("nonsense", "nonsense").openai(planner=EXTRACTIVE).plan(request)
    assert found.value == (await EXTRACTIVE.plan(request)).value


async def test_what_the_other_planner_cannot_read_it_is_not_given() -> None:
    french = sample_sources(Language.FR)
    mixed = (
        await ModelServer("nonsense", "nonsense")
        .openai(planner=EXTRACTIVE)
        .plan(PlanRequest(sample_brief(), NICHE, (*SOURCES, *french)))
    )
    assert mixed.value.cited <= {source.ref for source in SOURCES}
    with pytest.raises(NoUsableAnswer) as caught:
        await (
            ModelServer("nonsense", "nonsense")
            .openai(planner=EXTRACTIVE)
            .plan(PlanRequest(sample_brief(), NICHE, french))
        )
    assert caught.value.retryable


WORDS = st.sampled_from(["", " ", "Costs", "costs!", "Noise", "# Noise", "Size", "Grants", "x" * 300])
LABELS = st.lists(st.sampled_from(["S1", "S2", "s3", "S99", ""]), max_size=3)


@st.composite
def answers(draw: st.DrawFn) -> wire.PlanAnswer:
    points, words = st.lists(WORDS, max_size=14), st.integers(-5, 9_000)
    planned = st.builds(wire.SectionPlan, WORDS, WORDS, points, LABELS, words)
    seo = wire.SeoPlan("t" * 90, "d", draw(points))
    questions = st.lists(st.builds(wire.Question, WORDS, LABELS), max_size=12)
    return wire.PlanAnswer(draw(WORDS), "a", "b", draw(st.lists(planned, max_size=24)), draw(questions), seo)


@given(answers(), st.sampled_from(ArticleLength), st.booleans(), st.booleans())
def test_whatever_is_read_is_a_plan_that_a_reviewer_may_send_back(
    given_answer: wire.PlanAnswer, length: ArticleLength, last: bool, sourced: bool
) -> None:
    bounds, labels = LENGTHS[length], Labels([source.passage for source in SOURCES] if sourced else [])
    try:
        plan = PlanReader(labels, bounds)(given_answer, last)
    except InvalidAnswer:
        return
    validate_edited_plan(plan, {source.ref for source in SOURCES}, 100_000)
    headings = [section.heading.casefold() for section in plan.sections]
    assert len(set(headings)) == len(headings)
    assert len(plan.sections) <= 2 * bounds.sections
    assert all(section.key_points for section in plan.sections)
    assert all(section.source_ids for section in plan.sections) or not sourced
    assert len({entry.question for entry in plan.faq}) == len(plan.faq)
