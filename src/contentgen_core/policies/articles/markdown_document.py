"""An article as one Markdown document: title, text, numbered sources."""

from __future__ import annotations

import re

from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.policies.articles.coverage_notice import coverage_notice
from contentgen_core.policies.articles.image_credit import alternative_text, credit_markdown, shown_credit
from contentgen_core.policies.text.authors import before_title

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


def markdown_document(article: Article) -> str:
    """The whole article for a file or a Markdown target. Titles and authors of sources are untrusted and escaped."""
    parts = [f"# {_plain(article.title)}"]
    if article.featured_image and not re.search(r"[\s<>]", article.featured_image):
        parts.append(f"![{_plain(alternative_text(article))}](<{article.featured_image}>)")
    if credit := shown_credit(article):
        parts.append(credit_markdown(credit))
    if notice := coverage_notice(article):
        parts.append(f"> {notice}")
    parts.append(article.content.strip())
    if article.sources:
        parts.append("---")
        parts.append("\n".join(_entry(source) for source in article.sources))
    return "\n\n".join(parts) + "\n"


def _entry(source: ArticleSource) -> str:
    address = f" <{source.url}>" if source.url and not re.search(r"[\s<>]", source.url) else ""
    dated = f", {source.published.isoformat()}" if source.published else ""
    named = f"{before_title(source.author)}{source.title}"
    return f"[{source.number}] {_plain(named)}{dated}{address}  "


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
