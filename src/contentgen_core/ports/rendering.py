"""From an article's Markdown to what a browser shows."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.article import Article


class ArticleRenderer(Protocol):
    def slug(self, title: str) -> str:
        """A URL slug of at most 80 characters, in ASCII; never empty."""
        ...

    def plain_text(self, markdown: str) -> str:
        """The text a reader sees, without markup and without citations."""
        ...

    def printable_html(self, article: Article) -> str:
        """A whole sanitised HTML page ready for print, with numbered sources that citations link to."""
        ...

    def public_html(self, article: Article, url: str | None) -> str:
        """A whole sanitised HTML page for everybody: with numbered sources that citations link to, structured data,
        and nothing of where the sources are kept or how well they support the text. `url`: its address, if known. It
        runs no script and loads nothing but the featured image."""
        ...

    @property
    def public_policy(self) -> str:
        """The Content-Security-Policy that such a page works under."""
        ...
