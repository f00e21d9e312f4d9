"""Cases of coverage: topics with all, part, some and none of their documents in the knowledge base, and topics from
elsewhere, each put to the product's own import, search and ranking over memory.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from benchmarks.quality import collections
from benchmarks.quality.coverage_simple import simple_scores
from benchmarks.quality.coverage_topics import TITLES
from contentgen_core.model.coverage import CoverageEvidence
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Passage
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.policies.coverage.evidence import coverage_evidence
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.services import CoreServices
from contentgen_core.use_cases.knowledge.retrieved import Retrieved
from contentgen_grounded.bootstrap import providers
from contentgen_grounded.bootstrap.memory import memory_ports
from contentgen_grounded.bootstrap.options import chosen_options
from contentgen_grounded.settings import Settings
from contentgen_http.demo.tenant import samples

NICHE: Final = "bench"
VIEW: Final = KbView(NICHE)
LONGEST: Final = LENGTHS[ArticleLength.VERY_LONG].passages
SEED: Final = 20
ELSEWHERE: Final = 120
"""Topics from elsewhere for each collection, at most."""
DEMO_NICHES: Final = {"en": "home-energy", "fr": "cybersecurite-pme"}


class Left(StrEnum):
    """How many of a topic's own documents remain in the knowledge base. `some`: 1 or 2 of at least three; `part`: 3 or
    4 of at least five; `elsewhere`: the topic is another collection's.
    """

    ALL = "all"
    PART = "part"
    SOME = "some"
    NONE = "none"
    ELSEWHERE = "elsewhere"


@frozen
class Topic:
    id: str
    text: str
    relevant: frozenset[str]


@frozen
class Shelf:
    """A collection with its topics. `family`: collections of one family share passages or are translations of each
    other.
    """

    name: str
    family: str
    language: Language
    documents: tuple[SourceText, ...]
    topics: tuple[Topic, ...]

    @property
    def has_articles(self) -> bool:
        """Whether its topics are titles with several passages each, rather than questions or claims."""
        return self.name.endswith("-topics")


@frozen
class Case:
    """One topic put to one state of a knowledge base. `documents`: how many of its own the base has left; `language`:
    of the topic; `evidence`: the product's finds, for whatever length; `simple`: the scores of simple systems, with
    the same embedder.
    """

    shelf: Shelf
    topic: Topic
    left: Left
    documents: int
    language: Language
    evidence: CoverageEvidence
    simple: Mapping[str, float]


def shelves(data: Path) -> list[Shelf]:
    """The stored collections, and XQuAD's passages once more with the titles of their articles as topics."""
    found = []
    for name in collections.names(data):
        stored = _stored(collections.load(data, name))
        found.append(stored)
        if stored.family == "xquad":
            found.append(_by_articles(stored))
    return found


def _stored(loaded: collections.Collection) -> Shelf:
    name = loaded.name.removesuffix("-dev")
    topics = tuple(
        Topic(query.id, query.text, frozenset(id for id, grade in loaded.judged[query.id].items() if grade > 0))
        for query in loaded.queries
    )
    documents = tuple(SourceText(d.id, d.title, d.text, None, loaded.language) for d in loaded.documents)
    return Shelf(name, name.split("-")[0], loaded.language, documents, topics)


def _by_articles(stored: Shelf) -> Shelf:
    groups: dict[str, set[str]] = defaultdict(set)
    for document in stored.documents:
        groups[document.source_key.split("_")[0]].add(document.source_key)
    titles = TITLES[stored.language]
    topics = tuple(
        Topic(f"{stored.language}T{place}", title, frozenset(groups[f"{stored.language}{place}"]))
        for place, title in enumerate(titles)
    )
    return Shelf(f"{stored.name}-topics", stored.family, stored.language, stored.documents, topics)


async def cases_of(shelf: Shelf, others: Sequence[Shelf], embedder: Embedder) -> list[Case]:
    """Return every topic of the shelf in each state that its number of documents allows, and topics from elsewhere."""
    chance = random.Random(f"{SEED} {shelf.name}")
    made = []
    async with composed(embedder) as services:
        base = _Open(services, await imported(services, NICHE, shelf.documents))
        for topic in shelf.topics:
            own = sorted(topic.relevant)
            chance.shuffle(own)
            for left, kept in _states(len(own), chance):
                async with base.without(own[kept:]):
                    made.append(Case(shelf, topic, left, kept, shelf.language, *await base.asked(topic)))
        for topic, language in _from_elsewhere(shelf, others, chance):
            made.append(Case(shelf, topic, Left.ELSEWHERE, 0, language, *await base.asked(topic)))
    return made


