"""Calls of a model that bring an article nothing: they end with it, and what they took is counted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from time import monotonic

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound, ProviderFailed
from contentgen_core.model.article import ArticleStatus, Usage
from contentgen_core.model.budget import TOKENS
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.lost_usage import collect_lost_usage, note_lost_usage
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from contentgen_core.use_cases.budgets.manage_budgets import Limit
from contentgen_http.jobs import runner
from tests.support.house import AGENT, COVERED, House, open_house
from tests.support.scripted_model import USAGE
from tests.unit.test_runner import running

LOST = Usage("scripted", 700, 300)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        for budget in (None, AGENT):
            limit = Limit(TOKENS, 10_000_000)
            if budget is None:
                await opened.services.people.budgets.administer(opened.caller.tenant_id, limit)
            else:
                await opened.services.people.budgets.set_of_agent(opened.caller, budget, limit)
        yield opened


async def of_one_section(house: House) -> ArticleId:
    """An article of one section, which is about to be written; its plan took one call."""
    planned = await house.services.writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN))
    assert planned.article.plan is not None
    plan = evolve(planned.article.plan, sections=planned.article.plan.sections[:1], faq=())
    await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, planned.article.id, plan))
    return planned.article.id


async def spent(house: House) -> set[int]:
    """By the tenant, and by the agent: the same."""
    return {standing.spent for standing in (await house.services.people.budgets.read(house.caller)).standings}


def tokens(*usages: Usage) -> int:
    return sum(usage.input_tokens + usage.output_tokens for usage in usages)


@pytest.mark.parametrize("retryable", [False, True])
async def test_an_answer_that_was_cut_off_counts(house: House, retryable: bool) -> None:
    id = await of_one_section(house)

    def cut_off(method: str, position: int) -> None:
        if method == "write" and house.model.calls["write:0"] <= 2:
            note_lost_usage(LOST)
            raise ProviderFailed("scripted", "the answer was cut off", retryable=retryable)

    house.model.before = cut_off
    for _ in range(3):
        await house.work()
        house.clock.advance(minutes=5)
    article = await house.article(id)
    used = [USAGE, LOST, LOST, USAGE] if retryable else [USAGE, LOST]
    assert article.status is (ArticleStatus.GENERATED if retryable else ArticleStatus.FAILED)
    assert article.usage is not None
    assert tokens(article.usage) == tokens(*used)
    assert await spent(house) == {tokens(*used)}


async def test_a_second_version_that_was_cut_off_counts_beside_the_first(house: House) -> None:
    house.model.invented = ("Whales sing opera in the harbour of Lisbon.",)
    id = await of_one_section(house)

    def cut_off(method: str, position: int) -> None:
        if method == "rewrite":
            note_lost_usage(LOST)
            raise ProviderFailed("scripted", "the answer was cut off", retryable=False)

    house.model.before = cut_off
    await house.work()
    article = await house.article(id)
    assert article.status is ArticleStatus.GENERATED
    assert article.usage is not None
    assert tokens(article.usage) == tokens(USAGE, USAGE, LOST)
    assert await spent(house) == {tokens(USAGE, USAGE, LOST)}


@pytest.mark.parametrize("deleted", [True, False])
async def test_a_call_ends_with_its_article_and_counts(
    house: House, monkeypatch: pytest.MonkeyPatch, deleted: bool
) -> None:
    monkeypatch.setattr(runner, "POLL_SECONDS", 0.02)
    called, ended = asyncio.Event(), asyncio.Event()

    async def never_answers() -> None:
        called.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            note_lost_usage(LOST)
            ended.set()
            raise

    id = await of_one_section(house)
    house.model.wait = never_answers
    async with running(house.services):
        async with asyncio.timeout(10):
            await called.wait()
            begun = monotonic()
            if deleted:
                await house.services.writing.delete(house.caller, id)
            else:
                await house.services.writing.edit(EditArticleCommand(house.caller, id, title="Mine"))
            await ended.wait()
            assert monotonic() - begun < 5
            while await spent(house) != {tokens(USAGE, LOST)}:
                await asyncio.sleep(0.02)
    assert house.model.calls["write:0"] == 1
    if deleted:
        with pytest.raises(NotFound):
            await house.article(id)
    else:
        article = await house.article(id)
        assert article.usage is not None
        assert tokens(article.usage) == tokens(USAGE, LOST)


async def test_what_is_lost_in_tasks_is_collected_once_and_nowhere_else() -> None:
    note_lost_usage(LOST)

    async def task() -> None:
        note_lost_usage(LOST)

    with collect_lost_usage() as outer:
        with collect_lost_usage() as inner:
            await asyncio.gather(task(), task())
        note_lost_usage(USAGE)
        note_lost_usage(Usage("scripted"))
    assert (inner, outer) == ([LOST, LOST], [USAGE])
