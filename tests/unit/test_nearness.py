"""Nearness in the grounding check: what it can change, and what it cannot."""

from __future__ import annotations

import random
from array import array

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import LEXICAL, SentenceReceipt, Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.finding import REFUSED
from contentgen_core.policies.grounding.nearness import MAX_SENTENCES, Nearness
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.policies.text.nearness import cosine
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from tests.support.understanding_embedder import UnderstandingEmbedder

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
SAID = "Insulation reduces the heat loss of a wall."
PAINT = "Paint has no influence on damp."
PRICE = "It costs 40 euros a square metre."
WALLS = passage(kb_document(title="Walls"), f"{SAID} {PAINT} {PRICE}")
PARAPHRASE = "An insulated wall stays warm inside."
NEAR = {(PARAPHRASE, SAID): 0.95, ("warm", "heat"): 0.9}


def sentence(text: str) -> DraftSentence:
    return DraftSentence(text, (WALLS.ref,))


def nearness(text: str, near: float) -> Nearness:
    """To each sentence of the passage."""
    return Nearness({text: [1.0, 0.0]}, {said: [near, 0.0] for said in (SAID, PAINT, PRICE)}, unrelated=0.0)


def verifier() -> Verifier:
    return Verifier({WALLS.ref: WALLS}, ANALYSIS)


def judged(text: str, near: float) -> SentenceReceipt:
    return verifier().check(sentence(text), EN, nearness(text, near))


async def checked(text: str, embedder: UnderstandingEmbedder) -> SentenceReceipt:
    meaning = Meaning(embedder, EmbeddingWeights(embedder))
    [found] = (await check([sentence(text)], verifier(), EN, meaning=meaning)).values()
    return found


async def test_a_sentence_that_shares_few_words_is_supported_by_what_means_the_same() -> None:
    by_words = verifier().check(sentence(PARAPHRASE), EN)
    found = await checked(PARAPHRASE, UnderstandingEmbedder(NEAR))
    assert (by_words.verdict, by_words.nearness) == (Verdict.UNSUPPORTED, None)
    assert (found.verdict, found.nearness, found.verifier) == (Verdict.SUPPORTED, 0.95, LEXICAL)
    assert (await checked(PARAPHRASE, UnderstandingEmbedder())).verdict is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "It costs 50 euros a square metre.",
        "It costs 40 dollars a square metre.",
        "Insulation by Rockwool reduces the heat loss of a wall.",
        "Insulation increases the heat loss of a wall.",
        "Insulation does not reduce the heat loss of a wall.",
        "Paint has an influence on damp.",
    ],
)
def test_the_nearest_meaning_makes_up_for_no_missing_fact_and_no_contrary(text: str) -> None:
    found = judged(text, 1.0)
    assert found.verdict is Verdict.UNSUPPORTED
    assert found.support is not None
    assert found.support.score <= REFUSED


@given(
    st.sampled_from([PARAPHRASE, "Walls lose heat.", "Cheese ripens slowly.", PAINT]), st.floats(0, 1), st.floats(0, 1)
)
def test_what_is_nearer_scores_no_less(text: str, one: float, other: float) -> None:
    less, more = (judged(text, near) for near in sorted((one, other)))
    assert less.support is not None
    assert more.support is not None
    assert less.support.score <= more.support.score
    assert more == judged(text, max(one, other))


async def test_what_stands_word_for_word_is_not_embedded() -> None:
    embedder = UnderstandingEmbedder()
    assert await checked(SAID, embedder) == verifier().check(sentence(SAID), EN)
    assert embedder.asked == []


