"""Which of several forms an Accept header asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_MAX_ACCEPT: Final = 1_000  # characters


def preferred(accept: str, offered: Sequence[str]) -> str:
    """The media type with the highest weight in an Accept header (RFC 9110, 12.5.1). The first that is offered is
    preferred among equal weights, and the default."""
    best, weight = offered[0], 0.0
    for part in accept[:_MAX_ACCEPT].split(","):
        media, _, parameters = part.partition(";")
        asked, q = media.strip().lower(), _weight(parameters)
        if asked in offered and (q > weight or (q == weight and asked == offered[0])):
            best, weight = asked, q
    return best


def _weight(parameters: str) -> float:
    found = re.search(r"(?:^|;)\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*(?:;|$)", parameters, re.IGNORECASE)
    return float(found[1]) if found else 1.0
