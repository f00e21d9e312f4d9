"""Candidates for trends, found in the feeds of a niche."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urljoin

import httpx
from attrs import define, field, frozen

from contentgen_adapters.feeds.catalog import Feed
from contentgen_adapters.feeds.parsing import MAX_MEMORY, PARSING, Entry, FeedNotParsed, ParsedFeed
from contentgen_adapters.shared.fetched_document import NotFetched, RawDocument, Validators, fetch
from contentgen_adapters.shared.processes.pool import Limits, NotParsed, PoolBusy, ProcessPool
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
_KEY: Final = "feeds"  # on whose behalf they are parsed


@frozen
class FeedPolicy:
    """The limits for reading feeds.

    `fetching`: most seconds. `parsing`: most seconds of processor time. `min_interval`: between two requests for one
    feed; doubled with every failure in a row, up to a day. `max_bytes`: of a feed. `max_concurrent`: feeds read at a
    time.
    """

    user_agent: str = "contentgen"
    fetching: float = 20.0
    parsing: float = 20.0
    min_interval: timedelta = timedelta(minutes=10)
    max_bytes: int = 3_000_000
    max_concurrent: int = 6


@define
class _FeedState:
    """A feed as last read. `failures`: in a row. `not_before`: when it may be requested again."""

    validators: Validators = field(factory=Validators)
    content: ParsedFeed | None = None
    failures: int = 0
    not_before: datetime | None = None
    lock: asyncio.Lock = field(factory=asyncio.Lock)


class FeedFinder:
    """The port `TrendFinder` over RSS and Atom. Close it with `aclose`.

    `open_client`: makes a guarded client, at the first use: many processes never read a feed. `feeds`: of all niches.
    `pool`: parses them. `detector`: for feeds that do not declare their language.
    """

    def __init__(
        self,
        open_client: Callable[[], httpx.AsyncClient],
        feeds: Sequence[Feed],
        clock: Clock,
        detector: LanguageDetector,
        pool: ProcessPool,
        policy: FeedPolicy | None = None,
    ) -> None:
        self._open_client, self._feeds, self._clock, self._detector = open_client, tuple(feeds), clock, detector
        self._pool = pool
        self._client: httpx.AsyncClient | None = None
        self._policy = policy or FeedPolicy()
        self._known: dict[str, _FeedState] = {}
        self._places = asyncio.Semaphore(self._policy.max_concurrent)

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def find(self, niche: Niche, since: datetime) -> Findings:
        faults: list[str] = []

        async def read(feed: Feed) -> list[TrendCandidate]:
            try:
                content = await self._read(feed.url)
            except (NotFetched, FeedNotParsed) as exc:
                faults.append(f"{feed.url}: {exc}")
                return []
            return await asyncio.to_thread(self._candidates, feed, content, since) if content else []

        mine = [feed for feed in self._feeds if feed.niche_key == niche.niche_key]
        found = await asyncio.gather(*(read(feed) for feed in mine))
        by_url = {page.source.url: page for pages in reversed(found) for page in reversed(pages)}
        newest = sorted(by_url.values(), key=lambda page: (page.source.published_at, page.source.url), reverse=True)
        return Findings(tuple(newest[:MAX_CANDIDATES]), tuple(sorted(faults)))

    async def _read(self, url: str) -> ParsedFeed | None:
        """The feed, at most `min_interval` old; None when it may not be requested yet after a failure. Raises
        NotFetched and FeedNotParsed for each request that fails."""
        known = self._known.setdefault(url, _FeedState())
        async with known.lock, self._places:
            now = self._clock.now()
            if known.not_before is not None and now < known.not_before:
                return known.content
            try:
                await self._renew(url, known)
            except (NotFetched, FeedNotParsed):
                known.failures = min(known.failures + 1, 20)
                known.not_before = now + min(_LONGEST_WAIT, self._policy.min_interval * 2**known.failures)
                raise
            known.failures, known.not_before = 0, now + self._policy.min_interval
            return known.content

    async def _renew(self, url: str, known: _FeedState) -> None:
        policy, self._client = self._policy, self._client or self._open_client()
        # Only with its entries at hand can the answer be that the feed has not changed.
        validators = known.validators if known.content else Validators()
        found = await fetch(
            self._client, url, policy.user_agent, validators, max_bytes=policy.max_bytes, seconds=policy.fetching
        )
        if found.raw is not None:
            known.content = await self._parse(found.raw)
            known.validators = found.validators

    async def _parse(self, raw: RawDocument) -> ParsedFeed:
        limits = Limits(self._policy.parsing, MAX_MEMORY)
        try:
            parsed = await self._pool.run(PARSING, raw, _KEY, limits)
        except NotParsed as exc:
            raise FeedNotParsed(f"the feed {exc}") from exc
        except PoolBusy as exc:
            raise FeedNotParsed(f"not read: {exc}") from exc
        if parsed is None:
            raise FeedNotParsed("neither RSS nor Atom")
        return parsed

    def _candidates(self, feed: Feed, content: ParsedFeed, since: datetime) -> list[TrendCandidate]:
        now, declared = self._clock.now(), _declared_language(content.language)
        pages = (self._candidate(feed, entry, declared, now) for entry in content.entries)
        return [page for page in pages if page is not None and page.source.published_at >= since]

    def _candidate(self, feed: Feed, entry: Entry, declared: Language | None, now: datetime) -> TrendCandidate | None:
        url = page_address(_absolute_url(feed.url, entry.link))
        title, excerpt = plain_text(entry.title, MAX_TITLE), plain_text(entry.summary, MAX_EXCERPT)
        published = _moment(entry.published)
        if url is None or not title or published is None:
            return None
        source = TrendSource(
            url=url,
            title=title,
            publisher=publisher_of(url),
            category=feed.category,
            published_at=min(published, now),  # an entry dated in the future would stay news until then
            found_at=now,
            excerpt=excerpt,
            engagement=entry.comments,
        )
        return TrendCandidate(source, declared or self._detector.detect(f"{title}. {excerpt}"))


def _absolute_url(base: str, link: str) -> str | None:
    try:
        return urljoin(base, link.strip())
    except ValueError:
        return None


def _moment(seconds: float | None) -> datetime | None:
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _declared_language(code: str | None) -> Language | None:
    first = (code or "").partition("-")[0].partition("_")[0].strip().lower()
    first = "no" if first in ("nb", "nn") else first
    return Language(first) if first in Language._value2member_map_ else None
