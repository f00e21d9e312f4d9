"""How many mails were sent to each mailbox on a day."""

from __future__ import annotations

from datetime import date
from typing import Final

from attrs import frozen

from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.ports.repositories.mail_counts import MailCounts


@frozen
class MailCount:
    day: date
    mailbox: str
    sent: int


MAIL_COUNTS: Final = TableOf[tuple[date, str], MailCount]("mail_counts")


@repository(MailCounts)
class MemoryMailCounts:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def consume(self, day: date, mailbox: str, limit: int) -> bool:
        await self._session.writing()
        sent = self._sent(day, mailbox)
        if sent >= limit:
            return False
        self._session[MAIL_COUNTS].put((day, mailbox), MailCount(day, mailbox, sent + 1))
        return True

    async def refund(self, day: date, mailbox: str) -> None:
        await self._session.writing()
        if sent := self._sent(day, mailbox):
            self._session[MAIL_COUNTS].put((day, mailbox), MailCount(day, mailbox, sent - 1))

    async def forget(self, before: date, most: int) -> int:
        await self._session.writing()
        former = [count for count in self._session[MAIL_COUNTS].rows() if count.day < before][:most]
        for count in former:
            self._session[MAIL_COUNTS].drop((count.day, count.mailbox))
        return len(former)

    def _sent(self, day: date, mailbox: str) -> int:
        count = self._session[MAIL_COUNTS].get((day, mailbox))
        return 0 if count is None else count.sent
