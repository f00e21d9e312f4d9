"""The interface description: complete, and true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import jsonschema_rs
import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.article_comment import ArticleComment
from contentgen_core.model.article_update import ArticleUpdate
from contentgen_core.model.freshness import SentenceState, StaleSentence
from contentgen_core.model.ids import (
    ArticleCommentId,
    ArticleId,
    ArticleLinkId,
    ArticleUpdateId,
    TenantId,
    UserId,
)
from contentgen_core.model.tenant import PlanName
from contentgen_core.testing.runtime import MOMENT
from contentgen_http.operation import ON_THE_DEMO
from tests.support.article_links import article_link
from tests.support.http import AGENT, COVERED, Api, open_api, problem_of
from tests.support.prepared_app import complete

OPERATIONS = {
    "GET /articles",
    "GET /writer/{id}",
    "PATCH /writer/{id}",
    "DELETE /writer/{id}",
    "POST /writer/generate",
    "POST /writer/generate-plan",
    "POST /writer/generate-from-plan",
    "GET /writer/generation-status/{articleId}",
    "POST /writer/check-kb-coverage",
    "POST /writer/suggest-topic",
    "POST /writer/validate-topic",
    "POST /writer/similar-articles",
    "GET /writer/available-lengths",
    "GET /writer/{id}/export-pdf",
    "POST /writer/{id}/auto-image",
    "GET /writer/check-trend-slug",
    "POST /public/generate-from-link",
    "GET /writer/{id}/grounding",
    "POST /writer/{id}/verify",
    "POST /grounding/verify",
    "GET /articles/freshness",
    "GET /articles/{id}/freshness",
    "POST /articles/{id}/patch",
    "GET /articles/{id}/links",
    "POST /articles/{id}/links/propose",
    "POST /article-links/{id}/accept",
    "POST /article-links/{id}/reject",
    "POST /article-updates",
    "GET /article-updates",
    "GET /article-updates/{id}",
    "POST /article-updates/{id}/accept",
    "POST /article-updates/{id}/reject",
    "GET /niches/{id}/refresh",
    "PATCH /niches/{id}/refresh",
    "DELETE /niches/{id}/refresh",
    "POST /niches/{id}/refresh/run",
    "GET /articles/{id}/versions",
    "GET /articles/{id}/versions/{number}",
    "GET /articles/{id}/versions/{number}/diff",
    "GET /articles/{id}/evidence",
    "POST /articles/{id}/versions/{number}/restore",
    "POST /articles/{id}/comments",
    "GET /articles/{id}/comments",
    "POST /article-comments/{id}/replies",
    "PATCH /article-comments/{id}",
    "DELETE /article-comments/{id}",
    "GET /articles/{id}/reviewed",
    "POST /articles/{id}/reviewed",
    "POST /articles/{id}/submit",
    "POST /articles/{id}/approve",
    "POST /articles/{id}/send-back",
    "GET /niches/{id}/approval",
    "PATCH /niches/{id}/approval",
    "DELETE /niches/{id}/approval",
    "POST /writer/forecast-plan",
    "GET /seo/topic-coverage",
    "POST /seo/topic-coverage",
    "GET /governance/{nicheKey}",
    "GET /sources",
    "POST /sources",
    "GET /sources/kinds",
    "GET /sources/{id}",
    "PATCH /sources/{id}",
    "DELETE /sources/{id}",
    "POST /sources/{id}/sync",
    "GET /sources/{id}/items",
    "GET /index-now",
    "POST /index-now",
    "POST /index-now/{id}/submit",
    "DELETE /index-now/{id}",
    "GET /{keyFile}",
    "POST /search-queries/import",
    "GET /search-queries/queues",
    "POST /search-queries/queues/{id}/dismiss",
    "GET /niches/{id}/search-demand",
    "PATCH /niches/{id}/search-demand",
    "DELETE /niches/{id}/search-demand",
    "POST /niches/{id}/search-demand/look",
    "POST /niches/{id}/search-console",
    "DELETE /niches/{id}/search-console",
    "GET /kb/search",
    "GET /kb/documents/{id}/versions",
    "GET /kb/documents/{id}/text",
    "GET /kb/{nicheKey}/stats",
    "GET /kb/{nicheKey}/entities",
    "GET /kb/{nicheKey}/graph",
    "GET /kb/{nicheKey}/conflicts",
    "POST /kb/{nicheKey}/conflicts/run",
    "POST /kb/{nicheKey}/conflicts/{id}/decide",
    "GET /niches",
    "GET /niches/{id}",
    "POST /niches",
    "POST /niches/{id}/activate",
    "POST /niches/{id}/deactivate",
    "GET /niches/list",
    "GET /niches/activated",
    "PATCH /niches/{id}",
    "DELETE /niches/{id}",
    "GET /niches/{id}/dashboard",
    "GET /niches/{id}/settings",
    "PATCH /niches/{id}/settings",
    "POST /niches/{id}/websearch-premium",
    "POST /niches/request",
    "POST /writer/enrich-kb-topic",
    "GET /writer/enrichment-status/{taskId}",
    "GET /writer/translate-credits",
    "POST /writer/{id}/translate",
    "POST /translate",
    "GET /translate/{id}",
    "GET /documents",
    "GET /documents/available",
    "POST /documents/upload",
    "POST /documents/url",
    "POST /documents/search",
    "GET /documents/{id}",
    "PATCH /documents/{id}",
    "DELETE /documents/{id}",
    "POST /writer/{id}/publish",
    "GET /integrations",
    "POST /integrations",
    "GET /integrations/providers",
    "GET /integrations/providers/{provider}/options",
    "GET /integrations/{id}",
    "PATCH /integrations/{id}",
    "DELETE /integrations/{id}",
    "POST /integrations/{id}/test",
    "POST /integrations/{id}/publish",
    "POST /publications/verify",
    "GET /publications/{id}",
    "POST /publications/{id}/retry",
    "POST /publications/{id}/cancel",
    "POST /publications/{id}/unpublish",
    "DELETE /publications/{id}/post",
    "POST /publications/{id}/mark",
    "GET /agents",
    "GET /agents/events",
    "GET /kb/{nicheKey}/understanding",
    "GET /niches/{id}/article-schedule",
    "PATCH /niches/{id}/article-schedule",
    "POST /agents/{id}/execute",
    "GET /agents/{id}/executions",
    "POST /agents/{id}/executions/{executionId}/stop",
    "POST /agents",
    "GET /agents/{id}",
    "PATCH /agents/{id}",
    "DELETE /agents/{id}",
    "POST /agents/{id}/toggle",
    "POST /agents/{id}/websearch-premium",
    "GET /tenant",
    "GET /tenant/quotas",
    "GET /tenant/budgets",
    "PATCH /agents/{id}/budget",
    "DELETE /agents/{id}/budget",
    "PATCH /tenant/settings",
    "GET /team",
    "POST /team/invite",
    "PATCH /team/{id}",
    "DELETE /team/{id}",
    "GET /team/accept",
    "POST /team/accept",
    "POST /mcp/sse",
    "POST /mcp",
    "GET /account",
    "PATCH /account/profile",
    "POST /account/keys",
    "GET /account/keys",
    "DELETE /account/keys/{id}",
    "GET /public/trends",
    "GET /public/trends/{slug}",
    "GET /public/trend-radar",
    "GET /public/widget/trends",
    "GET /public/top-niches",
    "GET /public/stats",
    "GET /public/kb-articles",
    "GET /public/kb-articles/{slug}",
    "GET /article/{slug}",
    "GET /sitemap.xml",
    "GET /sitemap/{part}",
    "GET /feed.xml",
    "GET /.well-known/jwks.json",
    "GET /robots.txt",
    "POST /public/trend-alerts",
    "GET /public/trend-alerts/confirm",
    "POST /public/trend-alerts/confirm",
    "GET /public/trend-alerts/unsubscribe",
    "POST /public/trend-alerts/unsubscribe",
    "POST /public/trend-radar-click",
    "GET /calendar",
    "POST /calendar/link",
    "DELETE /calendar/link",
    "GET /calendar.ics",
    "GET /webhooks",
    "POST /webhooks",
    "GET /webhooks/{id}",
    "PATCH /webhooks/{id}",
    "DELETE /webhooks/{id}",
    "POST /webhooks/{id}/rotate-secret",
    "POST /webhooks/{id}/test",
    "POST /webhooks/{id}/replay",
    "GET /webhooks/{id}/deliveries",
    "GET /webhooks/{id}/deliveries/{messageId}",
    "POST /webhooks/{id}/deliveries/{messageId}/replay",
    "GET /voices",
    "POST /voices",
    "GET /voices/{id}",
    "PATCH /voices/{id}",
    "DELETE /voices/{id}",
    "GET /reviews",
    "POST /reviews",
    "GET /reviews/my-review",
    "PATCH /reviews/{id}",
    "DELETE /reviews/{id}",
    "POST /reviews/{id}/helpful",
    "GET /",
    "GET /health",
    "GET /ready",
    "GET /metrics",
    "GET /openapi.json",
    "GET /docs",
    "GET /docs/{name}",
}
_numbers = count()
PUBLIC = {
    "/.well-known/jwks.json",
    "/",
    "/health",
    "/ready",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/docs/{name}",
    "/team/accept",
    "/calendar.ics",
    "/mcp/sse",
    "/mcp",
} | {
    operation.split()[1]
    for operation in OPERATIONS
    if re.match(r"\w+ /(public/|article/|sitemap|feed|robots|{keyFile})", operation)
}
# Of what belongs to the platform, and not to the tenant that made it.
SHARED = {"POST /reviews/{id}/helpful"}
# Answers that a protocol of its own decides on.
OF_THE_PROTOCOL = {(path, status) for path in ("/mcp/sse", "/mcp") for status in ("202", "404", "406")}
FOR_PLATFORM_ADMINS = {"POST /writer/{id}/auto-image"}
NAMED = {"TeamMember", "Article", "ArticlePlan", "Error", "Agent", "Niche", "KbSource", "Review"}


async def description(api: Api) -> dict[str, Any]:
    answer = await api.call("GET", "/openapi.json", key=None)
    assert answer.headers["content-type"] == "application/json"
    content: dict[str, Any] = answer.json()
    return content


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def answered(app: Litestar) -> set[str]:
    """The operations of an application by method and path."""
    return {
        f"{method} {route.path.replace(':str', '')}"
        for route in complete(app).routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if "operation" in handler.opt
        for method in handler.http_methods
    }


async def test_every_operation_of_this_version_is_described() -> None:
    async with open_api() as api:
        document = await description(api)
        assert answered(api.app) == OPERATIONS
    assert document["openapi"].startswith("3.1")
    assert document["info"]["version"] == "1.0.0"
    assert document["info"]["title"]
    assert {f"{method} {path}" for method, path, _ in operations(document)} == OPERATIONS
    assert set(document["components"]["schemas"]) >= NAMED


async def test_every_operation_says_what_it_does_and_how_it_fails() -> None:
    async with open_api() as api:
        document = await description(api)
    tags = {tag["name"] for tag in document["tags"]}
    for method, path, operation in operations(document):
        name = f"{method} {path}"
        assert operation["summary"], name
        assert operation["description"], name
        assert set(operation["tags"]) <= tags, name
        responses = operation["responses"]
        assert "200" in responses, name
        expected = {"500"}
        if path not in PUBLIC:
            expected |= {"401", "429", "503"}
        if "requestBody" in operation:
            expected |= {"400", "413", "415"}
        if operation["parameters"] and any(p["in"] != "path" for p in operation["parameters"]):
            expected |= {"400"}
        if "{" in path:
            expected |= {"404"}
        assert expected <= set(responses), name
        assert ("security" in operation) == (path in PUBLIC), name
        for status, response in responses.items():
            assert response["description"], name
            if status != "200" and (path, status) not in OF_THE_PROTOCOL:
                content = response["content"]["application/problem+json"]
                assert content["schema"] == {"$ref": "#/components/schemas/Error"}
                assert content["examples"], name
        for media, content in operation.get("requestBody", {"content": {}})["content"].items():
            assert media == "multipart/form-data" or content["examples"], name


async def test_every_property_and_parameter_is_described() -> None:
    async with open_api() as api:
        document = await description(api)
    for name, schema in document["components"]["schemas"].items():
        if "enum" not in schema:
            assert schema.get("description"), name
        for field, prop in schema.get("properties", {}).items():
            assert prop.get("description") or "const" in prop or field == "type", f"{name}.{field}"
    for method, path, operation in operations(document):
        for parameter in operation["parameters"]:
            assert parameter["description"], f"{method} {path}: {parameter['name']}"


async def test_every_error_example_is_an_error() -> None:
    async with open_api() as api:
        document = await description(api)
    validator = jsonschema_rs.Draft202012Validator(
        {"$ref": "#/components/schemas/Error", "components": document["components"]}
    )
    codes = set()
    for _, _, operation in operations(document):
        for status, response in operation["responses"].items():
            problems = response.get("content", {}).get("application/problem+json", {})
            for code, example in problems.get("examples", {}).items():
                validator.validate(example["value"])
                assert (example["value"]["code"], str(example["value"]["status"])) == (code, status)
                codes.add(code)
    assert codes >= {"unauthenticated", "rate_limited", "quota_exceeded", "plan_restriction", "coverage_too_low",
                     "topic_already_generating", "not_found", "idempotency_key_reused", "too_large"}  # fmt: skip


async def test_every_request_example_works() -> None:
    async with open_api(PlanName.BUSINESS) as api:
        article_id = (await api.planned())["articleId"]
        niche = (await api.call("POST", "/niches", {"name": "Boats"})).json()["id"]
        for method, path, operation in operations(await description(api)):
            if "requestBody" not in operation:
                continue
            content = operation["requestBody"]["content"].get("application/json", {"examples": {}})
            for example in content["examples"].values():
                if example["summary"] != ON_THE_DEMO:
                    continue
                body = example["value"]
                if "articleId" in body:
                    body = {"articleId": article_id}
                if "token" in body:
                    body = {**body, "token": (await _invitation(api))["inviteUrl"].partition("token=")[2]}
                made = {
                    "niches": niche,
                    "agents": AGENT,
                    "documents": await _document(api),
                }
                if path.startswith("/team/{id}"):
                    made["team"] = (await _invitation(api))["id"]
                if path == "/voices/{id}":
                    made["voices"] = await _voice(api)
                if path.startswith("/webhooks/{id}"):
                    made["webhooks"] = await _webhook(api)
                if path == "/sources/{id}":
                    made["sources"] = await _source(api)
                if path == "/reviews/{id}":
                    made["reviews"] = (await api.call("GET", "/reviews/my-review")).json()["id"]
                own = made.get(path.split("/")[1], article_id)
                answer = await api.call(method, path.replace("{id}", own), body)
                assert answer.status_code == 200, f"{method} {path}: {answer.text}"


async def test_answers_are_as_described() -> None:
    async with open_api(PlanName.BUSINESS) as api:
        article = await api.written()
        planned = await api.planned()
        await _review(api)
        document = await description(api)
        for path, kind in (
            (f"/writer/{article['id']}", "Article"),
            (f"/writer/generation-status/{planned['articleId']}", "GenerationStatus"),
            ("/articles", "ArticleList"),
            ("/writer/translate-credits", "TranslationCredits"),
            ("/niches", "NicheList"),
            ("/agents", "AgentList"),
            (f"/agents/{AGENT}", "Agent"),
            ("/niches/list", "NicheChoices"),
            ("/niches/activated", "ActivatedNiches"),
            ("/niches/home-energy/dashboard", "NicheDashboard"),
            ("/niches/home-energy/settings", "NicheSettings"),
            ("/seo/topic-coverage?nicheKey=home-energy", "TopicCoverage"),
            ("/governance/home-energy", "Governance"),
            ("/tenant/quotas", "Quotas"),
            ("/account/keys", "ApiKeyList"),
            ("/account", "Account"),
            ("/team", "TeamList"),
            ("/tenant", "Tenant"),
            (f"/documents/{await _document(api)}", "Document"),
            ("/documents", "DocumentList"),
            ("/documents/available", "AvailableDocuments"),
            (f"/voices/{await _voice(api)}", "Voice"),
            (f"/webhooks/{await _webhook(api)}", "Webhook"),
            ("/webhooks", "WebhookList"),
            ("/calendar", "Calendar"),
            (f"/sources/{await _source(api)}", "Source"),
            ("/sources", "SourceList"),
            ("/voices", "VoiceList"),
            ("/reviews/my-review", "Review"),
            ("/reviews", "ReviewList"),
            ("/ready", "Readiness"),
        ):
            schema = {"$ref": f"#/components/schemas/{kind}", "components": document["components"]}
            jsonschema_rs.Draft202012Validator(schema).validate((await api.call("GET", path)).json())
        plan = {"$ref": "#/components/schemas/PlanReady", "components": document["components"]}
        jsonschema_rs.Draft202012Validator(plan).validate(planned)


async def test_what_another_tenant_owns_does_not_exist() -> None:
    """Every operation with an id, asked for with the id of another tenant's resource."""
    async with open_api(PlanName.BUSINESS) as api:
        other = await api.house.other_tenant(PlanName.BUSINESS)
        key = await api.key_of(other)
        ids = await _resources(api, key)
        before = [
            (await api.call("GET", path, key=key)).text for path in ("/articles", "/niches", "/account/keys", "/team")
        ]
        asked = 0
        for method, path, operation in operations(await description(api)):
            if "{" not in path or path in PUBLIC or f"{method} {path}" in SHARED:
                continue
            at = re.sub(r"\{\w+\}", ids["task" if "{taskId}" in path else path.split("/")[1]], path)
            at = (
                path.replace("{articleId}", "{id}")
                .replace("{nicheKey}", "{id}")
                .replace("{id}", ids[path.split("/")[1]])
            )
            body = None
            if "requestBody" in operation:
                body = operation["requestBody"]["content"]["application/json"]["examples"]["demo"]["value"]
            if "{provider}" in at:
                at = f"{at.replace('{provider}', 'memory')}?integrationId={ids['integrations']}"
            answer = await api.call(method, at, body)
            # Refused before it is looked for, whosever it is.
            expected = (403, "not_permitted") if f"{method} {path}" in FOR_PLATFORM_ADMINS else (404, "not_found")
            assert (answer.status_code, problem_of(answer)["code"]) == expected, f"{method} {path}"
            asked += 1
        assert asked >= 9
        for at, body in (
            ("/writer/generate-from-plan", {"articleId": ids["writer"]}),
            ("/writer/forecast-plan", {"articleId": ids["writer"]}),
            ("/writer/generate", {"nicheId": ids["niches"], "topic": COVERED}),
            ("/writer/generate-plan", {"agentKey": "secret-niche-GB", "topic": COVERED}),
            ("/writer/check-kb-coverage", {"agentKey": "secret-niche-GB", "topic": COVERED}),
            ("/writer/suggest-topic", {"agentKey": "secret-niche-GB"}),
            ("/seo/topic-coverage?agentKey=secret-niche-GB", None),
            ("/writer/validate-topic", {"agentKey": "secret-niche-GB", "topic": COVERED}),
            ("/writer/similar-articles", {"agentKey": "secret-niche-GB", "topic": COVERED}),
            ("/writer/similar-articles", {"nicheId": ids["niches"], "topic": COVERED}),
        ):
            assert (await api.call("POST", at, body)).status_code == 404, at
        after = [
            (await api.call("GET", path, key=key)).text for path in ("/articles", "/niches", "/account/keys", "/team")
        ]
        assert after == before


