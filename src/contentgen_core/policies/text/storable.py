"""What every store takes of a text: PostgreSQL has no place for NUL, UTF-8 none for half of a surrogate pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

NUL: Final = "\0"
NUL_FAULT: Final = "must not contain NUL characters"


def is_storable(text: str) -> bool:
    """Whether every store takes it."""
    if NUL in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def fits(text: str, most: int, least: int = 0) -> bool:
    """Whether it has at least and at most so many characters, and no NUL among them."""
    return least <= len(text) <= most and NUL not in text


def nul_paths(value: object, path: str = "") -> Iterator[str]:
    """Where in decoded JSON a text has a NUL (`plan.sections[2].heading`). `path`: of the value itself."""
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
