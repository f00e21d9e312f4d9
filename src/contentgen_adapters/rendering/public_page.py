"""Build the parts of a public article's page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from contentgen_adapters.rendering.content import content_html
from contentgen_adapters.rendering.page import description, featured_image, script_json
from contentgen_adapters.shared.document.sources import RIGHT_TO_LEFT, source_list
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.markdown import encodable
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.model.site import Site
from contentgen_core.policies.articles.ai_mark import SCHEMA_TYPES
from contentgen_core.policies.articles.blog_posting import blog_posting
from contentgen_core.policies.text.truncation import reading_minutes
from contentgen_core.ports.rendering import PublicHtml


def public_parts(
    article: Article, plain_text: str, url: str | None, site: Site, mark: AiUse = AiUse.NONE
) -> PublicHtml:
    """Return the parts of the article's public page.

    `plain_text`: its text, for the description where it has no excerpt. `url`: its canonical address, if known. `mark`:
    the statement in its structured data on how it was written.
    """
    language = article.brief.language
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    sources = sorted(article.sources, key=lambda source: source.number)
    shown_title = escape((article.seo.meta_title if article.seo else None) or article.title)
    head = (
        f"<title>{shown_title}</title>\n"
        f'<meta name="description" content="{escape(description(article, plain_text))}">\n'
        f"{_open_graph(article, plain_text, url, site)}"
        f'<script type="application/ld+json">{_structured_data(article, plain_text, url, site, mark)}</script>'
    )
    body = f"""<article lang="{language.value}" dir="{direction}">
<header>
<h1>{escape(article.title)}</h1>
<p class="byline">{_byline(article, site)}</p>
{featured_image(article)}</header>
{content_html(article.content, {source.number for source in sources})}
{source_list(sources, language, _public_quotes(sources))}</article>"""
    return PublicHtml(encodable(head), encodable(body), direction)


def _byline(article: Article, site: Site) -> str:
    """Return the author, the date of publication, and the time that reading takes."""
    published = article.published_or_created_at
    parts = [f"<bdi>{escape(site.author or site.name)}</bdi>"]
    parts.append(f'<time datetime="{published.isoformat()}">{published:%Y-%m-%d}</time>')
    if article.word_count:
        parts.append(f"{reading_minutes(article.word_count, article.brief.language)} min")
    return " · ".join(parts)


def _public_quotes(sources: Sequence[ArticleSource]) -> dict[int, tuple[str, ...]]:
    """Return the quotes from web pages only. A private document stays private, even if it names an address."""
    return {source.number: source.quotes for source in sources if web_address(source.url) and not source.private}


def _open_graph(article: Article, plain_text: str, url: str | None, site: Site) -> str:
    published = article.published_or_created_at
    properties = {
        "og:type": "article",
        "og:site_name": site.name,
        "og:title": article.title,
        "og:description": description(article, plain_text),
        "og:locale": article.brief.language.value,
        "og:url": url,
        "og:image": web_address(article.featured_image),
        "article:published_time": published.isoformat(),
        "article:modified_time": article.updated_at.isoformat(),
    }
    canonical = f'<link rel="canonical" href="{escape(url)}">\n' if url else ""
    card = "summary_large_image" if properties["og:image"] else "summary"
    return canonical + "".join(
        f'<meta {"name" if name.startswith("twitter") else "property"}="{name}" content="{escape(value)}">\n'
        for name, value in (*properties.items(), ("twitter:card", card))
        if value
    )


def _structured_data(article: Article, plain_text: str, url: str | None, site: Site, mark: AiUse) -> str:
    """A schema.org Article, without its internal id: the address identifies it."""
    data = blog_posting(article) | {
        "@type": "Article",
        "identifier": None,
        "description": description(article, plain_text),
        "image": web_address(article.featured_image),
        "url": url,
        "mainEntityOfPage": url,
        "digitalSourceType": SCHEMA_TYPES.get(mark),
        "author": {"@type": "Organization", "name": site.author or site.name},
        "publisher": {"@type": "Organization", "name": site.name},
        "citation": [
            {"@type": "CreativeWork", "name": source.title, "url": web_address(source.url)}
            for source in article.sources
        ],
    }
    return script_json(data)
