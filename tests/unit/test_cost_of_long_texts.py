"""Texts of kinds that somebody may make to keep a check busy: three times as long, they take three times the calls.

Work that grows with the square of the length takes nine times as many. Calls are counted, not seconds, so that a busy
machine changes nothing; what a pattern costs within a call is not seen."""

from __future__ import annotations

import asyncio
import cProfile
from collections.abc import AsyncIterator, Callable
from itertools import combinations
from typing import Any

import pytest

from tests.support.changing_sources import written
from tests.support.house import House, open_house
from tests.support.long_texts import KINDS, LIMIT, SHORT, TIMES, Operation, operations

FEW = 5_000
"""Calls below which nothing is told from what is kept of earlier texts and what each text costs."""


@pytest.fixture(autouse=True)
def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A profile counts the calls of one thread."""

    async def called_here(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        return function(*args, **named)

    monkeypatch.setattr(asyncio, "to_thread", called_here)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def calls(operation: Operation, text: str) -> int:
    profile = cProfile.Profile()
    profile.enable()
    try:
        await operation(text)
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


async def grows_too_fast(operation: Operation, make: Callable[[int], str]) -> bool:
    """Whether it does three times: once may be a step, such as a text that is long enough for a language to be told."""
    before = await calls(operation, make(SHORT))
    for power in (1, 2, 3):
        now = await calls(operation, make(SHORT * TIMES**power))
        if now < FEW or now < LIMIT * before:
            return False
        before = now
    return True


@pytest.mark.parametrize(
    "name",
    ["verify against itself", "verify against others", "be verified against", "edit", "render", "voice"],
)
async def test_a_text_takes_the_calls_that_its_length_does_whatever_it_consists_of(house: House, name: str) -> None:
    operation = operations(house, await written(house))[name]
    await operation("The heat pump keeps an efficiency of 3 in winter [1].")  # words and tables are loaded
    assert [kind for kind, make in KINDS.items() if await grows_too_fast(operation, make)] == []


async def test_work_that_grows_with_the_square_is_noticed() -> None:
    async def compare_each_with_each(text: str) -> None:
        assert sum(one.startswith(other) for one, other in combinations(text.split(), 2)) >= 0

    assert await grows_too_fast(compare_each_with_each, KINDS["same word"])
