"""Markdown files; `title`, `url`, `lang`, `date` and `author` of a front matter are read. One without text is a
source of its title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from contentgen_adapters.shared.parsing.decoding import decode
from contentgen_adapters.shared.parsing.format import FileFormat, one_line, source, stated_date, without_tags
from contentgen_core.ports.documents import SourceText

_FRONT_MATTER: Final = re.compile(r"\A\s*(---|\+\+\+)[ \t]*\n(.{0,20000}?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD: Final = re.compile(r"^([A-Za-z_]+)\s*[:=][ \t]*(.*?)[ \t]*$", re.MULTILINE)
_AUTHORS: Final = re.compile(
    r"^authors?[ \t]*[:=][ \t]*(.*?)[ \t]*$((?:\n(?:[ \t]+|-|\]).*)*)", re.MULTILINE | re.IGNORECASE
)
_LISTED: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|[^\s,\[\]{}\"'][^,\[\]{}\n]*")
_BELOW: Final = re.compile(r"^[ \t]*(?:-[ \t]+(?:name:[ \t]*)?|name:[ \t]*)(?!\w+:)(.*?)[ \t]*$", re.MULTILINE)


def _split_front_matter(text: str) -> tuple[str, str]:
    """A YAML or TOML front matter, and the text after it."""
    matter = _FRONT_MATTER.match(text)
    return (matter[2], text[matter.end() :]) if matter else ("", text)


def _unquote(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1].replace('\\"', '"') if value[0] == '"' else value[1:-1].replace("''", "'")
    return value


def _authors(matter: str) -> Iterator[str]:
    """Return the authors given after `author` or `authors`: on that line, in brackets, or as a list in the lines
    below.
    """
    for stated, below in _AUTHORS.findall(matter):
        if stated.startswith("["):
            yield from (_unquote(each.strip()) for each in _LISTED.findall(stated + below))
        else:
            yield from (_unquote(each) for each in (stated, *_BELOW.findall(below)))


def _read(path: Path, key: str) -> Iterator[SourceText]:
    matter, text = _split_front_matter(decode(path.read_bytes()))
    fields = {name.lower(): _unquote(value) for name, value in _FIELD.findall(matter)}  # of one line
    yield source(
        key,
        text.strip() or without_tags(one_line(fields.get("title"))),
        path.name,
        title=fields.get("title"),
        url=fields.get("url") or fields.get("canonical_url") or fields.get("source"),
        language=fields.get("lang") or fields.get("language"),
        published=stated_date(fields.get("date") or fields.get("published")),
        authors=_authors(matter),
    )


FORMAT = FileFormat(
    label="Markdown",
    suffixes=(".md", ".markdown", ".mdown", ".mkd"),
    media_type="text/markdown",
    read=_read,
    contents="its text; `title`, `url`, `lang`, `date` and `author` of a front matter",
)
