"""Read the full texts of new sources, a bounded number at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from contentgen_core.model.trend import MAX_CONTENT, Trend, TrendSlug, TrendText
from contentgen_core.page_errors import PageUnreadable
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

PAGES: Final = 20
"""Read for a niche in one refresh."""
PAGES_OF_A_TREND: Final = 3
AT_ONCE: Final = 4
READING_SECONDS: Final = 45.0
RETRY_FOR: Final = timedelta(hours=6)
"""How long after it was found a source is tried again that could not be read."""


@use_case
class ReadTexts:
    unit_of_work: UnitOfWork
    reader: PageReader
    clock: Clock

    async def __call__(self, trends: Sequence[Trend], given: Mapping[str, str]) -> int:
        """Read and store the texts of sources found lately, of the trends with the highest scores first. `given`: texts
        that are known already, by address. Returns how many were stored. A page that cannot be read is skipped."""
        slots, left, stored = asyncio.Semaphore(AT_ONCE), PAGES, 0
        for trend in sorted(trends, key=lambda trend: (-trend.score, trend.slug)):
            missing = await self._missing_addresses(trend)
            texts = [TrendText(url, given[url][:MAX_CONTENT]) for url in missing if url in given]
            to_read = [url for url in missing if url not in given][: min(left, PAGES_OF_A_TREND)]
            left -= len(to_read)
            read = await asyncio.gather(*(self._read(url, slots) for url in to_read))
            stored += await self._store(trend.slug, [*texts, *(text for text in read if text is not None)])
        return stored

    async def _missing_addresses(self, trend: Trend) -> list[str]:
        """Return the addresses of recently found sources whose texts are not stored."""
        lately = self.clock.now() - RETRY_FOR
        urls = [source.url for source in trend.sources if source.found_at >= lately]
        if not urls:
            return []
        async with self.unit_of_work() as tx:
            stored_texts = await tx[Trends].texts(trend.slug)
        return [url for url in urls if url not in stored_texts]

    async def _read(self, url: str, slots: asyncio.Semaphore) -> TrendText | None:
        try:
            async with slots, asyncio.timeout(READING_SECONDS):
                page = await self.reader.read(url)
        except (PageUnreadable, TimeoutError):
            return None
        return TrendText(url, page.text[:MAX_CONTENT])

    async def _store(self, slug: TrendSlug, texts: Sequence[TrendText]) -> int:
        if texts:
            async with self.unit_of_work() as tx:
                await tx[Trends].save_texts(slug, texts)
        return len(texts)
