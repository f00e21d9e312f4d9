"""The contract of the rate limiter. It holds in real time: a limiter may have a clock of its own that no test can move.

class TestMine(RateLimiterContract):
    @pytest.fixture
    def limiter(self) -> RateLimiter: ...

    @pytest.fixture
    def rest(self) -> Callable[[float], Awaitable[None]]: ...  # lets so many seconds go by
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from contentgen_core.ports.counters import RateLimiter

SLOW: Final = 6
"""A minute's limit at which no token comes back while a test takes some: one in ten seconds."""
FAST: Final = 1_200
"""One token in 50 ms."""
Rest = Callable[[float], Awaitable[None]]


class RateLimiterContract:
    async def test_a_burst_of_one_minutes_allowance_passes_and_no_more(self, limiter: RateLimiter) -> None:
        taken = [await limiter.take("t", SLOW) for _ in range(SLOW + 2)]
        assert [allowance.allowed for allowance in taken] == [True] * SLOW + [False] * 2
        assert [allowance.remaining for allowance in taken] == [*range(SLOW - 1, -1, -1), 0, 0]
        assert {allowance.limit for allowance in taken} == {SLOW}

    async def test_it_says_when_the_next_token_comes_and_when_all_are_back(self, limiter: RateLimiter) -> None:
        first = await limiter.take("t", SLOW)
        assert first.retry_after == 0
        assert first.reset_after == pytest.approx(10, abs=1)
        for _ in range(SLOW - 1):
            await limiter.take("t", SLOW)
        refused = await limiter.take("t", SLOW)
        assert refused.retry_after == pytest.approx(10, abs=2)
        assert refused.reset_after == pytest.approx(60, abs=2)

    async def test_tokens_come_back_evenly(self, limiter: RateLimiter, rest: Rest) -> None:
        while (await limiter.take("t", FAST)).allowed:
            pass
        assert (await limiter.take("t", FAST)).retry_after <= 60 / FAST
        await rest(0.5)
        passed = sum([(await limiter.take("t", FAST)).allowed for _ in range(12)])
        assert passed >= 10

    async def test_what_is_refused_costs_nothing(self, limiter: RateLimiter, rest: Rest) -> None:
        while (await limiter.take("t", FAST)).allowed:
            pass
        for _ in range(50):
            await limiter.take("t", FAST)
        await rest(0.1)
        assert (await limiter.take("t", FAST)).allowed

    async def test_subjects_have_buckets_of_their_own(self, limiter: RateLimiter) -> None:
        assert (await limiter.take("a", 1)).allowed
        assert not (await limiter.take("a", 1)).allowed
        assert (await limiter.take("b", 1)).allowed

    async def test_callers_at_the_same_time_share_one_bucket(self, limiter: RateLimiter) -> None:
        taken = await asyncio.gather(*(limiter.take("t", SLOW) for _ in range(3 * SLOW)))
        assert sum(allowance.allowed for allowance in taken) == SLOW

    async def test_a_lower_limit_takes_effect_at_once(self, limiter: RateLimiter) -> None:
        assert (await limiter.take("t", 500)).remaining == 499
        assert (await limiter.take("t", 3)).remaining == 2

    @pytest.mark.parametrize("subject", ["", "tenant:ü/\n\x00", "x" * 300, "{a}:b*"])
    async def test_any_text_is_a_subject(self, limiter: RateLimiter, subject: str) -> None:
        assert (await limiter.take(subject, 1)).allowed
        assert not (await limiter.take(subject, 1)).allowed
        assert (await limiter.take(f"{subject}.", 1)).allowed

    @pytest.mark.parametrize("per_minute", [0, -5])
    async def test_a_limit_below_one_is_an_error(self, limiter: RateLimiter, per_minute: int) -> None:
        with pytest.raises(ValueError, match="at least one"):
            await limiter.take("t", per_minute)
