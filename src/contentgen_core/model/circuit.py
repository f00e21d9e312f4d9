"""Circuit breaker: a provider whose latest calls failed is tried by one caller at a time until it answers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from attrs import evolve, frozen

OPENS_AFTER: Final = 3
"""Failed calls in a row, each of which made some attempts."""
TRIAL_LASTS: Final = timedelta(seconds=60)
"""How long others wait for the outcome of a trial, whose process may have died."""
FIRST_PAUSE: Final = timedelta(seconds=2)
LONGEST_PAUSE: Final = timedelta(seconds=30)
LONGEST_REQUESTED_PAUSE: Final = timedelta(minutes=5)


def pause_after(since: datetime, now: datetime) -> timedelta:
    """Return how long to leave a provider alone that has been away since then: half as long again, from 2 to 30 s."""
    return min(max((now - since) / 2, FIRST_PAUSE), LONGEST_PAUSE)


@frozen
class Circuit:
    """The state of one provider, by `name`. `failures`: calls in a row that failed since it is away, the first one
    `since`. `provider`, `reason`: as the last error named them. While open, the next trial is due at `trial_at`.
    `noticed`: whether the operator was told that it is open."""

    name: str
    provider: str = ""
    failures: int = 0
    reason: str = ""
    since: datetime | None = None
    trial_at: datetime | None = None
    noticed: bool = False

    @property
    def is_open(self) -> bool:
        return self.failures >= OPENS_AFTER

    def may_be_called(self, now: datetime) -> bool:
        """Whether a call may be made: the circuit is closed, or a trial is due."""
        return not self.is_open or self.trial_at is None or self.trial_at <= now

    def on_trial(self, now: datetime) -> Circuit:
        """Return the circuit while one caller tries."""
        return evolve(self, trial_at=now + TRIAL_LASTS)

    def failed(self, provider: str, reason: str, now: datetime, requested: float | None) -> Circuit:
        """Return the circuit after a failed call. `requested`: the seconds that the provider wants to be left alone."""
        since = self.since or now
        wanted = min(timedelta(seconds=requested or 0.0), LONGEST_REQUESTED_PAUSE)
        return evolve(
            self,
            provider=provider,
            reason=reason,
            failures=self.failures + 1,
            since=since,
            trial_at=now + max(pause_after(since, now), wanted),
        )

    def closed(self) -> Circuit:
        """Return the circuit after a successful call."""
        return Circuit(self.name, self.provider, noticed=self.noticed)
