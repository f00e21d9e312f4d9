"""Telling search engines which pages changed (https://www.indexnow.org/documentation)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.index_now import IndexNowSite


class IndexNow(Protocol):
    async def submit(self, site: IndexNowSite, addresses: Sequence[str]) -> None:
        """Submit pages of a site, MAX_AT_ONCE at most. That they are taken does not say that they are indexed. Raises
        ProviderFailed."""
        ...