async def _resources(api: Api, key: str) -> dict[str, str]:
    """By first segment of the path: an id that belongs to the tenant of the key, and that works for it."""
    plan = {"agentKey": AGENT, "topic": COVERED, "allowLowCoverage": True}
    article = (await api.call("POST", "/writer/generate-plan", plan, key=key)).json()["articleId"]
    niche = (await api.call("POST", "/niches", {"name": "Secret niche"}, key=key)).json()["id"]
    activation = {"tones": ["casual"], "languages": ["en"], "countries": ["GB"]}
    assert (await api.call("POST", f"/niches/{niche}/activate", activation, key=key)).status_code == 200
    agents = (await api.call("GET", "/agents?nicheKey=secret-niche", key=key)).json()["agents"]
    spare = (await api.call("POST", "/account/keys", {"name": "Spare"}, key=key)).json()["id"]
    assert (await api.call("GET", f"/writer/{article}", key=key)).status_code == 200
    document = await _document(api, key=key)
    topic = {"agentKey": AGENT, "topic": "Noise limits for a heat pump in terraced houses"}
    task = (await api.call("POST", "/writer/enrich-kb-topic", topic, key=key)).json()["taskId"]
    memory = {"provider": "memory", "name": "Blog", "credentials": {"token": TOKEN}}
    integration = (await api.call("POST", "/integrations", memory, key=key)).json()["integration"]["id"]
    content = {"title": "Heat", "content": "moves"}
    published = (await api.call("POST", f"/integrations/{integration}/publish", content, key=key)).json()
    text = {"text": "A heat pump moves heat.", "targetLanguage": "fr"}
    translation = (await api.call("POST", "/translate", text, key=key)).json()["translationId"]
    return {
        "translate": translation,
        "integrations": integration,
        "publications": published["publication"]["id"],
        "writer": article,
        "articles": article,
        "article-comments": await _comment(api, article, key=key),
        "article-updates": await _update(api, article, key=key),
        "article-links": await _link(api, article, key=key),
        "niches": niche,
        "agents": agents[0]["id"],
        "account": spare,
        "documents": document,
        "team": (await _invitation(api, key=key))["id"],
        "task": task,
        "governance": niche,
        "kb": "secret-niche-GB",
        "voices": await _voice(api, key=key),
        "sources": await _source(api, key=key),
        "webhooks": await _webhook(api, key=key),
        "reviews": await _review(api, key=key),
        "search-queries": await _search_entry(api, key=key),
        "index-now": await _index_now_site(api, key=key),
    }


