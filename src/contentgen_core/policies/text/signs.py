"""Limit the share of Markdown signs in a text: parsing a sign costs some ten microseconds, a letter hardly any."""

from __future__ import annotations

from typing import Final

MAX_SIGNS: Final = 100_000
"""Of an article's text: more than any text of 500,000 characters that is written to be read."""
SIGNS_FAULT: Final = f"more than {MAX_SIGNS:,} line breaks and signs of Markdown: shorten it, or split it into articles"
_SIGNS: Final = "\n\r*_~[]()<>|`!&\\#=-"


def too_many_signs(text: str) -> bool:
    """Whether a text holds more than MAX_SIGNS line breaks and signs."""
    return sum(map(text.count, _SIGNS)) > MAX_SIGNS
