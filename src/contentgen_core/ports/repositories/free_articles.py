"""Free articles: the links they were made from, and the day's counts of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final, Protocol

from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId

PLATFORM: Final = "platform"
"""The subject that counts all visitors together; every other subject is a visitor's digest, which is longer."""


class FreeArticles(Protocol):
    async def lock(self) -> None:
        """Lock out other transactions that call this, until this one ends."""
        ...

    async def by_link(self, link: str) -> Article | None:
        """The complete article that was made from this link."""
        ...

    async def add(self, article_id: ArticleId, links: Sequence[str], day: date, visitor: str) -> None:
        """Record the links of an article, and that it counts on this day for `visitor`. Raises AlreadyExists where one
        of the links belongs to another article."""
        ...

    async def consume(self, day: date, subject: str, limit: int) -> bool:
        """Increase the count by one unless that would exceed the limit, exactly under any concurrency. False: nothing
        was counted."""
        ...

    async def used(self, day: date, subject: str) -> int: ...

    async def refund(self, article_id: ArticleId) -> None:
        """Decrease the counts that the article increased, at most once; nothing for any other article."""
        ...

    async def sweep(self, before: date) -> int:
        """Delete visitors' digests and all counts of days before this one; returns the number of rows."""
        ...
