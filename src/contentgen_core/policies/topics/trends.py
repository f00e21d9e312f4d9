"""From pages to trends: which pages speak of the same topic, which trend they join, and what a trend shows of them.

Nothing depends on the order in which pages were found: they are put in an order of their own first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from attrs import evolve, frozen

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.trend import (
    MAX_HISTORY,
    MAX_SOURCES,
    Trend,
    TrendCandidate,
    TrendCategory,
    TrendPoint,
    TrendSlug,
    TrendSource,
)
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.truncation import cut_at_words
from contentgen_core.policies.topics.likeness import significant_words
from contentgen_core.policies.topics.picking import near_duplicates
from contentgen_core.policies.topics.trend_score import measures_of, score

WINDOW: Final = timedelta(days=7)
"""How far back pages are looked for."""
KEPT: Final = timedelta(days=30)
"""A trend goes when its newest source is older."""
MIN_PUBLISHERS: Final = 2
"""What one publisher alone speaks of is news, and no trend."""
HISTORY_STEP: Final = timedelta(hours=6)
"""The least time between points of the history; the last point is always that of the last refresh."""
SHARED_OF_SHORTER: Final = 0.4
"""The least part of a title's significant words that another on the same topic shares: of long titles, four words in
common may be those of the niche."""
MAX_TITLE: Final = 200
MAX_SUMMARY: Final = 500

_SAME_SITE: Final = re.compile(r"^(?:www\d?|m|mobile|amp)\.")
_Words = Callable[[str, Language], frozenset[str]]


@frozen
class Grouping:
    """`joined`: pages by the trend they belong to. `new`: groups of pages on topics that no trend has yet. `alone`: how
    many topics one publisher alone speaks of."""

    joined: Mapping[TrendSlug, tuple[TrendCandidate, ...]]
    new: tuple[tuple[TrendCandidate, ...], ...]
    alone: int


def publisher_of(url: str) -> str:
    """Who is behind an address: its host, as one writes it."""
    return _SAME_SITE.sub("", (urlsplit(url).hostname or "").removesuffix("."))


def group(candidates: Iterable[TrendCandidate], trends: Iterable[Trend], analysis: TextAnalysis) -> Grouping:
    """Which trend each page joins, and what new topics there are. A page belongs to the trend that has it already;
    else to the trend or topic of its language whose title is a near-duplicate of its own, and shares most words with
    it. The oldest page of a new topic stands for it. Some 100 µs a page: many take a thread."""
    words: _Words = lambda title, language: significant_words(title, language, analysis)  # noqa: E731
    known = sorted(trends, key=lambda trend: trend.slug)
    of_url = {source.url: trend.slug for trend in reversed(known) for source in trend.sources}
    topics = _Topics()
    for trend in known:
        topics.add(trend.language, words(trend.title, trend.language))
    groups: list[list[TrendCandidate]] = [[] for _ in known]
    places = {trend.slug: place for place, trend in enumerate(known)}
    for page in _distinct(candidates):
        if page.source.url in of_url:
            groups[places[of_url[page.source.url]]].append(page)
            continue
        title = words(page.source.title, page.language)
        place = topics.nearest(page.language, title)
        if place is None:
            topics.add(page.language, title)
            groups.append([page])
        else:
            groups[place].append(page)
    new = [tuple(pages) for pages in groups[len(known) :]]
    enough = tuple(pages for pages in new if len({page.source.publisher for page in pages}) >= MIN_PUBLISHERS)
    joined = {trend.slug: tuple(pages) for trend, pages in zip(known, groups, strict=False) if pages}
    return Grouping(joined, enough, len(new) - len(enough))


def made(
    niche_key: str, pages: Sequence[TrendCandidate], niche_pace: float, now: datetime, analysis: TextAnalysis
) -> Trend:
    """A new trend of these pages (one at least), with an empty slug."""
    typical = _typical(pages, lambda title, language: significant_words(title, language, analysis))
    dates = [page.source.published_at for page in pages]
    trend = Trend(
        slug=TrendSlug(""),
        niche_key=niche_key,
        title=cut_at_words(typical.source.title, MAX_TITLE),
        summary=_summary(typical, pages),
        category=TrendCategory.NEWS,
        language=typical.language,
        score=0.0,
        sources=(),
        history=(),
        first_seen_at=min(dates),
        last_seen_at=max(dates),
        updated_at=now,
    )
    return refreshed(trend, pages, niche_pace, now)


def refreshed(trend: Trend, pages: Sequence[TrendCandidate], niche_pace: float, now: datetime) -> Trend:
    """The trend with these pages among its sources, scored for the present. Title, summary and slug stay: links and
    readers know it by them. Done again at the same time with the same pages, it changes nothing."""
    sources = _sources(trend.sources, [page.source for page in pages])
    changed = evolve(
        trend,
        sources=sources,
        category=_category(sources) if sources else trend.category,
        first_seen_at=min((trend.first_seen_at, *(source.published_at for source in sources))),
        last_seen_at=max((trend.last_seen_at, *(source.published_at for source in sources))),
        updated_at=now,
    )
    found = score(measures_of(changed, niche_pace, now))
    point = TrendPoint(now, found, changed.publishers)
    return evolve(changed, score=found, history=_history(trend.history, point))


class _Topics:
    """Topics by their words, one after the other, so that a page is compared with those alone that share a word."""

    def __init__(self) -> None:
        self._titles: list[frozenset[str]] = []
        self._with: dict[tuple[Language, str], list[int]] = {}

    def add(self, language: Language, title: frozenset[str]) -> None:
        for word in title:
            self._with.setdefault((language, word), []).append(len(self._titles))
        self._titles.append(title)

    def nearest(self, language: Language, title: frozenset[str]) -> int | None:
        shared = Counter(place for word in title for place in self._with.get((language, word), ()))
        near = [place for place in shared if _same_topic(title, self._titles[place])]
        return min(near, key=lambda place: (-shared[place], place), default=None)


def _same_topic(one: frozenset[str], other: frozenset[str]) -> bool:
    enough = len(one & other) >= SHARED_OF_SHORTER * min(len(one), len(other))
    return enough and near_duplicates(one, other)


def _distinct(candidates: Iterable[TrendCandidate]) -> list[TrendCandidate]:
    """Each page once, the oldest first. Of one that was found several times: what is least by its fields, with the most
    engagement and the longest text of all."""
    by_url: dict[str, list[TrendCandidate]] = {}
    for candidate in candidates:
        by_url.setdefault(candidate.source.url, []).append(candidate)
    pages = []
    for found in by_url.values():
        first = min(found, key=_own_order)
        told = [page.source.engagement for page in found if page.source.engagement is not None]
        text = max((page.text for page in found), key=lambda text: (len(text), text))
        pages.append(evolve(first, source=evolve(first.source, engagement=max(told, default=None)), text=text))
    return sorted(pages, key=_own_order)


def _own_order(page: TrendCandidate) -> tuple[object, ...]:
    source = page.source
    return (
        source.published_at, source.url, source.title, source.excerpt, page.language, source.category,
        source.publisher, source.found_at,
    )  # fmt: skip


def _typical(pages: Sequence[TrendCandidate], words: _Words) -> TrendCandidate:
    """The page whose title shares most words with those of other publishers; of equal ones the shorter, then the
    older."""
    titles = [words(page.source.title, page.language) for page in pages]

    def order(place: int) -> tuple[object, ...]:
        page = pages[place]
        shared = sum(
            len(titles[place] & title)
            for title, other in zip(titles, pages, strict=True)
            if other.source.publisher != page.source.publisher
        )
        return (-shared, len(page.source.title), *_own_order(page))

    return pages[min(range(len(pages)), key=order)]


def _summary(typical: TrendCandidate, pages: Sequence[TrendCandidate]) -> str:
    """What the typical page says of itself; else the longest that another says."""
    excerpts = sorted((page.source.excerpt for page in pages), key=lambda text: (-len(text), text))
    return cut_at_words(typical.source.excerpt or excerpts[0] or typical.source.title, MAX_SUMMARY)


def _sources(present: Sequence[TrendSource], found: Iterable[TrendSource]) -> tuple[TrendSource, ...]:
    """Newest first, at most MAX_SOURCES: the newest of each publisher before a second one of any. What is known stays
    as it was found, but for its engagement, which only grows."""
    by_url = {source.url: source for source in present}
    for source in found:
        known = by_url.get(source.url, source)
        told = [count for count in (known.engagement, source.engagement) if count is not None]
        by_url[source.url] = evolve(known, engagement=max(told, default=None))
    newest_first = sorted(by_url.values(), key=lambda source: source.url)
    newest_first.sort(key=lambda source: source.published_at, reverse=True)
    seen: set[str] = set()
    firsts: list[TrendSource] = []
    others: list[TrendSource] = []
    for source in newest_first:
        (others if source.publisher in seen else firsts).append(source)
        seen.add(source.publisher)
    kept = {source.url for source in (*firsts, *others)[:MAX_SOURCES]}
    return tuple(source for source in newest_first if source.url in kept)


def _category(sources: Iterable[TrendSource]) -> TrendCategory:
    """What most publishers are; of equal ones the first of the categories."""
    votes = Counter(category for _, category in {(source.publisher, source.category) for source in sources})
    return max(TrendCategory, key=lambda category: votes[category])


def _history(history: tuple[TrendPoint, ...], point: TrendPoint) -> tuple[TrendPoint, ...]:
    if history and (history[-1].at >= point.at or _too_close(history)):
        history = history[:-1]
    return (*history, point)[-MAX_HISTORY:]


def _too_close(history: tuple[TrendPoint, ...]) -> bool:
    return len(history) > 1 and history[-1].at - history[-2].at < HISTORY_STEP
