"""Make trends of pages: group pages by topic, join the groups to trends, and derive a trend's fields. Results do not
depend on the order of the pages: they are sorted first."""

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
from contentgen_core.policies.text.truncation import truncate_at_word
from contentgen_core.policies.topics.picking import are_near_duplicates
from contentgen_core.policies.topics.similarity import significant_words
from contentgen_core.policies.topics.trend_score import score, trend_signals

WINDOW: Final = timedelta(days=7)
"""The age up to which pages are searched for."""
KEPT: Final = timedelta(days=30)
"""A trend is removed when its newest source is older."""
MIN_PUBLISHERS: Final = 2
"""A topic of one publisher alone is no trend."""
HISTORY_STEP: Final = timedelta(hours=6)
"""The least time between points of the history; the last point is always that of the last refresh."""
MIN_SHARED_OF_SHORTER: Final = 0.4
"""The least share of the shorter title's significant words that two titles on the same topic have in common: in long
titles, four common words may be those of the niche."""
MAX_TITLE: Final = 200
MAX_SUMMARY: Final = 500

_SITE_PREFIX: Final = re.compile(r"^(?:www\d?|m|mobile|amp)\.")
_Words = Callable[[str, Language], frozenset[str]]


@frozen
class TrendGroups:
    """Pages by topic. `joined`: by the trend that they belong to; `new`: groups on topics without a trend;
    `single_publisher`: how many topics have one publisher only."""

    joined: Mapping[TrendSlug, tuple[TrendCandidate, ...]]
    new: tuple[tuple[TrendCandidate, ...], ...]
    single_publisher: int


def publisher_of(url: str) -> str:
    """The publisher of an address: its host, without `www.`, `m.` and the like."""
    return _SITE_PREFIX.sub("", (urlsplit(url).hostname or "").removesuffix("."))


def group_pages(candidates: Iterable[TrendCandidate], trends: Iterable[Trend], analysis: TextAnalysis) -> TrendGroups:
    """Group pages by topic. A page joins the trend that has it already; otherwise the trend or new topic in its
    language whose title is a near-duplicate of its own and shares most words with it. A new topic has the title of its
    oldest page. Takes some 100 µs a page: group many in a thread."""
    words: _Words = lambda title, language: significant_words(title, language, analysis)  # noqa: E731
    known = sorted(trends, key=lambda trend: trend.slug)
    of_url = {source.url: trend.slug for trend in reversed(known) for source in trend.sources}
    topics = _Topics()
    for trend in known:
        topics.add(trend.language, words(trend.title, trend.language))
    groups: list[list[TrendCandidate]] = [[] for _ in known]
    indices = {trend.slug: index for index, trend in enumerate(known)}
    for page in _distinct(candidates):
        if page.source.url in of_url:
            groups[indices[of_url[page.source.url]]].append(page)
            continue
        title = words(page.source.title, page.language)
        index = topics.nearest(page.language, title)
        if index is None:
            topics.add(page.language, title)
            groups.append([page])
        else:
            groups[index].append(page)
    new = [tuple(pages) for pages in groups[len(known) :]]
    enough = tuple(pages for pages in new if len({page.source.publisher for page in pages}) >= MIN_PUBLISHERS)
    joined = {trend.slug: tuple(pages) for trend, pages in zip(known, groups, strict=False) if pages}
    return TrendGroups(joined, enough, len(new) - len(enough))


def new_trend(
    niche_key: str, pages: Sequence[TrendCandidate], niche_pace: float, now: datetime, analysis: TextAnalysis
) -> Trend:
    """A new trend of these pages (at least one), with an empty slug."""
    representative = _representative(pages, lambda title, language: significant_words(title, language, analysis))
    dates = [page.source.published_at for page in pages]
    trend = Trend(
        slug=TrendSlug(""),
        niche_key=niche_key,
        title=truncate_at_word(representative.source.title, MAX_TITLE),
        summary=_summary(representative, pages),
        category=TrendCategory.NEWS,
        language=representative.language,
        score=0.0,
        sources=(),
        history=(),
        first_seen_at=min(dates),
        last_seen_at=max(dates),
        updated_at=now,
    )
    return refreshed_trend(trend, pages, niche_pace, now)


