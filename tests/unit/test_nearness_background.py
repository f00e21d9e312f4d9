"""How near passages usually are to a text, on a scale that does not depend on the embedder."""

from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.memory.passage_index import MemoryIndex
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.model.knowledge import IndexHit, KbScope, KbView
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.coverage.meaning import (
    MOST_USUAL,
    USUAL,
    Background,
    background_of,
    meaning_of,
)
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.policies.retrieval.ranking import Candidate
from contentgen_core.policies.text.nearness import SPELLING_WEIGHT, NearnessScale
from contentgen_core.ports.knowledge_base import IndexedPassage, Vector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.knowledge.nearness_background import NearnessBackground

EN, FR = Language.EN, Language.FR
SCALE = NearnessScale(0.7, 0.9)
VIEW, VIEW_SCOPE = KbView("tides"), KbScope("tides")


class Narrow:
    """Gives sentences of a pair a cosine of .9, others one of .7 or so, as small trained models do."""

    model, dimension, embedding_weight = "narrow", 18, 1.0

    def __init__(self) -> None:
        self._pairs = {text: place for place, pair in enumerate(PARAPHRASES[EN]) for text in pair}

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        return [self._vector(self._pairs.get(text, 8), kind) for text in texts]

    def _vector(self, meaning: int, kind: str) -> list[float]:
        vector = [0.0] * 18
        vector[0], vector[1 + meaning], vector[10 if kind == "query" else 11] = 0.7**0.5, 0.2**0.5, 0.1**0.5
        return vector


async def test_the_scale_is_measured_on_pairs_of_sentences() -> None:
    scale = await EmbeddingWeights(Narrow()).scale()
    assert scale is not None
    assert (scale.of(0.7), scale.of(0.9), scale.of(1.0)) == pytest.approx((0.0, 1.0, 1.5))


async def test_spelling_has_no_scale_of_meaning() -> None:
    assert await EmbeddingWeights(HashedEmbedder()).scale() is None


async def test_nothing_is_looked_up_for_an_embedder_that_compares_spelling() -> None:
    usual = NearnessBackground(MemoryUnitOfWork(), MemoryIndex(), EmbeddingWeights(HashedEmbedder()))
    assert await usual([VIEW], [1.0] * 384) is None


async def test_the_background_is_what_the_view_usually_has() -> None:
    unit_of_work, index, embedder = MemoryUnitOfWork(), MemoryIndex(), Narrow()
    documents = [kb_document(scope=VIEW_SCOPE) for _ in range(30)]
    passages = [passage(document, f"{place} text") for place, document in enumerate(documents)]
    async with unit_of_work() as tx:
        await tx[Knowledge].add([(p.document, [p]) for p in passages])
    vectors = await embedder.embed([p.text for p in passages], "passage")
    await index.upsert(passages)
    await index.upsert_vectors([IndexedPassage(p, v) for p, v in zip(passages, vectors, strict=True)])
    usual = NearnessBackground(unit_of_work, index, EmbeddingWeights(embedder))
    [asked] = await embedder.embed([PARAPHRASES[EN][0][0]], "query")
    background = await usual([VIEW], asked)
    assert background is not None
    assert background.level == pytest.approx(background_of([0.0] * 30))


def test_a_few_notes_on_the_topic_are_not_their_own_background() -> None:
    assert background_of([]) == USUAL
    assert background_of([1.2, 1.3]) < USUAL + 0.1
    assert background_of([1.2] * 40) < MOST_USUAL


@given(st.lists(st.floats(-1, 2), max_size=50), st.floats(0, 2))
def test_the_background_rises_with_the_sample(sample: list[float], more: float) -> None:
    assert background_of([near + more for near in sample]) >= background_of(sample) - 1e-9


def test_cosines_count_in_the_languages_that_the_embedder_models() -> None:
    found = [passage(kb_document(language=language), "x") for language in (EN, FR)]
    candidates = [Candidate(p, IndexHit(p.ref, 0.0, 0.9)) for p in found]
    weights = {EN: 1.0, FR: SPELLING_WEIGHT}
    meaning = meaning_of(candidates, weights, Background(SCALE, 0.2))
    assert meaning is not None
    assert meaning.nearness == {found[0].ref: pytest.approx(1.0)}
    assert meaning_of([Candidate(found[0], IndexHit(found[0].ref, 1.0, None))], weights, Background(SCALE, 0.2)) is None
