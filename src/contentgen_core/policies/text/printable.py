"""Untrusted texts where only characters that show are allowed: in XML, and on a terminal."""

from __future__ import annotations

import re
from typing import Final

_UNPRINTABLE: Final = re.compile(
    r"[^\t\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u007f-\u009f\u202a-\u202e\u2066-\u2069]"
)


def printable(text: str) -> str:
    """Return the text in one line, without characters that XML does not allow, that control a terminal or that turn the
    direction of writing."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())
