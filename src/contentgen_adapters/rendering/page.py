"""The printable page around an article's content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any, Final

from contentgen_adapters.rendering.content import content_html
from contentgen_adapters.rendering.receipt import citation_notes, cites, percent, receipt_list
from contentgen_adapters.shared.document.labels import LABELS
from contentgen_adapters.shared.document.sources import RIGHT_TO_LEFT, source_list
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import Article, ArticleSource, ImageCredit
from contentgen_core.model.grounding import GroundingLevel
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.ai_mark import SCHEMA_TYPES
from contentgen_core.policies.articles.coverage_notice import coverage_notice
from contentgen_core.policies.articles.image_credit import alternative_text, shown_credit
from contentgen_core.policies.text.hash_source import hash_source

_MAX_DESCRIPTION: Final = 300
_STYLE: Final = """
@page { size: A4; margin: 20mm 18mm; }
body { font: 11pt/1.55 Georgia, 'Noto Serif', 'Times New Roman', serif; color: #1a1a1a; max-width: 42rem;
  margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
h1, h2, h3, h4 { font-family: system-ui, 'Noto Sans', sans-serif; line-height: 1.25; break-after: avoid; }
h1 { font-size: 1.9em; } h2 { font-size: 1.4em; margin-top: 1.8em; } h3 { font-size: 1.15em; }
p, li { orphans: 3; widows: 3; }
a { color: #0b4f8a; }
img { max-width: 100%; max-height: 90mm; }
figure { margin: 1em 0; } figcaption { font: .75em/1.4 system-ui, sans-serif; color: #555; }
pre, code { direction: ltr; unicode-bidi: isolate; }
pre { text-align: left; white-space: pre-wrap; background: #f5f5f3; padding: .8em; font-size: .85em;
  break-inside: avoid; }
table { border-collapse: collapse; width: 100%; break-inside: avoid; }
th, td { border: 1px solid #c8c8c4; padding: .3em .5em; text-align: start; }
[align=left] { text-align: left; } [align=center] { text-align: center; } [align=right] { text-align: right; }
blockquote { border-inline-start: 3px solid #c8c8c4; margin-inline: 0; padding-inline-start: 1em; color: #444; }
.citation { font-size: .7em; line-height: 0; } .citation a { text-decoration: none; }
.grounding { border: 1px solid #c8c8c4; border-radius: 6px; padding: .6em .9em; font: .8em/1.5 system-ui, sans-serif;
  break-inside: avoid; }
.grounding .coverage { margin: 0 0 .3em; }
.grounding ul { margin: .3em 0 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .2em 1.4em; }
.receipt { font: .8em/1.5 system-ui, sans-serif; margin-top: 1.5em; } .receipt summary { cursor: pointer; }
.sources { border-top: 1px solid #c8c8c4; margin-top: 2em; font-size: .85em; } .sources summary { cursor: pointer; }
@media print { body { margin: 0; max-width: none; padding: 0; } a { color: inherit; }
  .sources details { display: none; } }
"""
# No script may run and only pictures may load, in case the sanitiser misses something.
_POLICY: Final = f"default-src 'none'; style-src {hash_source(_STYLE)}; img-src http: https:; base-uri 'none'"


def printable_page(article: Article, plain_text: str, mark: AiUse = AiUse.NONE) -> str:
    """The article as an HTML document for print. `plain_text`: its text, described by it where it has no excerpt.
    `mark`: what its structured data say of how it was written."""
    language = article.brief.language
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    sources = sorted(article.sources, key=lambda source: source.number)
    quotes = {source.number: source.quotes for source in sources}
    title = escape(article.title)
    return f"""<!DOCTYPE html>
<html lang="{language.value}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="description" content="{escape(description(article, plain_text))}">
<title>{title}</title>
<style>{_STYLE}</style>
<script type="application/ld+json">{_structured_data(article, sources, plain_text, mark)}</script>
</head>
<body>
<article>
<header>
<h1>{title}</h1>
{featured_image(article)}{_grounding_totals(article, language)}</header>
{content_html(article.content, {source.number for source in sources}, citation_notes(article.grounding, sources))}
{source_list(sources, language, quotes)}{receipt_list(article.grounding, language)}</article>
</body>
</html>
"""


def description(article: Article, plain_text: str) -> str:
    """Return the meta description: the article's own, else its excerpt, else the beginning of `plain_text`."""
    own = (article.seo.meta_description if article.seo else None) or article.excerpt
    return " ".join((own or plain_text).split())[:_MAX_DESCRIPTION]


def featured_image(article: Article) -> str:
    """Return the featured image with its credit as a `figure`; empty if there is none."""
    address = web_address(article.featured_image)
    if not address:
        return ""
    image = f'<img src="{escape(address)}" alt="{escape(alternative_text(article))}">'
    credit = shown_credit(article)
    caption = f"<figcaption>{_credit(credit)}</figcaption>" if credit else ""
    return f"<figure>{image}{caption}</figure>\n"


def _credit(credit: ImageCredit) -> str:
    """The credit line, left to right; each name keeps its own direction."""
    photographer = _link(credit.photographer, credit.photographer_url)
    return f'<span dir="ltr">Photo: {photographer} / {_link(credit.provider_name, credit.provider_url)}</span>'


def _link(name: str, url: str | None) -> str:
    address = web_address(url)
    shown = f"<bdi>{escape(name)}</bdi>"
    return f'<a href="{escape(address)}" rel="noopener">{shown}</a>' if address else shown


def _grounding_totals(article: Article, language: Language) -> str:
    """Return the notice on the topic's coverage, and the totals of the grounding receipt: counts, and shares in
    percent.
    """
    grounding, notice = article.grounding, coverage_notice(article)
    said = f'<p class="coverage">{escape(notice)}</p>' if notice else ""
    if grounding is None:
        return f'<aside class="grounding">{said}</aside>\n' if said else ""
    labels, totals = LABELS[language], grounding.totals
    level = {
        GroundingLevel.FULL: labels.full,
        GroundingLevel.PARTIAL: labels.partial,
        GroundingLevel.NONE: "" if cites(grounding) else labels.none,  # the coverage says it
    }[grounding.level]
    figures = [(labels.sentences, str(totals.sentences))]
    if cites(grounding):
        figures += [
            (labels.supported, percent(totals.citation_recall)),
            (labels.precise, percent(totals.citation_precision)),
            (labels.valid, percent(totals.citation_validity)),
            (labels.quotes, percent(totals.quote_match)),
            (labels.facts, percent(totals.fact_match)),
            (labels.run, str(totals.longest_verbatim_run)),
        ]
        if totals.copied_8grams is not None:
            figures.append((labels.copied, percent(totals.copied_8grams)))
    shown = f"<strong>{escape(level)}</strong>" if level else ""
    items = "".join(f"<li>{escape(name)}: {figure}</li>" for name, figure in figures)
    return f'<aside class="grounding">{said}{shown}<ul>{items}</ul></aside>\n'


def _structured_data(article: Article, sources: list[ArticleSource], plain_text: str, mark: AiUse) -> str:
    """A schema.org BlogPosting as JSON-LD, escaped for a script element."""
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        "headline": article.title,
        "description": description(article, plain_text),
        "inLanguage": article.brief.language.value,
        "dateCreated": article.created_at.isoformat(),
        "dateModified": article.updated_at.isoformat(),
        "datePublished": article.published_at.isoformat() if article.published_at else None,
        "image": web_address(article.featured_image),
        "keywords": ", ".join(article.brief.keywords) or None,
        "wordCount": article.word_count or None,
        "digitalSourceType": SCHEMA_TYPES.get(mark),
        "citation": [
            {"@type": "CreativeWork", "name": source.title, "url": web_address(source.url)} for source in sources
        ],
    }
    return script_json(data)


def script_json(data: Mapping[str, object]) -> str:
    """JSON for a script element, without empty values; it cannot end the element or open a comment in it."""
    text = json.dumps({name: value for name, value in data.items() if value not in (None, [])}, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
