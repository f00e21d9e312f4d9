"""What the interface description shows and promises works so: examples, answers and bounds."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from contentgen_core.model.tenant import PlanName
from contentgen_http.api.operation import ON_THE_DEMO
from tests.support.described import description, operations
from tests.support.http import AGENT, COVERED, open_api
from tests.support.http_resources import (
    made_document,
    made_invitation,
    made_review,
    made_source,
    made_voice,
    made_webhook,
)


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
                    body = {**body, "token": (await made_invitation(api))["inviteUrl"].partition("token=")[2]}
                made = {
                    "niches": niche,
                    "agents": AGENT,
                    "documents": await made_document(api),
                }
                if path.startswith("/team/{id}"):
                    made["team"] = (await made_invitation(api))["id"]
                if path == "/voices/{id}":
                    made["voices"] = await made_voice(api)
                if path.startswith("/webhooks/{id}"):
                    made["webhooks"] = await made_webhook(api)
                if path == "/sources/{id}":
                    made["sources"] = await made_source(api)
                if path == "/reviews/{id}":
                    made["reviews"] = (await api.call("GET", "/reviews/my-review")).json()["id"]
                own = made.get(path.split("/")[1], article_id)
                answer = await api.call(method, path.replace("{id}", own), body)
                assert answer.status_code == 200, f"{method} {path}: {answer.text}"


async def test_answers_are_as_described() -> None:
    async with open_api(PlanName.BUSINESS) as api:
        article = await api.written()
        planned = await api.planned()
        await made_review(api)
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
            (f"/documents/{await made_document(api)}", "Document"),
            ("/documents", "DocumentList"),
            ("/documents/available", "AvailableDocuments"),
            (f"/voices/{await made_voice(api)}", "Voice"),
            (f"/webhooks/{await made_webhook(api)}", "Webhook"),
            ("/webhooks", "WebhookList"),
            ("/calendar", "Calendar"),
            (f"/sources/{await made_source(api)}", "Source"),
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
