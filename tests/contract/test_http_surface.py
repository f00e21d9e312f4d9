"""The shapes of the operations, as the specification and the product decisions state them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.tenant import PlanName
from contentgen_http.wire.kb import KbSource
from tests.support.http import AGENT, COVERED, NICHE, Api, faults_of, open_api, problem_of
from tests.support.scripted_model import ScriptedModel

UNCOVERED = "Medieval falconry manuals in Iceland"


def nulls(value: object, path: str = "$") -> Iterator[str]:
    match value:
        case None:
            yield path
        case dict():
            for name, item in value.items():
                yield from nulls(item, f"{path}.{name}")
        case list():
            for i, item in enumerate(value):
                yield from nulls(item, f"{path}[{i}]")


async def ok(api: Api, method: str, path: str, body: object = None, **more: Any) -> dict[str, Any]:
    answer = await api.call(method, path, body, **more)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    assert list(nulls(content)) == []
    return content


async def test_the_recommended_flow_ends_in_an_article() -> None:
    async with open_api() as api:
        check = await ok(api, "POST", "/writer/check-kb-coverage", {"agentKey": AGENT, "topic": COVERED})
        coverage = check["coverage"]
        planned = await ok(
            api,
            "POST",
            "/writer/generate-plan",
            {
                "agentKey": AGENT,
                "topic": COVERED,
                "language": "en",
                "coverageLevel": coverage["level"],
                "coverageSources": coverage["rerankedResults"],
            },
        )
        article_id = planned["articleId"]
        assert await ok(api, "POST", "/writer/generate-from-plan", {"articleId": article_id}) == {
            "success": True, "articleId": article_id, "status": "generating",
        }  # fmt: skip
        following = await ok(api, "GET", f"/writer/generation-status/{article_id}")
        assert (following["status"], following["progress"]) == ("generating", 0)
        assert following["article"]["progress"] == 0
        await api.house.work()
        following = await ok(api, "GET", f"/writer/generation-status/{article_id}")
        assert (following["status"], following["progress"]) == ("draft", 100)
        article = await ok(api, "GET", f"/writer/{article_id}")
        assert article == following["article"]
        assert article["status"] == "generated"
        assert "progress" not in article


async def test_a_written_article_shows_all_that_belongs_to_it() -> None:
    async with open_api() as api:
        article = await api.written(keywords=["winter"])
        assert set(article) >= {
            "id", "title", "content", "status", "slug", "seo", "nicheKey", "agentKey", "topic", "language", "tone",
            "articleLength", "keywords", "sources", "wordCount", "readingMinutes", "grounding", "usage", "plan",
            "jsonLd", "isPublic", "isFreeGeneration", "createdAt", "updatedAt",
        }  # fmt: skip
        assert (article["isPublic"], article["isFreeGeneration"], article["keywords"]) == (False, False, ["winter"])
        assert article["createdAt"] == "2026-03-10T12:00:00Z"
        assert article["readingMinutes"] == 1
        assert {"error", "publishedAt", "scheduledFor", "freeTopic"}.isdisjoint(article)
        assert set(article["sources"][0]) == {"number", "title", "url", "parentId", "chunkIndex", "quotes"}
        assert set(article["grounding"]) == {"level", "coverage", "verifier", "totals", "sentences"}
        assert article["coverage"] == article["grounding"]["coverage"]
        assert set(article["coverage"]) == {"level", "score", "missingTerms"}
        assert set(article["grounding"]["totals"]) == {
            "sentences", "citationValidity", "citationRecall", "citationPrecision", "quoteMatch", "factMatch",
            "longestVerbatimRun",
            "copied8GramShare",
        }  # fmt: skip
        sentence = article["grounding"]["sentences"][0]
        assert set(sentence) == {"text", "citations", "verdict", "support", "missingFacts", "marked", "verifier"}
        assert set(sentence["support"]) == {"parentId", "chunkIndex", "contentHash", "start", "end", "score"}
        assert set(article["usage"]) == {"model", "inputTokens", "outputTokens"}
        assert article["jsonLd"]["@type"] == "BlogPosting"


async def test_a_list_leaves_out_what_belongs_to_a_single_article() -> None:
    async with open_api() as api:
        article = await api.written()
        listed = await ok(api, "GET", "/articles")
        assert {name: listed[name] for name in ("total", "page", "limit", "totalPages")} == {
            "total": 1, "page": 1, "limit": 20, "totalPages": 1,
        }  # fmt: skip
        heavy = {"plan", "sources", "grounding", "usage", "publications", "jsonLd"}
        del article["approval"]["textHash"], article["approval"]["readerHash"]
        assert listed["articles"] == [{name: value for name, value in article.items() if name not in heavy}]


async def test_the_list_filter_draft_selects_drafts_and_generated_articles() -> None:
    async with open_api() as api:
        generated = (await api.written(topic=COVERED + " one", coverageLevel="high"))["id"]
        draft = (await api.planned())["articleId"]
        published = (await api.written(topic=COVERED + " two", coverageLevel="high"))["id"]
        await ok(api, "PATCH", f"/writer/{published}", {"status": "published"})
        chosen: dict[str, set[str]] = {}
        for status in ("draft", "generating", "published", "scheduled", "failed"):
            listed = await ok(api, "GET", f"/articles?status={status}")
            chosen[status] = {article["id"] for article in listed["articles"]}
        assert chosen == {
            "draft": {generated, draft}, "published": {published},
            "generating": set(), "scheduled": set(), "failed": set(),
        }  # fmt: skip
        assert faults_of(await api.call("GET", "/articles?status=generated")) == {
            "status": "must be one of draft, failed, generating, published, scheduled"
        }


async def test_a_list_is_paged_searched_and_sorted() -> None:
    async with open_api() as api:
        for n in range(3):
            await api.planned(topic=f"{COVERED} part {'abc'[n]}", coverageLevel="high")
            api.house.clock.advance(minutes=1)
        first = await ok(api, "GET", "/articles?limit=2&sortBy=createdAt&sortOrder=asc")
        second = await ok(api, "GET", "/articles?limit=2&page=2&sortOrder=asc")
        topics = [article["topic"][-1] for page in (first, second) for article in page["articles"]]
        assert (topics, second["totalPages"]) == (["a", "b", "c"], 2)
        assert (await ok(api, "GET", "/articles?page=9"))["articles"] == []
        assert (await ok(api, "GET", "/articles?search=heat+effic"))["total"] == 3
        assert (await ok(api, "GET", "/articles?search=falconry"))["totalPages"] == 0
        assert (await ok(api, "GET", "/articles?nicheKey=ecommerce"))["total"] == 0


async def test_a_failed_generation_says_why_and_keeps_its_progress() -> None:
    model = ScriptedModel()

    def fail(method: str, _: int) -> None:
        if method == "write":
            raise ProviderFailed("scripted", "out of words", retryable=False)

    model.before = fail
    async with open_api(model=model) as api:
        article_id = (await api.planned(autoValidate=True))["articleId"]
        for _ in range(5):
            await api.house.work()
            api.house.clock.advance(hours=1)
        following = await ok(api, "GET", f"/writer/generation-status/{article_id}")
        assert following["status"] == "failed"
        assert following["article"]["error"]
        assert following["progress"] == following["article"]["progress"] < 100


async def test_the_two_answers_of_plan_generation() -> None:
    async with open_api() as api:
        plan = await api.planned()
        assert set(plan) == {"type", "articleId", "plan", "kbSources", "forecast", "coverage", "similarArticles"}
        assert plan["type"] == "plan"
        assert set(plan["plan"]) == {"title", "angle", "audience", "sections", "faq", "seo"}
        assert set(plan["plan"]["sections"][0]) == {"heading", "goal", "keyPoints", "sourceIds", "targetWords"}
        assert set(plan["plan"]["faq"][0]) == {"question", "sourceIds"}
        assert set(plan["plan"]["seo"]) == {"metaTitle", "metaDescription", "keywords"}
        source = plan["kbSources"][0]
        assert plan["plan"]["sections"][0]["sourceIds"] == [f"{source['parentId']}#{source['chunkIndex']}"]
        following = await ok(api, "GET", f"/writer/generation-status/{plan['articleId']}")
        assert (following["status"], following["progress"]) == ("draft", 0)
        started = await api.planned(autoValidate=True)
        assert set(started) == {"type", "articleId", "message", "coverage"}
        assert started["type"] == "generating"


async def test_a_plan_can_be_sent_back_unchanged_or_edited() -> None:
    async with open_api() as api:
        plan = await api.planned()
        plan["plan"]["sections"][0]["heading"] = "Another heading"
        await ok(api, "POST", "/writer/generate-from-plan", {"articleId": plan["articleId"], "plan": plan["plan"]})
        assert (await ok(api, "GET", f"/writer/{plan['articleId']}"))["plan"] == plan["plan"]
        again = await api.call("POST", "/writer/generate-from-plan", {"articleId": plan["articleId"]})
        assert (again.status_code, problem_of(again)["code"]) == (409, "no_plan_awaiting_review")


async def test_an_edited_plan_that_breaks_rules_names_every_fault_by_its_path() -> None:
    async with open_api() as api:
        plan = await api.planned()
        edited = plan["plan"]
        edited["sections"][0]["sourceIds"] = ["someone-elses#1"]
        edited["faq"][0]["sourceIds"] = ["nobodys#2"]
        answer = await api.call("POST", "/writer/generate-from-plan", {"articleId": plan["articleId"], "plan": edited})
        assert set(faults_of(answer)) == {"plan.sections[0].sourceIds", "plan.faq[0].sourceIds"}
        edited["sections"][0]["sourceIds"] = ["no index"]
        answer = await api.call("POST", "/writer/generate-from-plan", {"articleId": plan["articleId"], "plan": edited})
        assert set(faults_of(answer)) == {"plan.sections[0].sourceIds[0]"}


async def test_the_coverage_check_and_the_422_carry_the_same_coverage() -> None:
    async with open_api() as api:
        request = {"agentKey": AGENT, "topic": UNCOVERED}
        check = await ok(api, "POST", "/writer/check-kb-coverage", request)
        assert set(check) == {
            "canGenerate", "coverage", "evidence", "estimatedPlanQuality", "forecast", "warnings", "recommendations",
            "alternativeTopics", "similarArticles", "remainingChecks",
        }  # fmt: skip
        assert (check["canGenerate"], check["estimatedPlanQuality"], check["remainingChecks"]) == (False, "poor", 9)
        assert set(check["coverage"]) == {
            "level",
            "score",
            "provisional",
            "sourcesFound",
            "topSources",
            "rerankedResults",
        }
        for path, body in (
            ("/writer/generate-plan", request),
            ("/writer/generate", {**request, "nicheId": NICHE}),
        ):
            refused = await api.call("POST", path, body)
            assert refused.status_code == 422
            assert problem_of(refused)["coverage"] == check["coverage"]


async def test_a_covered_topic_lists_documents_and_passages() -> None:
    async with open_api() as api:
        check = await ok(api, "POST", "/writer/check-kb-coverage", {"agentKey": AGENT, "topic": COVERED})
        coverage = check["coverage"]
        assert coverage["level"] in ("good", "excellent")
        assert 0 < len(coverage["topSources"]) <= 5
        assert set(coverage["topSources"][0]) == {"title", "relevance", "url"}
        assert set(coverage["rerankedResults"][0]) == {field.encode_name for field in msgspec.structs.fields(KbSource)}


async def test_the_coverage_check_shows_what_its_score_rests_on() -> None:
    async with open_api() as api:
        request = {"agentKey": AGENT, "topic": "Heat pump efficiency in Norway", "articleLength": "short"}
        evidence = (await ok(api, "POST", "/writer/check-kb-coverage", request))["evidence"]
        terms = {found["word"]: found for found in evidence["terms"]}
        assert list(terms) == ["Heat", "pump", "efficiency", "Norway"]
        assert terms["efficiency"]["documents"] == 4
        assert terms["efficiency"]["inHeadings"]
        assert "Heat pump efficiency" in terms["efficiency"]["titles"]
        assert terms["Norway"] == {"word": "Norway", "documents": 0, "passages": 0, "inHeadings": False, "titles": []}
        assert evidence["missingTerms"] == ["Norway"]
        assert (evidence["documents"], evidence["documentsNeeded"], evidence["passagesNeeded"]) == (4, 2, 4)
        assert evidence["sites"] == 1
        assert "newestYear" not in evidence  # imported, not fetched
        shares = ("bestMatch", "wordsTogether", "rankingAgreement", "diversity")
        assert all(0.0 < evidence[share] <= 1.0 for share in shares)
        assert evidence["wordsTogether"] < 1.0


async def test_topics_are_suggested_and_judged() -> None:
    async with open_api() as api:
        suggested = await ok(api, "POST", "/writer/suggest-topic", {"agentKey": AGENT})
        assert [topic["topic"] for topic in suggested["topics"]] == ["insulation", "ventilation", "electric vehicle"]
        assert all(set(topic) == {"topic", "reason", "score", "gap", "coverage"} for topic in suggested["topics"])
        assert suggested["topics"][1]["coverage"] == {
            "level": "insufficient", "score": 0.0, "missingTerms": ["ventilation"],
        }  # fmt: skip
        judged = await ok(api, "POST", "/writer/validate-topic", {"agentKey": AGENT, "topic": COVERED})
        assert set(judged) == {"valid", "confidence", "reason"}


async def test_the_lengths_say_what_the_plan_includes() -> None:
    async with open_api(PlanName.STARTER) as api:
        lengths = (await ok(api, "GET", "/writer/available-lengths"))["lengths"]
        assert [(length["id"], length["available"]) for length in lengths] == [
            ("short", True), ("standard", True), ("long", True), ("very_long", False),
        ]  # fmt: skip
        assert all(length["minWords"] < length["maxWords"] for length in lengths)


async def test_an_article_is_exported_as_a_page_for_print() -> None:
    async with open_api() as api:
        article = await api.written()
        answer = await api.call("GET", f"/writer/{article['id']}/export-pdf")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert article["title"] in answer.text


async def test_an_absent_field_stays_and_null_clears_an_optional_one() -> None:
    async with open_api() as api:
        path = f"/writer/{(await api.planned())['articleId']}"
        full = {
            "title": "A title", "content": "Some words", "excerpt": "Short",
            "scheduledFor": "2026-04-01T10:00:00+02:00", "featuredImage": "https://images.example.org/a.jpg",
            "seo": {"metaTitle": "Meta", "metaDescription": "Description"},
        }  # fmt: skip
        edited = await ok(api, "PATCH", path, full)
        assert {name: edited[name] for name in full} == full | {"scheduledFor": "2026-04-01T08:00:00Z"}
        assert await ok(api, "PATCH", path, {}) == edited
        seo = (await ok(api, "PATCH", path, {"seo": {"metaTitle": None}}))["seo"]
        assert seo == {"metaDescription": "Description"}
        cleared = await ok(
            api, "PATCH", path, {"excerpt": None, "featuredImage": None, "scheduledFor": None, "seo": None}
        )
        assert {"excerpt", "featuredImage", "scheduledFor", "seo"}.isdisjoint(cleared)
        assert (cleared["title"], cleared["content"]) == ("A title", "Some words")


@pytest.mark.parametrize("field", ["title", "content", "status", "isPublic", "isFreeGeneration"])
async def test_null_for_a_field_that_every_article_has_is_refused(field: str) -> None:
    async with open_api() as api:
        path = f"/writer/{(await api.planned())['articleId']}"
        assert set(faults_of(await api.call("PATCH", path, {field: None}))) == {field}


async def test_an_article_is_scheduled_for_the_future_only() -> None:
    async with open_api() as api:
        article_id = (await api.planned())["articleId"]
        path = f"/writer/{article_id}"
        past = await api.call("PATCH", path, {"status": "scheduled", "scheduledFor": "2026-03-10T12:00:00Z"})
        assert set(faults_of(past)) == {"scheduledFor"}
        await ok(api, "PATCH", path, {"status": "scheduled", "scheduledFor": "2026-03-10T13:00:00Z"})
        following = await ok(api, "GET", f"/writer/generation-status/{article_id}")
        assert (following["status"], following["progress"]) == ("draft", 100)
        await ok(api, "PATCH", path, {"status": "published"})
        following = await ok(api, "GET", f"/writer/generation-status/{article_id}")
        assert (following["status"], following["progress"]) == ("published", 100)


async def test_a_deleted_article_is_gone() -> None:
    async with open_api() as api:
        path = f"/writer/{(await api.planned())['articleId']}"
        assert await ok(api, "DELETE", path) == {"success": True}
        assert (await api.call("GET", path)).status_code == 404
        assert (await api.call("DELETE", path)).status_code == 404
