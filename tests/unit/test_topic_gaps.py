"""What is suggested to write on: what is missing, with its reason and its coverage, and nothing that may not be."""

from __future__ import annotations

from collections.abc import AsyncIterator
from unittest.mock import AsyncMock

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm.extractive.writer import ExtractiveWriter
from contentgen_adapters.llm.phrases import phrases
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Usage
from contentgen_core.model.coverage import ArticleCoverage, CoverageLevel
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.topic_gap import GapKind, TopicGap
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.gaps import Heads, open_questions, select_gaps
from contentgen_core.ports.content_model import Answer, NicheBrief, TopicSuggestion
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.voices import Voices
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.topic_gaps import AllowedTopics
from tests.support.house import AGENT, NICHE, House, findable, open_house

ANALYSIS = IcuTextAnalysis()
KIND = GapKind
LOW = ArticleCoverage(CoverageLevel.LOW, 40.0)
SOURCES = (
    ("Grants", "The installer signs the Boiler Upgrade Scheme form. Who repairs a broken meter tail at night?"),
    ("Meters", "A meter that the Boiler Upgrade Scheme paid for is read by radio. It sends figures every hour."),
    ("Boilers", "A gas boiler leaves the house when the Boiler Upgrade Scheme pays. Why does it leave? It is old."),
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    """With documents that name what none is about. Its model suggests the gaps that it is given."""
    async with open_house() as opened:
        services = opened.services
        sources = (SourceText(f"https://s.example.org/{t}", t, text, language=Language.EN) for t, text in SOURCES)
        await services.knowledge.import_sources(KbScope(NICHE, opened.caller.tenant_id), sources)
        await findable(services)
        yield opened


async def suggested(house: House) -> dict[str, TopicSuggestion]:
    found = await house.services.writing.suggest_topics(house.caller, AGENT)
    return {suggestion.topic: suggestion for suggestion in found}


async def test_what_documents_name_and_none_is_about_is_missing(house: House) -> None:
    found = (await suggested(house))["Boiler Upgrade Scheme"]
    assert found.gap in (KIND.NAMED, KIND.UNWRITTEN)
    assert found.coverage is not None
    assert found.score == round(found.coverage.score / 100, 3)
    written = SourceText("https://s.example.org/b", "The Boiler Upgrade Scheme", "It pays.", language=Language.EN)
    await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), [written])
    await findable(house.services)
    assert "Boiler Upgrade Scheme" not in await suggested(house), "a title says it"


async def test_a_question_that_no_source_answers_is_missing(house: House) -> None:
    question = "Who repairs a broken meter tail at night?"
    found = (await suggested(house))[question]
    assert found.gap is KIND.UNANSWERED
    assert found.coverage is not None
    assert found.coverage.level in (CoverageLevel.LOW, CoverageLevel.INSUFFICIENT)
    assert not any("leave" in topic for topic in await suggested(house)), "the text goes on with the answer"


async def test_what_was_asked_for_and_is_not_covered_is_missing_until_it_is_written(house: House) -> None:
    topic = "Beekeeping on a flat roof"
    asked = builders.article(topic, tenant_id=house.caller.tenant_id, niche_key=NICHE, coverage=LOW)
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(asked)
    found = (await suggested(house))[topic]
    assert found.gap is KIND.UNCOVERED
    async with house.services.ports.unit_of_work() as tx:
        kept = await tx[Articles].get(asked.tenant_id, asked.id)
        await tx[Articles].save(evolve(kept, coverage=evolve(LOW, level=CoverageLevel.GOOD)))
    assert topic not in await suggested(house), "an article of its own has it"


