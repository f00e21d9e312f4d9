"""What a model can be given of a text."""

from __future__ import annotations

from typing import Final

_BLANK: Final = "-"  # many services refuse a text of white space; this says as little


def bounded(text: str, most: int) -> str:
    """The first `most` characters; a lone surrogate, which has no UTF-8, becomes a question mark."""
    cut = text[:most]
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode("utf-8")


def sendable(text: str, most: int) -> str:
    """What a service is sent of a text: as `bounded`, and never blank."""
    cut = bounded(text, most)
    return cut if cut.strip() else _BLANK
