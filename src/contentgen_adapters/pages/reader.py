"""Reads web pages: follows robots.txt and rate limits of hosts, limits time and size, refuses private networks."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx
from attrs import evolve, field, frozen

from contentgen_adapters.pages.addresses import address_of_page
from contentgen_adapters.pages.content import EXTRACTION, ExtractedPage, ExtractionJob, ExtractionRefused, is_pdf
from contentgen_adapters.pages.fetching import Answer, Bounds, Budget, FetchFailed, get_first_bytes, get_page
from contentgen_adapters.pages.host_throttle import HostThrottle
from contentgen_adapters.pages.robots import MAX_BYTES, TOKEN, Robots, Rules
from contentgen_adapters.pages.version import Version
from contentgen_adapters.shared.outgoing.errors import AddressRefused
from contentgen_adapters.shared.outgoing.guard import AddressGuard, HostPort
from contentgen_adapters.shared.processes.pool import Limits, NotParsed, PoolBusy, ProcessPool, TookTooLong
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.tracking import strip_tracking
from contentgen_core.model.ids import TenantId
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.ports.page_reader import PageUnchanged, WebPage
from contentgen_core.ports.runtime import Clock

MAX_REDIRECTS: Final = 5
_MOVED: Final = (HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT)
_PLATFORM: Final = "pages"  # the key of pages that no tenant asked for


@frozen
class FetchPolicy:
    """The limits for reading pages. Times in seconds.

    `user_agent`: the header of every request; the rules of a robots.txt that name its first word apply, and those that
    name `contentgen`. `fetching`: for all requests of one page. `robots`: for those of a robots.txt. `max_wait`: for
    other requests to the same host. `page`, `pdf`: for extracting the text. `pause`: between two requests to a host;
    0 for a host that the operator allowed, unless its robots.txt states a delay. `bounds`: sizes.
    """

    user_agent: str = TOKEN
    fetching: float = 30.0
    robots: float = 15.0
    max_wait: float = 60.0
    page: float = 15.0
    pdf: float = 60.0
    pause: float = 1.0
    bounds: Bounds = field(factory=Bounds)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The names that groups of a robots.txt are matched against."""
        own = self.user_agent.partition("/")[0].split()[0]
        return tuple(dict.fromkeys((TOKEN, own)))


