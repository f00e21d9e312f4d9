"""The contract of `Embedder`. Inherit `EmbedderContract` in a test module and give it the fixture `embedder`."""

from __future__ import annotations

import asyncio
from math import sqrt
from typing import Final, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentgen_core.ports.knowledge_base import Embedder, Vector

KINDS: Final = ("passage", "query")
ODD_TEXTS: Final = (
    *("", " ", "\n\t", "!!!", "\x00", "a", "é", "ﬁ", "日本語の文", "ภาษาไทย", "שלום עולם", "مرحبا", "한국어", "हिन्दी"),
    *("😀", "\ud800", "x" * 100_000, "word " * 20_000, "<script>", "١٢٣", "\u0301\u0301"),
)


def length(vector: Vector) -> float:
    return sqrt(sum(value * value for value in vector))


def same(one: Vector, other: Vector) -> bool:
    """Equal up to the rounding of a batch's order of additions."""
    return len(one) == len(other) and all(abs(a - b) < 1e-4 for a, b in zip(one, other, strict=True))


class EmbedderContract:
    def test_it_names_its_space_and_what_its_nearness_weighs(self, embedder: Embedder) -> None:
        assert embedder.model
        assert embedder.dimension > 0
        assert 0.0 <= embedder.embedding_weight <= 1.0

    @pytest.mark.parametrize("kind", KINDS)
    async def test_every_vector_has_the_dimension_and_unit_length(
        self, embedder: Embedder, kind: Literal["passage", "query"]
    ) -> None:
        vectors = await embedder.embed(["Heat pumps", "Les pompes à chaleur", "熱ポンプ"], kind)
        assert [len(v) for v in vectors] == [embedder.dimension] * 3
        assert [length(v) for v in vectors] == pytest.approx([1.0] * 3, abs=1e-4)

    async def test_no_text_gives_no_vector(self, embedder: Embedder) -> None:
        assert await embedder.embed([], "passage") == []

    async def test_vectors_come_in_the_order_of_the_texts_whatever_the_batch(self, embedder: Embedder) -> None:
        texts = [f"text number {i} about {'heat ' * (i % 7)}" for i in range(300)]
        together = await embedder.embed(texts, "passage")
        assert len(together) == len(texts)
        for i in (0, 1, 127, 128, 299):
            (alone,) = await embedder.embed([texts[i]], "passage")
            assert same(together[i], alone), i

    async def test_different_texts_have_different_vectors(self, embedder: Embedder) -> None:
        one, other = await embedder.embed(["heat pump", "firewall"], "passage")
        assert not same(one, other)

    async def test_concurrent_calls_do_not_mix(self, embedder: Embedder) -> None:
        texts = [f"caller {i}" for i in range(8)]
        alone = [(await embedder.embed([text], "query"))[0] for text in texts]
        together = await asyncio.gather(*(embedder.embed([text] * 3, "query") for text in texts))
        assert all(same(vector, alone[i]) for i, vectors in enumerate(together) for vector in vectors)

    async def test_odd_texts_are_no_error(self, embedder: Embedder) -> None:
        vectors = await embedder.embed(ODD_TEXTS, "passage")
        assert [length(v) for v in vectors] == pytest.approx([1.0] * len(ODD_TEXTS), abs=1e-4)

    @settings(
        max_examples=30,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(texts=st.lists(st.text(max_size=200), max_size=5))
    async def test_any_text_has_a_vector_of_unit_length(self, embedder: Embedder, texts: list[str]) -> None:
        vectors = await embedder.embed(texts, "query")
        assert [len(v) for v in vectors] == [embedder.dimension] * len(texts)
        assert [length(v) for v in vectors] == pytest.approx([1.0] * len(texts), abs=1e-4)
