"""Slugs of public articles, which are unique on the platform."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count


def free_slug(wanted: str, taken: Collection[str | None]) -> str:
    """`wanted`, with the first number from 2 on appended that makes it differ from all taken ones if need be."""
    if wanted not in taken:
        return wanted
    return next(slug for number in count(2) if (slug := f"{wanted}-{number}") not in taken)
