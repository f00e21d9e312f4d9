"""How far passages are about a topic with their documents, and that nothing else fills an article up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.retrieval.aboutness import (
    ABOUT,
    FEWEST_DOCUMENTS,
    NEARNESS,
    OWN,
    aboutness,
    first_about,
    off_topic,
)
from contentgen_core.testing.builders import kb_document, passage, ranked_passage
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_grounded import Settings, in_memory, write_article
from contentgen_grounded.writing import tenant_and_agent
from contentgen_http.demo.tenant import samples

LOFT = "How to insulate a loft step by step"


def search(scores: Mapping[str, Sequence[float]]) -> tuple[list[RankedPassage], dict[DocumentId, int]]:
    """The passages of documents by their scores, best first, and how many each document has."""
    found = [
        ranked_passage(passage(kb_document(id=DocumentId(name)), chunk_index=n), combined_score=score)
        for name, own in scores.items()
        for n, score in enumerate(own)
    ]
    found.sort(key=lambda each: -each.combined_score)
    return found, {DocumentId(name): len(own) for name, own in scores.items()}


SCORES = st.lists(st.floats(0.01, 1.0), min_size=1, max_size=5)
SEARCHES = st.dictionaries(st.sampled_from("abcdefg"), SCORES, min_size=1, max_size=7)


@pytest.fixture
def loft() -> tuple[list[RankedPassage], dict[DocumentId, int]]:
    return search({"loft": (0.9, 0.8, 0.7, 0.5), "draughts": (0.5, 0.1, 0.1), "windows": (0.3, 0.2), "sheet": (0.2,)})


def test_a_passage_counts_with_its_document(loft: tuple[list[RankedPassage], dict[DocumentId, int]]) -> None:
    found, passages = loft
    off = off_topic(found, found, passages, {})
    kept = [(each.passage.document.id, each.combined_score) for each in found if each.ref not in off]
    assert kept == [("loft", 0.9), ("loft", 0.8), ("loft", 0.7), ("loft", 0.5), ("sheet", 0.2)]


def test_nearness_tells_passages_of_the_same_score_apart() -> None:
    found, passages = search({"loft": (0.8, 0.8), "draughts": (0.8, 0.8), "windows": (0.3, 0.2)})
    near = {each.ref: float(each.passage.document.id == "loft") for each in found}
    about = aboutness(found, passages, near)
    assert {about[each.ref] for each in found if each.passage.document.id == "loft"} == {1.0}
    others = [about[each.ref] for each in found if each.passage.document.id == "draughts"]
    assert others == [pytest.approx(1 - NEARNESS)] * 2


def test_passages_that_the_search_did_not_find_count_for_nothing() -> None:
    found, passages = search({"long": (0.8,), "short": (0.8, 0.8)})
    about = aboutness(found, passages | {DocumentId("long"): 9}, {})
    assert [about[each.ref] for each in found if each.passage.document.id == "long"] == [
        pytest.approx(OWN + (1 - OWN) / 3)
    ]


@given(SEARCHES, st.floats(0.1, 1.0))
def test_aboutness_is_a_share_whatever_the_scale(scores: dict[str, list[float]], scale: float) -> None:
    found, passages = search(scores)
    about = aboutness(found, passages, {})
    assert all(0.0 <= value <= 1.0 + 1e-9 for value in about.values())
    scaled, _ = search({name: [scale * score for score in own] for name, own in scores.items()})
    assert aboutness(scaled, passages, {}) == pytest.approx(about)


@given(SEARCHES)
def test_something_always_stays(scores: dict[str, list[float]]) -> None:
    found, passages = search(scores)
    off = off_topic(found, found, passages, {})
    assert len(off) < len(found)
    assert not {each.ref for each in found if passages[each.passage.document.id] == 1} & off
    about = aboutness([each for each in found if passages[each.passage.document.id] > 1], passages, {})
    if off:
        least = ABOUT * max(about.values())
        assert all((about[ref] < least) == (ref in off) for ref in about)


@given(st.dictionaries(st.sampled_from("abcdefg"), SCORES, min_size=1, max_size=FEWEST_DOCUMENTS - 1))
def test_of_few_documents_none_is_off_the_topic(scores: dict[str, list[float]]) -> None:
    found, passages = search(scores)
    assert off_topic(found, found, passages, {}) == frozenset()


def test_where_most_documents_are_of_one_passage_none_is_off_the_topic(
    loft: tuple[list[RankedPassage], dict[DocumentId, int]],
) -> None:
    found, passages = loft
    notes, of_notes = search({f"note{n}": (0.2,) for n in range(4)})
    assert off_topic(found, found, passages, {})
    assert off_topic(found, [*found, *notes], passages | of_notes, {}) == frozenset()


@given(SEARCHES, st.sets(st.integers(0, 40)), st.integers(0, 40))
def test_what_is_off_the_topic_takes_no_place(scores: dict[str, list[float]], places: set[int], limit: int) -> None:
    found, _ = search(scores)
    off = {each.ref for n, each in enumerate(found) if n in places}
    taken = first_about(found, off, limit)
    assert len(taken) == min(limit, len(found))
    assert list(taken) == [each for each in found if each in taken]
    about = [each for each in found if each.ref not in off]
    assert [each for each in taken if each.ref not in off] == about[:limit]


async def test_an_article_says_no_more_than_its_topic_has() -> None:
    settings = Settings(embeddings="hashed")
    async with in_memory(settings) as services:
        article = await write_article(services, LOFT, samples("home-energy"))
        caller, key = await tenant_and_agent(services, article.brief.language)
        command = PlanArticleCommand(
            caller=caller, agent_key=str(key), topic=LOFT, language=article.brief.language, length=ArticleLength.LONG
        )
        planned = await services.writing.plan(command)
    assert {source.url for source in article.sources} == {"https://kb.example.org/home-energy/loft-insulation"}
    assert planned.forecast is not None
    assert planned.forecast.words == article.word_count, "a longer length finds no more to say"
    assert planned.forecast.share < 0.5