async def test_a_claim_is_embedded_once_with_the_passages_that_it_cites() -> None:
    other = passage(kb_document(title="Roofs"), "Roofs lose more heat than walls.")
    embedder = UnderstandingEmbedder()
    meaning = Meaning(embedder, EmbeddingWeights(embedder))
    both = Verifier({WALLS.ref: WALLS, other.ref: other}, ANALYSIS)
    found = await check([sentence(PARAPHRASE), sentence(SAID)], both, EN, meaning=meaning)
    words = ["warm", "reduces", "heat", "loss"]
    everyday = both.everyday_words(EN)
    assert [text for text in embedder.asked if text not in everyday] == [PARAPHRASE, SAID, PAINT, PRICE, *words]
    asked = len(embedder.asked)
    assert await check(found, both, EN, known=found, meaning=meaning) == found
    assert len(embedder.asked) == asked


async def test_a_passage_of_countless_sentences_costs_a_bounded_number_of_vectors() -> None:
    listed = passage(text=" ".join(f"Walls {n} lose heat." for n in range(3 * MAX_SENTENCES)))
    embedder = UnderstandingEmbedder()
    meaning = Meaning(embedder, EmbeddingWeights(embedder))
    long = Verifier({listed.ref: listed}, ANALYSIS)
    await check([DraftSentence(PARAPHRASE, (listed.ref,))], long, EN, meaning=meaning)
    everyday = long.everyday_words(EN)
    words = ["insulated", "warm", "lose", "heat"]
    assert len([text for text in embedder.asked if text not in everyday]) == 1 + MAX_SENTENCES + len(words)


async def test_an_embedder_of_spelling_changes_no_receipt() -> None:
    embedder = HashedEmbedder()
    meaning = Meaning(embedder, EmbeddingWeights(embedder))
    texts = [sentence(text) for text in (PARAPHRASE, SAID, "It costs 50 euros.")]
    assert await check(texts, verifier(), EN, meaning=meaning) == await check(texts, verifier(), EN)


async def test_a_language_that_the_embedder_does_not_know_is_checked_by_words() -> None:
    embedder = UnderstandingEmbedder(NEAR)
    meaning = Meaning(embedder, EmbeddingWeights(embedder))
    german = await check([sentence(PARAPHRASE)], verifier(), Language.DE, meaning=meaning)
    assert german == await check([sentence(PARAPHRASE)], verifier(), Language.DE)


async def test_an_embedder_that_is_away_leaves_the_receipts_as_words_make_them() -> None:
    embedder = UnderstandingEmbedder(NEAR)
    embedder.fails = True
    assert await checked(PARAPHRASE, embedder) == verifier().check(sentence(PARAPHRASE), EN)
    embedder.fails = False
    assert (await checked(PARAPHRASE, embedder)).verdict is Verdict.SUPPORTED


ROUNDED = st.integers(-(2**14), 2**14).map(lambda steps: steps / 2**14)
VECTORS = st.lists(st.tuples(ROUNDED, ROUNDED), min_size=1, max_size=40)


@given(VECTORS, st.randoms())
def test_a_cosine_depends_on_no_order_of_adding_up(pairs: list[tuple[float, float]], chance: random.Random) -> None:
    one, other = (array("f", vector) for vector in zip(*pairs, strict=True))
    shuffled = chance.sample(pairs, len(pairs))
    assert cosine(one, other) == cosine(*(array("f", vector) for vector in zip(*shuffled, strict=True)))


@given(st.floats(-1, 1), st.floats(0, 0.95))
def test_nearness_lies_between_what_is_unrelated_and_the_same(cosine: float, unrelated: float) -> None:
    known = Nearness({"a": [1.0]}, {"b": [cosine], "a": [1.0], "c": [unrelated]}, unrelated)
    [near, same, apart, unknown] = known.of("a", ["b", "a", "c", "d"])
    assert 0.0 <= near <= same == 1.0
    assert apart == unknown == 0.0
    assert near == round(near, 3)
    assert known.of("e", ["a"]) == ()


def test_a_receipt_is_as_near_as_the_nearest_sentence() -> None:
    known = evolve(nearness(PARAPHRASE, 0.2), evidence={SAID: [0.2, 0.0], PAINT: [0.7, 0.0]})
    assert verifier().check(sentence(PARAPHRASE), EN, known).nearness == 0.7
