"""Plural forms in messages."""

from __future__ import annotations


def pluralize(n: int, noun: str) -> str:
    """`1 source`, `2 sources`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
