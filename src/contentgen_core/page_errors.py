"""The errors of reading a web page."""

from __future__ import annotations

from enum import StrEnum

from contentgen_core.errors import ContentgenError


class PageFault(StrEnum):
    """Why a page was not read."""

    ADDRESS = "address"  # no http(s) address, or one that leads nowhere or into a private network
    ROBOTS = "robots"  # the site asks not to be read
    GONE = "gone"
    REFUSED = "refused"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    TYPE = "type"  # neither a page nor a PDF
    SCAN = "scan"  # a PDF of pictures of pages
    EMPTY = "empty"  # no text of its own: a consent wall, a script, a list of links
    FAILED = "failed"


class PageUnreadable(ContentgenError):
    """A web page was not or could not be read. `retryable`: a later attempt may succeed."""

    code = "page_unreadable"

    def __init__(self, url: str, reason: PageFault, message: str, *, retryable: bool = False) -> None:
        super().__init__(f"{url}: {message}")
        self.url, self.reason, self.retryable = url, reason, retryable
