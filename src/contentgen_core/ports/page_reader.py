"""Reading the main text of web pages."""

from __future__ import annotations

from datetime import date, datetime
from typing import Protocol

from attrs import frozen

from contentgen_core.model.ids import TenantId


@frozen
class WebPage:
    """A page. `url`: its address after redirects, without tracking parameters; `text`: its main text as Markdown;
    `published`: the date that it states; `author`: who it says wrote it; `version`: names this version of it, if the
    site has a name for it; `size`: bytes of its body."""

    url: str
    title: str
    text: str
    fetched_at: datetime
    published: date | None = None
    author: str | None = None
    version: str | None = None
    size: int = 0


class PageUnchanged(Exception):
    """A page is still the version that was named."""


class PageReader(Protocol):
    """Reads web pages within the limits that robots.txt, size, time and network allow."""

    def fault_of(self, url: str) -> str | None:
        """Explain, for a person, why an address can never be read (no http(s), no host, a literal private address);
        None when that takes an attempt. Makes no network call."""
        ...

    async def read(self, url: str, tenant_id: TenantId | None = None, known: str | None = None) -> WebPage:
        """`tenant_id`: on whose behalf, so that no tenant's pages keep those of others waiting; None for the platform.
        `known`: the version at hand. Raises PageUnchanged if that is still the one; PageUnreadable, with the reason and
        whether a later attempt may succeed."""
        ...

    async def moved_to(self, url: str) -> str | None:
        """Return the address to which a page was moved for good: the last one that redirects with 301 or 308 lead to,
        without fragment and tracking parameters. None where the page is still at its address or redirects for the time
        being only. The page there is not read. Raises PageUnreadable."""
        ...
