"""Coverage that may change while documents are still being read says so, wherever it decides something."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Sequence

import pytest
from attrs import evolve

from contentgen_core.model.coverage import PROVISIONAL, CoverageTooLow
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.use_cases.articles.check_coverage import CheckCoverageCommand, CoverageReport
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from tests.support.house import AGENT, COVERED, NICHE, House, findable, open_house
from tests.support.understanding_embedder import UnderstandingEmbedder

OFF_TOPIC = "Medieval falconry and its laws"
MORE = tuple(
    SourceText(f"https://more.example.org/{n}", f"Heat pump note {n}", f"{text} It was measured in {2010 + n}.",
               f"https://more.example.org/{n}", Language.EN)
    for n, text in enumerate(
        ("A heat pump in winter keeps its efficiency where radiators are large.",
         "The efficiency of a heat pump falls when the winter is damp.",
         "Heat pump owners measure efficiency through the winter by two meters.")
    )
)  # fmt: skip


@pytest.fixture
async def embedder() -> UnderstandingEmbedder:
    return UnderstandingEmbedder()


@pytest.fixture
async def house(embedder: UnderstandingEmbedder) -> AsyncIterator[House]:
    async with open_house(embedder=embedder) as opened:
        yield opened


async def imported(house: House, sources: Sequence[SourceText] = MORE) -> None:
    """Sources that searches by words find, and whose vectors are not there yet."""
    await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), sources)
    await house.services.knowledge.apply_index_changes.drain("test")


async def checked(house: House, topic: str = COVERED) -> CoverageReport:
    return await house.services.writing.check_coverage(CheckCoverageCommand(house.caller, AGENT, topic))


def found(report: CoverageReport) -> tuple[object, ...]:
    return report.coverage.level, report.coverage.score, [ranked.ref for ranked in report.coverage.ranked]


async def test_an_answer_is_provisional_until_all_vectors_are_there(house: House) -> None:
    assert not (await checked(house)).coverage.provisional
    await imported(house)
    at_once = await checked(house)
    assert at_once.coverage.provisional
    assert at_once.recommendations[0] == PROVISIONAL
    await findable(house.services)
    later, again = await checked(house), await checked(house)
    assert not later.coverage.provisional
    assert PROVISIONAL not in later.recommendations
    assert found(later) == found(again)


async def test_without_a_model_of_meaning_nothing_is_provisional() -> None:
    async with open_house() as house:
        await imported(house)
        assert not (await checked(house)).coverage.provisional


async def test_an_answer_by_words_while_the_embedder_fails_is_provisional(
    house: House, embedder: UnderstandingEmbedder
) -> None:
    embedder.fails = True
    assert (await checked(house)).coverage.provisional
    embedder.fails = False
    assert not (await checked(house)).coverage.provisional


async def test_a_plan_and_an_article_carry_it(house: House) -> None:
    await imported(house)
    command = PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN, allow_low_coverage=True)
    planned = (await house.services.writing.plan(command)).article
    assert planned.coverage is not None
    assert planned.coverage.provisional
    assert (await house.article(planned.id)).coverage == planned.coverage
    await findable(house.services)
    other = evolve(command, topic="Heat pump sizing for winter")
    coverage = (await house.services.writing.plan(other)).article.coverage
    assert coverage is not None
    assert not coverage.provisional


@pytest.mark.parametrize("operation", ["plan", "generate"])
async def test_a_refusal_says_that_it_may_change(house: House, operation: str) -> None:
    writing = house.services.writing

    async def refusal() -> str:
        asked: Awaitable[object] = (
            writing.plan(PlanArticleCommand(house.caller, AGENT, OFF_TOPIC))
            if operation == "plan"
            else writing.generate(GenerateArticleCommand(house.caller, NICHE, topic=OFF_TOPIC, agent_key=AGENT))
        )
        with pytest.raises(CoverageTooLow) as raised:
            await asked
        return raised.value.detail

    assert PROVISIONAL not in await refusal()
    await imported(house)
    assert (await refusal()).endswith(PROVISIONAL)
