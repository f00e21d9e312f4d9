"""Work side by side: what ends when one piece fails, and which failure is told."""

from __future__ import annotations

import asyncio

import pytest

from contentgen_core.concurrency import run_both, run_concurrently
from contentgen_core.errors import NotConfigured, ProviderFailed


async def returns(value: int) -> int:
    await asyncio.sleep(0)
    return value


async def fails(error: Exception) -> int:
    await asyncio.sleep(0)
    raise error


async def test_results_come_in_the_order_of_the_work() -> None:
    assert await run_concurrently([returns(n) for n in range(20)]) == list(range(20))
    assert await run_both(returns(1), returns(2)) == (1, 2)


async def test_what_is_still_under_way_is_cancelled_when_another_piece_fails() -> None:
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    with pytest.raises(NotConfigured):
        await run_both(waits(), fails(NotConfigured("No key.", "CONTENTGEN_X")))
    assert ended == ["cancelled"]


async def test_a_final_failure_is_told_before_one_that_may_pass() -> None:
    passing = ProviderFailed("openai", "busy", retryable=True)
    final = ProviderFailed("openai", "refused", retryable=False)
    with pytest.raises(ProviderFailed) as told:
        await run_concurrently([fails(passing), fails(final)])
    assert told.value is final
