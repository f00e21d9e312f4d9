"""The declaration of a file type, and functions shared by the readers of several types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date
from enum import Enum, auto
from pathlib import Path
from typing import Final

from attrs import frozen

from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import BlockKind, plain_blocks
from contentgen_core.errors import UnreadableFile
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.authors import author_of
from contentgen_core.policies.text.file_titles import real_title, title_of_file
from contentgen_core.policies.text.storable import NUL
from contentgen_core.ports.documents import FileType, SourceText

MAX_FILE_BYTES: Final = 100_000_000
MAX_TITLE: Final = 300

_TITLE_WITHIN: Final = 20_000  # characters of a text that are looked through for its first heading
_HEADING_MARK: Final = re.compile(r"^[ >*+-]{0,9}(?:#|=|-)", re.MULTILINE)
_TAG_LIKE: Final = re.compile(r"<(?=[A-Za-z/!?])")
_SUPPORTED: Final = frozenset(language.value for language in Language)
_NORWEGIAN: Final = frozenset({"nb", "nn"})


class Storage(Enum):
    """How a file of a type is stored."""

    TEXT = auto()
    BINARY = auto()
    ZIP = auto()
    """A ZIP archive, as of office programs: its reader finds out whether it is of the type that its name says."""


@frozen(kw_only=True)
class FileFormat(FileType):
    """The declaration of a file type, from which all that names file types is made, with its reader.

    `read(path, key)`: the sources of a file; `key` is its stable name. Raises UnreadableFile. `sniff(head)`: whether a
    file that begins with these bytes (4 KiB) is of this type.
    """

    read: Callable[[Path, str], Iterator[SourceText]]
    sniff: Callable[[bytes], bool] = lambda head: False
    storage: Storage = Storage.TEXT
    max_bytes: int = MAX_FILE_BYTES


def source(
    key: str,
    text: str,
    fallback: str,
    *,
    title: str | None = None,
    url: str | None = None,
    language: str | None = None,
    published: date | None = None,
    authors: Iterable[str | None] = (),
) -> SourceText:
    """Return a source with checked metadata.

    `key`: its stable key, unless it has an address. `fallback`: the file's name, whose words are the title where
    neither `title` nor the text's first heading gives one. `url`: dropped unless http(s). `language`: a BCP 47 tag,
    dropped unless supported. `published`: the date that it states. `authors`: that it states; texts that are not names
    are dropped.
    """
    address = web_address(url)
    given = real_title(one_line(title)) or real_title(one_line(_first_heading(text)))
    name = given or one_line(title_of_file(fallback)) or "Untitled"
    clean = text.replace(NUL, "").strip()
    return SourceText(
        address or key,
        name,
        clean,
        address,
        known_language(language),
        published,
        author=author_of(*authors),
    )


def _first_heading(text: str) -> str:
    if not _HEADING_MARK.search(text, 0, _TITLE_WITHIN):
        return ""  # most texts without a title have no heading either: skip the parser
    blocks = plain_blocks(text[:_TITLE_WITHIN])
    return next((block.text for block in blocks if block.kind is BlockKind.HEADING), "")


def one_line(text: str | None) -> str:
    """A title on one line, of at most MAX_TITLE characters."""
    return " ".join((text or "").replace(NUL, " ").split())[:MAX_TITLE].rstrip()


def stated_date(text: str | None) -> date | None:
    """The day of a date or time in ISO 8601; None for anything else."""
    with suppress(ValueError):
        return date.fromisoformat((text or "").strip()[:10])
    return None


def stated_names(*values: object) -> Iterator[str]:
    """The names in decoded JSON of schema.org's shape: a text, an object with a `name`, or a list of these."""
    for value in values:
        for each in value if isinstance(value, list) else (value,):
            name = each.get("name") if isinstance(each, dict) else each
            if isinstance(name, str):
                yield name


def known_language(tag: str | None) -> Language | None:
    """The language of a BCP 47 tag (`fr-CA`, `nb_NO`); None unless supported."""
    primary = re.split("[-_]", (tag or "").strip().lower())[0]
    primary = "no" if primary in _NORWEGIAN else primary
    return Language(primary) if primary in _SUPPORTED else None


def without_tags(text: str) -> str:
    """Plain text as Markdown, with angle brackets (`List<String>`) escaped so that they are not HTML tags."""
    return _TAG_LIKE.sub(r"\\<", text)


def unreadable(path: Path, why: str) -> UnreadableFile:
    """The error for a file; `why` completes "path: …"."""
    return UnreadableFile(f"{path}: {why}")
