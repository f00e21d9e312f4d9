"""Vectors that follow the words, and searches before they are all there."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import hypot
from typing import Literal

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.memory.passage_index import MemoryIndex
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import ProviderFailed, Unavailable
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbView, Understanding
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.nearness import SPELLING_WEIGHT
from contentgen_core.ports.knowledge_base import IndexedPassage, Vector
from contentgen_core.ports.repositories.embeddings import Embeddings
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import ManualClock
from contentgen_core.use_cases.knowledge import embed_passages
from contentgen_core.use_cases.knowledge.embed_passages import EmbedPassages
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.knowledge.missing_vectors import BEST_OF_EACH
from contentgen_core.use_cases.knowledge.retrieve import Retrieve

VIEW = KbView(builders.NICHE_KEY)
SUBJECTS = ("heat", "light", "sound")


class Subjects:
    """Embeds a text as which of SUBJECTS it names, in whatever words: `Hitze` is heat."""

    dimension = len(SUBJECTS)
    synonyms = {"hitze": "heat", "glow": "light", "noise": "sound"}  # noqa: RUF012 - never changed

    def __init__(self, model: str = "subjects", embedding_weight: float = 1.0) -> None:
        self.model, self.embedding_weight = model, embedding_weight
        self.texts: list[str] = []
        self.refuses = ""
        self.queries = 0

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        if self.refuses and any(self.refuses in text for text in texts):
            raise ProviderFailed("embeddings", "refused", retryable=False)
        if kind == "passage":
            self.texts += texts
        else:
            self.queries += 1
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        words = [self.synonyms.get(word, word) for word in text.lower().split()]
        counts = [words.count(subject) for subject in SUBJECTS]
        length = hypot(*counts)
        return [count / length if length else 0.0 for count in counts]


MEANT = (*SUBJECTS, *Subjects.synonyms)
"""Words with a meaning: a text of others alone has a vector of zeros, which no embedder gives and no index compares."""
WORDS = (*MEANT, "pump")


class Believed(EmbeddingWeights):
    """Believes an embedder in all languages without a test."""

    async def __call__(self, languages: Collection[Language]) -> Mapping[Language, float]:
        return dict.fromkeys(languages, self._embedder.embedding_weight)

    async def scale(self) -> None:
        return None


class Base:
    def __init__(self, embedder: Subjects | None = None) -> None:
        self.unit_of_work, self.clock = MemoryUnitOfWork(), ManualClock()
        self.stored = MemoryIndex()
        self.use(embedder or Subjects())

    def use(self, embedder: Subjects) -> None:
        """As a process that is set up with this embedder."""
        self.embedder = embedder
        self.index = self.stored.reopened(embedder.model, embedder.dimension)
        self.apply = ApplyIndexChanges(self.unit_of_work, self.index, self.clock)
        self.embed = EmbedPassages(self.unit_of_work, self.index, embedder, self.clock)

    async def add(self, *texts: str, name: str = "") -> DocumentId:
        document = builders.kb_document(**({"title": name} if name else {}))
        passages = [builders.passage(document, text, chunk_index=n) for n, text in enumerate(texts)]
        async with self.unit_of_work() as tx:
            await tx[Knowledge].add([(document, passages)])
        await self.apply.drain("a")
        return document.id

    async def search(self, text: str) -> list[str]:
        return [ranked.passage.text for ranked in (await self.retrieve()(VIEW, text, 100)).ranked]

    def retrieve(self) -> Retrieve:
        weights = Believed(self.embedder)
        return Retrieve(self.unit_of_work, self.index, self.embedder, IcuTextAnalysis(), weights)

    async def near(self, text: str) -> set[SourceRef]:
        [vector] = await self.embedder.embed([text], "query")
        return {hit.ref for hit in await self.index.search(VIEW, {}, vector, 100)}

    async def understanding(self) -> Understanding:
        async with self.unit_of_work() as tx:
            return await tx[Embeddings].understanding(self.embed.space, VIEW)


@pytest.fixture
def base() -> Base:
    return Base()


async def test_vectors_follow_the_words(base: Base) -> None:
    document = await base.add("The heat of summer", "The sound of rain")
    assert await base.near("heat") == set()
    assert await base.embed.drain("a") == 1
    assert await base.near("heat") == {SourceRef(document, 0), SourceRef(document, 1)}
    assert await base.understanding() == Understanding(2, 2)
    assert await base.embed.drain("a") == 0


async def test_a_copy_of_a_text_is_not_embedded_again(base: Base) -> None:
    await base.add("The heat of summer", name="Seasons")
    await base.embed.drain("a")
    again = await base.add("The heat of summer", "The heat of winter", name="Seasons")
    await base.embed.drain("a")
    assert [text.splitlines()[-1] for text in base.embedder.texts] == ["The heat of summer", "The heat of winter"]
    assert SourceRef(again, 0) in await base.near("heat")


async def test_vectors_of_spelling_are_not_kept() -> None:
    base = Base(Subjects(embedding_weight=SPELLING_WEIGHT))
    document = await base.add("The heat of summer")
    await base.embed.drain("a")
    assert await base.near("heat") == {SourceRef(document, 0)}
    async with base.unit_of_work() as tx:
        assert await tx[Embeddings].kept(base.embed.space, [SourceRef(document, 0)]) == {}


async def test_who_takes_over_goes_on_where_the_other_died(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed_passages, "BATCH_FOR_A_MODEL", 2)
    await base.add("heat 1", "heat 2", "sound 3", "sound 4", "light 5")
    base.embedder.refuses = "sound"
    with pytest.raises(ProviderFailed):
        await base.embed("a")
    assert await base.understanding() == Understanding(2, 5)
    base.embedder.refuses = ""
    base.clock.advance(seconds=embed_passages.FIRST_RETRY.total_seconds())
    assert await base.embed.drain("b") == 1
    assert len(base.embedder.texts) == 5, "each once"
    assert await base.understanding() == Understanding(5, 5)


async def test_a_document_that_cannot_be_embedded_stops_no_other(base: Base) -> None:
    await base.add("poison heat")
    for n in range(20):
        await base.add(f"sound {n}")
    base.embedder.refuses = "poison"
    done, failures = 0, 0
    for _ in range(40):
        try:
            done += await base.embed("a")
        except ProviderFailed:
            failures += 1
        base.clock.advance(seconds=60)
    assert done == 20
    assert 3 <= failures <= 12, "put off for longer each time"
    assert await base.understanding() == Understanding(20, 21)


async def test_a_document_that_is_removed_while_it_is_embedded_is_not_found(
    base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = await base.add("The heat of summer")
    other = await base.add("More heat")
    embed = base.embedder.embed

    async def meanwhile(texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        async with base.unit_of_work() as tx:
            await tx[Knowledge].remove([document])
        await base.apply.drain("b")
        return await embed(texts, kind)

    monkeypatch.setattr(base.embedder, "embed", meanwhile)
    await base.embed.drain("a")
    monkeypatch.undo()
    assert await base.near("heat") == {SourceRef(other, 0)}
    async with base.unit_of_work() as tx:
        assert await tx[Embeddings].kept(base.embed.space, [SourceRef(document, 0)]) == {}


async def test_another_model_embeds_what_is_there_and_the_old_vectors_stay(base: Base) -> None:
    document = await base.add("The heat of summer")
    await base.embed.drain("a")
    old = base.index
    base.use(Subjects("another"))
    assert await base.search("heat") == ["The heat of summer"]
    assert await base.embed.drain("a") == 1
    assert await base.near("heat") == {SourceRef(document, 0)}
    [vector] = await base.embedder.embed(["heat"], "query")
    assert [hit.ref for hit in await old.search(VIEW, {}, vector, 9)] == [SourceRef(document, 0)]


async def test_the_old_vectors_serve_until_the_new_ones_are_complete(base: Base) -> None:
    await base.add("Noise of rain")
    await base.add("Glow of a lamp")
    await base.embed.drain("a")
    old = base.retrieve()
    base.use(Subjects("another"))
    await base.embed.register()
    serving = evolve(base.retrieve(), former=(old,))
    by_former = await serving(VIEW, "sound", 9)
    assert [found.passage.text for found in by_former.ranked] == ["Noise of rain"]
    assert by_former.vector is None, "it is no vector of the present model, whose sentences it would be compared with"
    assert (await serving.to_show(VIEW, "sound", 9)).vector is None
    assert base.embedder.texts == [], "nothing was asked of the new model"
    late = await base.add("Sound of a horn")
    await serving(VIEW, "sound", 9)
    assert len(base.embedder.texts) > 0, "neither has all: the new one reads what was found"
    await base.embed.drain("a")
    found = await serving(VIEW, "sound", 9)
    assert found.vector is not None
    assert {ranked.passage.document.id for ranked in found.ranked} >= {late}
    assert base.embedder.queries > 0


async def test_vectors_that_nobody_uses_are_deleted_after_a_week(base: Base) -> None:
    document = await base.add("The heat of summer")
    await base.embed.drain("a")
    former, old = base.embed.space, base.index
    base.use(Subjects("another"))
    await base.embed.drain("a")
    base.clock.advance(seconds=embed_passages.UNUSED_FOR.total_seconds() + 1)
    await base.embed.drain("a")
    await base.embed.forget_unused()
    assert not await old.has_vectors()
    assert await base.index.has_vectors()
    async with base.unit_of_work() as tx:
        assert await tx[Embeddings].kept(former, [SourceRef(document, 0)]) == {}
        assert len(await tx[Embeddings].kept(base.embed.space, [SourceRef(document, 0)])) == 1


async def test_an_index_that_lost_its_vectors_gets_those_that_are_kept(base: Base) -> None:
    document = await base.add("The heat of summer")
    await base.embed.drain("a")
    await base.embed.restore_if_lost()
    assert await base.embed.drain("a") == 0
    await base.index.clear_vectors(base.embedder.model, base.embedder.dimension)
    await base.embed.restore_if_lost()
    assert await base.embed.drain("a") == 1
    assert await base.near("heat") == {SourceRef(document, 0)}
    assert len(base.embedder.texts) == 1, "from the database"


async def test_vectors_that_come_to_a_lost_index_do_not_hide_the_loss(base: Base) -> None:
    before = await base.add("The heat of summer")
    await base.embed.drain("a")
    await base.index.clear_vectors(base.embedder.model, base.embedder.dimension)
    after = await base.add("The heat of fire")
    await base.embed.drain("a")
    assert await base.near("heat") == {SourceRef(before, 0), SourceRef(after, 0)}


@pytest.mark.parametrize("words_too", [True, False])
async def test_vectors_that_are_lost_before_their_worker_says_that_they_are_there_come_again(
    base: Base, monkeypatch: pytest.MonkeyPatch, words_too: bool
) -> None:
    document = await base.add("The heat of summer", "The sound of rain")
    other = EmbedPassages(base.unit_of_work, base.index, base.embedder, base.clock)
    another = await base.add("The glow of the moon")
    await base.embed("a")
    async with base.unit_of_work() as tx:
        await tx[Embeddings].queue(base.embed.space, [document])
    written = type(base.index).upsert_vectors

    async def lost(index: MemoryIndex, passages: Sequence[IndexedPassage]) -> None:
        monkeypatch.undo()
        await written(index, passages)
        if words_too:
            await index.clear()
            await base.apply.loss.restore_if_lost(await base.apply.loss.counts())
        else:
            await index.clear_vectors(base.embedder.model, base.embedder.dimension)
            await other.restore_if_lost()

    monkeypatch.setattr(MemoryIndex, "upsert_vectors", lost)
    await base.embed("a")
    await base.apply.drain("b")
    await other.drain("b")
    assert await base.near("heat") == {SourceRef(document, 0), SourceRef(document, 1), SourceRef(another, 0)}


async def test_an_index_that_fails_leaves_the_document_to_the_next(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    await base.add("The heat of summer")

    async def refused(passages: object) -> None:
        raise Unavailable("no")

    with monkeypatch.context() as patched:
        patched.setattr(base.index, "upsert_vectors", refused)
        with pytest.raises(Unavailable):
            await base.embed("a")
    assert await base.embed("b") == 1


async def test_a_search_embeds_what_it_finds_and_keeps_it(base: Base) -> None:
    await base.embed.register()
    first = await base.add("Noise of a pump")
    second = await base.add("Glow of a pump")
    assert await base.search("sound of a pump") == ["Noise of a pump", "Glow of a pump"]
    assert len(base.embedder.texts) == 2
    await base.search("sound of a pump")
    assert len(base.embedder.texts) == 2
    async with base.unit_of_work() as tx:
        kept = await tx[Embeddings].kept(base.embed.space, [SourceRef(first, 0), SourceRef(second, 0)])
    assert len(kept) == 2
    assert await base.embed.drain("a") == 2
    assert len(base.embedder.texts) == 2


async def test_what_a_question_found_is_embedded_first(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed_passages, "BATCH_DOCUMENTS", 1)
    await base.embed.register()
    for n in range(3):
        await base.add(f"light {n}", f"more light {n}")
    asked = await base.add("sound of rain", "and more")
    assert await base.search("rain") == ["sound of rain"]
    await base.embed("a")
    async with base.unit_of_work() as tx:
        kept = await tx[Embeddings].kept(base.embed.space, [SourceRef(asked, 0), SourceRef(asked, 1)])
    assert len(kept) == 2


async def test_a_search_embeds_a_bounded_number_of_passages(base: Base) -> None:
    for n in range(BEST_OF_EACH + 15):
        await base.add(f"pump {n}")
    assert len(await base.search("pump")) <= BEST_OF_EACH
    assert len(base.embedder.texts) == BEST_OF_EACH


async def test_a_search_goes_by_words_where_the_embedder_fails(base: Base) -> None:
    await base.add("Noise of a pump")
    base.embedder.refuses = "pump"
    assert await base.search("pump") == ["Noise of a pump"]
    base.embedder.refuses = "Noise"
    assert await base.search("pump") == ["Noise of a pump"]


@given(
    texts=st.lists(st.lists(st.sampled_from(MEANT), min_size=1, max_size=4), max_size=8),
    embedded=st.lists(st.booleans(), min_size=8, max_size=8),
    question=st.sampled_from(WORDS),
)
@settings(max_examples=40, deadline=None)
async def test_what_has_a_vector_already_changes_no_order(
    texts: list[list[str]], embedded: list[bool], question: str
) -> None:
    """As long as the search finds no more by words than it embeds."""
    whole, part = Base(), Base()
    for n, words in enumerate(texts):
        for base in (whole, part):
            await base.add(" ".join([*words, "pump", str(n)]))
            if base is whole or embedded[n]:
                await base.embed.drain("a")
    assert sorted(await part.search(f"{question} pump")) == sorted(await whole.search(f"{question} pump"))
