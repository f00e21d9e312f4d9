"""A Search Console of a few properties."""

from __future__ import annotations

import json
from collections.abc import Sequence

from attrs import define, field

from contentgen_core.errors import InvalidInput
from contentgen_core.model.search_report import Period, SearchFigures
from contentgen_core.ports.search_console import ConsoleRefused


@define
class MemorySearchConsole:
    """`sites`: for each property its figures by period; others are not shared with anybody."""

    sites: dict[str, dict[Period, Sequence[SearchFigures]]] = field(factory=dict)

    def client_email(self, account: str) -> str:
        try:
            email: str = json.loads(account)["client_email"]
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidInput.of("serviceAccount", "is no key file of a service account") from error
        return email

    async def figures(self, account: str, site: str, period: Period, limit: int) -> Sequence[SearchFigures]:
        if site not in self.sites:
            raise ConsoleRefused("Search Console", f"does not show {site} to the service account", retryable=False)
        return list(self.sites[site].get(period, ()))[:limit]
