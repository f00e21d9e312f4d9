"""Subscriptions to trends, and today's visits."""

from __future__ import annotations

from datetime import date, datetime

from attrs import evolve

from contentgen_adapters.memory.records import following
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import ConcurrentChange
from contentgen_core.model.trend_alert import TrendAlert, TrendAlertId
from contentgen_core.ports.repositories.trend_alerts import TrendAlerts, TrendClicks


@repository(TrendAlerts)
class MemoryTrendAlerts:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, alert: TrendAlert) -> TrendAlert:
        await self._session.writing()
        known = next((one for one in self._session.trend_alerts.rows() if one.email == alert.email), None)
        if known is None:
            stored = evolve(alert, revision=1)
        else:
            stored = evolve(known, niche_keys=alert.niche_keys, min_score=alert.min_score, revision=known.revision + 1)
        self._session.trend_alerts.put(stored.id, stored)
        return stored

    async def get(self, alert_id: TrendAlertId) -> TrendAlert | None:
        return self._session.trend_alerts.get(alert_id)

    async def save(self, alert: TrendAlert) -> TrendAlert:
        await self._session.writing()
        known = self._session.trend_alerts.get(alert.id)
        if known is None:
            raise ConcurrentChange.of("subscription")
        stored = evolve(following(known, alert, "subscription"), email=known.email)
        self._session.trend_alerts.put(stored.id, stored)
        return stored

    async def remove(self, alert_id: TrendAlertId) -> None:
        await self._session.writing()
        self._session.trend_alerts.drop(alert_id)

    async def due(self, before: datetime, after: TrendAlertId | None, limit: int) -> list[TrendAlert]:
        found = [
            alert
            for alert in self._session.trend_alerts.rows()
            if (alert.digest_sent_at is None or alert.digest_sent_at < before) and (after is None or alert.id > after)
        ]
        return sorted(found, key=lambda alert: alert.id)[:limit]


@repository(TrendClicks)
class MemoryTrendClicks:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def salt(self, day: date, fresh: bytes) -> bytes:
        await self._session.writing()
        known = self._session.click_salts.get(day)
        if known is None:
            self._session.click_salts.put(day, (day, fresh))
        return fresh if known is None else known[1]

    async def add(self, day: date, digest: bytes) -> bool:
        await self._session.writing()
        new = self._session.clicks.get((day, digest)) is None
        self._session.clicks.put((day, digest), (day, digest))
        return new

    async def forget(self, before: date) -> int:
        await self._session.writing()
        for click in [click for click in self._session.clicks.rows() if click[0] < before]:
            self._session.clicks.drop(click)
        days = [day for day, _ in self._session.click_salts.rows() if day < before]
        for day in days:
            self._session.click_salts.drop(day)
        return len(days)
