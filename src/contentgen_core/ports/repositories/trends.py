"""Trends, which belong to the platform and are public."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.trend import Trend, TrendSlug, TrendText


@frozen
class TrendQuery:
    """A query. `search`: every word of it begins a word of the title or the summary. `since`: last seen after it."""

    limit: int = 20
    niche_key: str | None = None
    search: str | None = None
    since: datetime | None = None


@frozen
class TrendPage:
    """A page of trends. `total`: without the limit."""

    trends: tuple[Trend, ...]
    total: int


@frozen
class NicheTrends:
    """The number of trends of a niche, with the highest score and the sum of scores."""

    niche_key: str
    trends: int
    highest: float
    sum: float


class Trends(Protocol):
    async def find(self, slug: TrendSlug) -> Trend | None: ...

    async def page(self, query: TrendQuery) -> TrendPage:
        """The highest scores first; equal ones by slug."""
        ...

    async def of_niche(self, niche_key: str, since: datetime, limit: int) -> list[Trend]:
        """Trends last seen after `since`, the latest first: those that a refresh joins candidates to."""
        ...

    async def by_niche(self, since: datetime | None = None) -> list[NicheTrends]:
        """Of each niche with trends seen after `since`; the highest sum first, equal ones by key."""
        ...

    async def free_slug(self, wanted: str) -> TrendSlug:
        """`wanted`, with a number appended where another trend has it. Reserved until the transaction ends."""
        ...

    async def save(self, trend: Trend) -> Trend:
        """Store one that was read at `trend.revision`, or (revision 0) a new one; returns it with the next revision.
        `clicks` are not stored: `add_clicks` counts them. Raises ConcurrentChange."""
        ...

    async def add_clicks(self, slug: TrendSlug, clicks: int) -> None:
        """Add to the count. Does not change the revision. Unknown slugs are ignored."""
        ...

    async def save_texts(self, slug: TrendSlug, texts: Sequence[TrendText]) -> None:
        """Add texts of sources, replacing former ones of the same address, and delete those of addresses that are no
        longer sources of the trend. An unknown slug is ignored."""
        ...

    async def texts(self, slug: TrendSlug) -> dict[str, str]:
        """The texts by address."""
        ...

    async def sweep(self, before: datetime, limit: int) -> int:
        """Delete at most `limit` trends last seen before `before`, with their texts, except samples; returns how
        many."""
        ...
