"""Presentations (.pptx), by python-pptx: a heading for each slide, its texts, tables and notes."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

from contentgen_adapters.documents.archive import UNPACKED_LIMIT, check_archive, first_match, text_part
from contentgen_adapters.documents.docx import CREATOR, PROPERTIES, TITLE
from contentgen_adapters.shared.parsing.format import FileFormat, Storage, source, unreadable
from contentgen_adapters.shared.parsing.html import to_markdown
from contentgen_core.errors import UnreadableFile
from contentgen_core.ports.documents import SourceText

_BODY: Final = "ppt/presentation.xml"
_DEEPEST: Final = 8
"""Groups within groups; what is deeper is left out."""


def _read(path: Path, key: str) -> Iterator[SourceText]:
    try:
        with zipfile.ZipFile(path) as archive:
            check_archive(path, archive, _BODY, "presentation")
            properties = text_part(archive, PROPERTIES)
        text = _markdown(path)
    except UnreadableFile:
        raise
    except Exception as exc:  # python-pptx and zipfile raise anything for a damaged part
        raise unreadable(path, "the presentation is damaged. Open and save it again.") from exc
    if not text:
        raise unreadable(path, "the presentation holds no text. Slides that are pictures need OCR first.")
    yield source(
        key, text, path.name, title=first_match(TITLE, properties), authors=(first_match(CREATOR, properties),)
    )


def _markdown(path: Path) -> str:
    from pptx import Presentation

    return to_markdown("".join(part for slide in Presentation(str(path)).slides for part in _slide(slide)))


def _slide(slide: Any) -> Iterator[str]:
    title = slide.shapes.title
    if title is not None and (text := " ".join(title.text_frame.text.split())):
        yield f"<h2>{escape(text)}</h2>"
    yield from _shapes((shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id), 0)
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
        yield from _paragraphs(notes, bullets=False)


def _shapes(shapes: Iterable[Any], depth: int) -> Iterator[str]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            if depth < _DEEPEST:
                yield from _shapes(shape.shapes, depth + 1)
        elif shape.has_text_frame:
            yield from _paragraphs(shape.text_frame, bullets=shape.is_placeholder)
        elif getattr(shape, "has_table", False):
            rows = ("".join(f"<td>{escape(cell.text)}</td>" for cell in row.cells) for row in shape.table.rows)
            yield f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _paragraphs(frame: Any, *, bullets: bool) -> Iterator[str]:
    """Return the paragraphs as Markdown. `bullets`: whether several paragraphs of a placeholder become a list."""
    texts = [text for paragraph in frame.paragraphs if (text := " ".join(paragraph.text.split()))]
    if bullets and len(texts) > 1:
        yield f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"
    else:
        yield from (f"<p>{escape(text)}</p>" for text in texts)


FORMAT = FileFormat(
    label="PowerPoint",
    suffixes=(".pptx",),
    media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
    storage=Storage.ZIP,
    read=_read,
    contents="titles as headings, texts, tables, notes; title, author",
    limits=UNPACKED_LIMIT,
)
