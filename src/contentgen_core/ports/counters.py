"""Rate limits per minute, which may be lost in a crash."""

from __future__ import annotations

from typing import Protocol

from attrs import frozen


@frozen
class Allowance:
    """The state of a token bucket after a request. `retry_after`: seconds until the next token (0 when allowed);
    `reset_after`: seconds until the bucket is full."""

    allowed: bool
    limit: int
    remaining: int
    retry_after: float
    reset_after: float


class RateLimiter(Protocol):
    """A token bucket per subject: at most `per_minute` tokens, refilled evenly over a minute."""

    async def take(self, subject: str, per_minute: int) -> Allowance:
        """Take a token from the bucket of `subject`, if there is one."""
