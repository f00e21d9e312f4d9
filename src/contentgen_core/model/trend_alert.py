"""Subscriptions to trends: a mail address and what it wants to hear of, and nothing else about whoever it is."""

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
    """Exists once its address was confirmed, and is gone when it ends. Without niches it wants trends of all.

    `told`: trends that it was told of, as far as they still exist; none is told twice. `told_at`: when the last digest
    was sent."""

    id: TrendAlertId
    email: str
    niche_keys: tuple[str, ...] = ()
    min_score: float = DEFAULT_SCORE
    told: frozenset[TrendSlug] = frozenset()
    told_at: datetime | None = None
    revision: int = 0

    def wants(self, trend: Trend) -> bool:
        """Samples are nothing to write to people about."""
        return (
            trend.score >= self.min_score
            and trend.slug not in self.told
            and not trend.sample
            and (not self.niche_keys or trend.niche_key in self.niche_keys)
        )
