"""Listing and reading what a synced source holds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from attrs import frozen

from contentgen_core.model.synced_source import LeftOut, ListedItem, SkipReason, SourceKindInfo, SyncedSource
from contentgen_core.ports.documents import SourceText


class SourceUnavailable(Exception):
    """The source cannot be listed now: a folder that is not there, a site that does not answer. The text is for a
    person."""


class ItemSkipped(Exception):
    """An item cannot be read, or holds nothing to read. `size`: bytes that were read to know that."""

    def __init__(self, reason: SkipReason, size: int = 0) -> None:
        super().__init__(reason.value)
        self.reason, self.size = reason, size


class ItemGone(Exception):
    """A listed item does not exist: a page that is not there, a file deleted since."""


class ItemUnchanged(Exception):
    """An item is still the version that was named."""


@frozen
class ItemText:
    """An item as read. `version`: what the source calls this version of it, if it has a name for it; `size`: bytes that
    were read."""

    text: SourceText
    version: str | None = None
    size: int = 0


class OpenSource(Protocol):
    """A source opened for reading."""

    def items(self) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        """Yield the source's present items in batches, each key once and of MAX_KEY characters at most; and what was
        left out. Raises SourceUnavailable and ProviderFailed, after which the batches so far do not tell which items
        are gone."""
        ...

    async def read(self, key: str, known: str | None = None) -> ItemText:
        """Read a listed item; the `source_key` of its text is the key. `known`: the stored version. Raises
        ItemUnchanged, ItemSkipped, ItemGone, and SourceUnavailable, ProviderFailed, Unavailable where no other item can
        be read now either."""
        ...

    async def moved_to(self, key: str) -> str | None:
        """Return the key under which an item is found now that is not listed any more, if the source says so: of a page
        the address that it redirects to for good (301, 308). None where the source does not say."""
        ...

    async def error_page(self, key: str) -> SourceText | None:
        """Return what the site of this page shows for an address that no page has; None where it says properly that
        there is none, cannot be asked, or items have no addresses. `url` is the address of what it shows."""
        ...


class WithoutAddresses:
    """The part of `OpenSource` that only sources of web pages have something to say to."""

    async def moved_to(self, key: str) -> str | None:
        return None

    async def error_page(self, key: str) -> SourceText | None:
        return None


class SourceReader(Protocol):
    """Reads synced sources of every kind."""

    def kinds(self) -> Sequence[SourceKindInfo]:
        """Return the kinds of sources that can be followed here."""
        ...

    def fault_of(self, source: SyncedSource) -> str | None:
        """Explain why a source with this location can never be read: a folder that is not allowed, an address of no
        page; None if it can be tried."""
        ...

    def open(self, source: SyncedSource, secrets: Mapping[str, Any]) -> AbstractAsyncContextManager[OpenSource]:
        """A source, for the duration of the block. `secrets`: its secret settings. Entering raises SourceUnavailable,
        ProviderFailed."""
        ...