@pytest.mark.parametrize("language", Language)
async def test_the_built_in_writer_says_why_in_the_language_of_the_reader(language: Language) -> None:
    gaps = [TopicGap(f"Topic number {kind}", kind, LOW, documents=7) for kind in GapKind]
    answer = await ExtractiveWriter(ANALYSIS).suggest_topics(NicheBrief("Homes"), (), (), language, 3, gaps)
    assert [(found.topic, found.score) for found in answer.value] == [(gap.topic, 0.4) for gap in gaps[:3]]
    reasons = phrases(language).gap_reasons
    assert set(reasons) == set(GapKind)
    assert len(set(reasons.values())) == len(GapKind)
    assert "7" in answer.value[1].reason
    assert language is Language.EN or reasons != phrases(Language.EN).gap_reasons


async def test_no_title_or_heading_is_suggested(house: House) -> None:
    titles = {title for title, _ in SOURCES}
    assert not titles & set(await suggested(house))
    assert len(await suggested(house)) <= 5


async def test_nothing_is_suggested_that_governance_would_call_a_repetition(house: House) -> None:
    assert "Boiler Upgrade Scheme" in await suggested(house)
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(
            builders.article("The boiler upgrade schemes in 2026", tenant_id=house.caller.tenant_id, niche_key=NICHE)
        )
    assert "Boiler Upgrade Scheme" not in await suggested(house)
    repeated = TopicSuggestion("A guide to the boiler upgrade scheme", "because", 0.9)
    house.model.suggest_topics = AsyncMock(return_value=Answer((repeated,), Usage("scripted")))  # type: ignore[method-assign]
    assert await suggested(house) == {}, "nor by a model"


async def test_nothing_is_suggested_that_the_voice_of_the_tenant_avoids(house: House) -> None:
    assert "Boiler Upgrade Scheme" in await suggested(house)
    voice = builders.voice(tenant_id=house.caller.tenant_id, avoid=("upgrades",), is_default=True)
    async with house.services.ports.unit_of_work() as tx:
        await tx[Voices].add(voice)
    assert "Boiler Upgrade Scheme" not in await suggested(house)


_topics = st.text(min_size=1, max_size=40)
_gaps = st.lists(st.builds(TopicGap, topic=_topics, kind=st.sampled_from(GapKind), coverage=st.just(LOW)), max_size=12)


@given(_gaps, st.integers(0, 8))
def test_the_most_urgent_come_first_and_keep_their_order(gaps: list[TopicGap], count: int) -> None:
    chosen = select_gaps(gaps, count)
    assert len(chosen) == min(count, len(gaps))
    for kind in GapKind:
        of_kind = [gap for gap in gaps if gap.kind is kind]
        assert [gap for gap in chosen if gap.kind is kind] == of_kind[: sum(gap.kind is kind for gap in chosen)]
    kinds = [gap.kind for gap in chosen]
    assert KIND.UNWRITTEN not in kinds or set(kinds[kinds.index(KIND.UNWRITTEN) :]) == {KIND.UNWRITTEN}


@given(st.text(max_size=60), st.lists(st.sampled_from(("boiler", "tail", "radio")), max_size=2))
def test_what_is_allowed_passes_the_check_of_topics_and_has_no_avoided_term(text: str, avoided: list[str]) -> None:
    allowed = AllowedTopics(ANALYSIS, Language.EN, tuple(avoided))
    topic = f"{text} {' '.join(avoided)}"
    assert not (avoided and allowed(topic))
    assert not allowed(f"{text} https://example.org")


def test_questions_of_a_passage_are_open_where_nothing_follows() -> None:
    document = builders.kb_document(language=Language.EN)
    text = "But why? How does snow load a panel roof? Which roof carries two rows? Most do. What holds a rail bolt?"
    found = open_questions([builders.passage(document, text)], ANALYSIS)
    assert [question.text for question in found] == ["How does snow load a panel roof?", "What holds a rail bolt?"]


def test_a_head_names_what_it_has_all_words_of() -> None:
    heads = Heads(ANALYSIS)
    heads.add([builders.passage(builders.kb_document(title="Heat pumps"), "It hums.", heading="Noise at night")])
    assert heads.name("heat pump noise", Language.EN)
    assert not heads.name("heat pump price", Language.EN)
    assert not heads.name("", Language.EN)
