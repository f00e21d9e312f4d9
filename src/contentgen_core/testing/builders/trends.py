"""Trends, their sources and candidates."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from contentgen_core.model.trend import Trend, TrendCandidate, TrendCategory, TrendPoint, TrendSlug, TrendSource
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing.builders.base import NICHE_KEY, new_id, short
from contentgen_core.testing.runtime import MOMENT


def trend_source(**changes: Any) -> TrendSource:
    """A page of its own publisher, published at MOMENT."""
    name = f"site-{short(new_id())}.example.org"
    defaults: dict[str, Any] = {
        "url": f"https://{name}/heat-pumps",
        "title": "Heat pump grants rise in spring",
        "publisher": name,
        "category": TrendCategory.NEWS,
        "published_at": MOMENT,
        "found_at": MOMENT + timedelta(minutes=5),
        "excerpt": "The grant for a heat pump rises.",
    }
    return TrendSource(**defaults | changes)


def trend_candidate(title: str = "Heat pump grants rise in spring", **changes: Any) -> TrendCandidate:
    """A page in English; `changes` are fields of its source, or `language` and `text`."""
    own = {name: changes.pop(name) for name in ("language", "text") if name in changes}
    return TrendCandidate(trend_source(title=title, **changes), **{"language": Language.EN} | own)


def trend(**changes: Any) -> Trend:
    """A trend of the sample niche with two independent sources, seen at MOMENT."""
    defaults: dict[str, Any] = {
        "slug": TrendSlug(f"heat-pump-grants-{short(new_id())}"),
        "niche_key": NICHE_KEY,
        "title": "Heat pump grants rise in spring",
        "summary": "The grant for a heat pump rises.",
        "category": TrendCategory.NEWS,
        "language": Language.EN,
        "score": 50.0,
        "sources": (trend_source(), trend_source()),
        "history": (TrendPoint(MOMENT, 50.0, 2),),
        "first_seen_at": MOMENT,
        "last_seen_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Trend(**defaults | changes)
