"""The contract of `EntailmentModel`. Inherit `EntailmentContract` in a test module and give it the fixture
`entailment`. Its texts are plain English, whatever the model's languages."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentgen_core.model.grounding import LEXICAL
from contentgen_core.ports.entailment import (
    MAX_HYPOTHESIS,
    MAX_PAIRS,
    MAX_PREMISE,
    EntailmentModel,
    Judgement,
    Pair,
)

PREMISE: Final = "The pump is quiet and small."
SAID: Final = "The pump is quiet."
DENIED: Final = "The pump is not quiet."
UNRELATED: Final = "Firewalls block unwanted traffic."
ODD_TEXTS: Final = ("", " ", "\n\t", "!!!", "\x00", "\ud800", "日本語の文", "ภาษาไทย", "שלום עולם", "не шумит")


def same(one: Judgement, other: Judgement) -> bool:
    """Equal up to the rounding of a batch's order of additions."""
    return abs(one.entailment - other.entailment) < 1e-3 and abs(one.contradiction - other.contradiction) < 1e-3


def total(judgement: Judgement) -> float:
    return judgement.entailment + judgement.neutral + judgement.contradiction


class EntailmentContract:
    def test_it_has_a_name_of_its_own(self, entailment: EntailmentModel) -> None:
        assert entailment.model
        assert entailment.model != LEXICAL

    async def test_no_pair_gives_no_judgement(self, entailment: EntailmentModel) -> None:
        assert await entailment.judge([]) == []

    async def test_what_is_said_is_entailed_what_is_denied_contradicted_and_nothing_else(
        self, entailment: EntailmentModel
    ) -> None:
        said, denied, unrelated = await entailment.judge([Pair(PREMISE, h) for h in (SAID, DENIED, UNRELATED)])
        assert said.entailment >= 0.5
        assert denied.contradiction > denied.entailment
        assert denied.entailment < 0.5
        assert unrelated.entailment < 0.5

    async def test_the_premise_comes_first(self, entailment: EntailmentModel) -> None:
        longer = f"{SAID} {UNRELATED}"
        forth, back = await entailment.judge([Pair(longer, SAID), Pair(SAID, longer)])
        assert forth.entailment > back.entailment

    async def test_judgements_come_in_the_order_of_the_pairs_whatever_the_batch(
        self, entailment: EntailmentModel
    ) -> None:
        kinds = [Pair(PREMISE, h) for h in (SAID, DENIED, UNRELATED)]
        alone = [(await entailment.judge([pair]))[0] for pair in kinds]
        together = await entailment.judge([kinds[i % 3] for i in range(MAX_PAIRS)])
        assert len(together) == MAX_PAIRS
        assert all(same(judgement, alone[i % 3]) for i, judgement in enumerate(together))

    async def test_concurrent_calls_do_not_mix(self, entailment: EntailmentModel) -> None:
        kinds = [Pair(PREMISE, h) for h in (SAID, DENIED, UNRELATED)]
        alone = [(await entailment.judge([pair]))[0] for pair in kinds]
        together = await asyncio.gather(*(entailment.judge([kinds[i % 3]] * 3) for i in range(9)))
        assert all(same(judgement, alone[i % 3]) for i, judged in enumerate(together) for judgement in judged)

    async def test_the_longest_texts_are_taken_and_longer_ones_are_not(self, entailment: EntailmentModel) -> None:
        longest = Pair("p " * (MAX_PREMISE // 2), "h " * (MAX_HYPOTHESIS // 2))
        [judgement] = await entailment.judge([longest])
        assert total(judgement) == pytest.approx(1.0, abs=1e-3)
        beyond = ([Pair(longest.premise + "p", "h")], [Pair("p", longest.hypothesis + "h")], [Pair("p", "h")] * 257)
        assert len(beyond[2]) > MAX_PAIRS
        for pairs in beyond:
            with pytest.raises(ValueError, match="at most"):
                await entailment.judge(pairs)

    async def test_odd_texts_are_no_error(self, entailment: EntailmentModel) -> None:
        judged = await entailment.judge([Pair(premise, odd) for odd in ODD_TEXTS for premise in (odd, PREMISE)])
        assert [total(judgement) for judgement in judged] == pytest.approx([1.0] * len(judged), abs=1e-3)

    @settings(
        max_examples=30,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(texts=st.lists(st.tuples(st.text(max_size=100), st.text(max_size=100)), max_size=4))
    async def test_any_texts_have_probabilities_that_sum_to_one(
        self, entailment: EntailmentModel, texts: list[tuple[str, str]]
    ) -> None:
        judged = await entailment.judge([Pair(premise, hypothesis) for premise, hypothesis in texts])
        assert len(judged) == len(texts)
        assert [total(judgement) for judgement in judged] == pytest.approx([1.0] * len(texts), abs=1e-3)
