"""Subscriptions to trends, and today's visits."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.revisions import Revisions
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.trend import TrendSlug
from contentgen_core.model.trend_alert import TrendAlert, TrendAlertId
from contentgen_core.ports.repositories.trend_alerts import TrendAlerts, TrendClicks

_COLUMNS: Final = "id, email, niche_keys, min_score, told, told_at, revision"
_PUT: Final = (
    "INSERT INTO trend_alerts AS a (id, email, niche_keys, min_score, told, told_at, revision)"
    " VALUES (%s, %s, %s, %s, %s, %s, 1) ON CONFLICT (email) DO UPDATE SET"
    f" niche_keys = excluded.niche_keys, min_score = excluded.min_score, revision = a.revision + 1 RETURNING {_COLUMNS}"
)


@repository(TrendAlerts)
class PostgresTrendAlerts:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._revisions = Revisions(session, "trend_alerts", "subscription", returning=_COLUMNS, gone_is_changed=True)

    async def put(self, alert: TrendAlert) -> TrendAlert:
        parameters = (
            alert.id, alert.email, list(alert.niche_keys), alert.min_score, sorted(alert.announced),
            alert.digest_sent_at,
        )  # fmt: skip
        return _alert((await self._session.write(_PUT, parameters))[0])

    async def get(self, alert_id: TrendAlertId) -> TrendAlert | None:
        rows = await self._session.read(f"SELECT {_COLUMNS} FROM trend_alerts WHERE id = %s", (findable(alert_id),))
        return _alert(rows[0]) if rows else None

    async def save(self, alert: TrendAlert) -> TrendAlert:
        columns = {
            "niche_keys": list(alert.niche_keys),
            "min_score": alert.min_score,
            "told": sorted(alert.announced),
            "told_at": alert.digest_sent_at,
        }
        return _alert(await self._revisions.save({"id": alert.id}, alert.revision, columns))

    async def remove(self, alert_id: TrendAlertId) -> None:
        await self._session.change("DELETE FROM trend_alerts WHERE id = %s", (findable(alert_id),))

    async def due(self, before: datetime, after: TrendAlertId | None, limit: int) -> list[TrendAlert]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM trend_alerts WHERE (told_at IS NULL OR told_at < %s) AND id > %s"
            " ORDER BY id LIMIT %s",
            (before, findable(after or ""), limit),
        )
        return [_alert(row) for row in rows]


@repository(TrendClicks)
class PostgresTrendClicks:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def salt(self, day: date, fresh: bytes) -> bytes:
        rows = await self._session.read("SELECT salt FROM trend_click_days WHERE day = %s", (day,))
        if not rows:
            await self._session.change(
                "INSERT INTO trend_click_days (day, salt) VALUES (%s, %s) ON CONFLICT (day) DO NOTHING", (day, fresh)
            )
            rows = await self._session.read("SELECT salt FROM trend_click_days WHERE day = %s", (day,))
        return bytes(rows[0][0])

    async def add(self, day: date, digest: bytes) -> bool:
        added = await self._session.change(
            "INSERT INTO trend_clicks (day, digest) VALUES (%s, %s) ON CONFLICT (day, digest) DO NOTHING", (day, digest)
        )
        return added == 1

    async def forget(self, before: date) -> int:
        return await self._session.change("DELETE FROM trend_click_days WHERE day < %s", (before,))


def _alert(row: Row) -> TrendAlert:
    id, email, niche_keys, min_score, announced, digest_sent_at, revision = row
    return TrendAlert(
        TrendAlertId(id),
        email,
        tuple(niche_keys),
        min_score,
        frozenset(map(TrendSlug, announced)),
        digest_sent_at,
        revision,
    )
