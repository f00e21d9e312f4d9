"""Trends and the texts of their sources."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.records import following
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_adapters.memory.words import hold_words, search_words
from contentgen_core.model.trend import Trend, TrendSlug, TrendText
from contentgen_core.policies.articles.slugs import free_slug
from contentgen_core.ports.repositories.trends import NicheTrends, TrendPage, TrendQuery, Trends

TRENDS: Final = TableOf[TrendSlug, Trend]("trends")
TREND_TEXTS: Final = TableOf[TrendSlug, dict[str, str]]("trend_texts")


@repository(Trends)
class MemoryTrends:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, slug: TrendSlug) -> Trend | None:
        return self._session[TRENDS].get(slug)

    async def page(self, query: TrendQuery) -> TrendPage:
        prefixes = search_words(query.search or "")
        found = [
            trend
            for trend in self._session[TRENDS].rows()
            if query.niche_key in (None, trend.niche_key)
            and (query.since is None or trend.last_seen_at >= query.since)
            and hold_words((trend.title, trend.summary), prefixes)
        ]
        found.sort(key=lambda trend: (-trend.score, trend.slug))
        return TrendPage(tuple(found[: query.limit]), len(found))

    async def of_niche(self, niche_key: str, since: datetime, limit: int) -> list[Trend]:
        found = [t for t in self._session[TRENDS].rows() if t.niche_key == niche_key and t.last_seen_at >= since]
        found.sort(key=lambda trend: trend.slug)
        found.sort(key=lambda trend: trend.last_seen_at, reverse=True)
        return found[:limit]

    async def by_niche(self, since: datetime | None = None) -> list[NicheTrends]:
        scores: dict[str, list[float]] = {}
        for trend in self._session[TRENDS].rows():
            if since is None or trend.last_seen_at >= since:
                scores.setdefault(trend.niche_key, []).append(trend.score)
        counted = [NicheTrends(key, len(found), max(found), sum(found)) for key, found in scores.items()]
        return sorted(counted, key=lambda niche: (-niche.sum, niche.niche_key))

    async def free_slug(self, wanted: str) -> TrendSlug:
        await self._session.writing()
        return TrendSlug(free_slug(wanted, {trend.slug for trend in self._session[TRENDS].rows()}))

    async def save(self, trend: Trend) -> Trend:
        await self._session.writing()
        stored = self._session[TRENDS].get(trend.slug) or evolve(trend, revision=0, clicks=0)
        saved = evolve(following(stored, trend, "trend"), clicks=stored.clicks)
        self._session[TRENDS].put(saved.slug, saved)
        return saved

    async def add_clicks(self, slug: TrendSlug, clicks: int) -> None:
        await self._session.writing()
        if stored := self._session[TRENDS].get(slug):
            self._session[TRENDS].put(slug, evolve(stored, clicks=stored.clicks + clicks))

    async def save_texts(self, slug: TrendSlug, texts: Sequence[TrendText]) -> None:
        await self._session.writing()
        if stored := self._session[TRENDS].get(slug):
            known = (self._session[TREND_TEXTS].get(slug) or {}) | {text.url: text.text for text in texts}
            of_sources = {source.url for source in stored.sources}
            self._session[TREND_TEXTS].put(slug, {url: text for url, text in known.items() if url in of_sources})

    async def texts(self, slug: TrendSlug) -> dict[str, str]:
        return dict(self._session[TREND_TEXTS].get(slug) or {})

    async def sweep(self, before: datetime, limit: int) -> int:
        await self._session.writing()
        old = [t.slug for t in self._session[TRENDS].rows() if t.last_seen_at < before and not t.sample][:limit]
        for slug in old:
            self._session[TRENDS].drop(slug)
            self._session[TREND_TEXTS].drop(slug)
        return len(old)
