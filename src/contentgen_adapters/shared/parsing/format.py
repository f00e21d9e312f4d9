"""What a file type declares, and what the readers of several types share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import BlockKind, plain_blocks
from contentgen_core.errors import UnreadableFile
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText

MAX_FILE_BYTES: Final = 100_000_000
MAX_TITLE: Final = 300

_TITLE_WITHIN: Final = 20_000  # characters of a text that are looked through for its first heading
_HEADING_MARK: Final = re.compile(r"^[ >*+-]{0,9}(?:#|=|-)", re.MULTILINE)
_TAG_LIKE: Final = re.compile(r"<(?=[A-Za-z/!?])")
_SUPPORTED: Final = frozenset(language.value for language in Language)
_NORWEGIAN: Final = frozenset({"nb", "nn"})


@frozen
class FileFormat:
    """A file type. `sniff` knows it by the first 4 KiB; `read` gives its sources, with `source_key` as given to it.

    `read(path, key)` raises UnreadableFile; `key` is the file's own stable name. `max_bytes` is checked before reading.
    """

    name: str
    suffixes: frozenset[str]
    read: Callable[[Path, str], Iterator[SourceText]]
    sniff: Callable[[bytes], bool] = lambda head: False
    max_bytes: int = MAX_FILE_BYTES


def source(
    key: str, text: str, fallback: str, *, title: str | None = None, url: str | None = None, language: str | None = None
) -> SourceText:
    """A source with the house's rules: a title from the first heading or `fallback`, web addresses only, known
    languages only; the address, where there is one, is the stable key."""
    address = web_address(url)
    name = one_line(title) or one_line(_first_heading(text)) or one_line(fallback) or "Untitled"
    clean = text.replace("\x00", "").strip()  # no database takes NUL characters
    return SourceText(address or key, name, clean, address, known_language(language))


def _first_heading(text: str) -> str:
    if not _HEADING_MARK.search(text, 0, _TITLE_WITHIN):
        return ""  # most texts without a title have no heading either: they are spared the parser
    blocks = plain_blocks(text[:_TITLE_WITHIN])
    return next((block.text for block in blocks if block.kind is BlockKind.HEADING), "")


def one_line(text: str | None) -> str:
    """A title as one line of at most 300 characters."""
    return " ".join((text or "").replace("\x00", " ").split())[:MAX_TITLE].rstrip()


def known_language(tag: str | None) -> Language | None:
    """The language of a BCP 47 tag (`fr-CA`, `nb_NO`), if it is one of ours."""
    primary = re.split("[-_]", (tag or "").strip().lower())[0]
    primary = "no" if primary in _NORWEGIAN else primary
    return Language(primary) if primary in _SUPPORTED else None


def without_tags(text: str) -> str:
    """Plain text as Markdown in which no angle bracket (`List<String>`) is taken for an HTML tag."""
    return _TAG_LIKE.sub(r"\\<", text)


def unreadable(path: Path, why: str) -> UnreadableFile:
    return UnreadableFile(f"{path}: {why}")
