"""What everybody may read: whole, bounded, cached for a moment, and nothing else."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from attrs import evolve

from contentgen_core.model.article import ArticleStatus, PublicCategory
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.public_articles import PublicArticles
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_http.public import representations
from tests.support.http import Generous, faults_of, problem_of
from tests.support.public import NICHE, a_public_article, a_trend, add_articles, add_trends
from tests.support.visitor import BASE, filled, visited

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
COUNTED = "contentgen_http_requests_total"


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
            stored = await tx[PublicArticles].find("heat-pumps")
    assert stored is not None
    assert listed.json()["total"] == 2
    assert {"content", "sources"}.isdisjoint(listed.json()["articles"][0])
    shown = article.json()
    assert shown["url"] == f"{BASE}/public/kb-articles/heat-pumps"
    assert shown["content"] == stored.content
    assert shown["sources"] == [
        {
            "number": 1,
            "title": "A source",
            "url": "https://example.com/a",
            "author": "Bob Volt",
            "published": "2026-03-10",
        }
    ]
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


@pytest.mark.parametrize("path", READS)
async def test_an_answer_that_is_ready_is_sent_and_counted_like_the_one_that_was_made(path: str) -> None:
    async with visited() as public:
        await filled(public)
        made, ready = [await public.get(path) for _ in range(2)]
        assert (ready.status_code, ready.content) == (made.status_code, made.content) == (200, made.content)
        assert _without_id(ready) == _without_id(made)
        assert ready.headers["x-request-id"] != made.headers["x-request-id"]
        families = public.house.services.telemetry.metrics.registry.collect()
        [counted] = [sample for family in families for sample in family.samples if sample.name == COUNTED]
        assert counted.value == 2
        assert counted.labels == {"surface": "api", "status": "200"}


def _without_id(answer: httpx.Response) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in answer.headers.raw if name != b"x-request-id"]


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
                article = await tx[Articles].save(evolve(article, is_public=is_public))
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
