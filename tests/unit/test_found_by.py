"""Why a search found a passage, and the sentence of it that is nearest to the query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.knowledge import IndexHit
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.found_by import FoundBy, found_by
from contentgen_core.policies.retrieval.ranking import Candidate, topic_query
from contentgen_core.policies.text.nearness import SPELLING_WEIGHT
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.testing.builders import knowledge as builders
from contentgen_core.use_cases.documents.nearest_sentences import (
    MAX_CHARACTERS,
    MAX_EMBEDDED,
    MAX_OF_PASSAGE,
    NearestSentences,
)
from contentgen_core.use_cases.knowledge.retrieved import Retrieved

COSINES = st.none() | st.floats(-1, 1)
HITS = st.lists(st.tuples(st.floats(0, 30), COSINES), max_size=8)
ANALYSIS = IcuTextAnalysis()
BY_MEANING = "At ebb the water turns turbines."
TIDES = "A barrage holds the flood back. At ebb the water turns turbines. Fish pass by a ladder."


def candidates(hits: Sequence[tuple[float, float | None]]) -> list[Candidate]:
    passages = [builders.passage(chunk_index=place) for place in range(len(hits))]
    return [Candidate(p, IndexHit(p.ref, text, cosine)) for p, (text, cosine) in zip(passages, hits, strict=True)]


@given(HITS, st.floats(0, SPELLING_WEIGHT))
def test_spelling_is_a_matter_of_words(hits: list[tuple[float, float | None]], weight: float) -> None:
    assert set(found_by(candidates(hits), weight)) <= {FoundBy.WORDS}


@given(HITS, st.floats(SPELLING_WEIGHT, 1, exclude_min=True))
def test_each_passage_has_the_hints_it_was_found_by(hits: list[tuple[float, float | None]], weight: float) -> None:
    for (text_score, cosine), why in zip(hits, found_by(candidates(hits), weight), strict=True):
        if why is not FoundBy.MEANING:
            assert text_score > 0 or cosine is None
        if why is not FoundBy.WORDS:
            assert cosine is not None


@given(HITS, st.floats(SPELLING_WEIGHT, 1, exclude_min=True))
def test_what_is_nearer_is_found_by_meaning_too(hits: list[tuple[float, float | None]], weight: float) -> None:
    found = list(zip(hits, found_by(candidates(hits), weight), strict=True))
    far = [cosine for (_, cosine), why in found if why is FoundBy.WORDS and cosine is not None]
    near = [cosine for (_, cosine), why in found if why is FoundBy.BOTH and cosine is not None]
    assert not far or not near or max(far) < min(near)


def test_words_nearness_and_both_are_told_apart() -> None:
    hits = [(3.0, 0.9), (3.0, 0.7), (3.0, None), (0.0, 0.88), (0.0, 0.7), (0.0, None)]
    both, words, meaning = FoundBy.BOTH, FoundBy.WORDS, FoundBy.MEANING
    assert found_by(candidates(hits), 1.0) == [both, words, words, meaning, meaning, words]
    assert found_by(candidates(hits), {Language.FR: 1.0}) == [words] * 6


@define
class Topical:
    """Near to a query is what names turbines. `texts`: what it was given, batch by batch."""

    fails: bool = False
    embedding_weight: float = 1.0
    model: str = "topical"
    dimension: int = 2
    texts: list[list[str]] = field(factory=list)

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        self.texts.append(list(texts))
        if self.fails:
            raise ProviderFailed("topical", "is away", retryable=True)
        return [(1.0, 0.0) if "turbine" in text else (0.6, 0.8) for text in texts]


def retrieved(query: str, texts: Sequence[str], weight: float = 1.0, vector: Vector | None = (1.0, 0.0)) -> Retrieved:
    """A search that found passages with these texts, in this order."""
    document = builders.kb_document()
    passages = [builders.passage(document, text, chunk_index=place) for place, text in enumerate(texts)]
    return Retrieved(
        topic_query(query, [Language.EN], ANALYSIS),
        tuple(builders.ranked_passage(passage) for passage in passages),
        tuple(Candidate(passage, IndexHit(passage.ref, 0.0, 0.9)) for passage in passages),
        embedding_weight=weight,
        vector=vector,
    )


async def shown(found: Retrieved, embedder: Topical) -> list[str | None]:
    """The nearest sentence of each passage."""
    nearest = await NearestSentences(embedder, ANALYSIS)(found)
    spans = [(nearest.get(ranked.ref), ranked.passage.text) for ranked in found.ranked]
    return [None if span is None else span.of(text) for span, text in spans]


async def test_the_nearest_sentence_is_that_of_the_meaning() -> None:
    embedder = Topical()
    assert await shown(retrieved("How is electricity made by fish?", [TIDES]), embedder) == [BY_MEANING]
    assert len(embedder.texts) == 1


@pytest.mark.parametrize(
    ("weight", "vector", "fails"), [(SPELLING_WEIGHT, (1.0, 0.0), False), (1.0, None, False), (1.0, (1.0, 0.0), True)]
)
async def test_without_meaning_it_is_that_of_the_words(weight: float, vector: Vector | None, fails: bool) -> None:
    embedder = Topical(fails)
    found = retrieved("Is there a ladder for fish?", [TIDES, "Nothing of the kind."], weight, vector)
    assert await shown(found, embedder) == ["Fish pass by a ladder.", None]
    assert len(embedder.texts) == fails


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 12), max_size=12), st.booleans())
async def test_few_and_short_sentences_are_embedded_at_once(lengths: list[int], long: bool) -> None:
    embedder = Topical()
    sentence = "The turbine turns" + " and turns" * 50 * long + ". "
    found = retrieved("turbine", [sentence * length for length in lengths])
    marks = await shown(found, embedder)
    assert len(embedder.texts) == any(lengths)
    texts = embedder.texts[0] if embedder.texts else []
    assert len(texts) == min(MAX_EMBEDDED, sum(min(length, MAX_OF_PASSAGE) for length in lengths))
    assert all(len(text) <= MAX_CHARACTERS for text in texts)
    assert [mark is not None for mark in marks] == [length > 0 for length in lengths]
