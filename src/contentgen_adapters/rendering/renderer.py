"""The article renderer port."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

from slugify import slugify

from contentgen_adapters.rendering.evidence_page import evidence_page
from contentgen_adapters.rendering.page import printable_page
from contentgen_adapters.rendering.public_page import public_parts
from contentgen_adapters.shared.document.renumbered import renumber
from contentgen_adapters.shared.text.markdown import Block, BlockKind, encodable, plain_blocks
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import Article
from contentgen_core.model.site import Site
from contentgen_core.model.text import TextBlock
from contentgen_core.ports.rendering import PublicHtml

MAX_SLUG: Final = 80
_LONGEST_TITLE: Final = 1_000  # characters that are looked at for a slug
# Looked for from where white space begins, which may be long, and not again from each place in it.
_CITATIONS: Final = re.compile(r"(?<![^\S\n])(?:[^\S\n]*\[\d{1,3}\])+")


class MarkdownRenderer:
    """The article renderer port over Markdown. All content is treated as untrusted."""

    def slug(self, title: str) -> str:
        """A URL slug of at most 80 ASCII characters; other scripts are transliterated. For a title without letters
        (only emoji, say) it is `article-` with a short hash of the title."""
        readable = title[:_LONGEST_TITLE].encode("utf-8", "replace").decode()
        slug: str = slugify(readable, max_length=MAX_SLUG, word_boundary=True)
        return (
            slug[:MAX_SLUG].strip("-") or f"article-{hashlib.sha256(title.encode('utf-8', 'replace')).hexdigest()[:8]}"
        )

    def plain_text(self, markdown: str) -> str:
        """The text without markup and citations `[n]`, one paragraph per block."""
        texts = (_block_text(block) for block in plain_blocks(markdown))
        return "\n\n".join(text for text in texts if text)

    def text_blocks(self, markdown: str) -> tuple[TextBlock, ...]:
        """Headings, paragraphs, items and rows, without code and the heads of tables; citations `[n]` stay."""
        found: list[TextBlock] = []
        for block in plain_blocks(markdown):
            if block.kind is BlockKind.ROWS:
                found += [TextBlock(line.strip()) for line in block.text.splitlines()[1:] if line.strip()]
            elif block.kind is not BlockKind.CODE:
                found.append(TextBlock(block.text.strip(), block.level))
        return tuple(found)

    def renumbered(self, markdown: str, numbers: Mapping[int, int]) -> str:
        """Return the text with other numbers in its citations; of equal citations side by side the first stays.
        CPU-bound.
        """
        return renumber(markdown, numbers)

    def printable_html(self, article: Article, mark: AiUse = AiUse.NONE) -> str:
        """An HTML document for A4 paper, without scripts; loads only the featured image. CPU-bound: some milliseconds
        per article."""
        return encodable(printable_page(article, self.plain_text(article.content), mark))

    def public_html(self, article: Article, url: str | None, site: Site, mark: AiUse = AiUse.NONE) -> PublicHtml:
        """The parts of a page for browsers and search engines. `url`: its canonical address, if known. CPU-bound."""
        return public_parts(article, self.plain_text(article.content), url, site, mark)

    def evidence_html(self, document: Mapping[str, Any], digest: str) -> str:
        """An HTML document for A4 paper, which loads nothing. CPU-bound."""
        return encodable(evidence_page(document, digest))


def _block_text(block: Block) -> str:
    return block.text.strip() if block.kind is BlockKind.CODE else _CITATIONS.sub("", block.text).strip()
