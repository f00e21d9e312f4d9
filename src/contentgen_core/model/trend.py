"""Trends: topics of the preconfigured niches that several sources speak of now. They are the platform's: public, and of
no tenant."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final, NewType

from attrs import frozen

from contentgen_core.model.vocabulary import Language

TrendSlug = NewType("TrendSlug", str)

MAX_SOURCES: Final = 30
"""Of one trend; the newest stay."""
MAX_CONTENT: Final = 20_000
"""Characters of a source's text that are kept."""
MAX_HISTORY: Final = 90
"""Points of a trend's history; the newest stay."""


class TrendCategory(StrEnum):
    """What kind of sources speak of it most."""

    NEWS = "news"
    RESEARCH = "research"
    REGULATION = "regulation"
    INDUSTRY = "industry"
    COMMUNITY = "community"
    KNOWLEDGE = "knowledge"  # the knowledge base's own new documents


@frozen
class TrendSource:
    """One page that speaks of the topic. `publisher` names who published it: the page's host without `www.`
    (`policies.topics.trends.publisher_of`); sources of one publisher are not independent of each other. `engagement`:
    how many comments, points or shares the source itself reports, None where it reports none. `excerpt`: a sentence or
    two; the whole text is a `TrendText`."""

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
    """What a refresh found: the trend's score then, and how many independent sources it had."""

    at: datetime
    score: float
    sources: int


@frozen
class Trend:
    """`slug` is its identity, the platform over. `score`: 0 to 100 (`policies.topics.trend_score`). `sources` are
    newest first, `history` is oldest first. `first_seen_at` and `last_seen_at`: when its oldest and newest sources were
    published, those no longer kept included; `updated_at`: when it was last looked at. `clicks` counts visitors who
    followed it, each once a day. A `sample` belongs to the demo and says so wherever it is shown."""

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
        """How many independent sources there are."""
        return len({source.publisher for source in self.sources})


@frozen
class TrendCandidate:
    """A page that may be a source of a trend. `language`: that of its title. `text`: the whole of it, where whoever
    found it has that already."""

    source: TrendSource
    language: Language
    text: str = ""


@frozen
class TrendText:
    """The text of one of a trend's sources, as far as it could be read: Markdown, at most MAX_CONTENT characters."""

    url: str
    text: str
