"""What a check answers beside the score: topics that the knowledge base does cover."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Literal

import pytest
from attrs import evolve

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.knowledge import KbScope, KbView, Passage
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.topic_gap import TopicGap
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.ports.content_model import Answer, NicheBrief, TopicSuggestion
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.check_coverage import CANDIDATES, SUGGESTIONS, CheckCoverageCommand
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_http.demo.tenant import samples
from tests.support.house import AGENT, COVERED, NICHE, House, findable, open_house
from tests.support.scripted_model import ScriptedModel
from tests.support.subjects import Subjects

OFF_TOPIC = "Medieval falconry and its laws"


class Suggesting(ScriptedModel):
    """Suggests what it is told to, covered or not."""

    topics: tuple[str, ...] = ()

    async def suggest_topics(
        self,
        niche: NicheBrief,
        passages: Sequence[Passage],
        avoid: Sequence[str],
        language: Language,
        count: int,
        gaps: Sequence[TopicGap] = (),
    ) -> Answer[tuple[TopicSuggestion, ...]]:
        answer = await super().suggest_topics(niche, passages, avoid, language, count)
        return evolve(answer, value=tuple(TopicSuggestion(topic, "because", 0.9) for topic in self.topics))


class Probed(HashedEmbedder):
    """Claims to be a trained model, and counts how often it is asked to pair the English paraphrases."""

    embedding_weight = 1.0

    def __init__(self) -> None:
        super().__init__()
        self.probes = 0

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        self.probes += PARAPHRASES[Language.EN][0][0] in texts
        return await super().embed(texts, kind)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house(model=Suggesting()) as opened:
        yield opened


async def alternatives(house: House, *suggested: str, topic: str = OFF_TOPIC) -> tuple[str, ...]:
    assert isinstance(house.model, Suggesting)
    house.model.topics = suggested
    command = CheckCoverageCommand(house.caller, AGENT, topic, ArticleLength.SHORT)
    return (await house.services.writing.check_coverage(command)).alternative_topics


async def test_a_suggestion_that_the_knowledge_base_does_not_cover_is_not_offered(house: House) -> None:
    assert await alternatives(house, "Training a falcon", COVERED, "Castles of Wales") == (COVERED,)


async def test_a_covered_topic_needs_no_alternative(house: House) -> None:
    assert await alternatives(house, COVERED, topic="Heat pump efficiency in a mild winter") == ()


async def test_the_nearest_is_offered_first_and_none_in_other_words() -> None:
    near = Subjects({"asked": ("falconry",), "size": ("sizing", "solar"), "other": ("efficiency",)}, near={"size": 0.5})
    suggested = (COVERED, "Sizing heat pumps", "Solar panels")
    async with open_house(model=Suggesting(), embedder=near) as house:
        near.fails = True
        assert await alternatives(house, *suggested[:2]) == suggested[:2]
        near.fails = False
        assert await alternatives(house, *suggested) == suggested[1::-1]


async def test_topics_are_suggested_once_and_not_what_is_written() -> None:
    near = Subjects({"size": ("sizing", "richtig"), "noise": ("noise", "geräusche")})
    suggested = ("Sizing for cottages", "Noise at night", "Nachts: Geräusche", "What a cold winter costs")
    async with open_house(model=Suggesting(), embedder=near) as house:
        assert isinstance(house.model, Suggesting)
        house.model.topics = suggested
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(builders.article("Die richtige Größe", tenant_id=house.caller.tenant_id))
        for near.fails, offered in ((True, suggested), (False, suggested[1::2])):
            found = await house.services.writing.suggest_topics(house.caller, AGENT)
            assert tuple(suggestion.topic for suggestion in found) == offered


async def test_at_most_five_are_offered_and_eight_are_checked(house: House) -> None:
    many = tuple(f"{COVERED} {'again ' * n}".strip() for n in range(20))
    offered = await alternatives(house, *many)
    assert len(offered) <= SUGGESTIONS
    hopeless = tuple(f"Falcon number {n}" for n in range(CANDIDATES))
    assert await alternatives(house, *hopeless, COVERED) == ()


async def test_checks_and_their_alternatives_ask_an_embedder_once_whether_it_knows_the_language() -> None:
    embedder = Probed()
    async with open_house(model=Suggesting(), embedder=embedder) as house:
        for _ in range(2):
            await alternatives(house, COVERED)
    assert embedder.probes == 1


@pytest.mark.parametrize(
    ("niche", "language", "country", "off_topic"),
    [
        (NICHE, "en", "GB", OFF_TOPIC),
        ("cybersecurite-pme", "fr", "FR", "La fauconnerie médiévale et ses lois"),
    ],
)
async def test_every_alternative_of_the_extractive_writer_is_covered(
    niche: str, language: str, country: str, off_topic: str
) -> None:
    async with in_memory() as services:
        made = await services.people.tenants.create("Reader", PlanName.PRO)
        await services.knowledge.import_sources(KbScope(niche, made.tenant.id), samples(niche))
        await findable(services)
        view = KbView(niche, made.tenant.id)
        caller = made.caller
        await services.agents.niches.activate(
            ActivateNicheCommand(caller, niche, ("professional",), (language,), (country,))
        )
        report = await services.writing.check_coverage(CheckCoverageCommand(caller, f"{niche}-{country}", off_topic))
        assert report.alternative_topics
        for topic in report.alternative_topics:
            found = await services.writing.check_coverage.retrieve(
                view, topic, LENGTHS[ArticleLength.STANDARD].passages
            )
            assert found.coverage(ArticleLength.STANDARD).level in (CoverageLevel.GOOD, CoverageLevel.EXCELLENT)
