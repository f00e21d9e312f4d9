"""Trends and the texts of their sources."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from attrs import evolve

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.revisions import Revisions, insertion
from contentgen_adapters.postgres.session import Row, Session
from contentgen_adapters.postgres.words import WORDS, indexed_words, prefix_query
from contentgen_core.errors import ConcurrentChange
from contentgen_core.model.trend import Trend, TrendSlug, TrendText
from contentgen_core.policies.articles.slugs import free_slug
from contentgen_core.ports.repositories.trends import NicheTrends, TrendPage, TrendQuery, Trends

_COLUMNS: Final = "record::text, clicks, revision"


@repository(Trends)
class PostgresTrends:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._revisions = Revisions(
            session, "trends", "trend", computed=WORDS, returning="clicks", gone_is_changed=True
        )

    async def find(self, slug: TrendSlug) -> Trend | None:
        rows = await self._session.read(f"SELECT {_COLUMNS} FROM trends WHERE slug = %s", (findable(slug),))
        return _trend(rows[0]) if rows else None

    async def page(self, query: TrendQuery) -> TrendPage:
        prefixes = prefix_query(query.search) if query.search else None
        parameters: dict[str, Any] = {
            "niche_key": query.niche_key and findable(query.niche_key),
            "prefixes": prefixes,
            "since": query.since,
            "limit": query.limit,
        }
        conditions = [
            condition
            for asked, condition in (
                (query.niche_key is not None, "niche_key = %(niche_key)s"),
                (query.since is not None, "last_seen_at >= %(since)s"),
                (prefixes is not None, "words @@ %(prefixes)s::tsquery"),
            )
            if asked
        ]
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        rows = await self._session.read(
            f"SELECT (SELECT count(*) FROM trends {where}), {_COLUMNS} FROM trends {where}"
            " ORDER BY score DESC, slug LIMIT %(limit)s",
            parameters,
            plan_anew=prefixes is not None,
        )
        return TrendPage(tuple([_trend(row[1:]) for row in rows]), rows[0][0] if rows else 0)

    async def of_niche(self, niche_key: str, since: datetime, limit: int) -> list[Trend]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM trends WHERE niche_key = %s AND last_seen_at >= %s"
            " ORDER BY last_seen_at DESC, slug LIMIT %s",
            (findable(niche_key), since, limit),
        )
        return [_trend(row) for row in rows]

    async def by_niche(self, since: datetime | None = None) -> list[NicheTrends]:
        rows = await self._session.read(
            "SELECT niche_key, count(*), max(score), sum(score) FROM trends"
            " WHERE %(since)s::timestamptz IS NULL OR last_seen_at >= %(since)s"
            " GROUP BY niche_key ORDER BY sum(score) DESC, niche_key",
            {"since": since},
        )
        return [NicheTrends(*row) for row in rows]

    async def free_slug(self, wanted: str) -> TrendSlug:
        await self._session.write("SELECT pg_advisory_xact_lock(hashtextextended('trend slugs', 0))", ())
        rows = await self._session.read("SELECT slug FROM trends WHERE starts_with(slug, %s)", (findable(wanted),))
        return TrendSlug(free_slug(wanted, {row[0] for row in rows}))

    async def save(self, trend: Trend) -> Trend:
        columns = {
            "niche_key": trend.niche_key,
            "score": trend.score,
            "last_seen_at": trend.last_seen_at,
            "sample": trend.sample,
            "words": indexed_words(trend.title, trend.summary),
            "record": dumps(trend, Trend),
        }
        if trend.revision:
            [clicks] = await self._revisions.save({"slug": trend.slug}, trend.revision, columns)
            return evolve(trend, clicks=clicks, revision=trend.revision + 1)
        first = {"slug": trend.slug, **columns, "revision": 1}
        query = f"{insertion('trends', first, WORDS)} ON CONFLICT (slug) DO NOTHING"
        if not await self._session.change(query, first):
            raise ConcurrentChange.of("trend")
        return evolve(trend, clicks=0, revision=1)

    async def add_clicks(self, slug: TrendSlug, clicks: int) -> None:
        await self._session.change("UPDATE trends SET clicks = clicks + %s WHERE slug = %s", (clicks, findable(slug)))

    async def save_texts(self, slug: TrendSlug, texts: Sequence[TrendText]) -> None:
        stored = await self.find(slug)
        if stored is None:
            return
        of_sources = [source.url for source in stored.sources]
        kept = {text.url: text.text for text in texts if text.url in of_sources}
        await self._session.change(
            "INSERT INTO trend_texts (slug, url, text) SELECT %s, url, text FROM unnest(%s::text[], %s::text[])"
            " AS given(url, text) ON CONFLICT (slug, url) DO UPDATE SET text = excluded.text",
            (slug, list(kept), list(kept.values())),
        )
        await self._session.change("DELETE FROM trend_texts WHERE slug = %s AND url <> ALL(%s)", (slug, of_sources))

    async def texts(self, slug: TrendSlug) -> dict[str, str]:
        rows = await self._session.read("SELECT url, text FROM trend_texts WHERE slug = %s", (findable(slug),))
        return dict(rows)

    async def sweep(self, before: datetime, limit: int) -> int:
        return await self._session.change(
            "DELETE FROM trends WHERE slug IN"
            " (SELECT slug FROM trends WHERE last_seen_at < %s AND NOT sample LIMIT %s)",
            (before, limit),
        )


def _trend(row: Row) -> Trend:
    record, clicks, revision = row
    trend: Trend = loads(record, Trend)
    return evolve(trend, clicks=clicks, revision=revision)
