"""How many mails were sent to each mailbox on a day."""

from __future__ import annotations

from datetime import date
from typing import Protocol


class MailCounts(Protocol):
    async def consume(self, day: date, mailbox: str, limit: int) -> bool:
        """Increase the count by one unless that would exceed the limit, exactly under any concurrency. False: nothing
        was counted."""
        ...

    async def refund(self, day: date, mailbox: str) -> None:
        """Decrease the count by one, to 0 at least."""
        ...

    async def forget(self, before: date, most: int) -> int:
        """Delete counts of days before this one, at most so many; return how many."""
        ...
