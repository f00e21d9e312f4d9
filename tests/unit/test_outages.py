"""Articles while the model is away, in virtual time: they wait, show it, go on where they were, and end at last."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_core.errors import NotAsked, ProviderFailed
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.circuit import OPENS_AFTER
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.circuits import Circuits
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from tests.support.house import AGENT, NICHE, House, open_house

ARTICLES = 20
REFUSED = ("the connection failed (ConnectError)", None)
BROKEN = ("HTTP 500: out of memory", None)
BUSY = ("HTTP 429: slow down", 7.0)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house(PlanName.BUSINESS) as opened:
        yield opened


async def start(house: House, topic: str) -> ArticleId:
    command = GenerateArticleCommand(house.caller, NICHE, topic, language=Language.EN)
    return await house.services.writing.generate(command)


async def start_many(house: House, count: int = ARTICLES) -> list[ArticleId]:
    return [await start(house, f"Heat pump efficiency in winter, part {n}") for n in range(count)]


def away_until(house: House, until: datetime, how: tuple[str, float | None]) -> None:
    reason, wait = how

    def fail(method: str, position: int) -> None:
        if house.clock.now() < until:
            raise ProviderFailed("OpenAI", reason, retryable=True, retry_after=wait, away=True)

    house.model.before = fail


async def work_for(house: House, seconds: float, step: float = 1.0) -> None:
    """Work on what is due, each second."""
    end = house.clock.now() + timedelta(seconds=seconds)
    while house.clock.now() < end:
        await house.work()
        house.clock.advance(seconds=step)


def calls_of_sections(house: House) -> Counter[str]:
    return Counter({call: n for call, n in house.model.calls.items() if call.startswith("write")})


@pytest.mark.parametrize("how", [REFUSED, BROKEN, BUSY])
async def test_an_outage_of_a_minute_ends_no_article(house: House, how: tuple[str, float | None]) -> None:
    ids = await start_many(house)
    away_until(house, house.clock.now() + timedelta(seconds=60), how)
    await work_for(house, 30)
    during = sum(house.model.calls.values())
    assert during < OPENS_AFTER + ARTICLES, "while it is away it is tried now and then, and not by everybody"
    assert {await house.status(id) for id in ids} == {ArticleStatus.GENERATING}
    await work_for(house, 70)
    assert {await house.status(id) for id in ids} == {ArticleStatus.GENERATED}
    assert await house.articles_used() == ARTICLES


@given(
    st.lists(st.tuples(st.integers(1, 90), st.integers(0, 40)), max_size=4), st.sampled_from([REFUSED, BROKEN, BUSY])
)
@settings(max_examples=20, deadline=None)
async def test_no_part_is_paid_twice_whatever_the_outages(
    outages: list[tuple[int, int]], how: tuple[str, float | None]
) -> None:
    """`outages`: how long each lasts, and how many calls are answered before it."""
    async with open_house(PlanName.BUSINESS) as house:
        ids = await start_many(house, 3)
        left, answered = list(outages), Counter[str]()
        state: dict[str, datetime | int] = {"until": house.clock.now(), "calls": 0}

        def fail(method: str, position: int) -> None:
            now = house.clock.now()
            if left and state["calls"] == left[0][1]:
                state["until"], state["calls"] = now + timedelta(seconds=left.pop(0)[0]), 0
            if now < state["until"]:  # type: ignore[operator]
                raise ProviderFailed("OpenAI", how[0], retryable=True, retry_after=how[1], away=True)
            state["calls"] += 1  # type: ignore[operator]
            answered[f"{method}:{position}"] += 1

        house.model.before = fail
        await work_for(house, 500)
        articles = [await house.article(id) for id in ids]
        assert {article.status for article in articles} == {ArticleStatus.GENERATED}
        assert max(answered.values()) == len(ids), "each article asked for each part once"
        assert all(article.usage and article.usage.input_tokens for article in articles)
        assert all(article.waiting is None for article in articles)


async def test_an_article_shows_that_it_waits_and_goes_on_with_what_it_has(house: House) -> None:
    begun = house.clock.now()
    id = await start(house, "Heat pump efficiency in winter")
    await_plan = house.model.calls
    first: list[int] = []

    def fail(method: str, position: int) -> None:
        if method == "write" and house.clock.now() < begun + timedelta(seconds=45):
            if first:
                raise ProviderFailed("OpenAI", "HTTP 503", retryable=True, away=True)
            first.append(position)

    house.model.before = fail
    await work_for(house, 10)
    article = await house.article(id)
    assert article.status is ArticleStatus.GENERATING
    assert article.progress > 25
    assert article.waiting is not None
    assert article.waiting.reason == "OpenAI: HTTP 503"
    assert begun <= article.waiting.since < begun + timedelta(seconds=5)
    assert article.waiting.until == article.waiting.since + timedelta(minutes=20)
    await work_for(house, 110)
    article = await house.article(id)
    assert (article.status, article.waiting) == (ArticleStatus.GENERATED, None)
    assert await_plan["plan"] == 1
    assert house.model.calls[f"write:{first[0]}"] == 1, "the part that was there is not asked for again"


async def test_after_twenty_minutes_it_fails_with_the_reason_and_the_quota_comes_back(house: House) -> None:
    ids = await start_many(house)
    away_until(house, house.clock.now() + timedelta(days=1), BROKEN)
    assert await house.articles_used() == ARTICLES
    await work_for(house, 19 * 60, step=5)
    assert {await house.status(id) for id in ids} == {ArticleStatus.GENERATING}
    await work_for(house, 3 * 60, step=5)
    for id in ids:
        article = await house.article(id)
        assert article.status is ArticleStatus.FAILED
        assert article.waiting is None
        assert article.error == (
            "OpenAI: HTTP 500: out of memory. It did not come back within 20 minutes. Start it again later."
        )
    assert await house.articles_used() == 0
    assert sum(house.model.calls.values()) < 90, "about twice a minute, however many articles wait"


async def test_an_article_that_fails_by_itself_still_has_three_attempts(house: House) -> None:
    def fail(method: str, position: int) -> None:
        raise ProviderFailed("OpenAI", "gave no usable answer", retryable=True)

    house.model.before = fail
    id = await start(house, "Heat pump efficiency in winter")
    await work_for(house, 60)
    assert await house.status(id) is ArticleStatus.FAILED
    assert house.model.calls["plan"] == 3


async def test_an_article_that_waits_can_be_stopped(house: House) -> None:
    ids = await start_many(house, 2)
    away_until(house, house.clock.now() + timedelta(seconds=60), REFUSED)
    await work_for(house, 10)
    await house.services.writing.delete(house.caller, ids[0])
    await house.services.writing.edit(EditArticleCommand(house.caller, ids[1], status=ArticleStatus.DRAFT))
    called = sum(house.model.calls.values())
    await work_for(house, 120)
    assert sum(house.model.calls.values()) == called
    article = await house.article(ids[1])
    assert (article.status, article.waiting) == (ArticleStatus.DRAFT, None)


async def test_a_request_is_answered_at_once_while_the_model_is_away(house: House) -> None:
    await start_many(house, 4)
    away_until(house, house.clock.now() + timedelta(minutes=5), REFUSED)
    await work_for(house, 10)
    called = sum(house.model.calls.values())
    command = PlanArticleCommand(house.caller, AGENT, "Heat pump efficiency", language=Language.EN)
    with pytest.raises(NotAsked) as caught:
        await house.services.writing.plan(command)
    assert caught.value.retry_after is not None
    assert 0 < caught.value.retry_after <= 60
    assert sum(house.model.calls.values()) == called


async def test_one_job_at_a_time_tries_a_model_that_was_away(house: House) -> None:
    import asyncio

    await start_many(house)
    away_until(house, house.clock.now() + timedelta(seconds=120), REFUSED)
    await work_for(house, 20)
    under_way, most = 0, 0

    async def watched() -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1

    def refuse(method: str, position: int) -> None: ...

    plain = house.model.before

    async def wait() -> None:
        await watched()
        plain("plan", -1)

    house.model.before, house.model.wait = refuse, wait
    for _ in range(60):
        jobs = await house.claim()
        await asyncio.gather(*(house.services.handlers[job.kind](job) for job in jobs))
        house.clock.advance(seconds=1)
    assert most == 1


async def test_a_single_article_that_the_model_cannot_do_stops_no_other(house: House) -> None:
    """Its failures do not open the circuit while others are answered in between."""
    bad = await start(house, "Heat pump efficiency in winter, the bad one")
    good = await start_many(house, 5)
    plain: Callable[[str, int], None] = lambda method, position: None  # noqa: E731
    model_plan = house.model.plan

    async def plan(request: object) -> object:
        if "bad one" in request.brief.topic:  # type: ignore[attr-defined]
            raise ProviderFailed("OpenAI", "no complete answer within 120 s", retryable=True, away=True)
        return await model_plan(request)  # type: ignore[arg-type]

    house.model.before, house.model.plan = plain, plan  # type: ignore[method-assign, assignment]
    await work_for(house, 5)
    assert {await house.status(id) for id in good} == {ArticleStatus.GENERATED}
    await work_for(house, 22 * 60, step=5)
    assert await house.status(bad) is ArticleStatus.FAILED
    async with house.services.ports.unit_of_work() as tx:
        assert (await tx[Circuits].get("scripted")).failures > 0
