"""Calls of a model for plans, translations and updates: they end with what they are for, and count once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from attrs import define, field

from contentgen_core.errors import NotFound, ProviderFailed
from contentgen_core.model.article import Usage
from contentgen_core.model.article_update import RefreshMode
from contentgen_core.model.budget import TOKENS
from contentgen_core.model.translation import TranslationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.lost_usage import note_lost_usage
from contentgen_core.use_cases import while_there
from contentgen_core.use_cases.articles.admission import ReplacedDraft
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.budgets.manage_budgets import Limit
from contentgen_http.jobs import runner
from tests.support.changing_sources import GRANT, changed, written
from tests.support.house import AGENT, COVERED, NICHE, House, open_house
from tests.support.scripted_model import USAGE
from tests.support.translations import LONG, begun_text, made, now_, published, translated
from tests.unit.test_runner import running
from tests.unit.test_translations_follow import accepted, both, following_of

LOST = Usage("scripted", 700, 300)
CHEAPER = GRANT.replace("4,000", "2,500")


@pytest.fixture
async def house(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(runner, "LOST_SECONDS", 0.02)
    monkeypatch.setattr(while_there, "LOOK_SECONDS", 0.02)
    async with open_house() as opened:
        await opened.services.people.budgets.administer(opened.caller.tenant_id, Limit(TOKENS, 10_000_000))
        yield opened


async def spent(house: House) -> int:
    [standing] = (await house.services.people.budgets.read(house.caller)).standings
    return standing.spent


async def reserved(house: House) -> int:
    [standing] = (await house.services.people.budgets.read(house.caller)).standings
    return standing.reserved


def tokens(*usages: Usage) -> int:
    return sum(usage.input_tokens + usage.output_tokens for usage in usages)


@define
class Endless:
    """Calls that end by being cancelled alone, after so many that answer."""

    answered: int = 0
    called: asyncio.Event = field(factory=asyncio.Event)
    ended: int = 0

    async def __call__(self) -> None:
        if self.answered:
            self.answered -= 1
            return
        self.called.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            note_lost_usage(LOST)
            self.ended += 1
            raise


async def ends(house: House, endless: Endless, delete: Callable[[], Awaitable[object]], counted: int) -> None:
    """Once its call is under way, delete what it is for: the call ends, and this is counted."""
    async with asyncio.timeout(10):
        await endless.called.wait()
        await delete()
        while not endless.ended or await spent(house) < counted:
            await asyncio.sleep(0.01)
    for _ in range(3):
        await asyncio.sleep(0.02)
    assert (endless.ended, await spent(house)) == (1, counted)


def plan_of(house: House, replaced: ReplacedDraft | None = None) -> PlanArticleCommand:
    return PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN, replaced=replaced)


async def test_a_plan_whose_client_goes_ends_its_call(house: House) -> None:
    endless = house.model.wait = Endless()
    request = asyncio.create_task(house.services.writing.plan(plan_of(house)))
    await endless.called.wait()
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    assert (endless.ended, await spent(house), await reserved(house)) == (1, tokens(LOST), 0)


async def test_a_plan_in_place_of_a_draft_ends_with_the_draft(house: House) -> None:
    draft = (await house.services.writing.plan(plan_of(house))).article
    endless = house.model.wait = Endless()
    request = asyncio.create_task(house.services.writing.plan(plan_of(house, ReplacedDraft(draft.id))))
    await ends(house, endless, lambda: house.services.writing.delete(house.caller, draft.id), tokens(USAGE, LOST))
    with pytest.raises(NotFound):
        await request


async def test_a_plan_that_is_cut_off_counts_once_and_one_that_is_stored_as_well(house: House) -> None:
    def cut_off(method: str, position: int) -> None:
        if method == "plan" and house.model.calls["plan"] == 1:
            note_lost_usage(LOST)
            raise ProviderFailed("scripted", "the answer was cut off", retryable=False)

    house.model.before = cut_off
    with pytest.raises(ProviderFailed):
        await house.services.writing.plan(plan_of(house))
    assert (await spent(house), await reserved(house)) == (tokens(LOST), 0)
    await house.services.writing.plan(plan_of(house))
    assert await spent(house) == tokens(LOST, USAGE)


async def test_a_plan_that_came_and_could_not_be_stored_counts(house: House) -> None:
    draft = (await house.services.writing.plan(plan_of(house))).article

    async def deleted_meanwhile() -> None:
        await house.services.writing.delete(house.caller, draft.id)

    house.model.wait = deleted_meanwhile
    with pytest.raises(NotFound):
        await house.services.writing.plan(plan_of(house, ReplacedDraft(draft.id)))
    assert await spent(house) == tokens(USAGE, USAGE)


async def test_a_translation_ends_with_the_article_that_it_makes(house: House) -> None:
    begun = await translated(house, await published(house))
    endless = house.model.wait = Endless()
    made_id = (await made(house, begun)).id
    async with running(house.services):
        await ends(house, endless, lambda: house.services.writing.delete(house.caller, made_id), tokens(LOST))
    assert house.model.calls["translate"] == 1


async def test_the_parts_of_a_translation_count_once_beside_one_that_was_cut_off(house: House) -> None:
    def cut_off(method: str, position: int) -> None:
        if house.model.calls["translate"] == 2:
            note_lost_usage(LOST)
            raise ProviderFailed("scripted", "the answer was cut off", retryable=True)

    house.model.before = cut_off
    begun = await begun_text(house, LONG)
    for _ in range(3):
        await house.work()
        house.clock.advance(minutes=5)
    translation = await now_(house, begun)
    assert translation.status is TranslationStatus.COMPLETED
    assert translation.usage is not None
    answered = house.model.calls["translate"] - 1
    assert tokens(translation.usage) <= answered * tokens(USAGE)
    assert await spent(house) == answered * tokens(USAGE) + tokens(LOST)


@pytest.mark.parametrize("requested", [True, False])
async def test_an_update_ends_with_its_article(house: House, monkeypatch: pytest.MonkeyPatch, requested: bool) -> None:
    monkeypatch.setattr("contentgen_core.use_cases.articles.freshness.revised_sentence", lambda *_: None)
    article = await written(house)
    house.clock.advance(hours=1)
    await changed(house, 1, CHEAPER)
    before = await spent(house)
    endless = house.model.wait = Endless()

    async def deleted() -> None:
        await house.services.writing.delete(house.caller, article.id)

    if requested:
        request = asyncio.create_task(house.services.writing.propose_update(house.caller, article.id))
        await ends(house, endless, deleted, before + tokens(LOST))
        with pytest.raises(NotFound):
            await request
        return
    await house.services.writing.refresh.set(house.caller, NICHE, RefreshMode.REVIEW, 24, publish=False)
    await house.services.writing.refresh.run(house.caller, NICHE)
    async with running(house.services):
        await ends(house, endless, deleted, before + tokens(LOST))


async def test_an_update_counts_what_the_writer_took(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("contentgen_core.use_cases.articles.freshness.revised_sentence", lambda *_: None)
    article = await written(house)
    await changed(house, 1, CHEAPER)
    before = await spent(house)
    house.model.revision = lambda request: request.now
    update = await house.services.writing.propose_update(house.caller, article.id)
    assert update is not None
    assert update.usage is not None
    assert await spent(house) == before + tokens(update.usage) == before + tokens(USAGE)


@pytest.mark.parametrize("deleted", [True, False])
async def test_the_translation_of_an_update_ends_with_its_article_and_counts(house: House, deleted: bool) -> None:
    article, translation = await both(house)
    await changed(house, 1, CHEAPER)
    before = await spent(house)
    update = await accepted(house, article)
    if not deleted:
        await house.work()
        assert (await following_of(house, update)).usage == USAGE
        assert await spent(house) == before + tokens(USAGE)
        return
    endless = house.model.wait = Endless()
    async with running(house.services):
        await ends(
            house,
            endless,
            lambda: house.services.writing.delete(house.caller, translation.id),
            before + tokens(LOST),
        )


async def test_answers_of_an_update_that_came_before_it_was_cut_off_count(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contentgen_core.use_cases.articles.freshness.revised_sentence", lambda *_: None)
    article = await written(house)
    await changed(house, 0, "A heat pump keeps an efficiency of 2.9 in winter where the flow temperature is low.")
    await changed(house, 1, CHEAPER)
    before = await spent(house)
    endless = house.model.wait = Endless(answered=1)
    request = asyncio.create_task(house.services.writing.propose_update(house.caller, article.id))
    await ends(
        house,
        endless,
        lambda: house.services.writing.delete(house.caller, article.id),
        before + tokens(USAGE, LOST),
    )
    with pytest.raises(NotFound):
        await request
