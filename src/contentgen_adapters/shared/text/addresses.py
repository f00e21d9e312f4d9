"""Web addresses that come from files, pages and articles."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

MAX_URL: Final = 2_000  # characters

_NOT_IN_A_URL: Final = re.compile(r"[\s\x00-\x1f<>\"\ud800-\udfff]")


def web_address(url: str | None) -> str | None:
    """The text if it is an absolute http(s) address of at most MAX_URL characters, else None."""
    candidate = (url or "").strip()
    if len(candidate) > MAX_URL or _NOT_IN_A_URL.search(candidate):
        return None
    try:
        parts = urlsplit(candidate)
    except ValueError:
        return None
    return candidate if parts.scheme.lower() in {"http", "https"} and parts.hostname else None
