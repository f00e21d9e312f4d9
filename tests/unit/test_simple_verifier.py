"""The simple system that the grounding check is measured beside."""

import pytest
from benchmarks.quality.simple_verifier import ACCEPTED_FROM, SimpleVerifier

from contentgen_core.testing.builders import kb_document, passage

PUMP = passage(kb_document(title="Heat pumps"), "A heat pump moves heat. It needs 3 kWh of electricity a day.")
FAN = passage(kb_document(title="Fans"), "A fan moves air. Its noise is low. It costs 40 euros.")
VERIFIER = SimpleVerifier([PUMP, FAN])


def test_a_sentence_of_the_source_scores_one_and_a_foreign_one_nothing() -> None:
    assert VERIFIER.score("A fan moves air.", FAN) == pytest.approx(1.0)
    assert VERIFIER.score("Cheese ripens slowly.", FAN) == 0.0


def test_a_missing_figure_lowers_the_score() -> None:
    right, wrong = (VERIFIER.score(f"It needs {n} kWh of electricity a day.", PUMP) for n in (3, 4))
    assert right >= ACCEPTED_FROM > wrong


def test_rarer_words_and_words_in_order_weigh_more() -> None:
    assert VERIFIER.score("Air of cheese", FAN) > VERIFIER.score("Moves of cheese", FAN)
    assert VERIFIER.score("heat pump moves", PUMP) > VERIFIER.score("moves pump heat", PUMP)


def test_it_does_not_see_a_negation() -> None:
    assert VERIFIER.score("A fan does not move air.", FAN) >= ACCEPTED_FROM
