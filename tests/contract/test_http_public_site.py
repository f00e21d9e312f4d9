"""The public pages as a site: home, lists, articles with others like them, the radar, a trend."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

import pytest
from attrs import evolve

from contentgen_core.model.article import PublicCategory
from contentgen_core.model.site import Site
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.duplicates import Duplicates
from contentgen_core.testing.runtime import MOMENT
from tests.contract.test_http_public_pages import Markup
from tests.support.changed import changed
from tests.support.http import client_of
from tests.support.prepared_app import create_app
from tests.support.public import EVIL, a_public_article, a_trend, add_articles, add_trends
from tests.support.visitor import BASE, Public, filled, visited

PAGES = (
    "/",
    "/public/kb-articles?format=html",
    "/public/kb-articles/heat-pumps?format=html",
    "/public/trend-radar?format=html",
    "/public/trends/heat?format=html",
)


async def page(public: Public, path: str) -> str:
    answer = await public.get(path, accept="text/html")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["vary"] == "Accept"
    return answer.text


async def test_each_page_leads_to_the_others_and_runs_nothing() -> None:
    async with visited() as public:
        await filled(public)
        for path in PAGES:
            answer = await public.get(path, accept="text/html")
            text, seen = await page(public, path), Markup()
            seen.feed(text)
            assert not seen.harmful, path
            assert 'href="/public/kb-articles?format=html"' in text
            assert 'href="/public/trend-radar?format=html"' in text
            assert "script-src" not in answer.headers["content-security-policy"]
            assert "default-src 'none'" in answer.headers["content-security-policy"]
        home = await page(public, "/")
        assert '<a href="/public/kb-articles/heat-pumps">Pompes à chaleur</a>' in home
        assert '<a href="/public/trends/heat?format=html">The trend heat</a>' in home
        assert f'<link rel="canonical" href="{BASE}/">' in home
        radar = await page(public, "/public/trend-radar?format=html&nicheKey=home-energy")
        assert '<img class="radar" src="/public/trend-radar?limit=40&amp;nicheKey=home-energy&amp;format=svg"' in radar
        assert (await public.get("/public/trend-radar?limit=40&nicheKey=home-energy&format=svg")).status_code == 200
        assert 'href="https://news.example.org/heat"' in await page(public, "/public/trends/heat")


async def test_a_program_still_gets_the_data() -> None:
    async with visited() as public:
        await filled(public)
        for path in ("/", "/public/kb-articles", "/public/trend-radar", "/public/trends/heat"):
            answer = await public.get(path, accept="*/*")
            assert answer.headers["content-type"].startswith("application/json"), path
            assert answer.headers["vary"] == "Accept", path


async def test_a_list_is_filtered_by_links_and_paged() -> None:
    async with visited() as public:
        tenant = public.house.caller.tenant_id
        article = a_public_article(tenant)
        biased = a_public_article(
            tenant, "bias", title="Bias", public_category=PublicCategory.BIAS,
            brief=evolve(article.brief, language=Language.EN),
        )  # fmt: skip
        await add_articles(public.unit_of_work, article, biased)
        whole = await page(public, "/public/kb-articles")
        assert "2 articles" in whole
        assert 'href="/public/kb-articles?format=html&amp;category=bias"' in whole
        assert 'href="/public/kb-articles?format=html&amp;locale=fr">French (1)</a>' in whole
        one = await page(public, "/public/kb-articles?category=bias&locale=en&search=bias")
        assert "One article" in one
        assert 'href="/feed.xml?category=bias&amp;locale=en"' in one
        assert '<input type="hidden" name="category" value="bias">' in one
        first = await page(public, "/public/kb-articles?limit=1")
        assert 'rel="next" href="/public/kb-articles?format=html&amp;page=2"' in first
        assert "No article is like that." in await page(public, "/public/kb-articles?search=nothing-like-it")


async def test_an_article_names_those_on_topics_like_its_own() -> None:
    async with visited() as public:
        tenant = public.house.caller.tenant_id
        own, other, far = (a_public_article(tenant, slug, title=slug) for slug in ("own", "other", "far"))
        await add_articles(public.unit_of_work, own, other, far)
        async with public.unit_of_work() as tx:
            await tx[Duplicates].save_words(
                {own.id: frozenset({"pump"}), other.id: frozenset({"pump"}), far.id: frozenset({"wind"})}
            )
        text = await page(public, "/public/kb-articles/own")
        related = text.partition('<aside class="related"')[2]
        assert '<a href="/public/kb-articles/other">other</a>' in related
        assert "far" not in related
        assert "Related articles" not in await page(public, "/public/kb-articles/far")


async def test_nothing_that_somebody_wrote_becomes_markup() -> None:
    async with visited() as public:
        article = a_public_article(public.house.caller.tenant_id, title=EVIL, excerpt=EVIL)
        await add_articles(public.unit_of_work, article)
        source = evolve(a_trend("x").sources[0], title=EVIL, publisher=EVIL, url="javascript:alert(1)")
        await add_trends(public.unit_of_work, a_trend("heat", title=EVIL, summary=EVIL, sources=(source,)))
        for path in (*PAGES, f"/public/kb-articles?format=html&search={quote(EVIL)}"):
            seen = Markup()
            seen.feed(await page(public, path))
            assert not seen.harmful, path


async def test_the_site_has_its_own_name_author_language_and_colours() -> None:
    site = Site(name="A & B", author="Ada", language="fr", logo="https://a.example/logo.png", colour="#7a1f5c")
    async with visited() as public:
        await filled(public)
        services = changed(public.house.services, options={"site": site, "public_url": BASE})
        async with client_of(create_app(services)) as public.client:
            home = await page(public, "/")
            article = await page(public, "/public/kb-articles/heat-pumps?format=html")
            feed = (await public.get("/feed.xml")).text
    assert '<html lang="fr">' in home
    assert "Derniers articles" in home
    assert '<img src="https://a.example/logo.png" alt="">A &amp; B</a>' in home
    assert "--accent:#7a1f5c" in home
    assert '<p class="byline"><bdi>Ada</bdi>' in article
    assert '"author": {"@type": "Organization", "name": "Ada"}' in article
    assert '<meta property="og:site_name" content="A &amp; B">' in article
    assert "<title>A &amp; B</title>" in feed


async def test_a_site_without_anything_says_so() -> None:
    async with visited(public_url=None) as public:
        home = await page(public, "/")
        assert "No public articles yet." in home
        assert "feed.xml" not in home
        assert "No trends yet." in await page(public, "/public/trend-radar")


@pytest.mark.parametrize("path", ["/public/kb-articles/no", "/public/trends/no"])
async def test_what_is_not_there_is_a_404(path: str) -> None:
    async with visited() as public:
        assert (await public.get(path, accept="text/html")).status_code == 404


async def test_the_latest_come_first_on_the_home() -> None:
    async with visited() as public:
        tenant = public.house.caller.tenant_id
        older = a_public_article(tenant, "older", title="Older", published_at=MOMENT - timedelta(days=2))
        newer = a_public_article(tenant, "newer", title="Newer", published_at=MOMENT)
        await add_articles(public.unit_of_work, older, newer)
        home = await page(public, "/")
        assert home.index(">Newer<") < home.index(">Older<")
