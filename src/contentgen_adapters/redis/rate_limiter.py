"""Per-minute rate limits, shared by all processes that use one Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from contentgen_core.errors import Unavailable
from contentgen_core.ports.counters import Allowance

PREFIX: Final = "contentgen:limit:"
ANSWER_SECONDS: Final = 0.1
CONNECTIONS: Final = 32

# A bucket is "tokens microsecond", by Redis' clock, so that all processes agree. After a minute without requests it is
# full, and a full bucket need not be stored.
_TAKE: Final = """
local limit = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local tokens = limit
local bucket = redis.call('GET', KEYS[1])
if bucket then
  local left, at = string.match(bucket, '^(%S+) (%d+)$')
  tokens = math.min(limit, left + math.max(0, now - at) * limit / 60000000)
end
local allowed = tokens >= 1
if allowed then tokens = tokens - 1 end
redis.call('SET', KEYS[1], string.format('%.9f %.0f', tokens, now), 'PX', 60000)
return {allowed and 1 or 0, string.format('%.9f', tokens)}
"""


class RedisRateLimiter:
    """A token bucket per subject, updated atomically by a script.

    `client`: closed by the caller. `prefix`: of the keys in Redis.
    """

    def __init__(self, client: Redis, prefix: str = PREFIX) -> None:
        self._client = client
        self._prefix = prefix
        self._take = client.register_script(_TAKE)

    async def take(self, subject: str, per_minute: int) -> Allowance:
        """Implement the port. Raises Unavailable when Redis does not answer in time, ValueError for a limit below 1."""
        if per_minute < 1:
            raise ValueError("a limit is at least one request a minute")
        try:
            allowed, text = await self._take(keys=[f"{self._prefix}{subject}"], args=[per_minute])
        except (RedisError, OSError, TimeoutError) as exc:
            raise Unavailable("Redis does not answer.", retry_after=1.0) from exc
        return Allowance.of(bool(allowed), float(text), per_minute)

    async def check(self) -> None:
        """Raises Unavailable when Redis does not answer in time."""
        try:
            await self._client.ping()
        except (RedisError, OSError, TimeoutError) as exc:
            raise Unavailable("Redis does not answer.", retry_after=1.0) from exc


@asynccontextmanager
async def open_rate_limiter(
    url: str, *, answer_seconds: float = ANSWER_SECONDS, prefix: str = PREFIX
) -> AsyncIterator[RedisRateLimiter]:
    """A limiter with its own connections, opened at the first use and closed with the block.

    `url`: redis://…, rediss://… or unix://…; ValueError for another one. `answer_seconds`: timeout of a call.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=answer_seconds,
        socket_timeout=answer_seconds,
        socket_connect_timeout=answer_seconds,
        retry=Retry(NoBackoff(), 0),
    )
    client = Redis(connection_pool=pool)
    try:
        yield RedisRateLimiter(client, prefix)
    finally:
        await client.aclose()
        await pool.aclose()
