"""Whether two addresses are those of one page."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit


def page_key(address: str) -> str:
    """Equal for the same page, whether with `www.`, a slash at the end, or http. A path alone stands for itself."""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return address
    path = unquote(parts.path).rstrip("/")
    return f"{host}{path or '/'}" + (f"?{parts.query}" if parts.query else "")


def path_key(address: str) -> str:
    """The key of its path alone, for sources that name no host."""
    key = page_key(address)
    return key if key.startswith("/") else "/" + key.partition("/")[2]
