"""What the feeds of a niche tell of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urljoin

import httpx
from attrs import define, field, frozen

from contentgen_adapters.feeds.catalog import Feed
from contentgen_adapters.feeds.fetching import Unfetched, Validators, fetch
from contentgen_adapters.feeds.parsing import Entry, Parsed, Unparsable, parsed
from contentgen_adapters.shared.web_results import MAX_TITLE, page_address, plain_text
from contentgen_core.model.niche import Niche
from contentgen_core.model.trend import TrendCandidate, TrendSource
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.trends import publisher_of
from contentgen_core.ports.documents import LanguageDetector
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.trends import MAX_CANDIDATES, Findings

MAX_EXCERPT: Final = 400
_LONGEST_WAIT: Final = timedelta(hours=24)


@frozen
class FeedPolicy:
    """How feeds are read; times in seconds. `again`: a feed is not asked for more often than this; one that fails waits
    twice as long each time, a day at most."""

    user_agent: str = "contentgen"
    fetching: float = 20.0
    parsing: float = 20.0
    again: timedelta = timedelta(minutes=10)
    max_bytes: int = 3_000_000
    at_once: int = 6


@define
class _Known:
    """What is known of a feed since the process began."""

    validators: Validators = field(factory=Validators)
    content: Parsed | None = None
    failures: int = 0
    not_before: datetime | None = None
    lock: asyncio.Lock = field(factory=asyncio.Lock)


class FeedFinder:
    """The port `TrendFinder` over RSS and Atom. `open_client`: makes a guarded client when the first feed is asked for:
    many processes never ask for one. Close the finder when done."""

    def __init__(
        self,
        open_client: Callable[[], httpx.AsyncClient],
        feeds: Sequence[Feed],
        clock: Clock,
        detector: LanguageDetector,
        manners: FeedPolicy | None = None,
    ) -> None:
        self._open_client, self._feeds, self._clock, self._detector = open_client, tuple(feeds), clock, detector
        self._client: httpx.AsyncClient | None = None
        self._manners = manners or FeedPolicy()
        self._known: dict[str, _Known] = {}
        self._places = asyncio.Semaphore(self._manners.at_once)

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def find(self, niche: Niche, since: datetime) -> Findings:
        faults: list[str] = []

        async def read(feed: Feed) -> list[TrendCandidate]:
            try:
                content = await self._read(feed.url)
            except (Unfetched, Unparsable) as exc:
                faults.append(f"{feed.url}: {exc}")
                return []
            return await asyncio.to_thread(self._candidates, feed, content, since) if content else []

        mine = [feed for feed in self._feeds if feed.niche_key == niche.niche_key]
        found = await asyncio.gather(*(read(feed) for feed in mine))
        by_url = {page.source.url: page for pages in reversed(found) for page in reversed(pages)}
        newest = sorted(by_url.values(), key=lambda page: (page.source.published_at, page.source.url), reverse=True)
        return Findings(tuple(newest[:MAX_CANDIDATES]), tuple(sorted(faults)))

    async def _read(self, url: str) -> Parsed | None:
        """The feed as it is now, or was a little while ago; None while one that failed is left alone. Raises Unfetched
        and Unparsable, each time it is asked for in vain."""
        known = self._known.setdefault(url, _Known())
        async with known.lock, self._places:
            now = self._clock.now()
            if known.not_before is not None and now < known.not_before:
                return known.content
            try:
                await self._renew(url, known)
            except (Unfetched, Unparsable):
                known.failures = min(known.failures + 1, 20)
                known.not_before = now + min(_LONGEST_WAIT, self._manners.again * 2**known.failures)
                raise
            known.failures, known.not_before = 0, now + self._manners.again
            return known.content

    async def _renew(self, url: str, known: _Known) -> None:
        manners, self._client = self._manners, self._client or self._open_client()
        # Without its entries at hand, that a feed has not changed would be no answer.
        validators = known.validators if known.content else Validators()
        found = await fetch(
            self._client, url, manners.user_agent, validators, max_bytes=manners.max_bytes, seconds=manners.fetching
        )
        if found.raw is not None:
            known.content = await parsed(found.raw, manners.parsing)
            known.validators = found.validators

    def _candidates(self, feed: Feed, content: Parsed, since: datetime) -> list[TrendCandidate]:
        now, told = self._clock.now(), _told_language(content.language)
        pages = (self._candidate(feed, entry, told, now) for entry in content.entries)
        return [page for page in pages if page is not None and page.source.published_at >= since]

    def _candidate(self, feed: Feed, entry: Entry, told: Language | None, now: datetime) -> TrendCandidate | None:
        url = page_address(_joined(feed.url, entry.link))
        title, excerpt = plain_text(entry.title, MAX_TITLE), plain_text(entry.summary, MAX_EXCERPT)
        published = _moment(entry.published)
        if url is None or not title or published is None:
            return None
        source = TrendSource(
            url=url,
            title=title,
            publisher=publisher_of(url),
            category=feed.category,
            published_at=min(published, now),  # what is dated ahead would be news for ever
            found_at=now,
            excerpt=excerpt,
            engagement=entry.comments,
        )
        return TrendCandidate(source, told or self._detector.detect(f"{title}. {excerpt}"))


def _joined(base: str, link: str) -> str | None:
    try:
        return urljoin(base, link.strip())
    except ValueError:
        return None


def _moment(seconds: float | None) -> datetime | None:
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _told_language(code: str | None) -> Language | None:
    first = (code or "").partition("-")[0].partition("_")[0].strip().lower()
    first = "no" if first in ("nb", "nn") else first
    return Language(first) if first in Language._value2member_map_ else None