async def _invitation(api: Api, **more: Any) -> dict[str, Any]:
    """An invitation that was made just now."""
    body = {"email": f"guest-{next(_numbers)}@example.org", "role": "viewer"}
    answer = await api.call("POST", "/team/invite", body, **more)
    assert answer.status_code == 200, answer.text
    invitation: dict[str, Any] = answer.json()
    return invitation


async def _review(api: Api, **more: Any) -> str:
    """The id of a review that was written just now."""
    review = {"rating": 5, "title": "Sound", "comment": "It cites its sources."}
    answer = await api.call("POST", "/reviews", review, **more)
    assert answer.status_code == 200, answer.text
    id: str = answer.json()["id"]
    return id


async def _document(api: Api, **more: Any) -> str:
    """The id of a document that was uploaded just now."""
    upload = {"file": ("notes.md", f"# Notes\n\nNote number {next(_numbers)}.".encode())}
    answer = await api.call("POST", "/documents/upload", files=upload, **more)
    assert answer.status_code == 200, answer.text
    id: str = answer.json()["id"]
    return id


@pytest.mark.parametrize("field", ["topic", "keywords", "agentKey", "coverageSources"])
async def test_the_described_bounds_are_those_that_are_enforced(field: str) -> None:
    """One below and one above each bound of a plan request."""
    async with open_api() as api:
        schema = (await description(api))["components"]["schemas"]["PlanRequest"]["properties"][field]
        most = schema.get("maxLength") or schema["maxItems"]
        values: dict[str, Any] = {
            "topic": lambda n: ("heat pump " * n)[: n - 1] + "s",
            "keywords": lambda n: [f"word {i}" for i in range(n)],
            "agentKey": lambda n: "a" * (n - 3) + "-GB",
            "coverageSources": lambda n: [{"parentId": "a", "chunkIndex": i} for i in range(n)],
        }
        request = {"agentKey": AGENT, "topic": COVERED, "coverageLevel": "high"}
        within = await api.call("POST", "/writer/generate-plan", request | {field: values[field](most)})
        beyond = await api.call("POST", "/writer/generate-plan", request | {field: values[field](most + 1)})
        assert within.status_code in (200, 404), within.text
        assert beyond.status_code == 400


