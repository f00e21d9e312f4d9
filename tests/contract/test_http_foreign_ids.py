"""What another tenant owns is not found, whichever operation names it."""

from __future__ import annotations

import re

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.tenant import PlanName
from tests.support.described import PUBLIC, description, operations
from tests.support.http import AGENT, COVERED, Api, open_api, problem_of
from tests.support.http_resources import (
    made_comment,
    made_document,
    made_index_now_site,
    made_invitation,
    made_link,
    made_review,
    made_search_entry,
    made_source,
    made_update,
    made_voice,
    made_webhook,
)

# Of what belongs to the platform, and not to the tenant that made it.
SHARED = {"POST /reviews/{id}/helpful"}


FOR_PLATFORM_ADMINS = {"POST /writer/{id}/auto-image"}


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
    document = await made_document(api, key=key)
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
        "article-comments": await made_comment(api, article, key=key),
        "article-updates": await made_update(api, article, key=key),
        "article-links": await made_link(api, article, key=key),
        "niches": niche,
        "agents": agents[0]["id"],
        "account": spare,
        "documents": document,
        "team": (await made_invitation(api, key=key))["id"],
        "task": task,
        "governance": niche,
        "kb": "secret-niche-GB",
        "voices": await made_voice(api, key=key),
        "sources": await made_source(api, key=key),
        "webhooks": await made_webhook(api, key=key),
        "reviews": await made_review(api, key=key),
        "search-queries": await made_search_entry(api, key=key),
        "index-now": await made_index_now_site(api, key=key),
    }
