"""Titles of files: what their names say as words, and what programs leave in their properties instead of a title."""

from __future__ import annotations

import re
from typing import Final

_ENDINGS: Final = (
    r"\.(?:docx?|pptx?|xlsx?|od[tsp]|rtf|indd|dvi|tex|pdf|txt|html?|xhtml|md|markdown|mdown|mkd|pages|csv|tsv|jsonl?|ndjson"
    r"|xml|epub|jpe?g|png|gif|tiff?|tar|gz|zip)"
)
_ENDING: Final = re.compile(rf"(?<=.){_ENDINGS}$", re.IGNORECASE)
_ANY_ENDING: Final = re.compile(r"(?<=.)\.[A-Za-z][A-Za-z0-9]{0,8}$")
_JOINTS: Final = re.compile(r"_+|(?<!\d)-+|-+(?!\d)|(?<!\d)\.+|\.+(?!\d)")
"""What stands for a space in a name without any; hyphens within dates and dots within numbers stay."""
_LEFTOVER: Final = re.compile(
    r"(?:microsoft (?:word|powerpoint|excel) - .*"
    r"|(?:untitled|unbenannt|sans[ -]titre|sin t[íi]tulo|senza titolo|sem t[íi]tulo)"
    r"(?:[ -]?(?:document|dokument|documento|presentation|page))?[ -]?\d*"
    r"|(?:document|dokument|documento|presentation|präsentation|présentation|presentación|book|mappe|slide|folie) ?\d+"
    r"|powerpoint[ -](?:presentation|präsentation)|présentation powerpoint|presentaci[óo]n de powerpoint"
    rf"|.*{_ENDINGS})",
    re.IGNORECASE,
)


def title_of_file(name: str) -> str:
    """The file's name without its endings, as words; the name itself where nothing is left."""
    stem = _ANY_ENDING.sub("", name.strip())
    while (shorter := _ENDING.sub("", stem)) != stem:
        stem = shorter
    words = " ".join((stem.replace("_", " ") if " " in stem else _JOINTS.sub(" ", stem)).split())
    return f"{words[0].upper()}{words[1:]}" if words else name.strip()


def real_title(title: str) -> str:
    """The title; "" for what a program left in its place."""
    return "" if _LEFTOVER.fullmatch(title.strip()) else title
