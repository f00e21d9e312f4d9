"""A list of web pages."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from typing import Final
from urllib.parse import urljoin

from attrs import frozen

from contentgen_core.model.synced_source import MAX_KEY, ListedItem, SkipReason, SyncedSource
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.page_reader import PageReader, PageUnchanged, WebPage
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, ItemText, ItemUnchanged

MAX_ADDRESSES: Final = 200
UNLIKELY: Final = 12
"""Random bytes of an address that no page has."""
_SKIPPED: Final = {
    PageFault.ROBOTS: SkipReason.REFUSED,
    PageFault.REFUSED: SkipReason.REFUSED,
    PageFault.TOO_LARGE: SkipReason.TOO_LARGE,
    PageFault.TYPE: SkipReason.UNSUPPORTED,
    PageFault.SCAN: SkipReason.SCAN,
    PageFault.EMPTY: SkipReason.EMPTY,
}


@frozen
class PagesReader:
    """Reads one page after the other, with the manners of the page reader: robots.txt, size, time."""

    pages: PageReader

    def fault_of(self, source: SyncedSource) -> str | None:
        addresses = _addresses(source)
        if not 1 <= len(addresses) <= MAX_ADDRESSES:
            return f"needs 1 to {MAX_ADDRESSES} addresses, one a line"
        if any(len(address) > MAX_KEY for address in addresses):
            return f"needs addresses of at most {MAX_KEY} characters"
        faults = ((address, self.pages.fault_of(address)) for address in addresses)
        return next((f"{address}: {fault}" for address, fault in faults if fault is not None), None)

    async def items(self, source: SyncedSource) -> AsyncIterator[Sequence[ListedItem]]:
        yield [ListedItem(address, None) for address in _addresses(source)]

    async def read(self, source: SyncedSource, key: str, known: str | None = None) -> ItemText:
        try:
            page = await self.pages.read(key, source.tenant_id, known)
        except PageUnchanged as error:
            raise ItemUnchanged from error
        except PageUnreadable as error:
            if error.reason is PageFault.GONE:
                raise ItemGone from error
            raise ItemSkipped(_SKIPPED.get(error.reason, SkipReason.UNREADABLE)) from error
        return ItemText(_text(page, key), page.version, page.size)

    async def moved_to(self, source: SyncedSource, key: str) -> str | None:
        try:
            return await self.pages.moved_to(key)
        except PageUnreadable:
            return None

    async def error_page(self, source: SyncedSource, key: str) -> SourceText | None:
        nowhere = urljoin(key, f"/{secrets.token_hex(UNLIKELY)}")
        try:
            return _text(await self.pages.read(nowhere, source.tenant_id), nowhere)
        except PageUnreadable:
            return None


def _text(page: WebPage, key: str) -> SourceText:
    return SourceText(
        key,
        page.title or key,
        page.text,
        url=page.url,
        published=page.published,
        fetched_at=page.fetched_at,
        author=page.author,
    )


def _addresses(source: SyncedSource) -> list[str]:
    return list(dict.fromkeys(line.strip() for line in source.place.splitlines() if line.strip()))
