"""GET /writer/{id}/grounding: the receipt, and what has gone stale in it."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from contentgen_core.model.article import Usage
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.prices import Cost
from contentgen_core.ports.repositories.knowledge import Knowledge
from tests.support.house import SOURCES
from tests.support.http import NICHE, Api, open_api, problem_of


async def grounding(api: Api, article: dict[str, Any]) -> dict[str, Any]:
    answer = await api.call("GET", f"/writer/{article['id']}/grounding")
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def delete(api: Api, document_id: str) -> None:
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Knowledge].remove([DocumentId(document_id)])


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


async def test_article_and_receipt_tell_tokens_and_what_they_cost() -> None:
    async with open_api() as api:
        unpriced = await api.written()
        api.house.model.usage = Usage("scripted", 10, 5, Cost(1_250, "EUR"))
        before = api.house.model.calls.total()
        article = await api.written(topic="Heat pumps in winter storms")
        calls = api.house.model.calls.total() - before
        assert article["usage"] == {
            "model": "scripted",
            "inputTokens": 10 * calls,
            "outputTokens": 5 * calls,
            "cost": {"amount": 0.00125 * calls, "currency": "EUR"},
        }
        assert (await grounding(api, article))["usage"] == article["usage"]
        assert (await grounding(api, unpriced))["usage"] == unpriced["usage"]
        assert "cost" not in unpriced["usage"]


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
        path = f"/writer/{(await api.planned())['articleId']}"
        assert problem_of(await api.call("GET", f"{path}/grounding"))["code"] == "not_found"
        assert problem_of(await api.call("POST", f"{path}/verify"))["code"] == "nothing_to_verify"
        assert (await api.call("GET", "/writer/nobody/grounding")).status_code == 404


async def test_an_edit_keeps_the_entries_of_what_it_leaves() -> None:
    async with open_api() as api:
        article = await api.written()
        path, before = f"/writer/{article['id']}", article["grounding"]
        first = next(s for s in before["sentences"] if s["citations"])
        added = f"Elephants fly to Jupiter [{first['citations'][0]}]."
        edited = await api.call("PATCH", path, {"content": f"{article['content']}\n\n{added} The moon is 12 km away."})
        found = edited.json()["grounding"]
        assert found["sentences"][:-2] == before["sentences"]
        false, bare = found["sentences"][-2:]
        assert (false["text"], false["verdict"], false["citations"]) == (
            "Elephants fly to Jupiter.",
            "unsupported",
            first["citations"],
        )
        assert (bare["verdict"], bare["citations"]) == ("unsupported", [])
        assert found["totals"]["citationRecall"] < before["totals"]["citationRecall"] == 1.0
        assert found["level"] == "partial"
        again = await api.call("PATCH", path, {"content": article["content"]})
        assert again.json()["grounding"] == before


async def test_an_edited_sentence_is_checked_against_what_it_cites() -> None:
    async with open_api() as api:
        article = await api.written()
        path, before = f"/writer/{article['id']}", article["grounding"]["sentences"]
        content = article["content"].replace("In winter a heat pump defrosts", "In 1973 no heat pump defrosts")
        assert content != article["content"]
        found = (await api.call("PATCH", path, {"content": content})).json()["grounding"]["sentences"]
        [(old, new)] = [(a, b) for a, b in zip(before, found, strict=True) if a != b]
        assert (old["verdict"], new["verdict"]) == ("supported", "unsupported")
        assert (new["citations"], new["missingFacts"]) == (old["citations"], ["1973"])


async def test_an_edit_that_says_something_new_of_the_subject_is_not_supported() -> None:
    async with open_api() as api:
        article = await api.written()
        path, before = f"/writer/{article['id']}", article["grounding"]["sentences"]
        content = article["content"].replace("In winter a heat pump defrosts", "In winter a heat pump devours")
        assert content != article["content"]
        found = (await api.call("PATCH", path, {"content": content})).json()["grounding"]["sentences"]
        [new] = [b for a, b in zip(before, found, strict=True) if a != b]
        assert (new["verdict"], new["missingFacts"]) == ("unsupported", ["devours"])


async def test_a_changed_sentence_that_holds_is_supported() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/writer/{article['id']}"
        content = article["content"].replace("defrosts its outdoor unit from time to time", "defrosts its outdoor unit")
        found = (await api.call("PATCH", path, {"content": content})).json()["grounding"]
        assert {s["verdict"] for s in found["sentences"]} == {"supported"}
        assert found["level"] == article["grounding"]["level"]


async def test_the_whole_text_is_verified_when_asked() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/writer/{article['id']}"
        verified = await api.call("POST", f"{path}/verify")
        assert verified.status_code == 200, verified.text
        assert verified.json() == await grounding(api, article)
        kept = [{k: v for k, v in s.items() if k != "stale"} for s in verified.json()["sentences"]]
        assert kept == article["grounding"]["sentences"]
        assert verified.json()["totals"] == article["grounding"]["totals"]


async def test_an_emptied_article_has_nothing_to_verify() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/writer/{article['id']}"
        emptied = (await api.call("PATCH", path, {"content": ""})).json()
        assert emptied["grounding"]["totals"]["sentences"] == 0
        assert problem_of(await api.call("POST", f"{path}/verify"))["code"] == "nothing_to_verify"


async def test_another_tenants_receipt_is_not_there() -> None:
    async with open_api() as api:
        article = await api.written()
        key = await api.key_of(await api.house.other_tenant())
        assert (await api.call("GET", f"/writer/{article['id']}/grounding", key=key)).status_code == 404
