"""Text and addresses of others as Markdown has to have them."""

from __future__ import annotations

import re
from typing import Final

from contentgen_adapters.shared.text.addresses import web_address

_CITATION: Final = r"\[\d{1,3}\](?![(:\[])"
_SPECIAL: Final = re.compile(
    rf"({_CITATION})|\\(?=[!-/:-@\[-`{{-~])|[`*\[\]]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|~(?=~)|(?<=~)~"
)
_AT_LINE_START: Final = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|-(?=-)|=+\s*$|(\d{1,9})([.)])(?=\s|$))")


def escape_line(text: str) -> str:
    """Escape a line of text so that Markdown shows it unchanged; a citation `[n]` remains a citation."""
    text = " ".join(re.split(r"[ \t\r\n]+", text))
    text = _SPECIAL.sub(lambda m: m[1] or f"\\{m[0]}", text)
    return _AT_LINE_START.sub(lambda m: f"{m[1]}{m[3]}\\{m[4]}" if m[3] else f"{m[1]}\\{m[2]}", text)


def address(url: str | None) -> str | None:
    """Escape an address for the brackets of a link; None unless it is an address of http, https or mailto."""
    candidate = re.sub(r"\s", "%20", (url or "").strip())
    if not (web_address(candidate) or re.fullmatch(r"mailto:[^\s<>\"]{3,320}", candidate, re.IGNORECASE)):
        return None
    for character in "()\\<>":
        candidate = candidate.replace(character, f"%{ord(character):02X}")
    return re.sub(r"&(?=#?\w+;)", "&amp;", candidate)
