"""A web of a few pages that does what a test tells it: it is searched and read, and counts both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date

from contentgen_core.model.ids import TenantId
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.ports.page_reader import WebPage
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.web_search import CitedStatement, WebFindings, WebQuery, WebResult

PAGES = {
    "https://web.example.org/noise": (
        "Noise of heat pumps",
        "The noise of a heat pump comes from its fan and its compressor. In terraced houses the noise limits at the "
        "neighbour's window are what decides where the outdoor unit may stand.\n\nA heat pump with a noise level of "
        "50 decibels at one metre is heard at 38 decibels four metres away. Terraced houses need quiet units.",
    ),
    "https://web.example.org/limits": (
        "Noise limits at night",
        "At night the noise limits for heat pumps are 35 decibels in purely residential areas. Night mode lowers the "
        "speed of the fan and so the noise of the heat pump.\n\nTerraced houses share walls, so vibrations of a heat "
        "pump carry over to the neighbours unless the noise is kept from the wall by rubber feet.",
    ),
    "https://web.example.org/siting": (
        "Where to put the outdoor unit",
        "The outdoor unit of a heat pump should not stand in a corner of terraced houses, since two walls reflect its "
        "noise and raise it by six decibels.\n\nA hedge does not lower the noise of a heat pump measurably; a wall "
        "does, and distance does. Noise limits are checked at the nearest window of the neighbours.",
    ),
}


class ScriptedWeb:
    """Both ports at once. `before` runs ahead of every call with what is asked for (`search`, or an address) and may
    raise."""

    provider = "scripted"

    def __init__(self, clock: Clock, pages: dict[str, tuple[str, str]] | None = None) -> None:
        self.clock = clock
        self.pages = dict(PAGES if pages is None else pages)
        self.statements: tuple[CitedStatement, ...] = ()
        self.queries: list[WebQuery] = []
        self.reads: Counter[str] = Counter()
        self.before: Callable[[str], None] = lambda what: None

    async def search(self, query: WebQuery) -> WebFindings:
        self.before("search")
        self.queries.append(query)
        results = tuple(WebResult(url, title) for url, (title, _) in self.pages.items())
        return WebFindings(self.provider, results[: query.limit], self.statements)

    def fault_of(self, url: str) -> str | None:
        return None if url.startswith(("http://", "https://")) else "must be an http or https address"

    async def moved_to(self, url: str) -> str | None:
        return None

    async def read(self, url: str, tenant_id: TenantId | None = None, known: str | None = None) -> WebPage:
        self.before(url)
        self.reads[url] += 1
        if url not in self.pages:
            raise PageUnreadable(url, PageFault.GONE, "there is no such page")
        title, text = self.pages[url]
        if not text:
            raise PageUnreadable(url, PageFault.EMPTY, "there is no text on it")
        return WebPage(url, title, text, self.clock.now(), date(2026, 1, 2), "Ada Ohm")
