"""`--demo`: sample trends, marked as such, with invented sources."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from importlib import resources
from typing import Final

import msgspec
from attrs import evolve

from contentgen_core.errors import ConcurrentChange
from contentgen_core.model.trend import Trend, TrendCategory, TrendPoint, TrendSlug, TrendSource, TrendText
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.trend_score import score, trend_signals
from contentgen_core.policies.topics.trends import HISTORY_STEP, publisher_of
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.services import CoreServices

RENEWED_AFTER: Final = timedelta(days=1)
"""Samples older than this are dated anew at a start: a demo of last month's trends would show none."""


class _SampleSource(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    url: str
    title: str
    category: TrendCategory
    hours_ago: int
    excerpt: str
    text: str
    engagement: int | None = None


class _Sample(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    slug: str
    niche_key: str
    language: Language
    category: TrendCategory
    title: str
    summary: str
    sources: list[_SampleSource]


async def ensure_sample_trends(services: CoreServices) -> int:
    """Adds missing sample trends and updates the dates of old ones; returns how many. A real trend with the same slug
    is not changed."""
    now, done = services.ports.clock.now(), 0
    for sample in _samples():
        trend = _trend(sample, now)
        with suppress(ConcurrentChange):  # another process does the same
            async with services.ports.unit_of_work() as tx:
                stored = await tx[Trends].find(trend.slug)
                if stored is not None and (not stored.sample or now - stored.updated_at < RENEWED_AFTER):
                    continue
                await tx[Trends].save(trend if stored is None else evolve(trend, revision=stored.revision))
                await tx[Trends].save_texts(trend.slug, [TrendText(s.url, s.text) for s in sample.sources])
                done += 1
    return done


def _samples() -> list[_Sample]:
    text = resources.files("contentgen_http.demo").joinpath("trends.json").read_bytes()
    return msgspec.json.decode(text, type=list[_Sample])


def _trend(sample: _Sample, now: datetime) -> Trend:
    """A sample with a score history, as if it had been refreshed every HISTORY_STEP since it was found."""
    newest_first = sorted(sample.sources, key=lambda source: source.hours_ago)
    sources = tuple(
        TrendSource(
            url=source.url,
            title=source.title,
            publisher=publisher_of(source.url),
            category=source.category,
            published_at=now - timedelta(hours=source.hours_ago),
            found_at=now - timedelta(hours=source.hours_ago),
            excerpt=source.excerpt,
            engagement=source.engagement,
        )
        for source in newest_first
    )
    trend = Trend(
        slug=TrendSlug(sample.slug),
        niche_key=sample.niche_key,
        title=sample.title,
        summary=sample.summary,
        category=sample.category,
        language=sample.language,
        score=0.0,
        sources=sources,
        history=(),
        first_seen_at=sources[-1].published_at,
        last_seen_at=sources[0].published_at,
        updated_at=now,
        sample=True,
    )
    steps = (now - trend.first_seen_at) // HISTORY_STEP
    history = tuple(_point(trend, now - step * HISTORY_STEP) for step in range(steps, -1, -1))
    return evolve(trend, history=history, score=history[-1].score)


def _point(trend: Trend, at: datetime) -> TrendPoint:
    then = evolve(trend, sources=tuple(source for source in trend.sources if source.published_at <= at))
    return TrendPoint(at, score(trend_signals(then, 0.0, at)), then.publishers)
