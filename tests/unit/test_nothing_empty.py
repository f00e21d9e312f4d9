"""An article of which nothing is left fails, and nothing empty is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.publication import PostRequest, PublicationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.own_words import NOTHING_LEFT, says_anything
from contentgen_core.policies.text.markdown import escape
from contentgen_core.policies.text.typography import TYPOGRAPHY
from contentgen_core.ports.content_model import SectionRequest
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.approval.decide import NothingToApprove
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_core.use_cases.publishing.deliver import NO_TEXT
from contentgen_core.use_cases.publishing.start import NothingToPublish, PublishCommand
from tests.support.house import AGENT, COVERED, NICHE, House, open_house
from tests.support.runs import articles, ended, execute
from tests.support.scripted_model import ScriptedModel


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


class Inventor(ScriptedModel):
    """Writes nothing that its sources say."""

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        draft = await super().write_section(request)
        invented = DraftSentence("Whales sing opera in the harbour of Lisbon.", (request.sources[0].ref,))
        return evolve(draft, paragraphs=(DraftParagraph((invented,)),))


async def test_an_article_of_which_everything_was_refused_fails_and_costs_nothing() -> None:
    async with open_house(model=Inventor()) as house:
        place = NewIntegration(house.caller, "memory", "Blog", True, {"token": TOKEN, "blog": "heat"}, {})
        await house.services.publishing.integrations.create(place)
        id = await house.services.writing.generate(
            GenerateArticleCommand(house.caller, NICHE, COVERED, language=Language.EN, agent_key=AGENT)
        )
        assert await house.articles_used() == 1
        await house.work()
        article = await house.article(id)
        assert (article.status, article.content, article.error) == (ArticleStatus.FAILED, "", NOTHING_LEFT)
        assert await house.articles_used() == 0
        assert article.usage is not None
        assert article.usage.output_tokens > 0
        await ended(house, await execute(house, 1, autopublish=True))
        assert {one.status for one in await articles(house)} == {ArticleStatus.FAILED}
        assert await house.articles_used() == 0
        assert house.target.posts == {}


@pytest.mark.parametrize("language", Language)
def test_headings_and_the_notice_are_no_text(language: Language) -> None:
    notice = f"*{escape(TYPOGRAPHY[language].notice)}*"
    for empty in ("", " \n", notice, f"{notice}\n\n## Part 1\n\n### Why?\n", "---\n"):
        assert not says_anything(empty, language)
    for text in ("Heat moves.", f"{notice}\n\n## Part 1\n\nHeat moves.", f"{notice} Heat.", "| a | b |"):
        assert says_anything(text, language)


async def test_nothing_empty_is_sent_whatever_the_way(house: House) -> None:
    """Articles of an earlier release, which were generated without a word."""
    place = NewIntegration(house.caller, "memory", "Blog", True, {"token": TOKEN, "blog": "heat"}, {})
    integration = await house.services.publishing.integrations.create(place)
    empty = builders.article(
        tenant_id=house.caller.tenant_id,
        niche_key=NICHE,
        status=ArticleStatus.GENERATED,
        content=f"*{TYPOGRAPHY[Language.EN].notice}*\n\n## Part 1\n",
    )
    at = house.clock.now() + timedelta(hours=1)
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(empty)
    publishing, writing = house.services.publishing, house.services.writing
    ways: list[Awaitable[object]] = [
        publishing.publish.article(house.caller, empty.id, None),
        publishing.publish.to_integration(PublishCommand(house.caller, integration.id, empty.id, PostRequest())),
        writing.edit(EditArticleCommand(house.caller, empty.id, status=ArticleStatus.SCHEDULED, scheduled_for=at)),
    ]
    for way in ways:
        with pytest.raises(NothingToPublish):
            await way
    with pytest.raises(NothingToApprove):
        await writing.approval.approve(house.caller, empty.id)
    await writing.edit(
        EditArticleCommand(house.caller, empty.id, content="Heat.", status=ArticleStatus.SCHEDULED, scheduled_for=at)
    )
    async with house.services.ports.unit_of_work() as tx:
        stored = await tx[Articles].get(house.caller.tenant_id, empty.id)
        await tx[Articles].save(evolve(stored, content=empty.content))
    house.clock.advance(hours=2)
    await house.work()
    await house.work()
    [publication] = await publishing.publications.of_article(house.caller, empty.id)
    assert (publication.status, publication.error) == (PublicationStatus.FAILED, NO_TEXT)
    assert house.target.posts == {}
    await publishing.publications.retry(house.caller, publication.id)
    await house.work()
    assert house.target.posts == {}
