"""What everybody may read, as people and search engines get it: pages, the widget, the site map, the feed."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from attrs import evolve

from contentgen_core.model.article import PublicCategory
from contentgen_http.public import discovery
from tests.support.http import problem_of
from tests.support.public import EVIL, a_public_article, a_trend, add_articles, add_trends
from tests.support.visitor import BASE, filled, visited


class Markup(HTMLParser):
    """What of a page could run or lead into a script."""

    def __init__(self) -> None:
        super().__init__()
        self.harmful: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in ("script", "iframe", "object", "embed") and given.get("type") != "application/ld+json":
            self.harmful.append(tag)
        self.harmful += [f"{tag} {name}" for name in given if name.startswith("on")]
        self.harmful += [f"{tag} {value}" for value in given.values() if value.startswith(("javascript:", "data:text"))]


async def test_a_browser_gets_the_page_and_a_program_the_data() -> None:
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    async with visited() as public:
        await filled(public)
        path = "/public/kb-articles/heat-pumps"
        for accept, media in (
            (browser, "text/html"),
            ("text/html", "text/html"),
            ("*/*", "application/json"),
            ("application/json", "application/json"),
            ("application/json, text/html;q=0.5", "application/json"),
            ("text/html;q=0, */*", "application/json"),
        ):
            answer = await public.get(path, accept=accept)
            assert answer.headers["content-type"].startswith(media), accept
            assert answer.headers["vary"] == "Accept"
        assert (await public.get(f"{path}?format=json", accept=browser)).headers["content-type"] == "application/json"
        assert (await public.get(f"{path}?format=html")).headers["content-type"].startswith("text/html")


async def test_the_page_is_one_for_people_and_for_search_engines() -> None:
    async with visited() as public:
        tenant = public.house.caller.tenant_id
        radar = a_public_article(tenant, "radar-heat", public_category=PublicCategory.TREND_RADAR)
        await add_articles(public.unit_of_work, a_public_article(tenant), radar)
        page = await public.get("/public/kb-articles/heat-pumps?format=html")
        on_radar = await public.get("/article/radar-heat")
        other = await public.get("/article/heat-pumps")
        same = await public.get("/public/kb-articles/radar-heat?format=html")
    assert other.status_code == 404, "only articles of the trend radar are there"
    assert f'<link rel="canonical" href="{BASE}/public/kb-articles/heat-pumps">' in page.text
    assert f'<link rel="canonical" href="{BASE}/article/radar-heat">' in on_radar.text
    assert same.text == on_radar.text
    assert '<meta property="og:type" content="article">' in page.text
    assert f'<meta property="og:url" content="{BASE}/public/kb-articles/heat-pumps">' in page.text
    data = json.loads(page.text.partition('<script type="application/ld+json">')[2].partition("</script>")[0])
    assert (data["@type"], data["url"], data["headline"]) == (
        "Article",
        f"{BASE}/public/kb-articles/heat-pumps",
        "Pompes à chaleur",
    )
    assert 'href="#source-1"' in page.text
    assert '<li id="source-1" value="1">Bob Volt. A source' in page.text
    assert "script-src" not in page.headers["content-security-policy"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY"


async def test_nothing_that_somebody_wrote_becomes_markup() -> None:
    async with visited() as public:
        tenant = public.house.caller.tenant_id
        evil = a_public_article(
            tenant, title=EVIL, content=f"# {EVIL}\n\n{EVIL} [1]\n\n[x](javascript:alert(1))", excerpt=EVIL
        )
        evil = evolve(evil, sources=(evolve(evil.sources[0], title=EVIL, url="javascript:alert(1)"),))
        await add_articles(public.unit_of_work, evil)
        source = evolve(a_trend("x").sources[0], publisher=EVIL, url="javascript:alert(1)")
        await add_trends(
            public.unit_of_work,
            a_trend("evil", title=EVIL, summary=EVIL, sources=(source,)),
            a_trend(
                "worse", title=EVIL, sources=(evolve(source, url='https://x.example/"><script>alert(1)</script>'),)
            ),
        )
        for path in (
            "/public/kb-articles/heat-pumps?format=html",
            "/public/widget/trends?format=html",
            "/public/trend-radar?format=svg",
            "/feed.xml",
            "/sitemap.xml",
        ):
            text = (await public.get(path)).text
            seen = Markup()
            seen.feed(text)
            assert not seen.harmful, path
            if not path.endswith("html"):
                ET.fromstring(text)


async def test_the_widget_can_be_framed_and_can_do_nothing() -> None:
    async with visited() as public:
        await filled(public)
        for theme in ("auto", "light", "dark"):
            answer = await public.get(f"/public/widget/trends?format=html&theme={theme}&limit=1")
            policy = answer.headers["content-security-policy"]
            assert "x-frame-options" not in answer.headers
            assert "default-src 'none'" in policy
            assert "frame-ancestors *" in policy
            assert ("prefers-color-scheme" in answer.text) == (theme == "auto")
            assert "<script" not in answer.text
            assert 'rel="noopener noreferrer nofollow"' in answer.text
            assert answer.text.count("<li>") == 1
        data = await public.get("/public/widget/trends")
        assert data.headers["x-frame-options"] == "DENY"
        assert [trend["score"] for trend in data.json()["trends"]] == [80, 40]


async def test_samples_say_that_they_are_samples() -> None:
    async with visited() as public:
        await add_trends(public.unit_of_work, a_trend("heat", sample=True))
        assert (await public.json("/public/trends"))["trends"][0]["sample"] is True
        for path in ("/public/widget/trends?format=html", "/public/trend-radar?format=svg"):
            assert "sample" in (await public.get(path)).text


async def test_the_site_map_names_every_page_with_its_date() -> None:
    async with visited() as public:
        await filled(public)
        tree = ET.fromstring((await public.get("/sitemap.xml")).content)
        robots = (await public.get("/robots.txt")).text
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    assert [loc.text for loc in tree.findall("s:url/s:loc", names)] == [
        f"{BASE}/public/kb-articles/heat-pumps",
        f"{BASE}/article/radar-heat",
    ]
    assert tree.findtext("s:url/s:lastmod", namespaces=names) == "2026-03-10T12:03:00Z"
    assert f"Sitemap: {BASE}/sitemap.xml" in robots


async def test_a_long_site_map_comes_in_parts_that_hold_every_page_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "MAX_URLS", 3)
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    async with visited() as public:
        articles = [a_public_article(public.house.caller.tenant_id, f"a-{n}") for n in range(8)]
        await add_articles(public.unit_of_work, *articles)
        index = ET.fromstring((await public.get("/sitemap.xml")).content)
        parts = [loc.text or "" for loc in index.findall("s:sitemap/s:loc", names)]
        assert len(parts) == 3
        found: list[str] = []
        for part in parts:
            tree = ET.fromstring((await public.get(part.removeprefix(BASE))).content)
            found += [loc.text or "" for loc in tree.findall("s:url/s:loc", names)]
        # no article's slug, though there are articles behind it; the last article's, behind which there is none
        for part in ("a-", "anything", "a-7"):
            assert problem_of(await public.get(f"/sitemap/{part}"))["code"] == "not_found"
    assert found == [f"{BASE}/public/kb-articles/a-{n}" for n in range(8)]


async def test_the_feed_has_the_latest_articles() -> None:
    async with visited() as public:
        await filled(public)
        feed = ET.fromstring((await public.get("/feed.xml?limit=1")).content)
        assert feed.findtext("channel/item/title") == "Pompes à chaleur"
        assert feed.findtext("channel/item/pubDate") == "Thu, 12 Mar 2026 12:00:00 GMT"
        assert len(feed.findall("channel/item")) == 1
        assert len(ET.fromstring((await public.get("/feed.xml?category=trend-radar")).content).findall(".//item")) == 1


async def test_without_an_address_of_its_own_the_service_names_paths_only() -> None:
    async with visited(public_url=None) as public:
        await filled(public)
        assert (await public.json("/public/kb-articles/heat-pumps"))["url"] == "/public/kb-articles/heat-pumps"
        page = (await public.get("/public/kb-articles/heat-pumps?format=html", host="evil.example")).text
        assert "canonical" not in page
        assert "evil.example" not in page
        for path in ("/sitemap.xml", "/feed.xml", "/sitemap/-"):
            assert problem_of(await public.get(path))["code"] == "not_configured"
        assert "Sitemap" not in (await public.get("/robots.txt")).text
