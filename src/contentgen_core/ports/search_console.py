"""Reading the figures of a site from Google's Search Console."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.search_report import Period, SearchFigures


class ConsoleRefused(ProviderFailed):
    """The service account is not known any more, its key was revoked, or the property is not shared with it."""


class SearchConsoleReader(Protocol):
    """`account`: the key file of a service account, as JSON."""

    def client_email(self, account: str) -> str:
        """The address that the property has to be shared with. Raises InvalidInput for the field `serviceAccount`
        unless this is the key file of a service account."""
        ...

    async def figures(self, account: str, site: str, period: Period, limit: int) -> Sequence[SearchFigures]:
        """The figures of queries and pages in a period, the most clicked ones first, each pair once. Raises
        ConsoleRefused, ProviderFailed."""
        ...
