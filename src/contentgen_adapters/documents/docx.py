"""Word documents (.docx), by mammoth, as Markdown with their headings."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from contentgen_adapters.documents.archive import UNPACKED_LIMIT, ZIP, check_archive, first_match, text_part
from contentgen_adapters.shared.parsing.format import FileFormat, Storage, source, unreadable
from contentgen_adapters.shared.parsing.html import to_markdown
from contentgen_core.errors import UnreadableFile
from contentgen_core.ports.documents import SourceText

_BODY: Final = "word/document.xml"
PROPERTIES: Final = "docProps/core.xml"
TITLE: Final = re.compile(r"<dc:title(?:\s[^>]{0,200})?>([^<]{1,1000})</dc:title>")
CREATOR: Final = re.compile(r"<dc:creator(?:\s[^>]{0,200})?>([^<]{1,2000})</dc:creator>")


def _read(path: Path, key: str) -> Iterator[SourceText]:
    try:
        with zipfile.ZipFile(path) as archive:
            check_archive(path, archive, _BODY, "Word document")
            properties = text_part(archive, PROPERTIES)
        text = _markdown(path)
    except UnreadableFile:
        raise
    except (zipfile.BadZipFile, NotImplementedError) as exc:
        raise unreadable(path, "the Word document is damaged or packed in an unknown way.") from exc
    except Exception as exc:  # mammoth and the XML parser below it raise anything for a damaged part
        raise unreadable(path, "the Word document is damaged. Open and save it again.") from exc
    if not text:
        raise unreadable(path, "the Word document holds no text.")
    title, author = first_match(TITLE, properties), first_match(CREATOR, properties)
    yield source(key, text, path.name, title=title, authors=(author,))


def _markdown(path: Path) -> str:
    import mammoth

    with path.open("rb") as file:
        # Images would be inlined as base64; to_markdown keeps only their alternative text.
        converted = mammoth.convert_to_html(file, convert_image=mammoth.images.img_element(lambda image: {"src": ""}))
    return to_markdown(converted.value)


FORMAT = FileFormat(
    label="Word",
    suffixes=(".docx",),
    media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    storage=Storage.ZIP,
    sniff=lambda head: head.startswith(ZIP),
    read=_read,
    contents="headings, lists, tables as text; title, author",
    limits=UNPACKED_LIMIT,
)
