"""GET /writer/{id}/grounding: the receipt, and what has gone stale in it."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbScope
from tests.support.house import SOURCES
from tests.support.http import NICHE, Api, open_api, problem_of


async def grounding(api: Api, article: dict[str, Any]) -> dict[str, Any]:
    answer = await api.call("GET", f"/writer/{article['id']}/grounding")
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def delete(api: Api, document_id: str) -> None:
    async with api.house.services.ports.unit_of_work() as tx:
        await tx.knowledge.remove([DocumentId(document_id)])


async def import_again(api: Api, title: str, text: str) -> None:
    [source] = [s for s in SOURCES if s.title == title]
    scope = KbScope(NICHE, api.house.caller.tenant_id)
    await api.house.services.knowledge.import_sources(scope, [evolve(source, text=text)])


async def test_a_fresh_receipt_is_the_articles_own_with_nothing_stale() -> None:
    async with open_api() as api:
        article = await api.written()
        found = await grounding(api, article)
        assert found["sentences"] == article["grounding"]["sentences"]
        assert found["totals"] == article["grounding"]["totals"]
        assert (found["staleSentences"], found["staleSources"]) == (0, [])
        assert found["verifier"] == article["grounding"]["verifier"] == "lexical"
        assert {sentence["verifier"] for sentence in found["sentences"]} == {"lexical"}
        assert 0 <= found["totals"]["copied8GramShare"] <= 1


async def test_sentences_of_a_deleted_document_are_stale() -> None:
    async with open_api() as api:
        article = await api.written()
        first = article["sources"][0]
        await delete(api, first["parentId"])
        found = await grounding(api, article)
        stale = [s for s in found["sentences"] if "stale" in s]
        assert stale
        assert {s["stale"] for s in stale} == {"deleted"}
        assert all(first["number"] in s["citations"] for s in stale)
        assert found["staleSentences"] == len(stale)
        assert {"number": first["number"], "reason": "deleted"} in found["staleSources"]
        others = [s for s in found["sentences"] if s["citations"] and first["number"] not in s["citations"]]
        assert others
        assert not any("stale" in s for s in others)


async def test_sentences_of_a_changed_document_are_stale_until_it_says_the_same_again() -> None:
    async with open_api() as api:
        article = await api.written()
        first = article["sources"][0]
        [text] = [s.text for s in SOURCES if s.title == first["title"]]
        await import_again(api, first["title"], "This page says something else now, and at some length as well.")
        found = await grounding(api, article)
        assert {"number": first["number"], "reason": "changed"} in found["staleSources"]
        assert {s["stale"] for s in found["sentences"] if first["number"] in s["citations"]} == {"changed"}
        await import_again(api, first["title"], text)
        assert (await grounding(api, article))["staleSentences"] == 0


async def test_an_article_without_a_receipt_has_none_to_show() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/writer/{article['id']}"
        assert (await api.call("PATCH", path, {"content": "Rewritten by hand."})).status_code == 200
        answer = await api.call("GET", f"{path}/grounding")
        assert problem_of(answer)["code"] == "not_found"
        assert (await api.call("GET", "/writer/nobody/grounding")).status_code == 404


async def test_another_tenants_receipt_is_not_there() -> None:
    async with open_api() as api:
        article = await api.written()
        key = await api.key_of(await api.house.other_tenant())
        assert (await api.call("GET", f"/writer/{article['id']}/grounding", key=key)).status_code == 404
