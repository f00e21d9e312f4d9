"""Texts as models accept them."""

from __future__ import annotations

from typing import Final

_BLANK: Final = "-"  # in place of a blank text, which many services refuse


def bounded(text: str, most: int) -> str:
    """The first `most` characters, with a question mark for lone surrogates, which UTF-8 cannot encode."""
    cut = text[:most]
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode("utf-8")


def sendable(text: str, most: int) -> str:
    """As `bounded`, and `-` in place of a blank text."""
    cut = bounded(text, most)
    return cut if cut.strip() else _BLANK
