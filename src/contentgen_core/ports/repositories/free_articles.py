"""Free articles: the links they were made from, and what of the day's allowances they took."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final, Protocol

from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId

PLATFORM: Final = "platform"
"""The subject that counts for everybody together; every other one is a visitor's digest, which is longer."""


class FreeArticles(Protocol):
    async def alone(self) -> None:
        """Let no other transaction that asks for this go on until this one ends."""
        ...

    async def by_link(self, link: str) -> Article | None:
        """The article that this link was kept for, whole."""
        ...

    async def keep(self, article_id: ArticleId, links: Sequence[str], day: date, visitor: str) -> None:
        """The links lead to this article from now on, and a place of the day is its own. Raises AlreadyExists where one
        of the links leads somewhere."""
        ...

    async def consume(self, day: date, subject: str, limit: int) -> bool:
        """Count one more unless that would pass the limit: exact under any concurrency. False: nothing counted."""
        ...

    async def used(self, day: date, subject: str) -> int: ...

    async def give_back(self, article_id: ArticleId) -> None:
        """Take off again what the article counted for, once, whatever comes after; nothing for any other article."""
        ...

    async def sweep(self, before: date) -> int:
        """Forget who asked, and all counts, of the days before this one; how many rows it were."""
        ...
