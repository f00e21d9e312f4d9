"""Subscriptions to trends, and today's visits."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.records import following
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import ConcurrentChange
from contentgen_core.model.trend_alert import TrendAlert, TrendAlertId
from contentgen_core.ports.repositories.trend_alerts import TrendAlerts, TrendClicks

TREND_ALERTS: Final = TableOf[TrendAlertId, TrendAlert]("trend_alerts")
CLICK_SALTS: Final = TableOf[date, tuple[date, bytes]]("click_salts")
CLICKS: Final = TableOf[tuple[date, bytes], tuple[date, bytes]]("clicks")


@repository(TrendAlerts)
class MemoryTrendAlerts:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, alert: TrendAlert) -> TrendAlert:
        await self._session.writing()
        known = next((one for one in self._session[TREND_ALERTS].rows() if one.email == alert.email), None)
        if known is None:
            stored = evolve(alert, revision=1)
        else:
            stored = evolve(known, niche_keys=alert.niche_keys, min_score=alert.min_score, revision=known.revision + 1)
        self._session[TREND_ALERTS].put(stored.id, stored)
        return stored

    async def get(self, alert_id: TrendAlertId) -> TrendAlert | None:
        return self._session[TREND_ALERTS].get(alert_id)

    async def save(self, alert: TrendAlert) -> TrendAlert:
        await self._session.writing()
        known = self._session[TREND_ALERTS].get(alert.id)
        if known is None:
            raise ConcurrentChange.of("subscription")
        stored = evolve(following(known, alert, "subscription"), email=known.email)
        self._session[TREND_ALERTS].put(stored.id, stored)
        return stored

    async def remove(self, alert_id: TrendAlertId) -> None:
        await self._session.writing()
        self._session[TREND_ALERTS].drop(alert_id)

    async def due(self, before: datetime, after: TrendAlertId | None, limit: int) -> list[TrendAlert]:
        found = [
            alert
            for alert in self._session[TREND_ALERTS].rows()
            if (alert.digest_sent_at is None or alert.digest_sent_at < before) and (after is None or alert.id > after)
        ]
        return sorted(found, key=lambda alert: alert.id)[:limit]


@repository(TrendClicks)
class MemoryTrendClicks:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def salt(self, day: date, fresh: bytes) -> bytes:
        await self._session.writing()
        known = self._session[CLICK_SALTS].get(day)
        if known is None:
            self._session[CLICK_SALTS].put(day, (day, fresh))
        return fresh if known is None else known[1]

    async def add(self, day: date, digest: bytes) -> bool:
        await self._session.writing()
        new = self._session[CLICKS].get((day, digest)) is None
        self._session[CLICKS].put((day, digest), (day, digest))
        return new

    async def forget(self, before: date) -> int:
        await self._session.writing()
        for click in [click for click in self._session[CLICKS].rows() if click[0] < before]:
            self._session[CLICKS].drop(click)
        days = [day for day, _ in self._session[CLICK_SALTS].rows() if day < before]
        for day in days:
            self._session[CLICK_SALTS].drop(day)
        return len(days)
