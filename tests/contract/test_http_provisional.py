"""Provisional coverage over HTTP, MCP and in the console, in both of its languages."""

from __future__ import annotations

from typing import Any

from contentgen_core.model.coverage import PROVISIONAL
from tests.support.browser import signed_in
from tests.support.house import findable
from tests.support.http import AGENT, COVERED, Api, open_api
from tests.support.mcp import agent, answer_of
from tests.support.understanding_embedder import UnderstandingEmbedder
from tests.unit.test_provisional_coverage import imported

ASKED = {"agentKey": AGENT, "topic": COVERED}
PAGE = {"agent": AGENT, "topic": COVERED}
WRITE = {"language": "en", "allowLowCoverage": True}
SHOWN = {"en": "Documents are still being read", "fr": "encore en cours de lecture"}


async def checked(api: Api) -> dict[str, Any]:
    answer = await api.call("POST", "/writer/check-kb-coverage", ASKED)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def test_everybody_is_told_while_vectors_are_missing_and_nobody_after() -> None:
    async with open_api(embedder=UnderstandingEmbedder()) as api, agent(api, api.key) as client:
        browser = await signed_in(api)
        await imported(api.house)
        for provisional in (True, False):
            check = await checked(api)
            assert check["coverage"]["provisional"] is provisional
            assert (check["recommendations"][0] == PROVISIONAL) is provisional
            assert (await answer_of(client, "check_coverage", **ASKED))["provisional"] is provisional
            for language, words in SHOWN.items():
                page = await browser.get(
                    "/console/coverage",
                    params={"agent": AGENT, "topic": COVERED},
                    headers={"Accept-Language": language},
                )
                assert (words in page.text) is provisional
            await findable(api.house.services)


async def test_a_plan_says_so_in_its_article_and_on_its_page() -> None:
    async with open_api(embedder=UnderstandingEmbedder()) as api:
        browser = await signed_in(api)
        await imported(api.house)
        planned = (await api.call("POST", "/writer/generate-plan", {**ASKED, **WRITE})).json()
        assert planned["coverage"]["provisional"] is True
        id = planned["articleId"]
        article = (await api.call("GET", f"/writer/{id}")).json()
        assert article["coverage"]["provisional"] is True
        [listed] = (await api.call("GET", "/articles")).json()["articles"]
        assert listed["coverage"] == article["coverage"]
        page = await browser.get(f"/console/articles/{id}/plan")
        assert "Documents were still being read" in page.text
