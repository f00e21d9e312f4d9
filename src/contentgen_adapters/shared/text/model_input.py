"""Texts as models accept them."""

from __future__ import annotations

from typing import Final

_BLANK: Final = "-"  # in place of a blank text, which many services refuse


def cut(text: str, most: int) -> str:
    """Return the first `most` characters, with a question mark for lone surrogates, which UTF-8 cannot encode."""
    cut = text[:most]
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode("utf-8")


def sendable(text: str, most: int) -> str:
    """Return the same as `cut`, and `-` for a blank text."""
    kept = cut(text, most)
    return kept if kept.strip() else _BLANK
