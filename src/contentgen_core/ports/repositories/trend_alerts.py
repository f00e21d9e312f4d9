"""Subscriptions to trends, confirmed ones only; and which visitors followed a trend today, without who they are."""

from __future__ import annotations

from datetime import date, datetime
from typing import Protocol

from contentgen_core.model.trend_alert import TrendAlert, TrendAlertId


class TrendAlerts(Protocol):
    """One for a mail address."""

    async def put(self, alert: TrendAlert) -> TrendAlert:
        """Store a subscription. One that its address has keeps its id and what it was told, and wants from now on what
        this one wants."""
        ...

    async def get(self, alert_id: TrendAlertId) -> TrendAlert | None: ...

    async def save(self, alert: TrendAlert) -> TrendAlert:
        """Store one that was read at `alert.revision`; gives it back with the next. Raises ConcurrentChange, also when
        it is gone."""
        ...

    async def remove(self, alert_id: TrendAlertId) -> None:
        """Unknown ids are fine."""
        ...

    async def due(self, before: datetime, after: TrendAlertId | None, limit: int) -> list[TrendAlert]:
        """Those that were last told before then, or never; by id, from behind one on."""
        ...


class TrendClicks(Protocol):
    """Digests of visits, a day's apart from another's. Each day has a salt of its own; without it nobody can tell what
    a digest was made of."""

    async def salt(self, day: date, fresh: bytes) -> bytes:
        """The day's salt: that of whoever asked first."""
        ...

    async def add(self, day: date, digest: bytes) -> bool:
        """Whether it is new. The day has a salt."""
        ...

    async def forget(self, before: date) -> int:
        """Delete the salts and digests of the days before; how many days."""
        ...
