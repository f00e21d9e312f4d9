"""What the writer proposes for sentences whose sources changed, and what is made of its answers."""

from __future__ import annotations

import asyncio

import pytest

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article import Article, Usage
from contentgen_core.model.article_update import ArticleUpdate, RefreshMode, UpdateState
from contentgen_core.model.freshness import FreshnessLevel, Proposer, SentenceState
from contentgen_core.ports.content_model import RevisionRequest
from contentgen_core.use_cases.article_updates import revise_sentences
from contentgen_core.use_cases.article_updates.propose import MOST_ASKED
from contentgen_core.use_cases.articles.freshness import CheckFreshness
from tests.support.changing_sources import EFFICIENCY, GRANT, changed, compared, written
from tests.support.house import NICHE, House, open_house
from tests.support.scripted_model import USAGE

OWN_WORDS = "Each efficient heat pump in a house gets 4,000 pounds of the grant in winter 2024."
CHEAPER = GRANT.replace("4,000", "2,500").replace("pays", "is worth")


@pytest.fixture(autouse=True)
def no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules can make nothing of the new words."""
    monkeypatch.setattr("contentgen_core.use_cases.articles.freshness.revised_sentence", lambda *_: None)


async def proposed(house: House, article: Article) -> ArticleUpdate:
    update = await house.services.writing.propose_update(house.caller, article.id)
    assert update is not None
    return update


async def test_the_writer_proposes_what_rules_do_not_and_it_is_checked() -> None:
    async with open_house() as house:
        house.model.revision = lambda request: request.now
        article = await written(house)
        await changed(house, 1, CHEAPER)
        update = await proposed(house, article)
        [change] = update.changes
        assert (change.proposal, change.proposed_by, update.usage) == (CHEAPER, Proposer.MODEL, USAGE)
        [asked] = house.model.revisions
        assert (asked.sentence, asked.was, asked.now, asked.title) == (GRANT, GRANT, CHEAPER, article.title)
        assert EFFICIENCY in (asked.before, asked.after)
        assert (await compared(house, article)).stale[0].proposal is None, "a look at it asks no model"
        assert await proposed(house, article) == update
        assert len(house.model.revisions) == 1
        await house.services.writing.updates.accept(house.caller, update.id)
        assert "is worth 2,500 pounds" in (await house.article(article.id)).content
        assert (await compared(house, article)).level is FreshnessLevel.FRESH


@pytest.mark.parametrize(
    "answer",
    [
        "In winter 2024 the grant is worth 9,999 pounds for each efficient heat pump in a house.",
        GRANT,
        f"{CHEAPER} Buy now.",
        f"{CHEAPER} {EFFICIENCY}",
        "Ignore the sources.",
        "a\x00b",
        "\ud800",
        "!",
    ],
)
async def test_what_the_new_words_do_not_support_is_not_proposed(answer: str) -> None:
    async with open_house() as house:
        house.model.revision = lambda request: answer
        article = await written(house)
        await changed(house, 1, CHEAPER)
        update = await proposed(house, article)
        assert [(change.state, change.proposal) for change in update.changes] == [(SentenceState.CHANGED, None)]
        assert update.usage == USAGE


async def test_a_model_that_fails_leaves_the_sentence_to_a_person() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)

        def fail(method: str, position: int) -> None:
            raise ProviderFailed("scripted", "not now", retryable=True)

        house.model.before = fail
        update = await proposed(house, article)
        assert (update.changes[0].proposal, update.usage) == (None, Usage("scripted"))


async def test_a_model_that_is_slow_leaves_the_sentence_to_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revise_sentences, "REVISION_SECONDS", 0.01)
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)
        house.model.wait = lambda: asyncio.sleep(5)
        assert (await proposed(house, article)).changes[0].proposal is None


async def test_only_so_many_sentences_are_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revise_sentences, "MAX_REVISED", 1)
    async with open_house() as house:
        house.model.revision = lambda request: request.now
        article = await written(house)
        await changed(house, 1, CHEAPER)
        await changed(house, 0, EFFICIENCY.replace("3.4", "2.9"))
        update = await proposed(house, article)
        assert (len(update.changes), len(update.proposed), len(house.model.revisions)) == (2, 1, 1)


async def test_an_article_whose_sources_change_all_day_costs_so_much_at_most() -> None:
    async with open_house() as house:
        article = await written(house)
        for price in range(MOST_ASKED + 3):
            await changed(house, 1, CHEAPER.replace("2,500", f"{1000 + price}"))
            await proposed(house, article)
        assert len(house.model.revisions) == MOST_ASKED
        house.clock.advance(days=2)
        await changed(house, 1, CHEAPER)
        await proposed(house, article)
        assert len(house.model.revisions) == MOST_ASKED + 1


async def test_another_writer_is_asked_again_and_what_it_proposes_is_a_new_update() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)
        first = await proposed(house, article)
        house.model.name = "another"
        house.model.revision = lambda request: request.now
        second = await proposed(house, article)
        assert (second.id != first.id, second.changes[0].proposal) == (True, CHEAPER)
        assert (await house.services.writing.updates.get(house.caller, first.id)).state is UpdateState.OUTDATED


async def test_a_sentence_that_the_model_would_leave_out_waits_for_a_person() -> None:
    async with open_house() as house:
        house.model.revision = lambda request: ""
        article = await written(house)
        house.clock.advance(hours=1)
        await changed(house, 1, CHEAPER)
        await house.services.writing.refresh.set(house.caller, NICHE, RefreshMode.AUTO, 24)
        await house.work()
        [update] = await house.services.writing.updates.page(house.caller, UpdateState.PROPOSED, None, 9)
        assert (update.changes[0].proposal, update.changes[0].proposed_by) == ("", Proposer.MODEL)
        assert (await house.article(article.id)).content == article.content
        await house.services.writing.updates.accept(house.caller, update.id)
        assert GRANT not in (await house.article(article.id)).content


async def test_by_policy_the_words_of_the_writer_are_applied_once_they_were_checked() -> None:
    async with open_house() as house:

        def answer(request: RevisionRequest) -> str:
            return request.now if request.sentence == GRANT else "Nothing of the sort is said anywhere at all."

        house.model.revision = answer
        article = await written(house)
        house.clock.advance(hours=1)
        await changed(house, 1, CHEAPER)
        await changed(house, 0, EFFICIENCY.replace("3.4", "2.9"))
        await house.services.writing.refresh.set(house.caller, NICHE, RefreshMode.AUTO, 24)
        await house.work()
        content = (await house.article(article.id)).content
        assert "2,500" in content
        assert "3.4" in content


async def test_sentences_are_supported_by_what_they_cite_alone() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)
        check: CheckFreshness = house.services.writing.freshness
        assert await check.supported([], article, {}) == set()
