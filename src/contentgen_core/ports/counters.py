"""Rate limits per minute, which may be lost in a crash."""

from __future__ import annotations

from typing import Final, Protocol, Self

from attrs import frozen

MINUTE: Final = 60.0
"""Seconds in which an empty bucket fills."""


@frozen
class Allowance:
    """The state of a token bucket after a request. `retry_after`: seconds until the next token (0 when allowed);
    `reset_after`: seconds until the bucket is full."""

    allowed: bool
    limit: int
    remaining: int
    retry_after: float
    reset_after: float

    @classmethod
    def of(cls, allowed: bool, left: float, per_minute: int) -> Self:
        """`left`: the tokens in the bucket after the request, parts of one included."""
        rate = per_minute / MINUTE
        return cls(
            allowed=allowed,
            limit=per_minute,
            remaining=int(left),
            retry_after=0.0 if allowed else (1 - left) / rate,
            reset_after=(per_minute - left) / rate,
        )


class RateLimiter(Protocol):
    """A token bucket per subject: at most `per_minute` tokens, refilled evenly over a minute."""

    async def take(self, subject: str, per_minute: int) -> Allowance:
        """Take a token from the bucket of `subject`, if there is one."""
