"""Work side by side: what ends when one piece fails, and which failure is told."""

from __future__ import annotations

import asyncio

import pytest

from contentgen_core.concurrency import ATTEMPTS, retry_overtaken, run_both, run_concurrently
from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotConfigured, NotFound, ProviderFailed


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


@pytest.mark.parametrize("overtaken", [AlreadyExists("publication"), ConcurrentChange("Read it again.")])
@pytest.mark.parametrize("faster", range(ATTEMPTS + 1))
async def test_a_transaction_that_was_overtaken_runs_again(overtaken: Exception, faster: int) -> None:
    ran = 0

    async def transaction() -> int:
        nonlocal ran
        ran += 1
        return await (fails(overtaken) if ran <= faster else returns(ran))

    if faster < ATTEMPTS:
        assert await retry_overtaken(transaction) == faster + 1
    else:
        with pytest.raises(type(overtaken)):
            await retry_overtaken(transaction)
    assert ran == min(faster + 1, ATTEMPTS)


async def test_another_failure_of_a_transaction_is_final() -> None:
    ran = 0

    async def transaction() -> int:
        nonlocal ran
        ran += 1
        return await fails(NotFound("article", "a1"))

    with pytest.raises(NotFound):
        await retry_overtaken(transaction)
    assert ran == 1
