"""Articles: revisions, the same-topic rule, and the list with its filters."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.article_lists import DEEP_FROM, list_query, total
from contentgen_adapters.postgres.repositories.article_rows import (
    LIST_COLUMNS,
    SUMMARY_COLUMNS,
    WHOLE_COLUMNS,
    article_summary,
    columns,
    list_article,
    whole_article,
)
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.revisions import Revisions, insertion
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_adapters.postgres.words import WORDS, indexed_words, prefix_query
from contentgen_adapters.shared.revisions import next_revision
from contentgen_core.errors import TopicAlreadyGenerating
from contentgen_core.model.article import WRITTEN, Article, ArticleStatus, ProviderWait, Usage
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.policies.articles.slugs import free_slug
from contentgen_core.ports.repositories.articles import (
    EXAMINED_AT_ONCE,
    ArticleOutcome,
    ArticleQuery,
    Articles,
    ArticleTitle,
    ChangedArticles,
    CitingArticle,
    Page,
    SummaryPage,
)

_LONG_TEXT: Final = 100_000  # characters; cutting a longer text into words is left to a thread
_CHANGED: Final = {
    **WORDS,
    # What was read of another topic, or in another language, counts no more.
    "topic_terms": "CASE WHEN topic = %(topic)s AND language = %(language)s THEN topic_terms END",
    "topic_space": "CASE WHEN topic = %(topic)s AND language = %(language)s AND title = %(title)s"
    " AND content = %(content)s THEN topic_space END",
    "fresh_at": "CASE WHEN content = %(content)s THEN fresh_at END",
}

_WRITTEN: Final = (
    "SELECT id, title, status, created_at FROM articles WHERE tenant_id = %(tenant_id)s"
    " AND grounding IS NOT NULL{niche}{older}"
    " ORDER BY created_at DESC, id DESC LIMIT %(limit)s"
)
_OF_NICHE: Final = " AND niche_key = %(niche_key)s"
_OLDER: Final = " AND (created_at, id) < (SELECT created_at, id FROM articles WHERE id = %(before)s)"
_CHANGED_SOURCES: Final = (
    # Joined: with `= ANY` the planner looks through all of the tenant's articles by one of their orders.
    # Documents apart (OFFSET 0): it takes each article to name a hundred of them, and reads them all.
    "SELECT DISTINCT a.id FROM unnest(%s::text[]) AS asked (id) JOIN articles a ON a.id = asked.id"
    " CROSS JOIN LATERAL jsonb_array_elements(a.sources) s"
    " LEFT JOIN LATERAL (SELECT * FROM kb_documents WHERE id = s->>'parent_id' OFFSET 0) d ON true"
    " WHERE a.tenant_id = %s AND a.grounding IS NOT NULL AND (d.id IS NULL OR d.deleted_at IS NOT NULL"
    " OR d.revised_at > greatest(a.created_at, a.fresh_at)"
    " OR EXISTS (SELECT FROM conflicts c WHERE c.tenant_id = a.tenant_id AND c.weaker_document = s->>'parent_id'"
    " AND c.niche_key = a.niche_key AND c.weaker_since > coalesce(a.fresh_at, '-infinity')))"
)

_CITING: Final = (
    "SELECT a.id, a.title, a.status, a.created_at, n.document_id, n.chunk_index,"
    " ARRAY(SELECT jsonb_array_elements_text(s.source->'quotes'))"
    " FROM (SELECT id, title, status, created_at, sources FROM articles WHERE tenant_id = %(tenant_id)s"
    " AND niche_key = %(niche_key)s AND grounding IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT %(limit)s) a"
    " CROSS JOIN LATERAL jsonb_array_elements(a.sources) s (source)"
    " JOIN unnest(%(documents)s::text[], %(chunks)s::integer[]) AS n (document_id, chunk_index)"
    " ON n.document_id = s.source->>'parent_id' AND n.chunk_index = (s.source->>'chunk_index')::integer"
    " ORDER BY a.created_at DESC, a.id DESC, (s.source->>'number')::integer"
)


@repository(Articles)
class PostgresArticles:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._revisions = Revisions(session, "articles", "article", computed=_CHANGED)

    async def add(self, article: Article) -> None:
        values = {
            "id": article.id,
            "tenant_id": article.tenant_id,
            **columns(article),
            "revision": article.revision,
            "words": await _words(article),
        }
        query = insertion("articles", values, WORDS)
        again = "ON CONFLICT (tenant_id, topic_digest) WHERE status = 'generating' DO NOTHING"
        if not await self._session.change(f"{query} {again}", values):
            raise TopicAlreadyGenerating

    async def get(self, tenant_id: TenantId, article_id: ArticleId) -> Article:
        rows = await self._session.read(
            f"SELECT {WHOLE_COLUMNS} FROM articles WHERE id = %s AND tenant_id = %s",
            (findable(article_id), findable(tenant_id)),
        )
        [row] = require(rows, "article", article_id)
        return whole_article(row)

    async def listed(self, tenant_id: TenantId, article_id: ArticleId) -> Article:
        rows = await self._session.read(
            f"SELECT {LIST_COLUMNS} FROM articles WHERE id = %s AND tenant_id = %s",
            (findable(article_id), findable(tenant_id)),
        )
        [row] = require(rows, "article", article_id)
        return list_article(row)

    async def save(self, article: Article) -> Article:
        key = {"id": article.id, "tenant_id": article.tenant_id}
        await self._revisions.save(key, article.revision, {**columns(article), "words": await _words(article)})
        return next_revision(article)

    async def free_public_slug(self, wanted: str, article_id: ArticleId) -> str:
        await self._session.write("SELECT pg_advisory_xact_lock(hashtextextended('public slugs', 0))", ())
        rows = await self._session.read(
            'SELECT slug FROM articles WHERE is_public AND id <> %s AND starts_with(slug COLLATE "C", %s)',
            (findable(article_id), wanted),
        )
        return free_slug(wanted, {row[0] for row in rows})

    async def set_progress(self, tenant_id: TenantId, article_id: ArticleId, progress: int) -> None:
        await self._session.change(
            "UPDATE articles SET progress = %(progress)s WHERE id = %(id)s AND tenant_id = %(tenant_id)s"
            " AND status = 'generating' AND progress < %(progress)s",
            {"id": findable(article_id), "tenant_id": findable(tenant_id), "progress": progress},
        )

    async def set_waiting(self, tenant_id: TenantId, article_id: ArticleId, waiting: ProviderWait | None) -> None:
        await self._session.change(
            "UPDATE articles SET waiting = %(waiting)s WHERE id = %(id)s AND tenant_id = %(tenant_id)s"
            " AND status = 'generating'",
            {
                "id": findable(article_id),
                "tenant_id": findable(tenant_id),
                "waiting": None if waiting is None else dumps(waiting, ProviderWait),
            },
        )

    async def mark_fresh(self, tenant_id: TenantId, article_id: ArticleId, at: datetime) -> None:
        await self._session.change(
            "UPDATE articles SET fresh_at = %s WHERE id = %s AND tenant_id = %s",
            (at, findable(article_id), findable(tenant_id)),
        )

    async def delete(self, tenant_id: TenantId, article_id: ArticleId) -> None:
        query = "DELETE FROM articles WHERE id = %s AND tenant_id = %s"
        deleted = await self._session.change(query, (findable(article_id), findable(tenant_id)))
        require(deleted, "article", article_id)

    async def page(self, query: ArticleQuery) -> Page:
        rows, total = await self._page(LIST_COLUMNS, query)
        return Page(tuple([list_article(row) for row in rows]), total)

    async def summaries(self, query: ArticleQuery) -> SummaryPage:
        rows, total = await self._page(SUMMARY_COLUMNS, query)
        return SummaryPage(tuple([article_summary(row) for row in rows]), total)

    async def _page(self, columns: str, query: ArticleQuery) -> tuple[list[Row], int]:
        """These columns of the articles of a page, and the total over all pages."""
        prefixes = prefix_query(query.search) if query.search else None
        offset = (query.page - 1) * query.limit
        parameters: dict[str, Any] = {
            "tenant_id": findable(query.tenant_id),
            "niche_key": query.niche_key and findable(query.niche_key),
            "statuses": [status.value for status in query.statuses],
            "prefixes": prefixes,
            "approval": query.approval and query.approval.value,
            "language": query.language and query.language.value,
            "limit": query.limit,
            "offset": offset,
        }
        filters = (
            query.niche_key is not None,
            bool(query.statuses),
            prefixes is not None,
            query.approval is not None,
            query.language is not None,
        )
        rows = await self._session.read(
            list_query(columns, filters, query.sort_by, query.descending, offset >= DEEP_FROM),
            parameters,
            # By the index of words, which holds everybody's, or through the tenant's articles: it depends on both.
            plan_anew=prefixes is not None,
        )
        if rows:
            return [row[1:] for row in rows], rows[0][0]
        if offset == 0:
            return [], 0
        counted = await self._session.read(f"SELECT {total(filters)}", parameters, plan_anew=prefixes is not None)
        return [], counted[0][0]

    async def with_changed_sources(
        self,
        tenant_id: TenantId,
        before: ArticleId | None,
        limit: int,
        examined: int = EXAMINED_AT_ONCE,
        *,
        niche_key: str | None = None,
    ) -> ChangedArticles:
        if before is not None:
            bound = "SELECT 1 FROM articles WHERE id = %s AND tenant_id = %s"
            require(await self._session.read(bound, (findable(before), findable(tenant_id))), "article", before)
        statement = _WRITTEN.format(
            niche="" if niche_key is None else _OF_NICHE, older="" if before is None else _OLDER
        )
        parameters = {
            "tenant_id": findable(tenant_id),
            "before": before,
            "limit": examined + 1,
            "niche_key": None if niche_key is None else findable(niche_key),
        }
        rows = await self._session.read(statement, parameters)
        written = [ArticleTitle(id, title, ArticleStatus(status), at) for id, title, status, at in rows]
        window = written[:examined]
        changed = await self.sources_changed(tenant_id, [article.id for article in window])
        found = [article for article in window if article.id in changed]
        if len(found) > limit:
            return ChangedArticles(tuple(found[:limit]), found[limit - 1].id)
        return ChangedArticles(tuple(found), window[-1].id if len(written) > examined else None)

    async def sources_changed(self, tenant_id: TenantId, article_ids: Sequence[ArticleId]) -> set[ArticleId]:
        asked = ([findable(id) for id in article_ids], findable(tenant_id))
        return {ArticleId(id) for (id,) in await self._session.read(_CHANGED_SOURCES, asked)}

    async def citing(
        self, tenant_id: TenantId, niche_key: str, sources: Sequence[SourceRef], examined: int = EXAMINED_AT_ONCE
    ) -> list[CitingArticle]:
        named = [ref for ref in dict.fromkeys(sources) if findable(ref.document_id)]
        rows = await self._session.read(
            _CITING,
            {
                "tenant_id": findable(tenant_id),
                "niche_key": findable(niche_key),
                "limit": examined,
                "documents": [ref.document_id for ref in named],
                "chunks": [ref.chunk_index for ref in named],
            },
        )
        return [
            CitingArticle(ArticleTitle(id, title, ArticleStatus(status), at), SourceRef(document, chunk), tuple(quotes))
            for id, title, status, at, document, chunk, quotes in rows
        ]

    async def translations_of(self, tenant_id: TenantId, article_id: ArticleId, limit: int) -> list[Article]:
        rows = await self._session.read(
            f"SELECT {LIST_COLUMNS} FROM articles"
            " WHERE translation_of = %s AND tenant_id = %s ORDER BY id DESC LIMIT %s",
            (findable(article_id), findable(tenant_id), limit),
        )
        return [list_article(row) for row in rows]

    async def count_by_status(self, tenant_id: TenantId, niche_key: str) -> dict[ArticleStatus, int]:
        rows = await self._session.read(
            "SELECT status, sum(articles)::bigint FROM article_counts WHERE tenant_id = %s AND niche_key = %s"
            " GROUP BY status HAVING sum(articles) > 0",
            (findable(tenant_id), findable(niche_key)),
        )
        return {ArticleStatus(status): count for status, count in rows}

    async def is_generating(self, tenant_id: TenantId, topic_key: str) -> bool:
        rows = await self._session.read(
            "SELECT 1 FROM articles WHERE tenant_id = %s AND topic_digest = %s AND status = 'generating'",
            (findable(tenant_id), digest(topic_key)),
        )
        return bool(rows)

    async def statuses(self, tenant_id: TenantId, article_ids: Sequence[ArticleId]) -> dict[ArticleId, ArticleStatus]:
        rows = await self._session.read(
            "SELECT id, status FROM articles WHERE tenant_id = %s AND id = ANY(%s)",
            (findable(tenant_id), [findable(article_id) for article_id in article_ids]),
        )
        return {article_id: ArticleStatus(status) for article_id, status in rows}

    async def outcomes(self, tenant_id: TenantId, article_ids: Sequence[ArticleId]) -> dict[ArticleId, ArticleOutcome]:
        rows = await self._session.read(
            "SELECT id, title, status, progress, word_count, usage::text FROM articles"
            " WHERE tenant_id = %s AND id = ANY(%s)",
            (findable(tenant_id), [findable(article_id) for article_id in article_ids]),
        )
        found = {}
        for id, title, state, progress, words, usage in rows:
            status = ArticleStatus(state)
            percent = 100 if status in WRITTEN else progress
            used = None if usage is None else loads(usage, Usage)
            found[id] = ArticleOutcome(id, title, status, percent, words, used)
        return found

    async def recent_topics(self, tenant_id: TenantId, niche_key: str, limit: int) -> list[str]:
        rows = await self._session.read(
            "SELECT topic FROM articles WHERE tenant_id = %s AND niche_key = %s ORDER BY created_at DESC, id DESC"
            " LIMIT %s",
            (findable(tenant_id), findable(niche_key), limit),
        )
        return [topic for (topic,) in rows]


async def _words(article: Article) -> list[str]:
    if len(article.content) > _LONG_TEXT:
        return await asyncio.to_thread(indexed_words, article.title, article.content)
    return indexed_words(article.title, article.content)
