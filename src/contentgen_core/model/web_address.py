"""Addresses of the web, as texts."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from contentgen_core.errors import InvalidInput

MAX_URL: Final = 2_048
"""In characters."""


def is_web_address(text: str) -> bool:
    """Whether the text is an http or https address of at most MAX_URL characters, without spaces and control
    characters."""
    if len(text) > MAX_URL or any(c.isspace() or not c.isprintable() for c in text):
        return False
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0


def check_web_address(text: str, field: str = "url") -> None:
    """Raises InvalidInput for `field` unless the text is an address of the web."""
    if not is_web_address(text):
        raise InvalidInput.of(field, "must be an http or https address")


def web_address_or_none(text: str | None) -> str | None:
    """The text if it is an address of the web, else None."""
    return text if text is not None and is_web_address(text) else None
