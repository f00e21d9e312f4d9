"""The token bucket of a single process."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.memory.rate_limiter import MemoryRateLimiter
from contentgen_core.ports.counters import Allowance, RateLimiter


class Seconds:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def limiter(seconds: Seconds) -> RateLimiter:
    return MemoryRateLimiter(seconds)


async def test_a_burst_of_one_minutes_allowance_passes_and_no_more(limiter: RateLimiter) -> None:
    taken = [await limiter.take("t", 60) for _ in range(62)]
    assert [allowance.allowed for allowance in taken] == [True] * 60 + [False] * 2
    assert [allowance.remaining for allowance in taken] == [*range(59, -1, -1), 0, 0]
    assert taken[0] == Allowance(allowed=True, limit=60, remaining=59, retry_after=0, reset_after=1)
    assert taken[-1] == Allowance(allowed=False, limit=60, remaining=0, retry_after=1, reset_after=60)


async def test_tokens_come_back_evenly_over_the_minute(limiter: RateLimiter, seconds: Seconds) -> None:
    for _ in range(120):
        await limiter.take("t", 120)
    refused = await limiter.take("t", 120)
    assert refused.retry_after == pytest.approx(0.5)
    seconds.now += 0.25
    assert (await limiter.take("t", 120)).retry_after == pytest.approx(0.25)
    seconds.now += 0.25
    assert (await limiter.take("t", 120)).allowed
    assert not (await limiter.take("t", 120)).allowed
    seconds.now += 10
    assert sum([(await limiter.take("t", 120)).allowed for _ in range(40)]) == 20


async def test_a_long_rest_fills_the_bucket_and_no_further(limiter: RateLimiter, seconds: Seconds) -> None:
    await limiter.take("t", 5)
    seconds.now += 100_000
    assert sum([(await limiter.take("t", 5)).allowed for _ in range(10)]) == 5


async def test_subjects_have_buckets_of_their_own(limiter: RateLimiter) -> None:
    assert (await limiter.take("a", 1)).allowed
    assert not (await limiter.take("a", 1)).allowed
    assert (await limiter.take("b", 1)).allowed


async def test_callers_at_the_same_time_share_one_bucket(limiter: RateLimiter) -> None:
    taken = await asyncio.gather(*(limiter.take("t", 10) for _ in range(25)))
    assert sum(allowance.allowed for allowance in taken) == 10


async def test_a_lower_limit_takes_effect_at_once(limiter: RateLimiter) -> None:
    assert (await limiter.take("t", 500)).remaining == 499
    assert (await limiter.take("t", 3)).remaining == 2


async def test_the_subject_that_asked_longest_ago_is_forgotten_first(seconds: Seconds) -> None:
    limiter = MemoryRateLimiter(seconds, max_subjects=2)
    for subject in ("a", "b", "a", "c"):
        await limiter.take(subject, 2)
    assert not (await limiter.take("a", 2)).allowed
    assert (await limiter.take("b", 2)).remaining == 1


@pytest.mark.parametrize("per_minute", [0, -5])
async def test_a_limit_below_one_is_an_error(limiter: RateLimiter, per_minute: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        await limiter.take("t", per_minute)


def test_a_limiter_without_room_is_an_error() -> None:
    with pytest.raises(ValueError, match="one subject"):
        MemoryRateLimiter(max_subjects=0)


@given(per_minute=st.integers(1, 50), waits=st.lists(st.floats(0, 30), max_size=150))
def test_no_stretch_of_time_allows_more_than_burst_and_refill(per_minute: int, waits: list[float]) -> None:
    async def run() -> None:
        seconds = Seconds()
        limiter, start, allowed = MemoryRateLimiter(seconds), seconds.now, 0
        for wait in waits:
            seconds.now += wait
            allowance = await limiter.take("t", per_minute)
            allowed += allowance.allowed
            assert allowed <= per_minute + (seconds.now - start) * per_minute / 60 + 1e-6
            assert allowance.allowed == (allowance.retry_after == 0)
            assert 0 <= allowance.remaining < per_minute or not allowance.allowed
            assert 0 <= allowance.reset_after <= 60.000001

    asyncio.run(run())
