"""The article exporter port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import httpx
from attrs import evolve

from contentgen_adapters.exporting.pdf import PdfPrinter
from contentgen_adapters.exporting.pictures import Loaded, load_picture
from contentgen_adapters.shared.document.sources import RIGHT_TO_LEFT
from contentgen_core.errors import Unavailable
from contentgen_core.model.article import Article
from contentgen_core.ports.rendering import ArticleRenderer

AT_ONCE: Final = 2
MOST_WAITING: Final = 16
"""Exports that wait for their turn; more are sent away."""


class FileExporter:
    """An ArticleExporter. `renderer`: makes the page that is printed. `client`: a guarded one, which loads featured
    images, as their addresses are entered by people; without it there are none. A featured image that cannot be loaded
    is left out."""

    def __init__(
        self, renderer: ArticleRenderer, client: httpx.AsyncClient | None = None, printer: PdfPrinter | None = None
    ) -> None:
        self._renderer = renderer
        self._client, self._printer = client, printer or PdfPrinter()
        self._places, self._here = asyncio.Semaphore(AT_ONCE), 0

    async def pdf(self, article: Article) -> bytes:
        async with self._turn():
            picture = await self._picture(article)
            if picture is None:
                article = evolve(article, featured_image=None, image_credit=None)
            page = await asyncio.to_thread(self._renderer.printable_html, article)
            return await self._printer.print(page, article.brief.language in RIGHT_TO_LEFT, picture)

    async def docx(self, article: Article) -> bytes:
        async with self._turn():
            picture = await self._picture(article)
            return await asyncio.to_thread(_docx, article, picture)

    async def _picture(self, article: Article) -> Loaded | None:
        if self._client is None or not article.featured_image:
            return None
        return await load_picture(self._client, article.featured_image)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        if self._here >= AT_ONCE + MOST_WAITING:
            raise Unavailable("Too many files are being made at this moment.", retry_after=10.0)
        self._here += 1
        try:
            async with self._places:
                yield
        finally:
            self._here -= 1


def _docx(article: Article, picture: Loaded | None) -> bytes:
    from contentgen_adapters.exporting.docx import docx_document  # whose library nobody who starts should wait for

    return docx_document(article, picture.content if picture else None)
