"""Generation that fails, is tried again, stopped or killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from contentgen_core.errors import (
    NotFound,
    ProviderFailed,
)
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.writing import FiguresBy
from contentgen_core.ports.content_model import SectionRequest
from contentgen_core.ports.repositories.articles import Generations
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand, Planned
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from tests.support.house import AGENT, COVERED, NICHE, House, open_house
from tests.support.scripted_model import USAGE

OFF_TOPIC = "Medieval falconry and its laws"


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def generate(house: House, topic: str | None = COVERED, **changes: object) -> ArticleId:
    command = GenerateArticleCommand(house.caller, NICHE, topic, language=Language.EN)
    return await house.services.writing.generate(evolve(command, **changes))


async def plan(house: House, topic: str | None = COVERED, **changes: object) -> Planned:
    command = PlanArticleCommand(house.caller, AGENT, topic, language=Language.EN)
    return await house.services.writing.plan(evolve(command, **changes))


async def test_what_fails_is_counted_as_failed(house: House) -> None:
    id = await generate(house)
    for attempt in (1, 2, 3):
        await house.claim(f"w{attempt}")
        house.clock.advance(seconds=31)
    await house.work("w4")
    assert await house.status(id) is ArticleStatus.FAILED
    total = (await house.services.writing.insights(house.caller, FiguresBy.MONTH)).total
    assert (total.written, total.failed, total.words) == (0, 1, 0)


async def test_a_killed_worker_costs_at_most_the_stage_under_way(house: House) -> None:
    class Killed(BaseException):
        pass

    def kill(method: str, position: int) -> None:
        if (method, position) == ("write", 2):
            raise Killed

    id = await generate(house)
    house.model.before = kill
    [job] = await house.claim("w1")
    with pytest.raises((Killed, BaseExceptionGroup)):
        await house.services.jobs.generate_article(job)
    written = {call for call in house.model.calls if call.startswith("write:")} - {"write:2"}
    house.model.before = lambda method, position: None
    assert await house.claim("w2") == []
    house.clock.advance(seconds=31)
    assert await house.work("w2") == 1
    assert await house.status(id) is ArticleStatus.GENERATED
    assert house.model.calls["plan"] == 1
    assert sum(house.model.calls[call] for call in written) <= len(written) + 3
    assert await house.articles_used() == 1


async def test_after_the_third_death_of_its_worker_an_article_fails_and_its_quota_comes_back(house: House) -> None:
    id = await generate(house)
    for attempt in (1, 2, 3):
        assert len(await house.claim(f"w{attempt}")) == 1
        house.clock.advance(seconds=31)
    await house.work("w4")
    article = await house.article(id)
    assert article.status is ArticleStatus.FAILED
    assert article.error is not None
    assert "interrupted" in article.error
    assert await house.articles_used() == 0


async def test_a_retryable_failure_is_tried_three_times_and_a_final_one_once(house: House) -> None:
    for retryable, tries in ((True, 3), (False, 1)):
        house.model.calls.clear()

        def fail(method: str, position: int, retryable: bool = retryable) -> None:
            raise ProviderFailed("openai", "overloaded", retryable=retryable, retry_after=7)

        id = await generate(house, f"Heat pump topic {tries}")
        house.model.before = fail
        for _ in range(5):
            await house.work()
            house.clock.advance(seconds=60)
        article = await house.article(id)
        assert article.status is ArticleStatus.FAILED
        assert article.error == "openai: overloaded"
        assert house.model.calls["plan"] == tries
        house.model.before = lambda method, position: None
    assert await house.articles_used() == 0


async def test_a_retry_waits_as_long_as_the_provider_asks(house: House) -> None:
    def fail(method: str, position: int) -> None:
        raise ProviderFailed("openai", "slow down", retryable=True, retry_after=40)

    await generate(house)
    house.model.before = fail
    await house.work()
    house.clock.advance(seconds=39)
    assert await house.work() == 0
    house.clock.advance(seconds=2)
    assert await house.work() == 1


async def test_an_unexpected_error_never_leaves_an_article_generating(house: House) -> None:
    def fail(method: str, position: int) -> None:
        raise ZeroDivisionError

    id = await generate(house)
    house.model.before = fail
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await house.work()
        house.clock.advance(seconds=60)
    article = await house.article(id)
    assert article.status is ArticleStatus.FAILED
    assert article.error is not None
    assert "internal error" in article.error
    assert "ZeroDivision" not in article.error


@pytest.mark.parametrize("removed", [True, False])
async def test_a_person_who_edits_or_deletes_stops_the_generation(house: House, removed: bool) -> None:
    id = await generate(house)
    [job] = await house.claim()
    if removed:
        await house.services.writing.delete(house.caller, id)
    else:
        edited = await house.services.writing.edit(EditArticleCommand(house.caller, id, title="Mine"))
        assert edited.status is ArticleStatus.DRAFT
    await house.services.jobs.generate_article(job)
    if removed:
        with pytest.raises(NotFound):
            await house.article(id)
    else:
        article = await house.article(id)
        assert (article.title, article.content, article.status) == ("Mine", "", ArticleStatus.DRAFT)
    assert await house.articles_used() == 1


async def test_a_failed_article_that_starts_again_consumes_again(house: House) -> None:
    planned = await plan(house)
    house.model.before = lambda method, position: (_ for _ in ()).throw(ProviderFailed("openai", "no", retryable=False))
    await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, planned.article.id))
    await house.work()
    assert await house.status(planned.article.id) is ArticleStatus.FAILED
    assert await house.articles_used() == 0
    house.model.before = lambda method, position: None
    await house.services.writing.edit(EditArticleCommand(house.caller, planned.article.id, status=ArticleStatus.DRAFT))
    await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, planned.article.id))
    await house.work()
    assert await house.status(planned.article.id) is ArticleStatus.GENERATED
    assert await house.articles_used() == 1


async def test_a_failed_article_keeps_the_tokens_of_what_was_drafted(house: House) -> None:
    id = await generate(house)
    write = house.model.write_section

    async def failing(request: SectionRequest) -> SectionDraft:
        if request.position != 2:
            return await write(request)
        while True:
            async with house.services.ports.unit_of_work() as tx:
                if len(await tx[Generations].drafts(id)) == 3:  # two sections and the questions
                    raise ProviderFailed("openai", "refused", retryable=False)
            await asyncio.sleep(0)

    house.model.write_section = failing  # type: ignore[method-assign]
    await house.work()

    article = await house.article(id)
    assert article.status is ArticleStatus.FAILED
    assert article.usage is not None
    assert (article.usage.input_tokens, article.usage.output_tokens) == (
        4 * USAGE.input_tokens,
        4 * USAGE.output_tokens,
    )
