"""Free articles: their links, and what was counted for them."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.article_rows import WHOLE_COLUMNS, whole_article
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId
from contentgen_core.ports.repositories.free_articles import PLATFORM, FreeArticles

_BY_LINK: Final = (
    f"SELECT {WHOLE_COLUMNS} FROM articles WHERE id = (SELECT article_id FROM free_links WHERE link_digest = %s)"
)
# As with the quotas of tenants: one statement decides and counts.
_CONSUME: Final = (
    "INSERT INTO free_counts AS c (day, subject, used) VALUES (%(day)s, %(subject)s, 1)"
    " ON CONFLICT (day, subject) DO UPDATE SET used = c.used + 1 WHERE c.used < %(limit)s RETURNING used"
)
# Whoever deletes the row gives back; a second one waits for the first and finds none.
_GIVE_BACK: Final = (
    "WITH counted AS (DELETE FROM free_generations WHERE article_id = %(id)s RETURNING day, visitor)"
    " UPDATE free_counts c SET used = greatest(0, c.used - 1) FROM counted"
    " WHERE c.day = counted.day AND c.subject IN (%(platform)s, counted.visitor)"
)


@repository(FreeArticles)
class PostgresFreeArticles:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def lock(self) -> None:
        await self._session.write("SELECT pg_advisory_xact_lock(hashtextextended('free articles', 0))", ())

    async def by_link(self, link: str) -> Article | None:
        rows = await self._session.read(_BY_LINK, (digest(link),))
        return whole_article(rows[0]) if rows else None

    async def add(self, article_id: ArticleId, links: Sequence[str], day: date, visitor: str) -> None:
        await self._session.change(
            "INSERT INTO free_links (link_digest, article_id) SELECT unnest(%s::bytea[]), %s",
            ([digest(link) for link in dict.fromkeys(links)], article_id),
        )
        await self._session.change(
            "INSERT INTO free_generations (article_id, day, visitor) VALUES (%s, %s, %s)", (article_id, day, visitor)
        )

    async def consume(self, day: date, subject: str, limit: int) -> bool:
        if limit < 1:
            return False
        return bool(await self._session.write(_CONSUME, {"day": day, "subject": subject, "limit": limit}))

    async def used(self, day: date, subject: str) -> int:
        rows = await self._session.read("SELECT used FROM free_counts WHERE day = %s AND subject = %s", (day, subject))
        return rows[0][0] if rows else 0

    async def refund(self, article_id: ArticleId) -> None:
        await self._session.change(_GIVE_BACK, {"id": findable(article_id), "platform": PLATFORM})

    async def sweep(self, before: date) -> int:
        counts = await self._session.change("DELETE FROM free_counts WHERE day < %s", (before,))
        return counts + await self._session.change("DELETE FROM free_generations WHERE day < %s", (before,))
