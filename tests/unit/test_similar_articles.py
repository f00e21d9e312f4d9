"""Articles that already answer a topic: found before another one is planned, with what to do about them."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any, Final

import pytest
from attrs import define
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.rendering.renderer import MarkdownRenderer
from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.article import Article, ArticleSource, ArticleStatus
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.similar_article import SimilarArticle, Suggestion
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.similar_articles import MOST_ARTICLES, sections_of
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.ports.repositories.article_topics import ArticleTopics
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.articles.check_coverage import CheckCoverageCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.similar import SimilarTo
from tests.support.house import AGENT, COVERED, NICHE, House, open_house
from tests.support.subjects import Subjects

EN, FR = Language.EN, Language.FR
SUN: Final = {"sun": ("solaire", "solar"), "wind": ("wind",)}
_numbers = count()


@define
class Desk:
    house: House

    async def article(self, topic: str, language: Language = EN, **changes: Any) -> Article:
        status = changes.pop("status", ArticleStatus.PUBLISHED)
        number = next(_numbers)
        article = builders.article(
            id=ArticleId(f"article-{number:03}"),  # none that the house may give as well
            tenant_id=self.house.caller.tenant_id,
            brief=builders.brief(topic=topic, language=language),
            topic_key=topic_key(topic),
            title=changes.pop("title", f"{topic} today"),
            content=changes.pop("content", "Some text."),
            status=status,
            sources=changes.pop("sources", ()),
            created_at=MOMENT + timedelta(minutes=number),
            **changes,
        )
        async with self.house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(article)
        return article

    async def found(self, topic: str, **asked: Any) -> list[SimilarArticle]:
        return list(await self.house.services.writing.similar(self.house.caller, topic, **asked))

    async def to(self, topic: str, passages: list[RankedPassage], **asked: Any) -> list[SimilarArticle]:
        to = SimilarTo(topic, passages, **asked)
        return list(await self.house.services.writing.similar.to(self.house.caller.tenant_id, to))


@pytest.fixture
async def desk() -> Any:
    async with open_house() as house:
        yield Desk(house)


def advice(found: list[SimilarArticle]) -> list[tuple[str, Suggestion]]:
    return [(each.article.id, each.suggestion) for each in found]


def passages(count: int, document: str = "d1", **changes: Any) -> list[RankedPassage]:
    owner = builders.kb_document(id=DocumentId(document), title=f"Title {document}", **changes)
    made = [builders.passage(document=owner, chunk_index=n) for n in range(count)]
    return [RankedPassage(passage, 1.0, 1.0, 1.0) for passage in made]


def sources(ranked: list[RankedPassage]) -> tuple[ArticleSource, ...]:
    return tuple(
        ArticleSource(n, each.passage.document.title, each.passage.document.id, each.passage.chunk_index)
        for n, each in enumerate(ranked, start=1)
    )


async def test_the_same_topic_is_to_be_updated_and_another_one_is_not_found(desk: Desk) -> None:
    article = await desk.article("Noise of heat pumps in winter")
    await desk.article("Insurance for rented flats")
    assert advice(await desk.found("The heat pump's winter noises")) == [(article.id, Suggestion.UPDATE)]
    assert await desk.found("Baking bread at home") == []


async def test_a_part_of_the_topic_is_to_be_told_apart(desk: Desk) -> None:
    article = await desk.article("Heat pump noise", status=ArticleStatus.DRAFT)
    [found] = await desk.found("Heat pump noise limits in Berlin")
    assert (found.article.id, found.likeness.same, found.suggestion) == (article.id, False, Suggestion.DIFFERENTIATE)


async def test_a_heading_below_its_title_answers_the_topic(desk: Desk) -> None:
    article = await desk.article(
        "Living with a heat pump", content="# Living with a heat pump\n\nIt hums.\n\n## Noise at night\n\nIt is loud."
    )
    [found] = await desk.found("Heat pump noise at night")
    assert (found.article.id, found.sections) == (article.id, ("Noise at night",))
    assert "“Noise at night”" in found.reason


async def test_two_published_ones_on_the_same_are_to_be_merged(desk: Desk) -> None:
    one, two = await desk.article("Heat pump noise"), await desk.article("The noise of heat pumps")
    draft = await desk.article("Heat pump noises", status=ArticleStatus.DRAFT)
    await desk.article("Noise of heat pumps", status=ArticleStatus.FAILED)
    found = {each.article.id: each for each in await desk.found("Noise of a heat pump")}
    assert {id: each.suggestion for id, each in found.items()} == {
        one.id: Suggestion.MERGE,
        two.id: Suggestion.MERGE,
        draft.id: Suggestion.UPDATE,
    }
    assert (found[one.id].merge_with, found[two.id].merge_with) == (two.id, one.id)
    assert "not written yet (draft)" in found[draft.id].reason


@pytest.mark.parametrize(("fails", "expected"), [(False, 1), (True, 0)])
async def test_another_language_answers_the_same_where_meaning_is_compared(fails: bool, expected: int) -> None:
    embedder = Subjects(SUN)
    async with open_house(embedder=embedder) as house:
        desk, embedder.fails = Desk(house), fails
        french = await desk.article("Énergie solaire", FR)
        found = await desk.found("Solar energy", language=EN)
        assert advice(found) == [(french.id, Suggestion.TRANSLATE)] * expected
        assert advice(await desk.found("Solar energy")) == [(french.id, Suggestion.UPDATE)] * expected
        if fails:
            return
        english = await desk.article("Solar energy")
        found = await desk.found("Energy that is solar", language=EN)
        assert advice(found) == [(english.id, Suggestion.UPDATE), (french.id, Suggestion.UPDATE)]
        assert "one in en is there" in found[1].reason


async def test_a_translation_is_left_out_beside_its_original_but_for_the_language_asked(desk: Desk) -> None:
    original = await desk.article("Heat pump noise")
    translation = await desk.article("Heat pump noise", FR, translation_of=original.id)
    assert advice(await desk.found("Heat pump noise")) == [(original.id, Suggestion.UPDATE)]
    found = await desk.found("Heat pump noise", language=FR)
    assert {each.article.id for each in found} == {original.id, translation.id}


async def test_passages_that_it_cites_are_what_it_shares_with_the_topic(desk: Desk) -> None:
    on_topic = passages(4) + passages(2, "d2", created_at=MOMENT + timedelta(days=30))
    content = "# Winter\n\nA text.\n\n## Costs\n\nIt costs [1][2].\n\n## Rain\n\nIt rains [3].\n\n## Else\n\nNothing."
    article = await desk.article("Something else", content=content, sources=sources(on_topic[:3]))
    [found] = await desk.to("Heat pump noise", on_topic)
    assert (found.article.id, found.suggestion) == (article.id, Suggestion.DIFFERENTIATE)
    assert found.shared == tuple(each.ref for each in on_topic[:3])
    assert (len(found.new), found.since, found.adds) == (3, 2, ("Title d2",))
    assert found.sections == ("Costs", "Rain")
    assert "cites 3 of 6 passages" in found.reason
    assert "“Title d2”" in found.reason
    assert await desk.to("Heat pump noise", on_topic, leaving_out=article.id) == []
    same = await desk.article("Heat pump noise", sources=sources(on_topic[:1]), content="It hums [1].")
    updated = (await desk.to("Heat pump noise", on_topic))[0]
    assert (updated.article.id, updated.suggestion) == (same.id, Suggestion.UPDATE)
    assert "5 of 6 passages on it are not in it, 2 of them newer than it" in updated.reason


async def test_two_passages_in_common_are_chance(desk: Desk) -> None:
    on_topic = passages(4)
    await desk.article("Something else", content="It is [1][2].", sources=sources(on_topic[:2]))
    assert await desk.to("Heat pump noise", on_topic) == []


async def test_planning_and_checking_name_what_is_there(desk: Desk) -> None:
    article = await desk.article("Heat pumps' efficiency in the winter")
    house = desk.house
    report = await house.services.writing.check_coverage(CheckCoverageCommand(house.caller, AGENT, COVERED))
    assert advice(list(report.similar)) == [(article.id, Suggestion.UPDATE)]
    planned = await house.services.writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED, language=EN))
    assert advice(list(planned.similar)) == [(article.id, Suggestion.UPDATE)]
    found = {each.article.id: each for each in await desk.found(COVERED, agent_key=AGENT)}
    assert set(found) == {article.id, planned.article.id}
    assert found[planned.article.id].shared, "a plan's sources are what its article will cite"


async def test_a_tenant_finds_its_own_articles_alone(desk: Desk) -> None:
    await desk.article("Heat pump noise", is_public=True)
    other = await desk.house.other_tenant()
    assert await desk.house.services.writing.similar(other, "Heat pump noise", niche_id=NICHE) == ()


async def test_what_cannot_be_asked_is_refused(desk: Desk) -> None:
    with pytest.raises(InvalidInput) as caught:
        await desk.found("https://spam.example", agent_key="no key")
    assert {fault.field for fault in caught.value.errors} == {"topic", "agentKey"}
    for unknown in ({"agent_key": "unknown-GB"}, {"niche_id": "unknown"}):
        with pytest.raises(NotFound):
            await desk.found("Heat pump noise", **unknown)


async def test_a_bounded_number_is_found_the_most_alike_first(desk: Desk) -> None:
    for n in range(MOST_ARTICLES + 3):
        await desk.article(f"Heat pump noise number {n}")
    same = await desk.article("Heat pump noise")
    found = await desk.found("Heat pump noise")
    assert len(found) == MOST_ARTICLES
    assert found[0].article.id == same.id
    scores = [each.likeness.score for each in found[1:]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("embedder", [HashedEmbedder(), Subjects(SUN)])
async def test_upkeep_reads_what_is_new_or_changed_once(embedder: Embedder) -> None:
    async with open_house(embedder=embedder) as house:
        desk, read = Desk(house), house.services.upkeep.read_topics
        articles = [await desk.article(f"Solar energy {n}") for n in range(70)]
        await read.read_all()
        async with house.services.ports.unit_of_work() as tx:
            assert await tx[ArticleTopics].unread(read.space, 10) == []
            await tx[Articles].save(articles[0])
            assert await tx[ArticleTopics].unread(read.space, 10) == []
        assert len(await desk.found("Solar energy 1")) == MOST_ARTICLES


@given(st.lists(st.tuples(st.sampled_from(["One", "Two"]), st.lists(st.integers(0, 12), max_size=4)), max_size=5))
def test_each_section_cites_the_sources_that_its_text_names(parts: list[tuple[str, list[int]]]) -> None:
    text = "\n\n".join(f"## {head}\n\nWords{''.join(f'[{n}]' for n in cited)} here." for head, cited in parts)
    known = tuple(ArticleSource(n, "T", DocumentId("d"), n) for n in range(1, 10))
    article = builders.article(content=text, sources=known)
    found = sections_of(article, MarkdownRenderer().text_blocks(text))
    expected = [(head, [SourceRef("d", n) for n in dict.fromkeys(cited) if 1 <= n < 10]) for head, cited in parts]
    assert [(section.heading, list(section.cited)) for section in found] == (expected if text else [])
