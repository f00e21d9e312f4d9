"""The page of a public article."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from contentgen_adapters.rendering.content import content_html
from contentgen_adapters.rendering.page import description, featured_image, script_json
from contentgen_adapters.shared.document.sources import RIGHT_TO_LEFT, source_list
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_core.model.article import Article, ArticleSource
from contentgen_core.policies.articles.blog_posting import blog_posting
from contentgen_core.policies.text.hash_source import hash_source
from contentgen_core.policies.text.truncation import reading_minutes

SITE: Final = "Contentgen"
_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 17px/1.6 Georgia, 'Noto Serif', 'Times New Roman', serif; color: #1c2024; background: #fff;
  max-width: 42rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
h1, h2, h3, h4 { font-family: system-ui, 'Noto Sans', sans-serif; line-height: 1.25; }
h1 { font-size: 1.9em; } h2 { font-size: 1.4em; margin-top: 1.8em; } h3 { font-size: 1.15em; }
a { color: #0b4f8a; }
img { max-width: 100%; height: auto; }
figure { margin: 1em 0; } figcaption, .byline { font: .8em/1.4 system-ui, sans-serif; color: #60646c; }
pre, code { direction: ltr; unicode-bidi: isolate; }
pre { text-align: left; white-space: pre-wrap; background: #f0f2f5; padding: .8em; font-size: .85em; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid #c8c8c4; padding: .3em .5em; text-align: start; }
[align=left] { text-align: left; } [align=center] { text-align: center; } [align=right] { text-align: right; }
blockquote { border-inline-start: 3px solid #c8c8c4; margin-inline: 0; padding-inline-start: 1em; }
.citation { font-size: .7em; line-height: 0; } .citation a { text-decoration: none; }
.sources { border-top: 1px solid #c8c8c4; margin-top: 2em; font-size: .85em; } :target { background: #fff3b0; }
@media (prefers-color-scheme: dark) {
  body { color: #e8eaed; background: #17191c; } a { color: #8ab8ff; } pre { background: #24272b; }
  :target { background: #4a4100; } figcaption, .byline { color: #a0a4ab; }
}
"""
POLICY: Final = (
    f"default-src 'none'; style-src {hash_source(_STYLE)}; img-src http: https: data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


def public_page(article: Article, plain_text: str, url: str | None) -> str:
    """The article as an HTML document for the public.

    `plain_text`: its text, for the description where it has no excerpt. `url`: its canonical address, if known.
    """
    language = article.brief.language
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    sources = sorted(article.sources, key=lambda source: source.number)
    title = escape(article.title)
    shown_title = escape((article.seo.meta_title if article.seo else None) or article.title)
    published = article.published_or_created_at
    minutes = reading_minutes(article.word_count, language) if article.word_count else None
    byline = f'<time datetime="{published.isoformat()}">{published:%Y-%m-%d}</time>' + (
        f" · {minutes} min" if minutes else ""
    )
    return f"""<!DOCTYPE html>
<html lang="{language.value}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{shown_title}</title>
<meta name="description" content="{escape(description(article, plain_text))}">
{_open_graph(article, plain_text, url)}<style>{_STYLE}</style>
<script type="application/ld+json">{_structured_data(article, plain_text, url)}</script>
</head>
<body>
<article>
<header>
<h1>{title}</h1>
<p class="byline">{byline}</p>
{featured_image(article)}</header>
{content_html(article.content, {source.number for source in sources})}
{source_list(sources, language, _public_quotes(sources))}</article>
</body>
</html>
"""


def _public_quotes(sources: Sequence[ArticleSource]) -> dict[int, tuple[str, ...]]:
    """Of web pages alone. A private document stays private, even if it names an address."""
    return {source.number: source.quotes for source in sources if web_address(source.url) and not source.private}


def _open_graph(article: Article, plain_text: str, url: str | None) -> str:
    published = article.published_or_created_at
    properties = {
        "og:type": "article",
        "og:site_name": SITE,
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


def _structured_data(article: Article, plain_text: str, url: str | None) -> str:
    """A schema.org Article, without its internal id: the address identifies it."""
    data = blog_posting(article) | {
        "@type": "Article",
        "identifier": None,
        "description": description(article, plain_text),
        "image": web_address(article.featured_image),
        "url": url,
        "mainEntityOfPage": url,
        "publisher": {"@type": "Organization", "name": SITE},
        "citation": [
            {"@type": "CreativeWork", "name": source.title, "url": web_address(source.url)}
            for source in article.sources
        ],
    }
    return script_json(data)
