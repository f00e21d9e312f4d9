"""Free articles: their links, and what was counted for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from attrs import frozen

from contentgen_adapters.memory.common_tables import ARTICLES, FREE_GENERATIONS, FREE_LINKS, FreeGeneration, FreeLink
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId
from contentgen_core.ports.repositories.free_articles import PLATFORM, FreeArticles


@frozen
class FreeCount:
    day: date
    subject: str
    used: int


FREE_COUNTS: Final = TableOf[tuple[date, str], FreeCount]("free_counts")


@repository(FreeArticles)
class MemoryFreeArticles:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def lock(self) -> None:
        await self._session.writing()

    async def by_link(self, link: str) -> Article | None:
        kept = self._session[FREE_LINKS].get(link)
        return None if kept is None else self._session[ARTICLES].get(kept.article_id)

    async def add(self, article_id: ArticleId, links: Sequence[str], day: date, visitor: str) -> None:
        await self._session.writing()
        if any(self._session[FREE_LINKS].get(link) is not None for link in links):
            raise AlreadyExists("A free article was made from this link already.")
        for link in links:
            self._session[FREE_LINKS].put(link, FreeLink(link, article_id))
        self._session[FREE_GENERATIONS].put(article_id, FreeGeneration(article_id, day, visitor))

    async def consume(self, day: date, subject: str, limit: int) -> bool:
        await self._session.writing()
        used = await self.used(day, subject)
        if used >= limit:
            return False
        self._count(day, subject, used + 1)
        return True

    async def used(self, day: date, subject: str) -> int:
        count = self._session[FREE_COUNTS].get((day, subject))
        return 0 if count is None else count.used

    async def refund(self, article_id: ArticleId) -> None:
        await self._session.writing()
        counted = self._session[FREE_GENERATIONS].get(article_id)
        if counted is None:
            return
        self._session[FREE_GENERATIONS].drop(article_id)
        for subject in (PLATFORM, counted.visitor):
            used = await self.used(counted.day, subject)
            if used:
                self._count(counted.day, subject, used - 1)

    async def sweep(self, before: date) -> int:
        await self._session.writing()
        counts = [count for count in self._session[FREE_COUNTS].rows() if count.day < before]
        generations = [each for each in self._session[FREE_GENERATIONS].rows() if each.day < before]
        for count in counts:
            self._session[FREE_COUNTS].drop((count.day, count.subject))
        for generation in generations:
            self._session[FREE_GENERATIONS].drop(generation.article_id)
        return len(counts) + len(generations)

    def _count(self, day: date, subject: str, used: int) -> None:
        self._session[FREE_COUNTS].put((day, subject), FreeCount(day, subject, used))