def refreshed_trend(trend: Trend, pages: Sequence[TrendCandidate], niche_pace: float, now: datetime) -> Trend:
    """The trend with these pages among its sources, scored for `now`. Title, summary and slug stay, since links and
    readers know it by them. Idempotent for the same pages and time."""
    sources = _sources(trend.sources, [page.source for page in pages])
    changed = evolve(
        trend,
        sources=sources,
        category=_category(sources) if sources else trend.category,
        first_seen_at=min((trend.first_seen_at, *(source.published_at for source in sources))),
        last_seen_at=max((trend.last_seen_at, *(source.published_at for source in sources))),
        updated_at=now,
    )
    found = score(trend_signals(changed, niche_pace, now))
    point = TrendPoint(now, found, changed.publishers)
    return evolve(changed, score=found, history=_history(trend.history, point))


class _Topics:
    """Topics indexed by word, so that a page is compared only with those that share a word."""

    def __init__(self) -> None:
        self._titles: list[frozenset[str]] = []
        self._topics_by_word: dict[tuple[Language, str], list[int]] = {}

    def add(self, language: Language, title: frozenset[str]) -> None:
        for word in title:
            self._topics_by_word.setdefault((language, word), []).append(len(self._titles))
        self._titles.append(title)

    def nearest(self, language: Language, title: frozenset[str]) -> int | None:
        shared = Counter(index for word in title for index in self._topics_by_word.get((language, word), ()))
        near = [index for index in shared if _same_topic(title, self._titles[index])]
        return min(near, key=lambda index: (-shared[index], index), default=None)


def _same_topic(one: frozenset[str], other: frozenset[str]) -> bool:
    enough = len(one & other) >= MIN_SHARED_OF_SHORTER * min(len(one), len(other))
    return enough and are_near_duplicates(one, other)


def _distinct(candidates: Iterable[TrendCandidate]) -> list[TrendCandidate]:
    """Return each page once, oldest first. Where one was found several times, the first by `_canonical_order`, with the
    highest engagement and the longest text of all."""
    by_url: dict[str, list[TrendCandidate]] = {}
    for candidate in candidates:
        by_url.setdefault(candidate.source.url, []).append(candidate)
    pages = []
    for found in by_url.values():
        first = min(found, key=_canonical_order)
        counts = [page.source.engagement for page in found if page.source.engagement is not None]
        text = max((page.text for page in found), key=lambda text: (len(text), text))
        pages.append(evolve(first, source=evolve(first.source, engagement=max(counts, default=None)), text=text))
    return sorted(pages, key=_canonical_order)


def _canonical_order(page: TrendCandidate) -> tuple[object, ...]:
    source = page.source
    return (
        source.published_at, source.url, source.title, source.excerpt, page.language, source.category,
        source.publisher, source.found_at,
    )  # fmt: skip


def _representative(pages: Sequence[TrendCandidate], words: _Words) -> TrendCandidate:
    """The page whose title shares most words with titles of other publishers; of equal ones the shorter, then the
    older."""
    titles = [words(page.source.title, page.language) for page in pages]

    def order(index: int) -> tuple[object, ...]:
        page = pages[index]
        shared = sum(
            len(titles[index] & title)
            for title, other in zip(titles, pages, strict=True)
            if other.source.publisher != page.source.publisher
        )
        return (-shared, len(page.source.title), *_canonical_order(page))

    return pages[min(range(len(pages)), key=order)]


def _summary(representative: TrendCandidate, pages: Sequence[TrendCandidate]) -> str:
    """The representative page's excerpt; else the longest excerpt; else its title."""
    excerpts = sorted((page.source.excerpt for page in pages), key=lambda text: (-len(text), text))
    return truncate_at_word(representative.source.excerpt or excerpts[0] or representative.source.title, MAX_SUMMARY)


def _sources(present: Sequence[TrendSource], found: Iterable[TrendSource]) -> tuple[TrendSource, ...]:
    """Newest first, at most MAX_SOURCES: the newest of each publisher before a second one of any. Known sources stay as
    they were found, except for their engagement, which only grows."""
    by_url = {source.url: source for source in present}
    for source in found:
        known = by_url.get(source.url, source)
        counts = [count for count in (known.engagement, source.engagement) if count is not None]
        by_url[source.url] = evolve(known, engagement=max(counts, default=None))
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
    """The category of most publishers; of equal ones the first of the enumeration."""
    votes = Counter(category for _, category in {(source.publisher, source.category) for source in sources})
    return max(TrendCategory, key=lambda category: votes[category])


def _history(history: tuple[TrendPoint, ...], point: TrendPoint) -> tuple[TrendPoint, ...]:
    if history and (history[-1].at >= point.at or _too_close(history)):
        history = history[:-1]
    return (*history, point)[-MAX_HISTORY:]


def _too_close(history: tuple[TrendPoint, ...]) -> bool:
    return len(history) > 1 and history[-1].at - history[-2].at < HISTORY_STEP
