"""Removes what a reader of a page cannot see, so that hidden text does not become a source.

Style sheets are not evaluated: text hidden by a class is kept, since tabs and collapsed sections use classes too.
"""

from __future__ import annotations

import re
from typing import Any, Final

_HIDDEN_TAGS: Final = ("template", "noscript", "script", "style")
_HIDING_STYLE: Final = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|content-visibility:hidden|opacity:0(?:\.0+)?(?![.\d])"
    r"|(?:font-size|max-height|max-width):0(?:\.0+)?(?![.\d])|(?:text-indent|left|right|top|bottom|margin-left):-\d{3,}"
    r"|clip:rect\(0|clip-path:inset\((?:50|100)%|(?<![-\w])color:transparent"
)
_FOR_SCREEN_READERS: Final = frozenset({"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"})
_NEVER: Final = frozenset({"html", "body", "head"})
_MAX_STYLE: Final = 2_000  # characters of an attribute that are looked at

# Default_Ignorable_Code_Point of Unicode without joiners and variation selectors, which spelling needs: zero-width and
# soft characters, directional marks and overrides, fillers, interlinear marks, tags. And controls but tab and line
# feed.
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
    "\U000e01f0-\U000e0fff]"
)
_JOINERS: Final = "\u200c\u200d"  # Persian and Hindi spelling, composed emoji
_SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# A single one after a character has a meaning; runs of them, and those after a space, can only hide a message.
_RUN: Final = re.compile(f"([{_JOINERS}{_SELECTORS}])[{_JOINERS}{_SELECTORS}]+")
_LOOSE: Final = re.compile(f"(?:(?<=\\s)|\\A)[{_JOINERS}{_SELECTORS}]")
_EMOJI_RUN: Final = re.compile("\ufe0f\u200d")


def drop_hidden(tree: Any) -> None:
    """Removes hidden elements from a tree of lxml.html; the text after them is kept."""
    for element in [element for element in tree.iter() if _is_hidden(element)]:
        if element.getparent() is not None:
            element.drop_tree()


def _is_hidden(element: Any) -> bool:
    if element.tag in _NEVER or not isinstance(element.tag, str):
        return False
    if element.tag in _HIDDEN_TAGS or (element.tag == "dialog" and "open" not in element.attrib):
        return True
    found = element.attrib
    if not found:
        return False
    if found.get("aria-hidden", "").strip().lower() == "true" or found.get("hidden", "until-found") != "until-found":
        return True
    if not _FOR_SCREEN_READERS.isdisjoint(found.get("class", "")[:_MAX_STYLE].lower().split()):
        return True
    style = found.get("style", "")[:_MAX_STYLE]
    return bool(style) and _HIDING_STYLE.search("".join(style.lower().split())) is not None


def without_invisible(text: str) -> str:
    """A text without invisible characters; joiners and variation selectors are kept where spelling needs them."""
    seen = _INVISIBLE.sub("", text)
    # A variation selector followed by a joiner is part of an emoji: kept as a pair.
    pairs = _EMOJI_RUN.sub("\u0000", seen)
    return _LOOSE.sub("", _RUN.sub(r"\1", pairs).replace("\u0000", "\ufe0f\u200d"))
