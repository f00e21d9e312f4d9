"""Articles that everybody may read."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from typing import Any, Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.article_rows import (
    LIST_COLUMNS,
    WHOLE_COLUMNS,
    list_article,
    whole_article,
)
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_adapters.postgres.words import prefix_query
from contentgen_core.model.article import Article, PublicCategory
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.public_articles import (
    PublicAddress,
    PublicArticleQuery,
    PublicArticles,
    PublicPage,
)

PUBLIC: Final = (
    "is_public AND slug IS NOT NULL AND content <> '' AND status <> 'generating'"
    " AND (approval_state = 'approved' OR is_free_generation OR NOT EXISTS"
    " (SELECT 1 FROM approval_policies p WHERE p.tenant_id = articles.tenant_id"
    " AND p.niche_key = articles.niche_key AND p.required))"
)

# Triggers keep these in the transaction that changes an article, or what its niche demands.
_COUNTED: Final = "SELECT coalesce(sum(articles), 0)::bigint FROM public_article_counts"

_SLUG: Final = 'slug COLLATE "C"'  # as its index has it, whatever the database's own order

MOST_COMPARED: Final = 500
"""Articles that share a word of the topic, of which the nearest are chosen: a word that all share costs no more."""
# The words carry their language.
_RELATED: Final = (
    "WITH own AS MATERIALIZED (SELECT topic_terms FROM articles WHERE id = %(id)s),"
    " met AS MATERIALIZED (SELECT articles.* FROM articles WHERE topic_terms && (SELECT topic_terms FROM own)"
    f" AND id <> %(id)s AND {PUBLIC} LIMIT %(most)s)"
    f" SELECT {LIST_COLUMNS} FROM met ORDER BY (SELECT count(*) FROM unnest(topic_terms) AS word"
    " WHERE word = ANY((SELECT topic_terms FROM own)::text[])) DESC,"
    " coalesce(published_at, created_at) DESC, id DESC LIMIT %(limit)s"
)


@repository(PublicArticles)
class PostgresPublicArticles:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, slug: str) -> Article | None:
        rows = await self._session.read(
            f"SELECT {WHOLE_COLUMNS} FROM articles WHERE {_SLUG} = %s AND {PUBLIC} LIMIT 1",
            (findable(slug),),
        )
        return whole_article(rows[0]) if rows else None

    async def page(self, query: PublicArticleQuery) -> PublicPage:
        prefixes = prefix_query(query.search) if query.search else None
        parameters: dict[str, Any] = {
            "language": query.language and query.language.value,
            "category": query.category and query.category.value,
            "prefixes": prefixes,
            "limit": query.limit,
            "offset": (query.page - 1) * query.limit,
        }
        of_language = " AND language = %(language)s" if query.language else ""
        of_category = " AND {} = %(category)s" if query.category else ""
        where = PUBLIC + of_language + of_category.format("public_category")
        if prefixes:
            where += " AND words @@ %(prefixes)s::tsquery"
            total = f"SELECT count(*) FROM articles WHERE {where}"
        else:
            total = f"{_COUNTED} WHERE true{of_language}{of_category.format('category')}"
        rows = await self._session.read(
            f"SELECT ({total}), {LIST_COLUMNS} FROM articles WHERE {where}"
            " ORDER BY coalesce(published_at, created_at) DESC, id DESC LIMIT %(limit)s OFFSET %(offset)s",
            parameters,
            plan_anew=prefixes is not None,
        )
        if rows or query.page == 1:
            return PublicPage(tuple([list_article(row[1:]) for row in rows]), rows[0][0] if rows else 0)
        counted = await self._session.read(total, parameters, plan_anew=prefixes is not None)
        return PublicPage((), counted[0][0])

    async def related(self, article: Article, limit: int) -> tuple[Article, ...]:
        rows = await self._session.read(_RELATED, {"id": findable(article.id), "limit": limit, "most": MOST_COMPARED})
        return tuple([list_article(row) for row in rows])

    async def addresses(self, after: str | None, limit: int) -> list[PublicAddress]:
        rows = await self._session.read(
            f"SELECT slug, public_category, language, updated_at FROM articles WHERE {_SLUG} > %s AND {PUBLIC}"
            f" ORDER BY {_SLUG} LIMIT %s",
            (findable(after or ""), limit),
        )
        return [
            PublicAddress(slug, category and PublicCategory(category), Language(language), updated_at)
            for slug, category, language, updated_at in rows
        ]

    async def count(self) -> int:
        rows = await self._session.read(_COUNTED)
        count: int = rows[0][0]
        return count

    async def languages(self) -> dict[Language, int]:
        rows = await self._session.read(
            "SELECT language, sum(articles)::bigint FROM public_article_counts GROUP BY language"
            " HAVING sum(articles) > 0"
        )
        return {Language(language): count for language, count in rows}

    async def written(self) -> int:
        rows = await self._session.read("SELECT coalesce(sum(articles), 0)::bigint FROM written_articles")
        count: int = rows[0][0]
        return count
