"""Markdown files; `title`, `url`, `lang` and `date` of a front matter are read. One without text is a source of its
title."""

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


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """The one-line fields of a YAML or TOML front matter, by their lower-case key, and the text after it."""
    matter = _FRONT_MATTER.match(text)
    if not matter:
        return {}, text
    fields = {key.lower(): _unquoted(value) for key, value in _FIELD.findall(matter[2])}
    return fields, text[matter.end() :]


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1].replace('\\"', '"') if value[0] == '"' else value[1:-1].replace("''", "'")
    return value


def _read(path: Path, key: str) -> Iterator[SourceText]:
    fields, text = split_front_matter(decode(path.read_bytes()))
    yield source(
        key,
        text.strip() or without_tags(one_line(fields.get("title"))),
        path.name,
        title=fields.get("title"),
        url=fields.get("url") or fields.get("canonical_url") or fields.get("source"),
        language=fields.get("lang") or fields.get("language"),
        published=stated_date(fields.get("date") or fields.get("published")),
    )


FORMAT = FileFormat("Markdown", frozenset({".md", ".markdown", ".mdown", ".mkd"}), _read)
