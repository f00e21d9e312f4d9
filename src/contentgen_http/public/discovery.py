"""Files for crawlers and feed readers: sitemap, RSS feed, robots.txt."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final
from urllib.parse import quote

from contentgen_core.model.article import Article, PublicCategory
from contentgen_core.policies.articles.public_address import address_of
from contentgen_core.ports.repositories.public_articles import PublicAddress
from contentgen_http.public.xml import xml_text

MAX_URLS: Final = 50_000  # of one file (https://www.sitemaps.org/protocol.html)
FIRST: Final = "-"
"""In place of a slug: the part of the sitemap that begins with the first article."""

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAPS: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(base: str, addresses: Sequence[PublicAddress]) -> str:
    """A sitemap (https://www.sitemaps.org/protocol.html). `base`: the service's address, without a trailing slash."""
    entries = "".join(
        f"<url><loc>{xml_text(address_of(base, one.slug, one.category))}</loc>"
        f"<lastmod>{_iso(one.updated_at)}</lastmod></url>\n"
        for one in addresses
    )
    return f'{_HEAD}<urlset xmlns="{_SITEMAPS}">\n{entries}</urlset>\n'


def sitemap_index(base: str, parts: Sequence[str]) -> str:
    """A sitemap index. `parts`: the slug behind which each part begins; FIRST for the first one."""
    entries = "".join(
        f"<sitemap><loc>{xml_text(base)}/sitemap/{quote(part, safe='')}</loc></sitemap>\n" for part in parts
    )
    return f'{_HEAD}<sitemapindex xmlns="{_SITEMAPS}">\n{entries}</sitemapindex>\n'


def feed(base: str, own: str, articles: Sequence[Article], name: str) -> str:
    """Return an RSS 2.0 feed (https://www.rssboard.org/rss-specification). `own`: its address; `name`: of the site."""
    items = "".join(_item(base, article) for article in articles)
    changed = max((article.updated_at for article in articles), default=None)
    built = f"<lastBuildDate>{_rfc822(changed)}</lastBuildDate>\n" if changed else ""
    return (
        f'{_HEAD}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">\n<channel>\n'
        f"<title>{xml_text(name)}</title>\n<link>{xml_text(base)}/</link>\n"
        "<description>Articles whose every statement has its source.</description>\n"
        f'<atom:link href="{xml_text(own)}" rel="self" type="application/rss+xml"/>\n{built}{items}</channel>\n</rss>\n'
    )


def _item(base: str, article: Article) -> str:
    url = xml_text(address_of(base, article.slug or "", article.public_category))
    category = (article.public_category or PublicCategory.OTHER).value
    excerpt = f"<description>{xml_text(article.excerpt)}</description>" if article.excerpt else ""
    return (
        f'<item><title>{xml_text(article.title)}</title><link>{url}</link><guid isPermaLink="true">{url}</guid>'
        f"<pubDate>{_rfc822(article.published_or_created_at)}</pubDate><category>{category}</category>"
        f"{excerpt}</item>\n"
    )


def robots(base: str | None) -> str:
    """The robots.txt: crawlers may visit articles and the documentation. `base`: the service's address, if known."""
    lines = [
        "User-agent: *",
        "Allow: /article/",
        "Allow: /public/kb-articles",
        "Allow: /public/trend-radar",
        "Allow: /public/trends/",
        "Allow: /docs",
        "Disallow: /public/",
        "Disallow: /team/",
    ]
    return "\n".join([*lines, *((f"Sitemap: {base}/sitemap.xml",) if base else ())]) + "\n"


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _rfc822(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC), usegmt=True)
