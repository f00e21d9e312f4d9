"""Private documents on the wire."""

from __future__ import annotations

from typing import Any

import pytest

from contentgen_core.model.tenant import PlanName
from tests.support.http import Api, open_api, problem_of

MANUAL = b"# Zirkon boiler\n\nThe Zirkon boiler is serviced every spring.\n\nIts flow temperature is 48 degrees."


async def upload(api: Api, content: bytes = MANUAL, name: str = "manual.md", **more: Any) -> dict[str, Any]:
    answer = await api.call("POST", "/documents/upload", files={"file": (name, content)}, **more)
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document


async def test_an_upload_can_be_followed_listed_edited_found_and_deleted() -> None:
    async with open_api() as api:
        document = await upload(api, data={"title": "Manual"})
        at = f"/documents/{document['id']}"
        assert (document["status"], document["title"], document["mediaType"]) == (
            "processing",
            "Manual",
            "text/markdown",
        )
        assert {"error", "language", "url", "description"}.isdisjoint(document)
        assert (await api.call("GET", "/documents/available")).json() == {"documents": [], "total": 0}
        await api.house.work()
        document = (await api.call("GET", at)).json()
        assert (document["status"], document["language"]) == ("ready", "en")
        listed = (await api.call("GET", "/documents?limit=5")).json()
        assert listed == {"documents": [document], "total": 1, "page": 1, "limit": 5}
        assert (await api.call("GET", "/documents/available")).json() == {"documents": [document], "total": 1}
        assert (await api.call("GET", "/documents?status=failed")).json()["total"] == 0
        edited = (await api.call("PATCH", at, {"tags": ["heating"], "description": "Ours"})).json()
        assert (edited["tags"], edited["description"], edited["title"]) == (["heating"], "Ours", "Manual")
        assert "description" not in (await api.call("PATCH", at, {"description": None})).json()
        found = (await api.call("POST", "/documents/search", {"query": "Zirkon flow temperature", "limit": 3})).json()
        best = found["results"][0]
        assert (best["parentId"], best["parentTitle"]) == (document["id"], "Manual")
        assert {"combinedScore", "rerankScore", "originalScore", "chunkIndex"} <= set(best)
        shown = [best["content"][h["start"] : h["end"]].lower() for h in best["highlights"]]
        assert {"zirkon", "flow", "temperature"} <= set(shown)
        nearest = best["nearestSentence"]
        assert best["content"][nearest["start"] : nearest["end"]] == "Its flow temperature is 48 degrees."
        assert best["foundBy"] == "words"
        assert (await api.call("DELETE", at)).json() == {"success": True}
        assert problem_of(await api.call("GET", at))["status"] == 404


async def test_a_page_of_the_web_can_be_added() -> None:
    async with open_api() as api:
        url = "https://web.example.org/noise"
        answer = await api.call("POST", "/documents/url", {"url": url})
        assert (answer.json()["url"], answer.json()["status"]) == (url, "processing")
        await api.house.work()
        document = (await api.call("GET", f"/documents/{answer.json()['id']}")).json()
        assert (document["status"], document["title"]) == ("ready", "Noise of heat pumps")
        again = problem_of(await api.call("POST", "/documents/url", {"url": url}))
        assert (again["status"], again["code"]) == (409, "already_exists")


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"files": {"file": ("a.md", b"")}}, "file"),
        ({"files": {"other": ("a.md", b"text")}}, "other"),
        ({"files": {"file": ("a.md", b"text")}, "data": {"unknown": "x"}}, "unknown"),
        ({"files": {"title": ("a.md", b"text")}}, "title"),
        ({"files": {"file": ("a.md", b"text")}, "data": {"title": "x" * 301}}, "title"),
        ({"files": {"file": ("a.md", b"text")}, "data": {"title": "nul \x00"}}, "title"),
        ({"files": [("file", ("a.md", b"one")), ("file", ("b.md", b"two"))]}, "file"),
    ],
)
async def test_a_form_with_a_fault_is_a_400_that_names_its_field(sent: dict[str, Any], field: str) -> None:
    async with open_api() as api:
        problem = problem_of(await api.call("POST", "/documents/upload", **sent))
        assert problem["status"] == 400
        assert field in [error["field"] for error in problem["errors"]]


async def test_what_is_no_form_is_refused() -> None:
    async with open_api() as api:
        assert problem_of(await api.call("POST", "/documents/upload", {"file": "x"}))["status"] == 415
        answer = await api.call(
            "POST", "/documents/upload", content=b"garbage", headers={"Content-Type": "multipart/form-data; boundary=x"}
        )
        assert problem_of(answer)["status"] == 400
        answer = await api.call(
            "POST", "/documents/upload", content=b"garbage", headers={"Content-Type": "multipart/form-data"}
        )
        assert problem_of(answer)["status"] == 400


async def test_a_file_that_is_too_large_is_refused() -> None:
    async with open_api() as api:
        problem = problem_of(
            await api.call("POST", "/documents/upload", files={"file": ("a.md", bytes(26 * 1024 * 1024))})
        )
        assert problem["status"] in (400, 413)
        assert (await api.call("GET", "/documents")).json()["total"] == 0


async def test_a_type_that_cannot_be_read_is_told() -> None:
    async with open_api() as api:
        problem = problem_of(
            await api.call("POST", "/documents/upload", files={"file": ("a.png", b"\x89PNG\r\n\x1a\n\x00")})
        )
        assert (problem["status"], problem["code"]) == (400, "unreadable_file")


async def test_the_quota_is_shown_and_kept() -> None:
    async with open_api(PlanName.FREE) as api:
        for n in range(3):
            await upload(api, MANUAL + bytes([65 + n]))
        problem = problem_of(await api.call("POST", "/documents/upload", files={"file": ("a.md", MANUAL)}))
        assert (problem["status"], problem["code"], problem["limit"], problem["used"]) == (403, "quota_exceeded", 3, 3)
        assert (await api.call("GET", "/tenant/quotas")).json()["documents"] == {"limit": 3, "used": 3}


async def test_coverage_counts_private_documents_where_it_is_asked_to() -> None:
    async with open_api() as api:
        asked = {"agentKey": "home-energy-GB", "topic": "How the Zirkon boiler is serviced"}
        document = await upload(api)
        await api.house.work()
        without = (await api.call("POST", "/writer/check-kb-coverage", asked)).json()
        included = (await api.call("POST", "/writer/check-kb-coverage", {**asked, "privateDocsMode": "auto"})).json()
        assert included["coverage"]["score"] > without["coverage"]["score"]
        assert document["id"] in [found["parentId"] for found in included["coverage"]["rerankedResults"]]
        assert document["id"] not in [found["parentId"] for found in without["coverage"]["rerankedResults"]]
        manual = await api.call("POST", "/writer/check-kb-coverage", {**asked, "privateDocsMode": "manual"})
        assert problem_of(manual)["status"] == 400


async def test_an_article_is_planned_from_a_named_document() -> None:
    async with open_api() as api:
        text = b"# Trial\n\nOur trial of heat pump efficiency in winter ran in Leeds; its heat pump kept 3.4 in winter."
        document = await upload(api, text)
        await api.house.work()
        plan = await api.planned(privateDocsMode="manual", documentIds=[document["id"]])
        assert plan["kbSources"][0]["parentId"] == document["id"]
        wrong = problem_of(
            await api.call(
                "POST",
                "/writer/generate-plan",
                {"agentKey": "home-energy-GB", "privateDocsMode": "manual", "documentIds": ["nope"]},
            )
        )
        assert wrong["status"] == 404
