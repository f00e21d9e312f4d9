"""Articles as files for office programs and printers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Protocol

from contentgen_core.model.article import Article


class ExportFormat(StrEnum):
    HTML = "html"
    PDF = "pdf"
    MARKDOWN = "markdown"
    DOCX = "docx"

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self]


_MEDIA_TYPES: Final = {
    ExportFormat.HTML: "text/html",
    ExportFormat.PDF: "application/pdf",
    ExportFormat.MARKDOWN: "text/markdown",
    ExportFormat.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


class ArticleExporter(Protocol):
    async def pdf(self, article: Article) -> bytes:
        """The printed page as PDF. Raises NotConfigured where a library or a font for it is missing, Unavailable while
        too many are being made, ProviderFailed for an article that cannot be laid out."""
        ...

    async def evidence_pdf(self, document: Mapping[str, Any], file: bytes) -> bytes:
        """Render the content of an evidence file as PDF, with the file attached to it. `document`: the signed one,
        `file`: the whole. Raises what `pdf` does."""
        ...

    async def docx(self, article: Article) -> bytes:
        """The article as an Office Open XML document. Raises Unavailable while too many are being made."""
        ...
