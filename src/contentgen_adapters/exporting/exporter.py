"""The article exporter port."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
from attrs import evolve

from contentgen_adapters.exporting.pdf import PdfPrinter
from contentgen_adapters.exporting.pdf_process import AttachedFile
from contentgen_adapters.exporting.pictures import LoadedPicture, load_picture
from contentgen_adapters.shared.document.sources import RIGHT_TO_LEFT
from contentgen_core.errors import Unavailable
from contentgen_core.model.article import Article
from contentgen_core.ports.rendering import ArticleRenderer

EVIDENCE_NAME: Final = "evidence.json"
MAX_CONCURRENT: Final = 2
MAX_WAITING: Final = 16
"""Exports that wait for a slot; further ones are refused."""


class FileExporter:
    """Implement the port `ArticleExporter`.

    `renderer`: makes the page that is printed. `client`: a guarded one for featured images, whose addresses are entered
    by users; without it files have no images. `printer`: makes PDFs. A featured image that cannot be loaded is left
    out.
    """

    def __init__(
        self, renderer: ArticleRenderer, client: httpx.AsyncClient | None = None, printer: PdfPrinter | None = None
    ) -> None:
        self._renderer = renderer
        self._client, self._printer = client, printer or PdfPrinter()
        self._slots, self._pending = asyncio.Semaphore(MAX_CONCURRENT), 0

    async def pdf(self, article: Article) -> bytes:
        async with self._slot():
            picture = await self._picture(article)
            if picture is None:
                article = evolve(article, featured_image=None, image_credit=None)
            page = await asyncio.to_thread(self._renderer.printable_html, article)
            return await self._printer.print(page, article.brief.language in RIGHT_TO_LEFT, picture)

    async def evidence_pdf(self, document: Mapping[str, Any], file: bytes) -> bytes:
        async with self._slot():
            digest = hashlib.sha256(file).hexdigest()
            page = await asyncio.to_thread(self._renderer.evidence_html, document, digest)
            return await self._printer.print(page, right_to_left=False, attached=AttachedFile(EVIDENCE_NAME, file))

    async def docx(self, article: Article) -> bytes:
        async with self._slot():
            picture = await self._picture(article)
            return await asyncio.to_thread(_docx, article, picture)

    async def _picture(self, article: Article) -> LoadedPicture | None:
        if self._client is None or not article.featured_image:
            return None
        return await load_picture(self._client, article.featured_image)

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        if self._pending >= MAX_CONCURRENT + MAX_WAITING:
            raise Unavailable("Too many files are being made at this moment.", retry_after=10.0)
        self._pending += 1
        try:
            async with self._slots:
                yield
        finally:
            self._pending -= 1


def _docx(article: Article, picture: LoadedPicture | None) -> bytes:
    from contentgen_adapters.exporting.docx import docx_document  # loads python-docx: not at startup

    return docx_document(article, picture.content if picture else None)