async def _update(api: Api, article: str, *, key: str) -> str:
    """The id of an update that waits for a decision."""
    tenant = TenantId((await api.call("GET", "/tenant", key=key)).json()["id"])
    changes = (StaleSentence(0, "It pays 4.", SentenceState.GONE, 1, "It pays 4.", proposal=""),)
    id, of = ArticleUpdateId(api.house.services.ports.ids.new()), ArticleId(article)
    async with api.house.services.ports.unit_of_work() as tx:
        await tx.article_updates.add(ArticleUpdate(id, tenant, of, "home-energy", "Heat", 9, changes, MOMENT))
    return id


async def _link(api: Api, article: str, *, key: str) -> str:
    """The id of a link."""
    tenant = TenantId((await api.call("GET", "/tenant", key=key)).json()["id"])
    id = ArticleLinkId(api.house.services.ports.ids.new())
    async with api.house.services.ports.unit_of_work() as tx:
        await tx.article_links.add(article_link(id, tenant, ArticleId(article)))
    return id


async def _comment(api: Api, article: str, *, key: str) -> str:
    """The id of a comment on an article."""
    tenant = TenantId((await api.call("GET", "/tenant", key=key)).json()["id"])
    id, by = ArticleCommentId(api.house.services.ports.ids.new()), UserId("a user")
    async with api.house.services.ports.unit_of_work() as tx:
        await tx.article_comments.add(ArticleComment(id, tenant, ArticleId(article), "It moves.", "Who?", by, MOMENT))
    return id


