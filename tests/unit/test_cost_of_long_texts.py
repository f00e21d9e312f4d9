"""Texts of kinds that somebody may make to keep a check busy: three times as long, they cost about three times as much.

A cost that grows with the square of the length would be nine times as much."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Final

import pytest

from contentgen_adapters.rendering.content import content_html
from contentgen_core.errors import InvalidInput
from contentgen_core.model.article import Article
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.voice.measure import measure
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.verify_text import GivenSource, VerifyTextCommand
from tests.support.changing_sources import written
from tests.support.house import House, open_house
from tests.support.long_texts import KINDS

SHORT: Final = 4_000
TIMES: Final = 3
MOST: Final = 6.0
"""Times what the short text costs: between three and nine."""
NOTICED: Final = 0.15
"""Seconds of processor time below which nothing is told from chance."""
TRIES: Final = 3

Operation = Callable[[str], Awaitable[None]]


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


def _operations(house: House, article: Article) -> dict[str, Operation]:
    writing = house.services.writing

    async def verify(text: str, source: str) -> None:
        with suppress(InvalidInput):  # of signs alone
            await writing.verify_text(VerifyTextCommand(text, sources=(GivenSource(source),), language=Language.EN))

    async def edit(text: str) -> None:
        with suppress(InvalidInput):
            await writing.edit(EditArticleCommand(house.caller, article.id, content=text))

    async def render(text: str) -> None:
        content_html(text, frozenset({1}))

    async def voice(text: str) -> None:
        measure([text], Language.EN, house.services.ports.analysis)

    return {
        "verify against itself": lambda text: verify(text, text),
        "verify against others": lambda text: verify(text, text.replace("1", "3").replace("a", "e")),
        "be verified against": lambda text: verify("In 2001 the pump weighs 3 kg, not 4, says AB-1 (abc).", text),
        "edit": edit,
        "render": render,
        "voice": voice,
    }


async def _cost(operation: Operation, text: str) -> float:
    began = time.process_time()
    async with asyncio.timeout(60):
        await operation(text)
    return time.process_time() - began


async def grows_too_fast(operation: Operation, make: Callable[[int], str]) -> bool:
    """Whether it does each time: once may be chance."""
    for _ in range(TRIES):
        short = await _cost(operation, make(SHORT))
        long = await _cost(operation, make(SHORT * TIMES))
        if long < NOTICED or long < MOST * short:
            return False
    return True


@pytest.mark.parametrize(
    "name",
    [
        "verify against itself",
        "verify against others",
        "be verified against",
        "edit",
        "render",
        "voice",
    ],
)
async def test_a_text_costs_what_its_length_does_whatever_it_consists_of(house: House, name: str) -> None:
    operation = _operations(house, await written(house))[name]
    await operation("The heat pump keeps an efficiency of 3 in winter [1].")  # words and tables are loaded
    assert [kind for kind, make in KINDS.items() if await grows_too_fast(operation, make)] == []


async def test_a_cost_that_grows_with_the_square_is_noticed() -> None:
    async def compare_each_with_each(text: str) -> None:
        assert sum(one == other for one in text[::3] for other in text[::3]) >= 0

    assert await grows_too_fast(compare_each_with_each, KINDS["dots"])
