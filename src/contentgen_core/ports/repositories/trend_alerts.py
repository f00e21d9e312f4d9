"""Confirmed subscriptions to trends, and digests of the visitors who followed a trend today."""

from __future__ import annotations

from datetime import date, datetime
from typing import Protocol

from contentgen_core.model.trend_alert import TrendAlert, TrendAlertId


class TrendAlerts(Protocol):
    """One per mail address."""

    async def put(self, alert: TrendAlert) -> TrendAlert:
        """Store a subscription. One that its address has keeps its id and what was announced, and gets the new
        filter."""
        ...

    async def get(self, alert_id: TrendAlertId) -> TrendAlert | None: ...

    async def save(self, alert: TrendAlert) -> TrendAlert:
        """Store one that was read at `alert.revision`; returns it with the next. Raises ConcurrentChange, also when it
        was removed."""
        ...

    async def remove(self, alert_id: TrendAlertId) -> None:
        """Unknown ids are ignored."""
        ...

    async def due(self, before: datetime, after: TrendAlertId | None, limit: int) -> list[TrendAlert]:
        """Subscriptions without a digest since `before`; by id, from the one after `after` (None: from the first)."""
        ...


class TrendClicks(Protocol):
    """Digests of visits by day. Each day has its own salt, and once it is deleted a digest cannot be traced to a
    visitor."""

    async def salt(self, day: date, fresh: bytes) -> bytes:
        """The day's salt; `fresh` is stored if there is none."""
        ...

    async def add(self, day: date, digest: bytes) -> bool:
        """Store a digest; whether it is new. The day must have a salt."""
        ...

    async def forget(self, before: date) -> int:
        """Delete the salts and digests of the days before; returns the number of days."""
        ...
