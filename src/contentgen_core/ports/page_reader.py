"""Reading pages of the web: their main text, with nothing of what surrounds it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Protocol

from attrs import frozen


@frozen
class WebPage:
    """A page as read. `url`: the address after redirects, without tracking parameters; `text`: its main text as
    Markdown; `published`: the date the page itself gives."""

    url: str
    title: str
    text: str
    fetched_at: datetime
    published: date | None = None


class PageReader(Protocol):
    def fault_of(self, url: str) -> str | None:
        """Why an address can never be read (no http(s), no host, a literal private address), for a person; None when
        only trying tells. Looks nothing up."""
        ...

    async def read(self, url: str) -> WebPage:
        """Raises PageUnreadable, which says why and whether a later attempt may succeed."""
        ...
