"""The rules of robots.txt (RFC 9309), parsed by Protego."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from attrs import define, field, frozen
from protego import Protego

from contentgen_adapters.pages.fetching import Answer, FetchFailed
from contentgen_core.page_errors import PageFault

TOKEN: Final = "contentgen"  # noqa: S105 - the name robots.txt calls us by (RFC 9309, 2.2.1), not a secret
MAX_BYTES: Final = 512 * 1024
"""Read of a robots.txt; RFC 9309, 2.5, requires at least 500 KiB."""
MAX_SITES: Final = 2_000
LIFETIME: Final = 3_600.0
"""Seconds for which rules are cached; RFC 9309, 2.4, allows a day."""
LIFETIME_OF_FAILURE: Final = 60.0
MAX_CRAWL_DELAY: Final = 10.0
"""Seconds; a site that asks for more gets this much."""
_AGENT_LINE: Final = re.compile(r"^([ \t]*user[- \t]?agents?[ \t]*:)(.*)$", re.IGNORECASE | re.MULTILINE)
_MAX_LINE: Final = 4_000

Get = Callable[[str], Awaitable[Answer]]
"""Fetches the robots.txt at an address, redirects followed. Raises FetchFailed."""


@frozen
class Rules:
    """A site's rules for us.

    `parsed`: None for a site without rules. `tokens`: the names by which the rules may address us.
    """

    parsed: Protego | None = None
    tokens: tuple[str, ...] = (TOKEN,)

    def allow(self, url: str) -> bool:
        """Whether every name may fetch this address."""
        return self.parsed is None or all(self.parsed.can_fetch(url, token) for token in self.tokens)

    @property
    def crawl_delay(self) -> float:
        """Seconds between two requests, 10 at most."""
        stated = 0.0
        if self.parsed is not None:
            stated = max(self.parsed.crawl_delay(token) or 0.0 for token in self.tokens)
        return min(max(stated, 0.0), MAX_CRAWL_DELAY)


@define
class _Site:
    """A cache entry. `until`: when it expires (monotonic seconds). `failure`: why the rules could not be fetched."""

    lock: asyncio.Lock = field(factory=asyncio.Lock)
    until: float = 0.0
    rules: Rules = field(factory=Rules)
    failure: FetchFailed | None = None


class Robots:
    """A cache of the rules of sites, each fetched at most once an hour.

    `get`: fetches a robots.txt. `tokens`: see `Rules`. `max_sites`: how many sites are kept; the least recently used
    one is dropped first.
    """

    def __init__(
        self,
        get: Get,
        tokens: tuple[str, ...] = (TOKEN,),
        monotonic: Callable[[], float] = time.monotonic,
        max_sites: int = MAX_SITES,
    ) -> None:
        self._get, self._tokens, self._monotonic, self._max_sites = get, tokens, monotonic, max_sites
        self._sites: OrderedDict[str, _Site] = OrderedDict()

    async def of(self, origin: str) -> Rules:
        """The rules of a site.

        `origin`: `https://host[:port]`. Raises FetchFailed when the site answers with a server error or not at all: it
        must not be read then (RFC 9309, 2.3.1.4).
        """
        site = self._site(origin)
        async with site.lock:
            if self._monotonic() >= site.until:
                await self._refresh(site, f"{origin}/robots.txt")
            if site.failure is not None:
                raise FetchFailed(site.failure.reason, str(site.failure), retryable=site.failure.retryable)
            return site.rules

    async def _refresh(self, site: _Site, url: str) -> None:
        try:
            answer = await self._get(url)
            site.rules = await self._rules(answer)
            site.failure = None
        except FetchFailed as exc:
            site.failure = exc
        lifetime = LIFETIME if site.failure is None else LIFETIME_OF_FAILURE
        site.until = self._monotonic() + lifetime

    async def _rules(self, answer: Answer) -> Rules:
        if answer.status >= 500 or answer.status == 429:
            message = f"the site's robots.txt cannot be read now (HTTP {answer.status})"
            raise FetchFailed(PageFault.ROBOTS, message, retryable=True)
        if answer.status != 200 or not answer.body:
            return Rules(None, self._tokens)  # without rules nothing is forbidden (RFC 9309, 2.3.1.3)
        return Rules(await asyncio.to_thread(parse, answer.body, self._tokens), self._tokens)

    def _site(self, origin: str) -> _Site:
        site = self._sites.setdefault(origin, _Site())
        self._sites.move_to_end(origin)
        if len(self._sites) > self._max_sites:
            self._sites.popitem(last=False)
        return site


def parse(body: bytes, tokens: tuple[str, ...] = (TOKEN,)) -> Protego:
    """Parses a robots.txt.

    `tokens`: the names whose groups matter. All other groups are renamed to one name before parsing: thousands of
    groups with thousands of rules each would take Protego minutes.
    """
    text = body[:MAX_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    lines = "\n".join(line[:_MAX_LINE] for line in text.splitlines())

    def relevant(match: re.Match[str]) -> str:
        name = match[2].partition("#")[0].replace("*", "").strip().lower()
        ours = not name or any(name in token.lower() for token in tokens)
        return match[0] if ours else f"{match[1]} another-program"

    return Protego.parse(_AGENT_LINE.sub(relevant, lines))
