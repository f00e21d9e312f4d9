"""OpenDocument texts (.odt): headings, paragraphs, lists and tables. Deleted text, comments and notes are left out."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

from contentgen_adapters.documents.archive import UNPACKED_LIMIT, check_archive, first_match, parse, text_part
from contentgen_adapters.shared.parsing.format import FileFormat, Storage, source, unreadable
from contentgen_adapters.shared.parsing.html import to_markdown
from contentgen_core.errors import UnreadableFile
from contentgen_core.ports.documents import SourceText

MEDIA_TYPE: Final = b"mimetypeapplication/vnd.oasis.opendocument.text"
_BODY: Final = "content.xml"
_META: Final = "meta.xml"
_TITLE: Final = re.compile(r"<dc:title>([^<]{1,1000})</dc:title>")
_AUTHOR: Final = re.compile(r"<meta:initial-creator>([^<]{1,2000})</meta:initial-creator>")
_LANGUAGE: Final = re.compile(r"<dc:language>([^<]{1,20})</dc:language>")
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_LEFT_OUT: Final = frozenset(
    {f"{_TEXT}tracked-changes", f"{_TEXT}note", f"{_OFFICE}annotation", f"{_OFFICE}forms", f"{_TEXT}table-of-content"}
)
_SPACES: Final = frozenset({f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"})
_BLOCKS: Final = {
    f"{_TEXT}list": "ul",
    f"{_TEXT}list-item": "li",
    f"{_TABLE}table": "table",
    f"{_TABLE}table-row": "tr",
}


def _read(path: Path, key: str) -> Iterator[SourceText]:
    try:
        with zipfile.ZipFile(path) as archive:
            check_archive(path, archive, _BODY, "OpenDocument text", lambda name: name in (_BODY, _META))
            meta = text_part(archive, _META)
            body = next(parse(archive.read(_BODY)).iter(f"{_OFFICE}text"), None)
        text = "" if body is None else to_markdown("".join(_html(body)))
    except UnreadableFile:
        raise
    except Exception as exc:  # the XML parser and zipfile raise anything for a damaged part
        raise unreadable(path, "the OpenDocument text is damaged. Open and save it again.") from exc
    if not text:
        raise unreadable(path, "the OpenDocument text holds no text.")
    yield source(
        key,
        text,
        path.name,
        title=first_match(_TITLE, meta),
        language=first_match(_LANGUAGE, meta),
        authors=(first_match(_AUTHOR, meta),),
    )


def _html(root: Any) -> Iterator[str]:
    """The elements below as HTML, without recursion."""
    ends: list[tuple[Iterator[Any], str]] = [(iter(root), "")]
    while ends:
        children, end = ends[-1]
        child = next(children, None)
        if child is None:
            ends.pop()
            yield end
        elif not isinstance(child.tag, str) or child.tag in _LEFT_OUT:
            continue
        elif child.tag == f"{_TEXT}h":
            level = str(child.get(f"{_TEXT}outline-level", "1"))
            yield (
                f"<h{level}>{_escaped_text(child)}</h{level}>"
                if level in "123456"
                else f"<p>{_escaped_text(child)}</p>"
            )
        elif child.tag == f"{_TEXT}p":
            yield f"<p>{_escaped_text(child)}</p>"
        elif child.tag == f"{_TABLE}table-cell":
            yield f"<td>{_escaped_text(child)}</td>"
        else:
            name = _BLOCKS.get(child.tag)
            yield f"<{name}>" if name else ""
            ends.append((iter(child), f"</{name}>" if name else ""))


def _escaped_text(element: Any) -> str:
    """The text of an element and all below it, without what is left out."""
    texts: list[str] = []
    skipped: Any = None
    from lxml import etree  # type: ignore[import-untyped]

    for event, node in etree.iterwalk(element, events=("start", "end")):
        if skipped is None and event == "start":
            if node.tag in _LEFT_OUT:
                skipped = node
            else:
                texts.append(" " if node.tag in _SPACES or node.tag == f"{_TEXT}p" else "")
                texts.append(node.text or "")
        elif event == "end":
            skipped = None if node is skipped else skipped
            if skipped is None and node is not element:
                texts.append(node.tail or "")
    return escape(" ".join("".join(texts).split()))


FORMAT = FileFormat(
    label="OpenDocument",
    suffixes=(".odt",),
    media_type="application/vnd.oasis.opendocument.text",
    storage=Storage.ZIP,
    sniff=lambda head: MEDIA_TYPE in head[:200],
    read=_read,
    contents="headings, lists, tables as text; title, author, language; no notes, comments or deleted text",
    limits=UNPACKED_LIMIT,
)
