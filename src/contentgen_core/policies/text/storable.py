"""Texts that every store accepts: PostgreSQL rejects NUL, UTF-8 has no form for half of a surrogate pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

NUL: Final = "\0"
NUL_FAULT: Final = "must not contain NUL characters"


def is_storable(text: str) -> bool:
    """Whether every store accepts the text."""
    if NUL in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def fits(text: str, max_length: int, min_length: int = 0) -> bool:
    """Whether the text has `min_length` to `max_length` characters, none of them NUL."""
    return min_length <= len(text) <= max_length and NUL not in text


def nul_paths(value: object, path: str = "") -> Iterator[str]:
    """The paths of texts with a NUL in decoded JSON (`plan.sections[2].heading`). `path`: that of the value itself."""
    match value:
        case str():
            if NUL in value:
                yield path
        case list():
            for i, item in enumerate(value):
                yield from nul_paths(item, f"{path}[{i}]")
        case Mapping():
            for name, item in value.items():
                yield from nul_paths(item, f"{path}.{name}" if path else name)
