"""What a model can be given of a text."""

from __future__ import annotations


def bounded(text: str, most: int) -> str:
    """The first `most` characters; a lone surrogate, which has no UTF-8, becomes a question mark."""
    cut = text[:most]
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode("utf-8")
