"""Secrets kept out of messages: other services repeat what they were sent."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import httpx

_MASK: Final = "***"
_SECRET_HEADER: Final = re.compile(r"auth|key|token|secret|cookie", re.IGNORECASE)
_SHORTEST_WORD: Final = 8  # characters; `Bearer` and `Basic` are no secrets


def mask(text: str, secrets: Iterable[str]) -> str:
    """Replace each of the secrets in the text by `***`, even if one is part of another."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, _MASK)
    return text


def secrets_of(request: httpx.Request) -> set[str]:
    """The values of a request's headers that may be secret, as a whole and word by word."""
    values = [value for name, value in request.headers.items() if _SECRET_HEADER.search(name)]
    return {word for value in values for word in (value, *value.split()) if len(word) >= _SHORTEST_WORD}
