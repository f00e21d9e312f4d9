"""What a coverage score does while a knowledge base in PostgreSQL and LanceDB grows, document by document."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import evolve, frozen

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.coverage import Coverage
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.services import CoreServices
from contentgen_core.testing.runtime import ManualClock
from contentgen_grounded.bootstrap.memory import memory_ports
from contentgen_http.demo.tenant import samples
from tests.support.house import findable
from tests.support.scripted_model import ScriptedModel

ONE_POINT = 1.0
SCOPE, VIEW = KbScope("growing"), KbView("growing")

HEAT_PUMPS = (
    "A heat pump moves heat from outdoor air into the house. In winter its efficiency falls with the temperature.",
    "The efficiency of a heat pump in winter depends on the flow temperature of the radiators.",
    "Defrosting costs a heat pump some efficiency on wet winter days.",
    "An inverter lets a heat pump run slowly, which raises its efficiency through the winter.",
    "Ground source heat pumps keep their efficiency in winter, because the ground stays warm.",
    "Winter tariffs and the efficiency of the heat pump decide what heating costs.",
    "A heat pump that is too large cycles in winter and loses efficiency.",
    "Measured over a winter, the efficiency of most heat pumps lies between three and four.",
    "Insulating a house before winter lets a smaller heat pump reach a better efficiency.",
    "An installer checks the efficiency of a heat pump at the start of each winter.",
)
POMPES = (
    "Une pompe à chaleur prend la chaleur de l'air extérieur. En hiver, son rendement baisse avec la température.",
    "Le rendement d'une pompe à chaleur en hiver dépend de la température des radiateurs.",
    "Le dégivrage coûte un peu de rendement à la pompe à chaleur pendant les jours humides de l'hiver.",
    "Une pompe à chaleur trop grande perd du rendement en hiver.",
    "Avant l'hiver, l'isolation de la maison améliore le rendement de la pompe à chaleur.",
    "Le rendement mesuré sur un hiver se situe entre trois et quatre pour la plupart des pompes à chaleur.",
)
WAERMEPUMPEN = (
    "Eine Wärmepumpe holt Wärme aus der Außenluft. Im Winter sinkt ihr Wirkungsgrad mit der Temperatur.",
    "Der Wirkungsgrad einer Wärmepumpe im Winter hängt von der Vorlauftemperatur ab.",
    "Das Abtauen kostet die Wärmepumpe im Winter etwas Wirkungsgrad.",
    "Eine zu große Wärmepumpe verliert im Winter an Wirkungsgrad.",
    "Wer vor dem Winter dämmt, verbessert den Wirkungsgrad der Wärmepumpe.",
    "Über einen Winter gemessen liegt der Wirkungsgrad der meisten Wärmepumpen zwischen drei und vier.",
)
JAPANESE = (
    "ヒートポンプは外気から熱を家の中に運びます。冬は気温とともに効率が下がります。",
    "冬のヒートポンプの効率は暖房の温水の温度で決まります。",
    "霜取り運転は冬のヒートポンプの効率を少し下げます。",
    "大きすぎるヒートポンプは冬に効率を失います。",
    "冬の前に断熱すると、ヒートポンプの効率が良くなります。",
)
TOPICS = {
    Language.EN: ("Heat pump efficiency in winter", HEAT_PUMPS),
    Language.FR: ("Rendement d'une pompe à chaleur en hiver", POMPES),
    Language.DE: ("Wirkungsgrad der Wärmepumpe im Winter", WAERMEPUMPEN),
    Language.JA: ("冬のヒートポンプの効率", JAPANESE),
}


@frozen
class Store:
    services: CoreServices
    clock: ManualClock

    async def add(self, text: str, name: str, language: Language, title: str = "") -> None:
        self.clock.advance(seconds=1)  # documents come in one after the other
        source = SourceText(name, title, text, f"https://kb.example.org/{name}", language)
        await self.services.knowledge.import_sources(SCOPE, [source])
        await findable(self.services)

    async def fill(self, niche: str) -> None:
        """Documents on other things, in English or French."""
        await self.services.knowledge.import_sources(
            SCOPE, [evolve(source, source_key=f"{niche} {source.source_key}") for source in samples(niche)]
        )
        await findable(self.services)

    async def coverage(self, topic: str, length: ArticleLength = ArticleLength.STANDARD) -> Coverage:
        found = await self.services.writing.check_coverage.retrieve(VIEW, topic, LENGTHS[length].passages)
        return found.coverage(length)


@pytest.fixture
async def store(tmp_path: Path, postgres_unit_of_work: PostgresUnitOfWork) -> AsyncIterator[Store]:
    embedder, clock = HashedEmbedder(), ManualClock()
    index = await LanceIndex.open(str(tmp_path), embedder.model, embedder.dimension)
    ports = evolve(
        memory_ports(),
        unit_of_work=postgres_unit_of_work,
        index=index,
        embedder=embedder,
        model=ScriptedModel(),
        clock=clock,
    )
    services = CoreServices.compose(ports)
    yield Store(services, clock)
    await index.close()


@pytest.mark.parametrize("language", TOPICS)
async def test_each_further_document_on_a_topic_keeps_or_raises_its_score(store: Store, language: Language) -> None:
    topic, texts = TOPICS[language]
    scores = [(await store.coverage(topic)).score]
    for number, text in enumerate(texts):
        await store.add(text, str(number), language)
        scores.append((await store.coverage(topic)).score)
    assert scores[0] == 0.0
    assert all(after >= before - ONE_POINT for before, after in pairwise(scores)), scores
    assert scores[-1] == max(scores)
    assert scores[-1] >= 80


async def test_so_it_is_among_documents_on_other_things(store: Store) -> None:
    await store.fill("cybersecurite-pme")
    await store.fill("home-energy")
    topic, scores = "Heat pump efficiency in winter", []
    for number, text in enumerate(("", *HEAT_PUMPS)):
        if text:
            await store.add(text, str(number), Language.EN)
        scores.append([(await store.coverage(topic, length)).score for length in ArticleLength])
    for before, after in pairwise(scores):
        assert all(b >= a - ONE_POINT for a, b in zip(before, after, strict=True)), scores


@pytest.mark.parametrize("language", TOPICS)
async def test_a_copy_under_another_address_and_title_never_raises_the_score(store: Store, language: Language) -> None:
    topic, texts = TOPICS[language]
    for number, text in enumerate(texts[:3]):
        await store.add(text, str(number), language)
    for number, text in enumerate(texts[:3]):
        before = [(await store.coverage(topic, length)).score for length in ArticleLength]
        await store.add(text, f"copy {number}", language, title=topic)
        after = [(await store.coverage(topic, length)).score for length in ArticleLength]
        assert all(a - ONE_POINT <= b <= a for a, b in zip(before, after, strict=True))
