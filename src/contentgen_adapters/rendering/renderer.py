"""The article renderer port."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from slugify import slugify

from contentgen_adapters.rendering.page import printable_page
from contentgen_adapters.rendering.public_page import POLICY, public_page
from contentgen_adapters.shared.text.markdown import Block, BlockKind, encodable, plain_blocks
from contentgen_core.model.article import Article

MAX_SLUG: Final = 80
_LONGEST_TITLE: Final = 1_000  # characters that are looked at for a slug
_CITATIONS: Final = re.compile(r"(?:[^\S\n]*\[\d{1,3}\])+")


class MarkdownRenderer:
    """Articles as slugs, plain text and printable pages. Content counts as untrusted throughout."""

    def slug(self, title: str) -> str:
        """A URL slug of at most 80 characters, in ASCII; other scripts are transliterated. A title without any letter
        (only emoji, say) gets `article-` and a short hash of itself, so that it stays the same."""
        readable = title[:_LONGEST_TITLE].encode("utf-8", "replace").decode()
        slug: str = slugify(readable, max_length=MAX_SLUG, word_boundary=True)
        return (
            slug[:MAX_SLUG].strip("-") or f"article-{hashlib.sha256(title.encode('utf-8', 'replace')).hexdigest()[:8]}"
        )

    def plain_text(self, markdown: str) -> str:
        """The text a reader sees, a block a paragraph, without markup and citations `[n]`."""
        texts = (_read_aloud(block) for block in plain_blocks(markdown))
        return "\n\n".join(text for text in texts if text)

    def printable_html(self, article: Article) -> str:
        """A whole page for A4 paper: no script runs, and nothing but the featured image is loaded. CPU-bound: some
        milliseconds an article."""
        return encodable(printable_page(article, self.plain_text(article.content)))

    def public_html(self, article: Article, url: str | None) -> str:
        """A page for browsers and search engines. CPU-bound, too."""
        return encodable(public_page(article, self.plain_text(article.content), url))

    @property
    def public_policy(self) -> str:
        return POLICY


def _read_aloud(block: Block) -> str:
    return block.text.strip() if block.kind is BlockKind.CODE else _CITATIONS.sub("", block.text).strip()