class HttpPageReader:
    """The page reader port over HTTP.

    `client`: from `shared.guarded_client`. `guard`: the one of that client. `pool`: extracts the texts. `throttle`:
    shared by readers that should not call a host at the same time; by default one of its own.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        guard: AddressGuard,
        pool: ProcessPool,
        clock: Clock,
        policy: FetchPolicy | None = None,
        throttle: HostThrottle | None = None,
    ) -> None:
        self._client, self._guard, self._pool, self._clock = client, guard, pool, clock
        self._policy = policy or FetchPolicy()
        self._throttle = throttle or HostThrottle()
        self._robots = Robots(self._get_robots, self._policy.tokens)

    def fault_of(self, url: str) -> str | None:
        try:
            self._check_address(_absolute(url))
        except FetchFailed as exc:
            return str(exc)
        return None

    async def read(self, url: str, tenant_id: TenantId | None = None, known: str | None = None) -> WebPage:
        """Raises PageUnchanged, PageUnreadable."""
        try:
            return await self._read(_absolute(url), tenant_id or _PLATFORM, Version.read(known))
        except FetchFailed as exc:
            raise PageUnreadable(url, exc.reason, str(exc), retryable=exc.retryable) from exc

    async def _read(self, url: str, key: str, known: Version) -> WebPage:
        found, answer = await self._follow(url, known)
        if answer.status == HTTPStatus.NOT_MODIFIED:
            raise PageUnchanged
        fetched_at = self._clock.now()
        reading = await self._reading(found, answer, key)
        published = reading.published
        if published is not None and published > fetched_at.date():
            published = None
        address = address_of_page(found, web_address(reading.canonical))
        version = Version(found, answer.validators, fetched_at).written()
        page = WebPage(address, reading.title, reading.text, fetched_at, published, reading.author)
        return evolve(page, version=version, size=len(answer.body))

    async def moved_to(self, url: str) -> str | None:
        """Raises PageUnreadable."""
        try:
            return await self._moved_to(_absolute(url))
        except FetchFailed as exc:
            raise PageUnreadable(url, exc.reason, str(exc), retryable=exc.retryable) from exc

    async def _moved_to(self, start: str) -> str | None:
        budget, url = Budget(self._policy.fetching), start
        for _ in range(MAX_REDIRECTS):
            target = self._check_address(url)
            rules = await self._robots.of(_origin(url))
            if not rules.allow(url):
                break
            async with self._host_slot(target, rules), budget.running():
                answer = await get_first_bytes(self._client, url, self._policy.user_agent, 1)
            if answer.redirect is None or answer.status not in _MOVED:
                break
            url = _next(url, answer.redirect)
        return None if url == start else strip_tracking(url)

    async def _follow(self, url: str, known: Version) -> tuple[str, Answer]:
        """The address at the end of the redirects, and its response."""
        budget = Budget(self._policy.fetching)
        for _ in range(MAX_REDIRECTS + 1):
            target = self._check_address(url)
            rules = await self._robots.of(_origin(url))
            if not rules.allow(url):
                raise FetchFailed(PageFault.ROBOTS, "the site's robots.txt asks not to read this page")
            async with self._host_slot(target, rules), budget.running():
                validators = known.validators_for(url, self._clock.now())
                answer = await get_page(self._client, url, self._policy.user_agent, self._policy.bounds, validators)
            if answer.redirect is None:
                return url, answer
            url = _next(url, answer.redirect)
        raise FetchFailed(PageFault.FAILED, f"more than {MAX_REDIRECTS} redirects")

    async def _reading(self, url: str, answer: Answer, key: str) -> ExtractedPage:
        job = ExtractionJob(answer.body, url, answer.content_type, answer.charset)
        seconds = self._policy.pdf if is_pdf(answer.body) else self._policy.page
        try:
            reading = await self._pool.run(EXTRACTION, job, key, Limits(seconds))
        except TookTooLong as exc:
            raise FetchFailed(PageFault.TOO_SLOW, f"the page {exc}") from exc
        except NotParsed as exc:
            raise FetchFailed(PageFault.FAILED, f"the page {exc}") from exc
        except PoolBusy as exc:
            raise FetchFailed(PageFault.FAILED, f"{exc}; try again later", retryable=True) from exc
        if isinstance(reading, ExtractionRefused):
            raise FetchFailed(reading.reason, reading.message)
        return reading

    async def _get_robots(self, url: str) -> Answer:
        """Return a robots.txt at the end of its redirects; with more than five it counts as absent (RFC 9309,
        2.3.1.2).
        """
        budget = Budget(self._policy.robots)
        for _ in range(MAX_REDIRECTS + 1):
            target = self._check_address(url)
            async with self._host_slot(target, Rules()), budget.running():
                answer = await get_first_bytes(self._client, url, self._policy.user_agent, MAX_BYTES)
            if answer.redirect is None:
                return answer
            url = _next(url, answer.redirect)
        return Answer(404)

    def _host_slot(self, target: HostPort, rules: Rules) -> AbstractAsyncContextManager[None]:
        pause = 0.0 if self._guard.is_allowed(target) else self._policy.pause
        return self._throttle.of(target.host, max(pause, rules.crawl_delay), self._policy.max_wait)

    def _check_address(self, url: str) -> HostPort:
        try:
            return self._guard.check(url)
        except AddressRefused as exc:
            raise FetchFailed(PageFault.ADDRESS, str(exc)) from exc


def _absolute(url: str) -> str:
    address = web_address(url)
    if address is None:
        raise FetchFailed(PageFault.ADDRESS, "not a valid http(s) address")
    return address.partition("#")[0]


def _next(url: str, redirect: str) -> str:
    try:
        return _absolute(urljoin(url, redirect))
    except ValueError as exc:
        raise FetchFailed(PageFault.ADDRESS, "it redirects to what is no address") from exc


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}"
