"""Topics and niches in the words of five languages, by the bundled model."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve
from benchmarks.quality import niches as planted

from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.llm.extractive.writer import ExtractiveWriter
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import TopicJudgement
from contentgen_core.ports.documents import SourceText
from tests.support.house import AGENT, NICHE, House, findable, open_house

OWN = ("Pompe à chaleur bruyante", "Thermopompe silencieuse", "balcony solar panels", "Dämmung des Dachs")
FOREIGN = ("Premier League transfer news", "Les résultats du PSG en Ligue des champions", "Receta de la paella")


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house(embedder=await SemanticEmbedder.open()) as opened:
        yield opened


BOWS = (
    ("Violin bows", "A violin bow is strung with horse hair. A violinist has the hair of the bow renewed every year."),
    ("Bow hair", "Rehairing a violin bow takes a luthier an hour. Worn hair of a violin bow no longer holds rosin."),
    ("Rosin", "Rosin makes the hair of a violin bow grip the string. Too much rosin makes a bow sound harsh."),
    ("Bow makers", "Bow makers cut violin bows from pernambuco. Rehairing shows how well the frog of a bow was made."),
)


async def judged(house: House, topic: str) -> TopicJudgement:
    """Without a language model."""
    validate = house.services.writing.validate_topic
    validate = evolve(validate, judge=evolve(validate.judge, model=ExtractiveWriter(IcuTextAnalysis())))
    return await validate(house.caller, AGENT, topic)


async def test_a_topic_is_judged_by_its_meaning(house: House) -> None:
    for topic in (*OWN, *FOREIGN):
        plain, noisy = await judged(house, topic), await judged(house, f"{topic} 0")
        assert plain == noisy
        assert plain.valid is (topic in OWN), topic


async def test_what_the_knowledge_base_covers_belongs() -> None:
    async with open_house(embedder=await SemanticEmbedder.open()) as house:
        topic = "Rehairing a violin bow"
        assert not (await judged(house, topic)).valid
        sources = [SourceText(f"bow{n}", title, text, language=Language.EN) for n, (title, text) in enumerate(BOWS)]
        await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), sources)
        await findable(house.services)
        assert (await judged(house, topic)).valid
        assert not (await judged(house, FOREIGN[0])).valid


CAKE = "Les meilleures recettes de gâteau au chocolat sans gluten"
MOST_FALSE_REFUSALS, MOST_FAR_ACCEPTED = 0.06, 0.10


async def test_a_cake_is_no_topic_of_marine_energy() -> None:
    [marine] = [niche for niche in planted.niches() if niche.name == "Énergies marines"]
    own = {topic.text for topic in marine.topics if topic.kind == planted.OWN}
    found = await planted.judged("semantic", [marine])
    for filled, most_refused in ((False, 0), (True, 1)):
        refused = {it.topic.text for it in found if it.filled is filled and not it.valid}
        assert CAKE in refused
        assert len(refused & own) <= most_refused


async def test_topics_of_another_field_are_refused_and_those_of_the_niche_accepted() -> None:
    """On niches that nothing was fitted on, with an empty knowledge base. Half of what is neighbouring the niche, or
    plays on its words, is accepted, which the benchmark measures."""
    asked = [
        evolve(niche, documents=(), topics=[topic for topic in niche.topics if topic.kind in (planted.OWN, "far")])
        for niche in planted.niches()
        if niche.half == planted.HELD_OUT
    ]
    found = await planted.judged("semantic", asked)
    own = [it.valid for it in found if it.topic.kind == planted.OWN]
    far = [it.valid for it in found if it.topic.kind == "far"]
    assert own.count(False) <= MOST_FALSE_REFUSALS * len(own)
    assert far.count(True) <= MOST_FAR_ACCEPTED * len(far)


LIES = {"Grapevine: how rumours spread at the office", "Peinture à l'huile : les bases"}


async def test_documents_tell_a_play_on_words_from_a_topic_of_the_niche() -> None:
    asked = [niche for niche in planted.niches() if niche.name in ("Viticoltura", "Aceite de oliva")]
    found = await planted.judged("semantic", asked)
    accepted = {filled: {it.topic.text for it in found if it.valid and it.filled is filled} for filled in (False, True)}
    assert accepted[False] >= LIES
    assert not accepted[True] & LIES
    own = {topic.text for niche in asked for topic in niche.topics if topic.kind == planted.OWN}
    assert len(own & accepted[True]) >= len(own) - 1
