"""The language of an article, where the writer takes sentences as they are and where it does not."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import InvalidInput
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.testing.builders import kb_document, passage, ranked_passage
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.languages import WritingLanguages
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from tests.support.house import AGENT, COVERED, NICHE, House, findable, open_house

AS_THEY_ARE = WritingLanguages(crosses=False)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def test_a_language_that_no_source_has_is_refused_before_anything_is_consumed(house: House) -> None:
    plan = evolve(house.services.writing.plan, languages=AS_THEY_ARE)
    generate = evolve(house.services.writing.generate, languages=AS_THEY_ARE)
    with pytest.raises(InvalidInput, match=r"sources in en and none in de.*write in en"):
        await plan(PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.DE, allow_low_coverage=True))
    with pytest.raises(InvalidInput, match="write in en"):
        await generate(GenerateArticleCommand(house.caller, NICHE, COVERED, language=Language.DE))
    assert await house.articles_used() == 0


async def test_a_model_writes_across_languages(house: House) -> None:
    planned = await house.services.writing.plan(
        PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.DE, allow_low_coverage=True)
    )
    assert planned.article.brief.language is Language.DE
    assert planned.sources


async def test_without_a_language_it_is_the_agents(house: House) -> None:
    for languages in (AS_THEY_ARE, WritingLanguages()):
        plan = evolve(house.services.writing.plan, languages=languages)
        planned = await plan(PlanArticleCommand(house.caller, AGENT, COVERED))
        assert planned.article.brief.language is Language.EN


async def test_sources_on_the_topic_in_another_language_are_named(house: House) -> None:
    note = SourceText("https://kb.example.org/de", "Sonne", "Solarzellen machen Strom aus Licht.", None, Language.DE)
    await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), [note])
    await findable(house.services)
    plan = evolve(house.services.writing.plan, languages=AS_THEY_ARE)
    with pytest.raises(InvalidInput, match="on this topic in en and none in de"):
        await plan(PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.DE, allow_low_coverage=True))
    assert await house.articles_used() == 0


async def test_an_article_that_its_sources_cannot_be_written_in_fails_with_the_way_out_and_is_not_counted(
    house: House,
) -> None:
    generate = GenerateArticleCommand(house.caller, NICHE, COVERED, language=Language.DE)
    id = await house.services.writing.generate(generate)
    [job] = await house.claim()
    await evolve(house.services.jobs.generate_article, languages=AS_THEY_ARE)(job)
    article = await house.article(id)
    assert article.status is ArticleStatus.FAILED
    assert article.error is not None
    assert "write in en" in article.error
    assert await house.articles_used() == 0


@given(st.lists(st.sampled_from([Language.EN, Language.DE, Language.FR]), max_size=6), st.booleans())
def test_what_is_written_from_is_in_the_articles_language(languages: list[Language], crosses: bool) -> None:
    ranked = [ranked_passage(passage(kb_document(language=language))) for language in languages]
    writing = WritingLanguages(crosses)
    if not crosses and languages and Language.EN not in languages:
        with pytest.raises(InvalidInput):
            writing.usable(ranked, Language.EN)
        return
    usable = writing.usable(ranked, Language.EN)
    assert list(usable) == [r for r in ranked if crosses or r.passage.document.language is Language.EN]
