"""What a model's plan shows to readers is in the sources, or is replaced."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import evolve

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import EXTRACTIVE, ArticleStatus, Usage
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection, PlanSeo
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.ports.content_model import Answer, PlanRequest
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.testing.content_model import sample_brief
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.grounding.plan_texts import supported_plan
from tests.support.house import AGENT, COVERED, NICHE, open_house
from tests.support.scripted_model import USAGE, ScriptedModel

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
TOPIC = "Heat pumps in old houses"
HEAT = passage(
    kb_document(title="Flow temperature"),
    "High flow temperature is the most frequent cause of poor heat pump efficiency. Large radiators lower it. "
    "Daikin's pump costs 12,500 euros.",
    heading="Efficiency",
)
NOISE = passage(kb_document(title="Noise"), "The fan of a heat pump makes most of the noise at night.")
SOURCES = tuple(RankedPassage(p, 1.0, 1.0, 1.0) for p in (HEAT, NOISE))
BRIEF = evolve(sample_brief(ArticleLength.SHORT, EN), topic=TOPIC, keywords=())
SECTIONS = (
    PlanSection("Efficiency of a heat pump", source_ids=(HEAT.ref,)),
    PlanSection("Noise at night", source_ids=(NOISE.ref,)),
)
GOOD = ArticlePlan(
    title="Heat pumps in old houses: a guide",
    sections=SECTIONS,
    faq=(FaqEntry("What makes most of the noise?", (NOISE.ref,)),),
    seo=PlanSeo(
        "Heat pumps: efficiency and noise",
        "Large radiators lower the flow temperature. The fan makes most of the noise.",
    ),
)
LIES = (
    "Studies by NASA prove it",
    "Heat pumps cause cancer",
    "Heat pumps that save 70 percent",
    "A Vaillant for 12,500 euros",
    "Large radiators raise the flow temperature",
)


async def of(plan: ArticlePlan, usage: Usage = USAGE, sources: Sequence[RankedPassage] = SOURCES) -> ArticlePlan:
    return (await supported_plan(Answer(plan, usage), BRIEF, sources, ANALYSIS, None)).value


async def test_what_is_in_the_sources_or_was_asked_for_stays() -> None:
    assert await of(GOOD) == GOOD


@pytest.mark.parametrize("lie", LIES)
async def test_what_is_not_is_replaced_by_what_certainly_is(lie: str) -> None:
    seo = PlanSeo(lie, f"The fan makes most of the noise. {lie}.", ("kept",))
    sections = (evolve(SECTIONS[0], heading=lie), evolve(SECTIONS[1], heading=f"{lie} at night"))
    found = await of(
        evolve(GOOD, title=lie, sections=sections, faq=(*GOOD.faq, FaqEntry(f"Is it so? {lie}?")), seo=seo)
    )
    assert found.title == TOPIC
    assert [section.heading for section in found.sections] == ["Efficiency", "Noise"]
    assert found.faq == GOOD.faq
    assert found.seo == PlanSeo("", "", ("kept",))


async def test_two_headings_that_are_replaced_are_not_the_same() -> None:
    sections = tuple(PlanSection(lie, source_ids=(HEAT.ref,)) for lie in LIES[:4])
    headings = [section.heading for section in (await of(evolve(GOOD, sections=sections))).sections]
    assert headings[:3] == ["Efficiency", "Flow temperature", "Noise"]
    assert headings[3] == TOPIC


@pytest.mark.parametrize("heading", ["Part 1", "Step 2: large radiators", "Mistakes to avoid", "Conclusion"])
async def test_numbers_and_names_of_parts_are_no_facts(heading: str) -> None:
    plan = evolve(GOOD, sections=(evolve(SECTIONS[0], heading=heading), SECTIONS[1]))
    assert await of(plan) == plan


async def test_what_the_built_in_writer_plans_and_what_has_no_sources_is_left_alone() -> None:
    plan = evolve(GOOD, title=LIES[0])
    assert await of(plan, Usage(EXTRACTIVE)) == plan
    assert await of(plan, sources=()) == plan


class Lying(ScriptedModel):
    async def plan(self, request: PlanRequest) -> Answer[ArticlePlan]:
        answer = await super().plan(request)
        sections = tuple(evolve(s, heading=f"{LIES[1]}, part {n}") for n, s in enumerate(answer.value.sections))
        return evolve(
            answer, value=evolve(answer.value, title=LIES[0], sections=sections, seo=PlanSeo(LIES[1], LIES[2]))
        )


async def test_neither_a_plan_nor_an_article_shows_it() -> None:
    async with open_house(model=Lying()) as house:
        planned = await house.services.writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED, language=EN))
        assert planned.article.title == COVERED
        command = GenerateArticleCommand(house.caller, NICHE, f"{COVERED} again", language=EN)
        id = await house.services.writing.generate(command)
        await house.work()
        article = await house.article(id)
        assert article.status is ArticleStatus.GENERATED
    shown = [article.title, article.content, str(article.seo), str(planned.article.plan)]
    assert [(word, text) for text in shown for word in ("NASA", "cancer", "70 percent") if word in text] == []
