"""Subscriptions to trends by mail: an address and its filter, and nothing else about the person."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NewType

from attrs import frozen

from contentgen_core.model.trend import Trend, TrendSlug

TrendAlertId = NewType("TrendAlertId", str)

DIGEST_EVERY: Final = timedelta(days=1)
DEFAULT_SCORE: Final = 70.0
MAX_NICHES: Final = 10


@frozen
class TrendAlert:
    """A subscription, from the confirmation of its address to its end. Without niches it is for trends of all.

    `announced`: trends that were in its digests, as far as they still exist; none is sent twice. `digest_sent_at`: when
    the last digest was sent."""

    id: TrendAlertId
    email: str
    niche_keys: tuple[str, ...] = ()
    min_score: float = DEFAULT_SCORE
    announced: frozenset[TrendSlug] = frozenset()
    digest_sent_at: datetime | None = None
    revision: int = 0

    def wants(self, trend: Trend) -> bool:
        """Whether the trend belongs in the next digest. Samples never do."""
        return (
            trend.score >= self.min_score
            and trend.slug not in self.announced
            and not trend.sample
            and (not self.niche_keys or trend.niche_key in self.niche_keys)
        )
