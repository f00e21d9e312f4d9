"""The limiters of a process and of Redis keep one contract; and Redis may go away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest
from structlog.testing import capture_logs

from contentgen_adapters.memory.rate_limiter import MemoryRateLimiter
from contentgen_adapters.rate_limits import FallbackRateLimiter
from contentgen_adapters.redis.rate_limiter import RedisRateLimiter, open_rate_limiter
from contentgen_core.errors import Unavailable
from contentgen_core.ports.counters import RateLimiter
from contentgen_core.testing.rate_limiter import RateLimiterContract
from tests.support.redis_server import RedisServer


@pytest.fixture(scope="module")
def redis_server() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


@pytest.fixture
async def redis_limiter(redis_server: RedisServer) -> AsyncIterator[RedisRateLimiter]:
    with redis_server.client() as client:
        client.flushall()
    # Longer than in the service: the tests' machine may be busy.
    async with open_rate_limiter(redis_server.url, answer_seconds=5.0) as limiter:
        yield limiter


class TestRateLimiter(RateLimiterContract):
    @pytest.fixture(params=["memory", "redis", "both"])
    def limiter(self, request: pytest.FixtureRequest) -> RateLimiter:
        if request.param == "memory":
            return MemoryRateLimiter()
        shared: RedisRateLimiter = request.getfixturevalue("redis_limiter")
        return shared if request.param == "redis" else FallbackRateLimiter(shared, MemoryRateLimiter())

    @pytest.fixture
    def rest(self) -> Callable[[float], Awaitable[None]]:
        return asyncio.sleep


async def test_processes_share_what_redis_counts(redis_server: RedisServer, redis_limiter: RedisRateLimiter) -> None:
    async with open_rate_limiter(redis_server.url, answer_seconds=5.0) as other:
        for _ in range(3):
            assert (await redis_limiter.take("t", 6)).allowed
            assert (await other.take("t", 6)).allowed
        assert not (await other.take("t", 6)).allowed
        assert not (await redis_limiter.take("t", 6)).allowed


async def test_nothing_is_kept_for_longer_than_a_minute(
    redis_server: RedisServer, redis_limiter: RedisRateLimiter
) -> None:
    await redis_limiter.take("t", 500)
    with redis_server.client() as client:
        assert client.keys() == [b"contentgen:limit:t"]
        assert 59_000 < client.pttl("contentgen:limit:t") <= 60_000


@pytest.fixture
def mortal_server() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


async def test_without_redis_each_process_limits_by_itself_and_says_so_once(mortal_server: RedisServer) -> None:
    async with open_rate_limiter(mortal_server.url) as shared:
        limiter = FallbackRateLimiter(shared, MemoryRateLimiter())
        await limiter.take("t", 3)
        mortal_server.stop()
        with capture_logs() as logs:
            began = time.monotonic()
            taken = [(await limiter.take("t", 3)).allowed for _ in range(200)]
            took = time.monotonic() - began
            assert taken == [True] * 3 + [False] * 197
            assert took < 1
            await asyncio.sleep(1.1)
            await asyncio.gather(*(limiter.take("t", 3) for _ in range(20)))
            await asyncio.sleep(0.3)
            assert [line["event"] for line in logs] == [
                "the shared limits are away; each process limits by itself meanwhile"
            ]
            mortal_server.start()
            async with asyncio.timeout(10):
                while len(logs) < 2:
                    await limiter.take("t", 3)
                    await asyncio.sleep(0.05)
            assert logs[1]["event"] == "the shared limits are back"
            await limiter.take("u", 3)
        with mortal_server.client() as client:
            assert client.exists("contentgen:limit:u")


async def test_a_redis_that_stands_still_costs_a_tenth_of_a_second_once(mortal_server: RedisServer) -> None:
    async with open_rate_limiter(mortal_server.url) as shared:
        limiter = FallbackRateLimiter(shared, MemoryRateLimiter())
        await limiter.take("t", 600)
        mortal_server.freeze()
        try:
            with pytest.raises(Unavailable):
                await shared.take("t", 600)
            began = time.monotonic()
            for _ in range(300):
                assert (await limiter.take("t", 600)).allowed
            assert time.monotonic() - began < 1
        finally:
            mortal_server.thaw()


async def test_a_redis_that_was_never_there_is_no_error(mortal_server: RedisServer) -> None:
    mortal_server.stop()
    async with open_rate_limiter(mortal_server.url) as shared:
        assert (await FallbackRateLimiter(shared, MemoryRateLimiter()).take("t", 1)).allowed


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", ""])
async def test_an_address_that_is_none_of_redis_is_an_error(url: str) -> None:
    with pytest.raises(ValueError, match="redis://"):
        async with open_rate_limiter(url):
            pass
