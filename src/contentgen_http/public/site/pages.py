"""The pages, from what they show to HTML."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

from attrs import frozen
from jinja2 import Environment, PackageLoader, StrictUndefined

from contentgen_core.model.article import Article, PublicCategory
from contentgen_core.model.site import Site
from contentgen_core.model.trend import Trend
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.web_address import is_web_address
from contentgen_core.policies.articles.public_address import address_of
from contentgen_core.policies.text.truncation import reading_minutes
from contentgen_core.ports.rendering import PublicHtml
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery, PublicPage
from contentgen_core.use_cases.public.read_public import ShownTrend, ShownTrends
from contentgen_http.public.representations import Representation
from contentgen_http.public.site.style import policy, style
from contentgen_http.texts import texts_of_package

HTML: Final = "text/html; charset=utf-8"
ARTICLES: Final = "/public/kb-articles"
RADAR: Final = "/public/trend-radar"
SHOWN_ON_HOME: Final = 12
TRENDS_ON_HOME: Final = 5
RELATED: Final = 4


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["address_of"] = lambda article: address_of("", article.slug, article.public_category)
    made.globals["minutes"] = lambda article: reading_minutes(article.word_count, article.brief.language)
    made.tests["web_address"] = is_web_address
    made.globals["trend_address"] = lambda trend: f"/public/trends/{trend.slug}"
    return made


@frozen
class PublicSite:
    """The pages of a site. `base`: its address without a slash at its end; empty where it is not known."""

    site: Site
    base: str

    async def page(self, make: Callable[..., str], *shown: Any) -> Representation:
        """Return one of the pages below, made in a thread."""
        text = await asyncio.to_thread(make, *shown)
        return Representation.of(text, HTML, vary="Accept", policy=policy(self.site))

    def home(self, newest: Sequence[Article], languages: Mapping[Language, int], trends: ShownTrends) -> str:
        """Return the home page: the newest articles, links to the other pages, and the trends with the highest
        scores.
        """
        return self._page("home.html", newest=newest, trends=trends, **_filters(PublicArticleQuery(), languages))

    def articles(self, query: PublicArticleQuery, found: PublicPage, languages: Mapping[Language, int]) -> str:
        """A list of articles with its filters."""
        return self._page(
            "list.html",
            articles=found.articles,
            total=found.total,
            page=query.page,
            pages=max(1, -(-found.total // query.limit)),
            **_filters(query, languages),
        )

    def article(self, parts: PublicHtml, related: Sequence[Article]) -> str:
        """An article, and others on topics like its own."""
        return self._page("article.html", parts=parts, related=related)

    def radar(self, shown: ShownTrends, query: Mapping[str, Any]) -> str:
        """The trends as a picture and as a table. `query`: the parameters that choose them."""
        ranked: list[Trend] = sorted(shown.page.trends, key=lambda trend: (-trend.score, trend.slug))
        picture = f"{RADAR}?{urlencode({**query, 'format': 'svg'})}"
        return self._page("radar.html", trends=ranked, names=shown.names, picture=picture)

    def trend(self, shown: ShownTrend) -> str:
        """A trend with its sources."""
        return self._page("trend.html", trend=shown.trend, niche=shown.niche_name)

    def _page(self, template: str, **context: Any) -> str:
        return (
            environment()
            .get_template(template)
            .render(
                t=texts_of_package(self.site.language, __package__),
                site=self.site,
                base=self.base,
                style=style(self.site),
                **context,
            )
        )


def _filters(query: PublicArticleQuery, languages: Mapping[Language, int]) -> dict[str, Any]:
    """Return the values for filters.html. `at`: the address of the list with one filter changed, or of another page."""
    chosen = {
        "category": query.category.value if query.category else "",
        "locale": query.language.value if query.language else "",
        "search": query.search or "",
    }

    def at(**changed: object) -> str:
        asked = {"format": "html", **{name: value for name, value in {**chosen, **changed}.items() if value}}
        return f"{ARTICLES}?{urlencode(asked)}"

    feed = {name: value for name, value in chosen.items() if value and name != "search"}
    return {
        "at": at,
        "chosen": chosen,
        "feed": f"/feed.xml?{urlencode(feed)}" if feed else "/feed.xml",
        "languages": languages,
        "categories": list(PublicCategory),
    }