async def _source(api: Api, **more: Any) -> str:
    source = {"kind": "pages", "name": "Rules", "place": "https://web.example.org/noise", "nicheKey": "home-energy"}
    return str((await api.call("POST", "/sources", source, **more)).json()["id"])


async def _webhook(api: Api, **more: Any) -> str:
    webhook = {"name": "Our receiver", "url": "https://hooks.example.org/contentgen"}
    return str((await api.call("POST", "/webhooks", webhook, **more)).json()["id"])


async def _index_now_site(api: Api, **more: Any) -> str:
    return str((await api.call("POST", "/index-now", {"site": "https://blog.example.org"}, **more)).json()["id"])


async def _search_entry(api: Api, **more: Any) -> str:
    csv = b"Query,Clicks,Impressions,Position\nvintage tractor gearbox,0,900,12\n"
    form = {"nicheKey": (None, "home-energy"), "start": (None, "2025-10-01"), "end": (None, "2025-10-28")}
    answer = await api.call("POST", "/search-queries/import", files={"file": ("q.csv", csv), **form}, **more)
    assert answer.status_code == 200, answer.text
    await api.house.work()
    found = await api.call("GET", "/search-queries/queues?nicheKey=home-energy", **more)
    return str(found.json()["entries"][0]["id"])


async def _voice(api: Api, **more: Any) -> str:
    voice = {"name": "House style", "language": "en", "avoid": ["leverage"]}
    return str((await api.call("POST", "/voices", voice, **more)).json()["id"])
