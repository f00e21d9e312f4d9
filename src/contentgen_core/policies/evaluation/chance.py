"""Choices that look random and are the same in every run with the same seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from heapq import nsmallest
from typing import TypeVar

T = TypeVar("T")


def place(seed: int, key: str) -> int:
    """Return the place of a key in an order that only the seed decides. A key that comes or goes changes no other's
    place, so that most of a sample stays when its source grows."""
    return int.from_bytes(hashlib.sha256(f"{seed} {key}".encode("utf-8", "surrogatepass")).digest()[:8])


def choose(items: Iterable[T], count: int, seed: int, key: Callable[[T], str]) -> list[T]:
    """Return at most `count` of the items, in the order of their places. Holds no more than these in memory."""
    return nsmallest(count, items, key=lambda item: (place(seed, key(item)), key(item)))
