"""Titles of files: what their names say as words, and what programs leave in their properties instead of a title."""

from __future__ import annotations

import os.path
import re
from typing import Final

_JOINTS: Final = re.compile(r"_+|(?<!\d)-+|-+(?!\d)")
"""What stands for a space in a name without any; hyphens within dates stay."""
_LEFTOVER: Final = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel|office)\b.*|untitled.*|unbenannt.*|sans[ -]titre.*|sin t[íi]tulo.*"
    r"|(?:document|dokument|documento|présentation|presentation|book|mappe|slide|folie) ?\d*"
    r"|powerpoint[ -](?:presentation|präsentation)|présentation powerpoint|presentaci[óo]n de powerpoint"
    r"|.*\.(?:docx?|pptx?|xlsx?|odt|rtf|indd|dvi|tex|pdf|txt|html?|md|pages))$",
    re.IGNORECASE,
)


def title_of_file(name: str) -> str:
    """The file's name without its ending, as words; the name itself where nothing is left."""
    stem = os.path.splitext(name)[0].strip()
    words = " ".join((stem.replace("_", " ") if " " in stem else _JOINTS.sub(" ", stem)).split())
    return f"{words[0].upper()}{words[1:]}" if words else name.strip()


def real_title(title: str) -> str:
    """The title; "" for what a program left in its place."""
    return "" if _LEFTOVER.match(title.strip()) else title
