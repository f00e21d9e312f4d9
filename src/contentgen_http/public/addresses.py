"""Content negotiation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from litestar import Request
from msgspec import UNSET, UnsetType

_PAGES: Final = frozenset({"text/html", "application/xhtml+xml"})
_MAX_ACCEPT: Final = 1_000  # characters
_WEIGHT: Final = re.compile(r"(?:^|;)\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)", re.IGNORECASE)


def accept_header(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Return the Accept header."""
    return ",".join([value.decode("latin-1") for name, value in headers if name == b"accept"])


def asks_for_page(request: Request[Any, Any, Any], format: str | UnsetType) -> bool:
    """Whether a page is the answer: by the parameter `format`, else by what Accept prefers."""
    return format == "html" or (format is UNSET and wants_page(accept_header(request.scope["headers"])))


def wants_page(accept: str) -> bool:
    """Whether an Accept header (RFC 9110, 12.5.1) names HTML with at least the weight of JSON, as browsers do. Clients
    that accept anything get JSON."""
    if "html" not in accept.lower():
        return False
    weights = {"page": 0.0, "json": 0.0}
    for part in accept[:_MAX_ACCEPT].split(","):
        media, _, parameters = part.partition(";")
        named = media.strip().lower()
        kind = "page" if named in _PAGES else "json" if named == "application/json" else None
        if kind:
            found = _WEIGHT.search(parameters)
            weights[kind] = max(weights[kind], float(found[1]) if found else 1.0)
    return weights["page"] > 0 and weights["page"] >= weights["json"]
