"""Listing and reading what a synced source holds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from contentgen_core.model.synced_source import ListedItem, SkipReason, SyncedSource
from contentgen_core.ports.documents import SourceText


class SourceUnavailable(Exception):
    """The source cannot be listed now: a folder that is not there, a site that does not answer. The text is for a
    person."""


class ItemSkipped(Exception):
    """An item cannot be read, or holds nothing to read."""

    def __init__(self, reason: SkipReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class ItemGone(Exception):
    """An item that was listed is not there: a page that does not exist, a file that was deleted since."""


class SourceReader(Protocol):
    """Reads synced sources of every kind."""

    def fault_of(self, source: SyncedSource) -> str | None:
        """Why this source can never be read: a folder that nobody has allowed, an address of no page; None if it can be
        tried."""
        ...

    def items(self, source: SyncedSource) -> AsyncIterator[Sequence[ListedItem]]:
        """What it holds now, in batches, each key once and of MAX_KEY characters at
        most; longer names are left out. Raises SourceUnavailable, which makes the batches before worth
        nothing for telling what is gone."""
        ...

    async def read(self, source: SyncedSource, key: str) -> SourceText:
        """An item that was listed. Its `source_key` is the key. Raises ItemSkipped, ItemGone, Unavailable."""
        ...
