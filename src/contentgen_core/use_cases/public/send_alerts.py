"""Sending the digests of trends, in one process at a time, every few minutes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from attrs import evolve

from contentgen_core.errors import ConcurrentChange, ProviderFailed
from contentgen_core.model.trend import Trend
from contentgen_core.model.trend_alert import DIGEST_EVERY, TrendAlert, TrendAlertId
from contentgen_core.policies.text.mail_line import mail_line
from contentgen_core.ports.mail import AlertTokens, Mail, Mailer
from contentgen_core.ports.repositories.trend_alerts import TrendAlerts, TrendClicks
from contentgen_core.ports.repositories.trends import TrendQuery, Trends
from contentgen_core.ports.repositories.work_leases import WorkLeases
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

WORK: Final = "trend alerts"
EVERY: Final = timedelta(minutes=10)
LEASE: Final = timedelta(minutes=5)
END_PATH: Final = "/public/trend-alerts/unsubscribe?token="
BATCH: Final = 200  # subscriptions read at a time
MAX_TRENDS: Final = 2_000  # trends, the highest scores first
MAX_IN_A_DIGEST: Final = 20


@use_case
class SendAlerts:
    """A digest is recorded before its mail is sent, and the record is undone if sending is refused. So a process that
    dies in between loses one digest, and none is sent twice."""

    unit_of_work: UnitOfWork
    mailer: Mailer
    tokens: AlertTokens
    clock: Clock
    ids: Ids
    base: str

    async def __call__(self, worker: str) -> int:
        """Send the digests that are due; returns how many. None while another process has the lease, or without a
        configured mail server. Also deletes digests of former days' visits."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            if not await tx[WorkLeases].acquire(WORK, worker, now, now + LEASE):
                return 0
            await tx[TrendClicks].forget(now.date())
        sent = await self._all_due(worker) if self.mailer.delivers else 0
        async with self.unit_of_work() as tx:
            await tx[WorkLeases].release_until(WORK, worker, self.clock.now() + EVERY)
        return sent

    async def _all_due(self, worker: str) -> int:
        async with self.unit_of_work() as tx:
            trends = (await tx[Trends].page(TrendQuery(limit=MAX_TRENDS))).trends
        sent, last = 0, TrendAlertId("")
        while batch := await self._batch(worker, last):
            for alert in batch:
                sent += await self._send_digest(alert, trends)
            last = batch[-1].id
        return sent

    async def _batch(self, worker: str, after: TrendAlertId) -> list[TrendAlert]:
        """The next subscriptions that are due; none once this worker has lost the lease."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            if not await tx[WorkLeases].acquire(WORK, worker, now, now + LEASE):
                return []
            return await tx[TrendAlerts].due(now - DIGEST_EVERY, after or None, BATCH)

    async def _send_digest(self, alert: TrendAlert, trends: Sequence[Trend]) -> bool:
        wanted = [trend for trend in trends if alert.wants(trend)][:MAX_IN_A_DIGEST]
        if not wanted:
            return False
        announced = evolve(
            alert,
            announced=(alert.announced & {trend.slug for trend in trends}) | {trend.slug for trend in wanted},
            digest_sent_at=self.clock.now(),
        )
        try:
            async with self.unit_of_work() as tx:
                announced = await tx[TrendAlerts].save(announced)
        except ConcurrentChange:  # it was ended or changed: the next call sees it
            return False
        try:
            await self.mailer.send(self._letter(announced, wanted))
        except ProviderFailed:
            with suppress(ConcurrentChange):
                async with self.unit_of_work() as tx:
                    await tx[TrendAlerts].save(evolve(alert, revision=announced.revision))
            return False
        return True

    def _letter(self, alert: TrendAlert, trends: Sequence[Trend]) -> Mail:
        end = f"{self.base}{END_PATH}{self.tokens.sign_unsubscribe(alert.id)}"
        entries = "\n\n".join(_entry(trend) for trend in trends)
        subject = mail_line(trends[0].title) if len(trends) == 1 else f"{len(trends)} trends"
        return Mail(
            id=self.ids.new(),
            to=alert.email,
            subject=subject[:200],
            text=f"{entries}\n\n--\nYou subscribed to these emails. To unsubscribe, open:\n{end}\n",
            unsubscribe_url=end if self.base else None,
        )


def _entry(trend: Trend) -> str:
    lines = [f"{mail_line(trend.title)} ({trend.niche_key}, score {trend.score:.0f})"]
    if trend.summary:
        lines.append(mail_line(trend.summary)[:500])
    if trend.sources and urlsplit(trend.sources[0].url).scheme in ("http", "https"):
        lines.append(mail_line(trend.sources[0].url))
    return "\n".join(lines)
