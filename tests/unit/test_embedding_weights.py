"""Whether an embedder knows a language, and what that does to a ranking."""

from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.knowledge import IndexHit, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.cosine_share import (
    MEANING_SHARE,
    SHORT_MEANING_SHARE,
    SPELLING_SHARE,
    cosine_share,
)
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.policies.retrieval.ranking import Candidate, TopicQuery, rank
from contentgen_core.policies.text.nearness import SPELLING_WEIGHT
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights, paired_share

EN, FR = Language.EN, Language.FR


class Knows:
    """Gives both sentences of a pair one vector in the languages it knows, and all sentences one in the others."""

    model, dimension = "test", 9

    def __init__(self, *languages: Language, embedding_weight: float = 1.0, pairs: int = 8) -> None:
        self.embedding_weight, self.calls, self.fails = embedding_weight, 0, False
        known = [pair for language in languages for pair in list(enumerate(PARAPHRASES[language]))[:pairs]]
        self._meanings = {sentence: place for place, pair in known for sentence in pair}

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        self.calls += 1
        if self.fails:
            raise ProviderFailed("embeddings", "down", retryable=True)
        places = [self._meanings.get(text, 8) for text in texts]
        return [[1.0 if place == axis else 0.0 for axis in range(9)] for place in places]


async def test_a_model_is_trusted_in_the_languages_it_knows_and_as_spelling_in_others() -> None:
    embedding_weight = await EmbeddingWeights(Knows(EN))([EN, FR])
    assert embedding_weight == {EN: 1.0, FR: SPELLING_WEIGHT}


@pytest.mark.parametrize(
    ("pairs", "trust"), [(0, SPELLING_WEIGHT), (2, SPELLING_WEIGHT), (3, 0.5), (4, 1.0), (6, 1.0), (8, 1.0)]
)
async def test_half_the_pairs_is_a_language_that_the_model_knows(pairs: int, trust: float) -> None:
    assert await EmbeddingWeights(Knows(EN, pairs=pairs))([EN]) == {EN: trust}


async def test_a_model_is_never_trusted_more_than_it_claims() -> None:
    assert await EmbeddingWeights(Knows(EN, embedding_weight=0.6))([EN, FR]) == {EN: 0.6, FR: SPELLING_WEIGHT}


async def test_a_language_is_tested_once() -> None:
    embedder = Knows(EN)
    embedding_weight = EmbeddingWeights(embedder)
    assert [await embedding_weight([EN]) for _ in range(3)] == [{EN: 1.0}] * 3
    assert embedder.calls == 2


async def test_an_embedder_of_spelling_is_believed_without_a_test() -> None:
    embedder = Knows(EN, embedding_weight=0.2)
    assert await EmbeddingWeights(embedder)([EN, FR]) == {EN: 0.2, FR: 0.2}
    assert embedder.calls == 0
    assert (await EmbeddingWeights(HashedEmbedder())([FR]))[FR] <= SPELLING_WEIGHT


async def test_a_failure_is_told_and_the_next_call_asks_again() -> None:
    embedder = Knows(EN)
    embedding_weight = EmbeddingWeights(embedder)
    embedder.fails = True
    with pytest.raises(ProviderFailed):
        await embedding_weight([EN])
    embedder.fails = False
    assert await embedding_weight([EN]) == {EN: 1.0}


@pytest.mark.parametrize("language", Language)
def test_every_language_has_eight_pairs_that_share_next_to_no_word(language: Language) -> None:
    pairs = PARAPHRASES[language]
    assert len({sentence for pair in pairs for sentence in pair}) == 16
    analysis = IcuTextAnalysis()
    shared = [set(analysis.terms(one, language)) & set(analysis.terms(other, language)) for one, other in pairs]
    assert sum(map(len, shared)) <= 3, shared


@pytest.mark.parametrize("language", Language)
async def test_spelling_alone_does_not_find_the_partners(language: Language) -> None:
    ones, others = zip(*PARAPHRASES[language], strict=True)
    hashed = HashedEmbedder()
    assert paired_share(await hashed.embed(ones, "query"), await hashed.embed(others, "passage")) <= 0.5


def test_what_is_equally_near_is_no_pair() -> None:
    assert paired_share([[1.0, 0.0]] * 2, [[1.0, 0.0]] * 2) == 0.0
    assert paired_share([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]) == 1.0
    assert paired_share([], []) == 0.0


def test_nearness_counts_as_it_is_trusted_in_the_passages_language() -> None:
    statistics = {language: TermStatistics(100, 8.0, {"heat": 30, "pump": 5}) for language in (EN, FR)}

    def first(language: Language) -> str:
        document = kb_document(language=language)
        words = passage(document, "heat pump one two", chunk_index=0)
        near = passage(document, "pump three four heat", chunk_index=1)
        pairs = [(words, 0.1), (near, 0.9)]
        found = [Candidate(p, IndexHit(p.ref, 1.0, cosine)) for p, cosine in pairs]
        query = TopicQuery("heat pump", {language: ("heat", "pump")}, {})
        return rank(query, found, statistics, {EN: 1.0}, 5)[0].passage.text

    assert first(FR) == "heat pump one two", "words decide where nearness is not trusted"
    assert first(EN) == "pump three four heat"


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 50), st.integers(0, 50))
def test_nearness_never_counts_less_for_more_trust_or_fewer_words(
    one: float, other: float, few: int, more: int
) -> None:
    (low, high), (few, more) = sorted((one, other)), sorted((few, more))
    assert 0.0 <= cosine_share(low, more) <= cosine_share(high, more) + 1e-12
    assert cosine_share(high, more) <= cosine_share(high, few) + 1e-12 <= SHORT_MEANING_SHARE + 2e-12


def test_spelling_counts_alike_for_every_length_and_meaning_most_for_a_title() -> None:
    assert {cosine_share(SPELLING_WEIGHT, terms) for terms in (0, 2, 9)} == {SPELLING_SHARE}
    assert cosine_share(1.0, 2) == pytest.approx(SHORT_MEANING_SHARE)
    assert cosine_share(1.0, 9) == pytest.approx(MEANING_SHARE)
    assert MEANING_SHARE < cosine_share(1.0, 5) < SHORT_MEANING_SHARE
