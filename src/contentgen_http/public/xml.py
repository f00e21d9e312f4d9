"""Texts in XML."""

from __future__ import annotations

import re
from html import escape
from typing import Final

_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """The text escaped for XML, without characters that XML does not allow."""
    return escape(_NOT_IN_XML.sub("", text))
