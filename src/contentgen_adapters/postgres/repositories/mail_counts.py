"""How many mails were sent to each mailbox on a day."""

from __future__ import annotations

from datetime import date
from typing import Final

from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.ports.repositories.mail_counts import MailCounts

# As with the quotas of tenants: one statement decides and counts.
_CONSUME: Final = (
    "INSERT INTO mail_counts AS c (day, mailbox, sent) VALUES (%(day)s, %(mailbox)s, 1)"
    " ON CONFLICT (day, mailbox) DO UPDATE SET sent = c.sent + 1 WHERE c.sent < %(limit)s RETURNING sent"
)
# Rows that another transaction deletes are left to it.
_FORGET: Final = (
    "DELETE FROM mail_counts WHERE (day, mailbox) IN"
    " (SELECT day, mailbox FROM mail_counts WHERE day < %s LIMIT %s FOR UPDATE SKIP LOCKED)"
)


@repository(MailCounts)
class PostgresMailCounts:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def consume(self, day: date, mailbox: str, limit: int) -> bool:
        if limit < 1:
            return False
        return bool(await self._session.write(_CONSUME, {"day": day, "mailbox": mailbox, "limit": limit}))

    async def refund(self, day: date, mailbox: str) -> None:
        await self._session.change(
            "UPDATE mail_counts SET sent = sent - 1 WHERE day = %s AND mailbox = %s AND sent > 0", (day, mailbox)
        )

    async def forget(self, before: date, most: int) -> int:
        return await self._session.change(_FORGET, (before, most))
