"""Topics that are the same in other words or another language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.nearness import SPELLING_WEIGHT
from contentgen_core.policies.topics.meaning import SAME_TOPIC_COSINE, are_same, may_be_same
from contentgen_core.policies.topics.picking import KnownTopics
from contentgen_core.use_cases.topic_meaning import MAX_COMPARED, TopicMeaning
from tests.support.subjects import Subjects

SUN_AND_TIDES = {"sun": ("sol", "太陽"), "tides": ("tid", "marée"), "wind": ("wind",)}
TOPICS = ("Solar energy", "Wind parks", "Énergie solaire", "How tides make electricity", "太陽光発電", "Tidal power")


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ("Énergie solaire", "Solar energy", True),
        ("How tides make electricity", "Tidal power", True),
        ("Heat pump noise", "Heat pump prices", False),
        ("Heat pumps of 2023", "Wärmepumpen 2024", False),
        ("Heat pumps of 2023", "Wärmepumpen 2023", True),
        ("太陽光発電の仕組み", "太陽光発電の価格", True),
        ("太陽光 発電", "太陽光 価格", False),
        ("Garden in an old town", "Jardin in old land", True),
    ],
)
def test_words_in_common_and_numbers_decide_before_nearness(one: str, other: str, may: bool) -> None:
    assert may_be_same(one, other) is may


@given(st.text(), st.text())
def test_both_topics_are_asked_alike(one: str, other: str) -> None:
    assert may_be_same(one, other) is may_be_same(other, one)


def test_near_enough_is_the_same() -> None:
    assert are_same((1.0, 0.0), (SAME_TOPIC_COSINE, 0.4))
    assert not are_same((1.0, 0.0), (SAME_TOPIC_COSINE - 0.001, 0.4))


async def test_of_topics_that_mean_the_same_the_first_is_kept() -> None:
    meaning = TopicMeaning(Subjects(SUN_AND_TIDES))
    assert await meaning.distinct(TOPICS) == ("Solar energy", "Wind parks", "How tides make electricity")
    assert await meaning.same("Centrales marémotrices, la marée", TOPICS) == "How tides make electricity"
    assert await meaning.same("Heat pumps", TOPICS) is None


async def test_the_nearest_topic_comes_first_and_equal_ones_in_their_order() -> None:
    embedder = Subjects(SUN_AND_TIDES, near={"tides": 0.5, "wind": 0.8})
    asked = await TopicMeaning(embedder).nearest_first("El sol", ("Heat pumps", "Tidal power", "Wind parks", "Noise"))
    assert asked == ("Wind parks", "Tidal power", "Heat pumps", "Noise")


@pytest.mark.parametrize(("weight", "fails"), [(SPELLING_WEIGHT, False), (1.0, True)])
async def test_without_meaning_topics_stay_as_they_are(weight: float, fails: bool) -> None:
    embedder = Subjects(SUN_AND_TIDES, fails, weight)
    meaning = TopicMeaning(embedder)
    assert await meaning.distinct(TOPICS) == TOPICS
    assert await meaning.nearest_first("El sol", TOPICS) == TOPICS
    assert await meaning.same("El sol", TOPICS) is None
    assert bool(embedder.texts) is fails


async def test_a_topic_is_embedded_once_and_many_are_not_compared() -> None:
    embedder = Subjects(SUN_AND_TIDES)
    meaning = TopicMeaning(embedder)
    many = [f"topic {chr(0x4E00 + place)}" for place in range(MAX_COMPARED)] + ["Solar energy"]
    for _ in range(2):
        assert await meaning.same("El sol", many) is None
        assert (await meaning.distinct(many))[-1] == "Solar energy"
    assert len(embedder.texts) == len(set(embedder.texts)) == MAX_COMPARED + 1


def test_topics_chosen_last_are_compared_before_those_of_articles() -> None:
    known = KnownTopics(IcuTextAnalysis())
    known.add("Solar energy", Language.EN)
    known.add("Tidal power", Language.EN)
    assert known.topics == ("Tidal power", "Solar energy")
