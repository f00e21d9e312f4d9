"""What everybody may read: whole, bounded, cached for a moment, and nothing else."""

from __future__ import annotations

import asyncio
import json
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest
from attrs import evolve
from litestar.testing import AsyncTestClient

from contentgen_core.model.article import ArticleStatus, PublicCategory
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.trend import TrendCategory
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_http.app import create_app
from contentgen_http.public_pages import discovery, representations
from tests.support.changed import changed
from tests.support.house import House, open_house
from tests.support.http import Generous, faults_of, problem_of
from tests.support.public import EVIL, NICHE, a_public_article, a_trend, add_articles, add_trends

BASE = "https://articles.example.org"
READS = (
    "/public/trends",
    "/public/trends/heat",
    "/public/trend-radar",
    "/public/trend-radar?format=svg",
    "/public/widget/trends",
    "/public/widget/trends?format=html",
    "/public/top-niches",
    "/public/stats",
    "/public/kb-articles",
    "/public/kb-articles/heat-pumps",
    "/public/kb-articles/heat-pumps?format=html",
    "/article/radar-heat",
    "/sitemap.xml",
    "/sitemap/-",
    "/feed.xml",
    "/robots.txt",
)


class Public:
    """A visitor without a key. `wait` lets everything that is kept grow old."""

    def __init__(self, house: House, client: AsyncTestClient[Any], limiter: Generous) -> None:
        self.house, self.client, self.limiter = house, client, limiter
        self.unit_of_work = house.services.ports.unit_of_work

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.client.get(path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    async def json(self, path: str) -> Any:
        answer = await self.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()


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


@asynccontextmanager
async def visited(public_url: str | None = BASE, limiter: Generous | None = None) -> AsyncIterator[Public]:
    limiter = limiter or Generous()
    async with open_house() as house:
        services = changed(house.services, ports={"rate_limiter": limiter}, options={"public_url": public_url})
        async with AsyncTestClient(create_app(services)) as client:
            yield Public(house, client, limiter)


async def filled(public: Public) -> None:
    tenant = public.house.caller.tenant_id
    await add_trends(public.unit_of_work, a_trend("heat", 80), a_trend("noise", 40, category=TrendCategory.RESEARCH))
    await add_articles(
        public.unit_of_work,
        a_public_article(tenant),
        a_public_article(tenant, "radar-heat", public_category=PublicCategory.TREND_RADAR),
    )


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept."""
    monkeypatch.setattr(representations.RepresentationCache, "_store", lambda *_: None)


async def test_trends_are_listed_by_score_with_their_total() -> None:
    async with visited() as public:
        await add_trends(public.unit_of_work, *(a_trend(f"t{n}", n) for n in (30, 70, 50)))
        listed = await public.json("/public/trends?limit=2")
    assert ([trend["slug"] for trend in listed["trends"]], listed["total"]) == (["t70", "t50"], 3)
    assert listed["trends"][0]["nicheName"] == "Home energy"
    assert {"sources", "history"}.isdisjoint(listed["trends"][0])


async def test_trends_are_those_of_a_niche_where_one_is_named() -> None:
    async with visited() as public:
        await add_trends(public.unit_of_work, a_trend("heat"), a_trend("shop", niche_key="ecommerce"))
        for path in ("/public/trends", "/public/widget/trends", "/public/trend-radar"):
            listed = await public.json(f"{path}?nicheKey=ecommerce")
            assert (len(listed["trends"]), listed["total"]) == (1, 1), path
            assert (await public.json(f"{path}?nicheKey=nobodys"))["total"] == 0


async def test_the_radar_says_where_each_trend_is() -> None:
    async with visited() as public:
        await add_trends(public.unit_of_work, a_trend("a", 75), a_trend("b", 25, niche_key="ecommerce"))
        radar = await public.json("/public/trend-radar")
    assert [(t["slug"], t["number"], t["angle"], t["distance"]) for t in radar["trends"]] == [
        ("a", 1, 270, 0.25),
        ("b", 2, 90, 0.75),
    ]
    assert [(n["nicheKey"], n["fromAngle"], n["toAngle"]) for n in radar["niches"]] == [
        ("ecommerce", 0, 180),
        (NICHE, 180, 360),
    ]


async def test_a_trend_shows_its_sources_and_history_but_no_texts() -> None:
    async with visited() as public:
        await filled(public)
        answer = await public.get("/public/trends/heat")
        trend = answer.json()
        assert problem_of(await public.get("/public/trends/nobodys"))["code"] == "not_found"
    assert trend["sources"] == [
        {
            "url": "https://news.example.org/heat",
            "title": "News of heat",
            "publisher": "Example News",
            "category": "news",
            "publishedAt": "2026-03-10T10:00:00Z",
            "excerpt": "A sentence.",
            "engagement": 12,
        }
    ]
    assert [point["score"] for point in trend["history"]] == [79, 80]
    assert "WHOLE TEXT" not in answer.text


async def test_niches_come_by_what_is_going_on_in_them() -> None:
    async with visited() as public:
        await add_trends(
            public.unit_of_work, a_trend("a", 60), a_trend("b", 50), a_trend("c", 90, niche_key="ecommerce")
        )
        top = await public.json("/public/top-niches?limit=1")
    assert top == {
        "niches": [{"nicheKey": NICHE, "name": "Home energy", "trends": 2, "score": 110, "highestScore": 60}],
        "total": 2,
    }


async def test_statistics_count_what_everybody_sees_and_round_what_is_tenants_own() -> None:
    async with visited() as public:
        await filled(public)
        tenant = public.house.caller.tenant_id
        own = [builders.article(tenant_id=tenant, status=ArticleStatus.GENERATED, content="Own.") for _ in range(11)]
        await add_articles(public.unit_of_work, *own[:7])
        assert (await public.json("/public/stats"))["articles"] == 0, "fewer than ten say nothing"
    async with visited() as public:
        await filled(public)
        await add_articles(
            public.unit_of_work, *(evolve(article, tenant_id=public.house.caller.tenant_id) for article in own)
        )
        stats = await public.json("/public/stats")
    assert stats == {"articles": 13, "publicArticles": 2, "trends": 2, "niches": 1, "languages": 1}


async def test_public_articles_are_listed_without_what_leads_to_whose_they_are() -> None:
    async with visited() as public:
        await filled(public)
        listed = await public.get("/public/kb-articles")
        article = await public.get("/public/kb-articles/heat-pumps")
        async with public.unit_of_work() as tx:
            stored = await tx.public_articles.find("heat-pumps")
    assert stored is not None
    assert listed.json()["total"] == 2
    assert {"content", "sources"}.isdisjoint(listed.json()["articles"][0])
    shown = article.json()
    assert shown["url"] == f"{BASE}/public/kb-articles/heat-pumps"
    assert shown["content"] == stored.content
    assert shown["sources"] == [{"number": 1, "title": "A source", "url": "https://example.com/a"}]
    assert shown["jsonLd"]["@type"] == "Article"
    secrets = {stored.id, stored.tenant_id, stored.sources[0].parent_id, stored.brief.topic, stored.error or "?"}
    for text in (listed.text, article.text):
        assert not [secret for secret in secrets if secret in text]


async def test_a_page_shows_the_words_of_web_pages_and_never_those_of_private_documents() -> None:
    async with visited() as public:
        stored = a_public_article(public.house.caller.tenant_id, "heat")
        page = evolve(stored.sources[0], quotes=("Words of a page.",), private=False)
        file = evolve(page, number=2, parent_id=DocumentId("f"), url=None, quotes=("Words of a file.",))
        own = evolve(page, number=3, parent_id=DocumentId("p"), title="Own", quotes=("Own words.",), private=True)
        await add_articles(public.unit_of_work, evolve(stored, content="Heat.[1][2][3]", sources=(page, file, own)))
        shown = (await public.get("/public/kb-articles/heat?format=html")).text
        data = (await public.get("/public/kb-articles/heat")).text
    assert "Words of a page." in shown
    assert "#:~:text=Words%20of%20a%20page." in shown
    for text in (shown, data):
        assert "Words of a file" not in text
        assert "Own words" not in text


async def test_articles_are_chosen_by_locale_category_and_words_a_page_at_a_time() -> None:
    async with visited() as public:
        tenant = public.house.caller.tenant_id
        english = a_public_article(tenant, "en")
        english = evolve(english, brief=evolve(english.brief, language=Language.EN), title="Heat pumps")
        await add_articles(public.unit_of_work, english, a_public_article(tenant, "fr"))

        async def slugs(query: str) -> list[str]:
            return [article["slug"] for article in (await public.json(f"/public/kb-articles?{query}"))["articles"]]

        assert await slugs("locale=fr") == await slugs("locale=fr-CA") == await slugs("locale=FR_ca") == ["fr"]
        assert await slugs("locale=en") == ["en"]
        assert await slugs("locale=xx") == await slugs("category=bias") == []
        assert await slugs("search=heat+pump") == ["en"]
        assert sorted(await slugs("page=1&limit=1") + await slugs("page=2&limit=1")) == ["en", "fr"]
        assert (await public.json("/public/kb-articles?page=3&limit=1"))["totalPages"] == 2


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/public/trends?limit=0", "limit"),
        ("/public/trends?limit=101", "limit"),
        (f"/public/trends?nicheKey={'x' * 101}", "nicheKey"),
        ("/public/trend-radar?format=png", "format"),
        ("/public/widget/trends?limit=21", "limit"),
        ("/public/widget/trends?theme=pink", "theme"),
        ("/public/top-niches?limit=101", "limit"),
        ("/public/kb-articles?limit=101", "limit"),
        ("/public/kb-articles?page=0", "page"),
        ("/public/kb-articles?locale=%27--", "locale"),
        ("/public/kb-articles?category=secret", "category"),
        (f"/public/kb-articles?search={'x' * 201}", "search"),
        ("/public/kb-articles/heat?format=pdf", "format"),
        ("/feed.xml?limit=1000", "limit"),
    ],
)
async def test_every_parameter_has_bounds(path: str, field: str) -> None:
    async with visited() as public:
        assert set(faults_of(await public.get(path))) == {field}


async def test_unknown_parameters_are_ignored() -> None:
    async with visited() as public:
        assert (await public.get("/public/trends?utm_source=x")).status_code == 200


@pytest.mark.parametrize("path", READS)
async def test_an_answer_says_how_long_it_lasts_and_is_not_sent_again(path: str) -> None:
    async with visited() as public:
        await filled(public)
        first = await public.get(path)
        assert first.status_code == 200, first.text
        lasts = first.headers["cache-control"]
        assert lasts.startswith("public, max-age=2")
        assert ("stale-while-revalidate" in lasts) == ("trend" in path or "niches" in path or "stats" in path)
        assert first.headers["access-control-allow-origin"] == "*"
        assert first.headers["x-content-type-options"] == "nosniff"
        assert not first.headers["etag"].startswith("W/")
        for tag in (first.headers["etag"], f'"other", W/{first.headers["etag"]}', "*"):
            again = await public.get(path, if_none_match=tag)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == first.headers["etag"]
            assert again.headers["cache-control"] == lasts
        assert (await public.get(path, if_none_match='"other"')).content == first.content


async def test_an_answer_is_made_once_however_often_it_is_asked_for() -> None:
    async with visited() as public:
        await filled(public)
        answers = await asyncio.gather(*(public.get("/public/trends") for _ in range(20)))
        for _ in range(5):
            await public.get("/public/trends?limit=20")
        assert {answer.status_code for answer in answers} == {200}
        assert len(public.limiter.taken) == 1, "only what has to be made is counted"


async def test_an_address_may_have_only_so_many_answers_made(impatient: None) -> None:
    async with visited(limiter=Generous(2)) as public:
        answers = [await public.get("/public/trends") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert problem_of(answers[2])["code"] == "rate_limited"
    assert int(answers[2].headers["retry-after"]) >= 1
    assert answers[2].headers["access-control-allow-origin"] == "*"


async def test_a_refusal_is_for_nobody_to_keep() -> None:
    async with visited() as public:
        for path in ("/public/kb-articles/nobodys", "/public/trends/nobodys", "/article/nobodys"):
            answer = await public.get(path)
            assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")


async def test_what_becomes_public_or_private_is_so_within_five_seconds() -> None:
    assert representations.LIFETIME + representations.MAX_AGE < 5
    async with visited() as public:
        [article] = [a_public_article(public.house.caller.tenant_id, is_public=False)]
        await add_articles(public.unit_of_work, article)
        loop = asyncio.get_running_loop()
        for is_public in (True, False):
            wanted = 200 if is_public else 404
            async with public.unit_of_work() as tx:
                article = await tx.articles.save(evolve(article, is_public=is_public))
            changed = loop.time()
            while (await public.get("/public/kb-articles/heat-pumps")).status_code != wanted:
                await asyncio.sleep(0.05)
            while (await public.json("/public/kb-articles"))["total"] != is_public:
                await asyncio.sleep(0.05)
            assert loop.time() - changed < representations.LIFETIME + 0.5


@pytest.mark.parametrize(
    "changes",
    [{"is_public": False}, {"content": ""}, {"status": ArticleStatus.GENERATING}],
    ids=["private", "empty", "being_written"],
)
async def test_nothing_that_is_not_public_can_be_reached(changes: dict[str, Any]) -> None:
    async with visited() as public:
        article = a_public_article(public.house.caller.tenant_id, "secret-slug", title="Top secret", **changes)
        radar = evolve(
            a_public_article(public.house.caller.tenant_id, "secret-radar", **changes),
            public_category=PublicCategory.TREND_RADAR,
        )
        await add_articles(public.unit_of_work, article, radar)
        for slug in ("secret-slug", "secret-radar", article.id):
            for path in (f"/public/kb-articles/{slug}", f"/public/kb-articles/{slug}?format=html", f"/article/{slug}"):
                answer = await public.get(path)
                assert answer.status_code == 404, path
                assert "Top secret" not in answer.text
        for path in ("/public/kb-articles", "/sitemap.xml", "/sitemap/-", "/feed.xml"):
            assert "secret" not in (await public.get(path)).text


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
    assert '<li id="source-1" value="1">A source' in page.text
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


async def test_a_click_counts_once_a_day_for_a_visitor() -> None:
    async with visited() as public:
        await filled(public)
        for _ in range(3):
            answer = await public.client.post("/public/trend-radar-click", json={"slug": "heat"})
            assert answer.json() == {"success": True}
        assert (await public.json("/public/trends/heat"))["clicks"] == 1
        unknown = await public.client.post("/public/trend-radar-click", json={"slug": "nobodys"})
        assert problem_of(unknown)["code"] == "not_found"
        assert MOMENT.date() == public.house.clock.now().date()
