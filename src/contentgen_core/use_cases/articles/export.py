"""GET /writer/{id}/export-pdf: an article as a printable page, PDF, Markdown or DOCX."""

from __future__ import annotations

import asyncio
import re
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.articles.ai_mark import with_ai_mark
from contentgen_core.policies.articles.for_readers import for_readers
from contentgen_core.policies.articles.internal_links import with_links
from contentgen_core.policies.articles.markdown_document import markdown_document
from contentgen_core.ports.exporting import ArticleExporter, ExportFormat
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.ai_marks import mark_of
from contentgen_core.use_cases.knowledge.source_titles import with_present_titles
from contentgen_core.use_cases.link_addresses import any_addresses
from contentgen_core.use_cases.use_case import use_case

_ENDINGS: Final = {
    ExportFormat.HTML: "html",
    ExportFormat.PDF: "pdf",
    ExportFormat.MARKDOWN: "md",
    ExportFormat.DOCX: "docx",
}
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")
_MAX_NAME: Final = 80


@frozen
class Export:
    """`file_name`: ASCII letters, digits, `-` and `_`, with the extension."""

    content: bytes
    format: ExportFormat
    file_name: str


@use_case
class ExportArticle:
    unit_of_work: UnitOfWork
    renderer: ArticleRenderer
    exporter: ArticleExporter
    public_url: str = ""

    async def __call__(
        self,
        caller: Caller,
        article_id: ArticleId,
        format: ExportFormat,
        *,
        receipt: bool = False,
        ai_mark: bool | None = None,
    ) -> Export:
        """Export an article. `receipt`: with the grounding receipt and the words of private documents, which are for
        editors; otherwise the file is for readers. `ai_mark`: whether to say that a language model wrote it, where one
        did; None: as its niche is set. Raises NotFound, and what the exporter raises."""
        async with self.unit_of_work() as tx:
            stored = await with_present_titles(tx, await tx[Articles].get(caller.tenant_id, article_id))
            addresses = await any_addresses(tx, stored, self.public_url)
            mark = await mark_of(tx, stored, ai_mark)
        article = await asyncio.to_thread(lambda: with_links(for_readers(stored, self.renderer.renumbered), addresses))
        article = with_ai_mark(article, mark)
        if not receipt:
            sources = (evolve(source, quotes=()) if source.private else source for source in article.sources)
            article = evolve(article, grounding=None, sources=tuple(sources))
        return Export(await self._content(article, format, mark), format, self._file_name(article, format))

    async def _content(self, article: Article, format: ExportFormat, mark: AiUse) -> bytes:
        match format:
            case ExportFormat.HTML:
                page = await asyncio.to_thread(self.renderer.printable_html, article, mark)
                return page.encode()
            case ExportFormat.MARKDOWN:
                return markdown_document(article).encode("utf-8", "replace")
            case ExportFormat.PDF:
                return await self.exporter.pdf(article)
            case ExportFormat.DOCX:
                return await self.exporter.docx(article)

    def _file_name(self, article: Article, format: ExportFormat) -> str:
        slug = article.slug or self.renderer.slug(article.title)
        name = _NOT_IN_A_NAME.sub("-", slug)[:_MAX_NAME].strip("-") or "article"
        return f"{name}.{_ENDINGS[format]}"
