"""Trends: current topics of the preconfigured niches with several sources. They belong to the platform: public, of no
tenant."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final, NewType

from attrs import frozen

from contentgen_core.model.vocabulary import Language

TrendSlug = NewType("TrendSlug", str)

MAX_SOURCES: Final = 30
"""Of one trend; the newest are kept."""
MAX_CONTENT: Final = 20_000
"""Characters of a source's text that are kept."""
MAX_HISTORY: Final = 90
"""Points of a trend's history; the newest are kept."""


class TrendCategory(StrEnum):
    """The kind of most sources."""

    NEWS = "news"
    RESEARCH = "research"
    REGULATION = "regulation"
    INDUSTRY = "industry"
    COMMUNITY = "community"
    KNOWLEDGE = "knowledge"  # the knowledge base's own new documents


@frozen
class TrendSource:
    """A page on the trend's topic. `publisher`: the page's host without `www.` (`policies.topics.trends.publisher_of`);
    sources of one publisher are not independent. `engagement`: the comments, points or shares that the source itself
    reports, None without. `excerpt`: a sentence or two; the whole text is a `TrendText`."""

    url: str
    title: str
    publisher: str
    category: TrendCategory
    published_at: datetime
    found_at: datetime
    excerpt: str = ""
    engagement: int | None = None


@frozen
class TrendPoint:
    """The trend's score and number of independent sources at a refresh."""

    at: datetime
    score: float
    sources: int


@frozen
class Trend:
    """A trend. `slug`: its identity on the platform. `score`: 0 to 100 (`policies.topics.trend_score`). `sources`:
    newest first; `history`: oldest first. `first_seen_at`, `last_seen_at`: publication of its oldest and newest source,
    also of those no longer kept; `updated_at`: its last refresh. `clicks`: visitors who followed it, each once a day.
    `sample`: whether it is a made-up one of the demo, shown as such."""

    slug: TrendSlug
    niche_key: str
    title: str
    summary: str
    category: TrendCategory
    language: Language
    score: float
    sources: tuple[TrendSource, ...]
    history: tuple[TrendPoint, ...]
    first_seen_at: datetime
    last_seen_at: datetime
    updated_at: datetime
    clicks: int = 0
    sample: bool = False
    revision: int = 0

    @property
    def publishers(self) -> int:
        """The number of independent sources."""
        return len({source.publisher for source in self.sources})


@frozen
class TrendCandidate:
    """A page that may become a source of a trend. `language`: that of its title. `text`: its whole text, where the
    finder has it already."""

    source: TrendSource
    language: Language
    text: str = ""


@frozen
class TrendText:
    """The text of one of a trend's sources, as far as it could be read: Markdown, at most MAX_CONTENT characters."""

    url: str
    text: str
