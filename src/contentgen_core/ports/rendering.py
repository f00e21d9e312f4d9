"""Rendering an article's Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import frozen

from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import Article
from contentgen_core.model.site import Site
from contentgen_core.model.text import TextBlock


@frozen
class PublicHtml:
    """The parts of an article's page: `head` for its head (title, description, structured data), `body` for its main
    part. `direction`: of its text, ltr or rtl."""

    head: str
    body: str
    direction: str


class ArticleRenderer(Protocol):
    """Deterministic. HTML takes milliseconds: make it in a thread."""

    def slug(self, title: str) -> str:
        """A URL slug of at most 80 ASCII characters; never empty."""
        ...

    def plain_text(self, markdown: str) -> str:
        """The text without markup and citations."""
        ...

    def text_blocks(self, markdown: str) -> tuple[TextBlock, ...]:
        """Headings, paragraphs, items of lists and rows of tables, in order; without code, diagrams and the heads
        of tables."""
        ...

    def renumbered(self, markdown: str, numbers: Mapping[int, int]) -> str:
        """Return the text with other numbers in its citations; of equal ones side by side the first stays. Text in code
        or in a link that only looks like a citation is left alone."""
        ...

    def printable_html(self, article: Article, mark: AiUse = AiUse.NONE) -> str:
        """A complete sanitised HTML page for printing, with numbered sources that citations link to."""
        ...

    def public_html(self, article: Article, url: str | None, site: Site, mark: AiUse = AiUse.NONE) -> PublicHtml:
        """The sanitised parts of a page for the public, with numbered sources that citations link to and structured
        data, without internal ids of sources and the grounding receipt. `url`: its address, if known. They run no
        script and load nothing but the featured image."""
        ...

    def evidence_html(self, document: Mapping[str, Any], digest: str) -> str:
        """A complete page for printing of what an evidence file says. `digest`: SHA-256 of the file, in hexadecimal
        digits."""
        ...
