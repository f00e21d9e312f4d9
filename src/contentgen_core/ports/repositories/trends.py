"""Trends, the platform's. No tenant owns any, and everybody may read them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.trend import Trend, TrendSlug, TrendText


@frozen
class TrendQuery:
    """`search`: every word of it begins a word of the title or the summary. `since`: seen since then."""

    limit: int = 20
    niche_key: str | None = None
    search: str | None = None
    since: datetime | None = None


@frozen
class TrendPage:
    """`total`: how many there are beyond the limit too."""

    trends: tuple[Trend, ...]
    total: int


@frozen
class NicheTrends:
    """How many trends a niche has, and the highest and the summed score of them."""

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
        """Those seen since then, the last seen first: what a refresh compares its candidates with."""
        ...

    async def by_niche(self, since: datetime | None = None) -> list[NicheTrends]:
        """Of every niche that has any seen since then; the highest sum first, equal ones by key."""
        ...

    async def free_slug(self, wanted: str) -> TrendSlug:
        """`wanted`, with a number behind it where another trend has it. Nobody else is given the same until the
        transaction has ended."""
        ...

    async def save(self, trend: Trend) -> Trend:
        """Store one that was read at `trend.revision`, or (revision 0) a new one; gives it back with the next revision.
        `clicks` are left as they are stored: they are counted by `add_clicks`. Raises ConcurrentChange."""
        ...

    async def add_clicks(self, slug: TrendSlug, clicks: int) -> None:
        """No revision of its own. Unknown slugs are passed over."""
        ...

    async def save_texts(self, slug: TrendSlug, texts: Sequence[TrendText]) -> None:
        """Add texts of sources, replacing former ones of the same address; those of addresses that are no sources of
        the trend any more go. An unknown slug is passed over."""
        ...

    async def texts(self, slug: TrendSlug) -> dict[str, str]:
        """By address."""
        ...

    async def sweep(self, before: datetime, limit: int) -> int:
        """Delete trends last seen before then, with their texts, at most `limit`; how many. Samples stay."""
        ...
