"""An article as search engines read it: schema.org BlogPosting in JSON-LD."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from contentgen_core.model.article import Article
from contentgen_core.policies.text.truncation import reading_minutes, truncate_at_word

MAX_HEADLINE: Final = 110


def blog_posting(article: Article) -> dict[str, object]:
    """A JSON-LD object (https://schema.org/BlogPosting); unknown properties are left out. Sources become `citation`,
    each document once. The caller escapes it for a script element."""
    language = article.brief.language
    known: dict[str, object | None] = {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        "identifier": article.id,
        "headline": truncate_at_word(article.title, MAX_HEADLINE),
        "description": (article.seo.meta_description if article.seo else None) or article.excerpt,
        "inLanguage": language.value,
        "dateCreated": _iso(article.created_at),
        "dateModified": _iso(article.updated_at),
        "datePublished": _iso(article.published_at) if article.published_at else None,
        "wordCount": article.word_count or None,
        "timeRequired": f"PT{reading_minutes(article.word_count, language)}M" if article.word_count else None,
        "keywords": ", ".join(article.brief.keywords) or None,
        "image": article.featured_image,
        "citation": _citations(article) or None,
    }
    return {name: value for name, value in known.items() if value is not None}


def _citations(article: Article) -> list[dict[str, str]]:
    documents = {source.parent_id: source for source in reversed(article.sources)}
    works = []
    for source in sorted(documents.values(), key=lambda s: s.number):
        work = {"@type": "CreativeWork", "name": source.title}
        works.append(work | {"url": source.url} if source.url else work)
    return works


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