def _states(own: int, chance: random.Random) -> Iterator[tuple[Left, int]]:
    yield Left.ALL, own
    if own >= 5:
        yield Left.PART, chance.choice((3, 4))
    if own >= 3:
        yield Left.SOME, chance.choice((1, 2))
    yield Left.NONE, 0


def _from_elsewhere(shelf: Shelf, others: Sequence[Shelf], chance: random.Random) -> list[tuple[Topic, Language]]:
    """Return topics of other families, up to half of them of this shelf's language: titles for a shelf of titles, else
    questions and claims. French has titles of its own here: XQuAD's in French and those of the demo's sources.
    """
    language = shelf.language
    foreign = [
        (topic, other.language)
        for other in others
        if other.family != shelf.family and other.has_articles == shelf.has_articles
        for topic in other.topics
    ]
    near = [pair for pair in foreign if pair[1] == language]
    if shelf.has_articles or not near:
        near += [(Topic(f"title:{title}", title, frozenset()), language) for title in _titles(shelf)]
    far = [pair for pair in foreign if pair[1] != language]
    chance.shuffle(near)
    chance.shuffle(far)
    near = near[: ELSEWHERE // 2]
    return near + far[: ELSEWHERE - len(near)]


def _titles(shelf: Shelf) -> list[str]:
    titles = [source.title for source in samples(DEMO_NICHES[shelf.language])] if shelf.language in DEMO_NICHES else []
    return titles if shelf.family == "xquad" else [*titles, *TITLES.get(shelf.language, ())]


def evidence_of(found: Retrieved) -> CoverageEvidence:
    """Return the evidence that a score is computed from, not the score: its weights may not be fitted yet."""
    return coverage_evidence(found.query, found.by_words(), found.off_topic_statistics, found.meaning)


@frozen
class _Open:
    services: CoreServices
    ids: dict[str, DocumentId]

    async def asked(self, topic: Topic) -> tuple[CoverageEvidence, Mapping[str, float]]:
        retrieve = self.services.writing.check_coverage.retrieve
        found = await retrieve(VIEW, topic.text, LONGEST)
        return evidence_of(found), await simple_scores(retrieve, VIEW, topic.text)

    @asynccontextmanager
    async def without(self, documents: Sequence[str]) -> AsyncIterator[None]:
        """The knowledge base as if these documents had never come in."""
        gone = [self.ids[document] for document in documents if document in self.ids]
        async with self.services.ports.unit_of_work() as tx:
            kept: dict[KbDocument, list[Passage]] = {}
            for passage in await tx[Knowledge].passages_of(gone):
                kept.setdefault(passage.document, []).append(passage)
            await tx[Knowledge].remove(gone)
        await self.services.knowledge.apply_index_changes.drain("bench")
        await self.services.knowledge.embed_passages.drain("bench")
        yield
        async with self.services.ports.unit_of_work() as tx:
            await tx[Knowledge].add(list(kept.items()))
        await self.services.knowledge.apply_index_changes.drain("bench")
        await self.services.knowledge.embed_passages.drain("bench")


@asynccontextmanager
async def composed(embedder: Embedder) -> AsyncIterator[CoreServices]:
    """The product over an empty memory with this embedder."""
    settings = Settings()
    async with providers.with_chosen_adapters(settings, memory_ports()) as ports:
        services = CoreServices.compose(evolve(ports, embedder=embedder), chosen_options(settings, ports.model))
        await services.upkeep.catalogue()
        yield services


async def imported(services: CoreServices, niche: str, sources: Sequence[SourceText]) -> dict[str, DocumentId]:
    """The documents of these sources, searchable in a niche, by source key."""
    await services.knowledge.import_sources(KbScope(niche), sources)
    await services.knowledge.apply_index_changes.drain("bench")
    await services.knowledge.embed_passages.drain("bench")
    async with services.ports.unit_of_work() as tx:
        known = await tx[Knowledge].known(KbScope(niche), [source.source_key for source in sources])
    return {key: document.id for key, document in known.items()}


def all_cases(data: Path, embedder: Embedder) -> list[Case]:
    found = shelves(data)

    async def gathered() -> list[Case]:
        return [case for shelf in found for case in await cases_of(shelf, found, embedder)]

    return asyncio.run(gathered())
