"""Evidence files over HTTP: what they say, and that anybody can verify them."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import msgspec
import pytest
from attrs import evolve
from pypdf import PdfReader

from contentgen_adapters.memory.common_tables import SENTENCE_REVIEWS
from contentgen_adapters.memory.publishing import TOKEN
from contentgen_adapters.signing import Ed25519Signer
from contentgen_core.model.article_comment import hash_of_sentence
from contentgen_core.model.ids import SigningKeyId
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.ports.repositories.article_comments import SentenceReviews
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.signing import NotAuthentic
from contentgen_core.testing import builders
from contentgen_http.api.evidence_file import FORMER_REVIEWS, public_keys, summary, verified
from contentgen_http.wire.article_evidence import EvidenceFile
from tests.contract.test_pdf_export import needs_pango
from tests.support.http import NICHE, Api, faults_of, open_api, problem_of
from tests.support.team import joined


async def ok(api: Api, method: str, path: str, body: object = None, **more: Any) -> dict[str, Any]:
    answer = await api.call(method, path, body, **more)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def keys_of(api: Api) -> dict[SigningKeyId, str]:
    answer = await api.call("GET", "/.well-known/jwks.json", key=None)
    assert answer.headers["content-type"] == "application/jwk-set+json"
    keys = answer.json()["keys"]
    assert all(key["kty"] == "OKP" and key["crv"] == "Ed25519" and set(key) >= {"kid", "x", "iat"} for key in keys)
    assert all("d" not in key for key in keys)
    return {SigningKeyId(key["kid"]): key["x"] for key in keys}


async def evidence_of(api: Api, article_id: str) -> dict[str, Any]:
    answer = await api.call("GET", f"/articles/{article_id}/evidence")
    assert answer.status_code == 200, answer.text
    verified = Ed25519Signer().verified(answer.content, await keys_of(api))
    msgspec.json.decode(answer.content, type=EvidenceFile)
    return dict(verified.document)


async def test_an_article_has_evidence_that_anybody_can_verify() -> None:
    async with open_api() as api:
        article = await api.written()
        found = await evidence_of(api, article["id"])
        assert found["format"] == "contentgen-evidence/2"
        assert found["article"]["title"] == article["title"]
        assert found["text"]["contentHash"] == hashlib.sha256(article["content"].encode()).hexdigest()
        assert found["text"]["textHash"] == article["approval"]["textHash"] == found["versions"][0]["textHash"]
        assert found["writing"]["aiUse"] == "generated"
        numbers = {source["number"] for source in found["sources"]}
        assert numbers == {source["number"] for source in article["sources"]}
        for source in found["sources"]:
            assert source["origin"] == "import"
            assert {"addedAt", "documentHash", "passageHash"} <= set(source)
        receipt = (await api.call("GET", f"/writer/{article['id']}/grounding")).json()
        assert [sentence["check"] for sentence in found["sentences"]] == receipt["sentences"]
        assert found["grounding"]["totals"] == receipt["totals"]


async def test_a_changed_file_does_not_verify_and_a_renewed_key_leaves_old_files_valid() -> None:
    async with open_api() as api:
        article = await api.written()
        file = (await api.call("GET", f"/articles/{article['id']}/evidence")).content
        former = await keys_of(api)
        changed = file.replace(b'"state":"none"', b'"state":"approved"')
        assert changed != file
        with pytest.raises(NotAuthentic, match="was changed"):
            Ed25519Signer().verified(changed, former)
        await api.house.services.writing.sign.renew()
        api.house.clock.advance(seconds=10)
        keys = {key.id: key.public for key in await api.house.services.writing.sign.keys()}
        assert set(former) < set(keys)
        Ed25519Signer().verified(file, keys)


async def test_it_says_who_reviewed_approved_and_published_and_what_was_read_back() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/articles/{article['id']}"
        _, editor = await joined(api.house, Role.EDITOR)
        key = await api.key_of(editor)
        before = await evidence_of(api, article["id"])
        assert before["approval"] == {"state": "none"}
        assert [sentence["reviews"] for sentence in before["sentences"]] == [[] for _ in before["sentences"]]
        await ok(api, "POST", f"{path}/reviewed", {"sentences": [0]}, key=key)
        comment = {"sentence": before["sentences"][0]["text"], "text": "Who says that?"}
        await ok(api, "POST", f"{path}/comments", comment, key=key)
        await ok(api, "POST", f"{path}/approve")
        body = {"provider": "memory", "name": "Our blog", "credentials": {"token": TOKEN, "blog": "heat"}}
        integration = (await ok(api, "POST", "/integrations", body))["integration"]
        await ok(api, "POST", f"/integrations/{integration['id']}/publish", {"articleId": article["id"]})
        await api.house.work()
        answer = await api.call("GET", f"{path}/evidence")
        assert TOKEN.encode() not in answer.content
        found = answer.json()["evidence"]
        reviewers = [[review["by"]["id"] for review in sentence["reviews"]] for sentence in found["sentences"]]
        owner = api.house.caller.user_id
        assert reviewers[0] == [editor.user_id]
        assert not any(owner in by for by in reviewers)  # who approves the text has reviewed no sentence by it
        assert found["approval"]["by"]["id"] == owner
        shown = (await api.call("GET", f"/writer/{article['id']}")).json()["approval"]
        hashes = {name: found["approval"][name] for name in ("textHash", "readerHash")}
        assert hashes == {name: shown[name] for name in hashes}
        assert found["corrections"] == []
        assert {"id": editor.user_id, "name": "Ada"} in [review["by"] for review in found["sentences"][0]["reviews"]]
        assert found["comments"] == {"open": 1, "resolved": 0}
        assert found["approval"]["by"]["id"] == api.house.caller.user_id
        [publication] = found["publications"]
        assert publication["integration"] == "Our blog"
        assert (publication["status"], publication["finding"]) == ("published", "intact")
        assert {"url", "publishedAt", "checkedAt", "postHash", "fingerprint"} <= set(publication)
        newest = found["versions"][0]
        assert newest["approvedBy"] == found["approval"]["by"]
        assert newest["textHash"] == found["text"]["textHash"]
        assert found["text"]["publishedAt"] == newest["publishedAt"]


async def test_what_a_former_file_said_of_reviews_is_corrected_and_that_file_stays_authentic() -> None:
    async with open_api() as api:
        article = await api.written()
        approver, tenant = api.house.caller.user_id, api.house.caller.tenant_id
        former = await evidence_of(api, article["id"])
        for sentence in former["sentences"]:
            sentence["reviews"] = [{"by": {"id": approver}, "at": former["madeAt"]}]
        del former["corrections"]
        former["format"] = "contentgen-evidence/1"
        file = await api.house.services.writing.sign(former)
        async with api.house.services.ports.unit_of_work() as tx:  # as the former release kept an approval
            hashes = [hash_of_sentence(sentence["text"]) for sentence in former["sentences"]]
            await tx[SentenceReviews].mark(tenant, article["id"], hashes, approver, api.house.clock.now())
            reviews = tx[SentenceReviews]._session[SENTENCE_REVIEWS]  # type: ignore[attr-defined]  # no port unconfirms
            for key, (_, _, review) in [*reviews.items()]:
                reviews.put(key, (tenant, article["id"], evolve(review, confirmed=False)))
        found = await evidence_of(api, article["id"])
        assert not any(sentence["reviews"] for sentence in found["sentences"])
        [correction] = found["corrections"]
        assert (correction["by"]["id"], correction["sentences"]) == (approver, len({*hashes}))
        await ok(api, "POST", f"/articles/{article['id']}/reviewed", {"sentences": [0]})
        [again] = (await evidence_of(api, article["id"]))["corrections"]
        assert again["sentences"] == correction["sentences"] - 1
        keys = public_keys(await api.house.services.writing.sign.keys())
        old = verified(Ed25519Signer(), file, keys)
        assert old.document == former
        assert summary(old)["reviewed"] == len(hashes)
        assert summary(old)["note"] == FORMER_REVIEWS


async def test_words_that_a_person_wrote_since_are_shown_as_such() -> None:
    async with open_api() as api:
        article = await api.written()
        await ok(api, "PATCH", f"/writer/{article['id']}", {"content": f"Nobody knows.\n\n{article['content']}"})
        found = await evidence_of(api, article["id"])
        assert found["sentences"][0]["text"] == "Nobody knows."
        assert found["sentences"][0]["check"]["verdict"] == "unsupported"
        assert found["writing"]["aiUse"] == "assisted"
        assert [version["cause"] for version in found["versions"]] == ["edited", "generated"]
        assert "publishedAt" not in found["text"]


async def test_a_text_that_was_never_checked_says_so() -> None:
    async with open_api() as api:
        own = builders.article(tenant_id=api.house.caller.tenant_id, niche_key=NICHE, content="Nobody knows.\n")
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(own)
        found = await evidence_of(api, own.id)
        assert found["sentences"] == [{"text": "Nobody knows.", "reviews": []}]
        assert found["writing"] == {"aiUse": "none"}
        assert "grounding" not in found


async def test_words_of_private_documents_stay_in_the_tenancy() -> None:
    async with open_api() as api:
        full = builders.full_article(tenant_id=api.house.caller.tenant_id, niche_key=NICHE, translation_of=None)
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(full)
        found = await evidence_of(api, full.id)
        [source] = found["sources"]
        assert source["private"]
        assert source["quotes"] == []
        assert "documentHash" not in source
        assert source["stale"] == "deleted"


async def test_evidence_is_for_those_who_may_read_the_article_and_of_one_that_has_a_text() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/articles/{article['id']}/evidence"
        _, viewer = await joined(api.house, Role.VIEWER)
        assert (await api.call("GET", path, key=await api.key_of(viewer))).status_code == 200
        stranger = await api.house.services.people.tenants.create("Others", PlanName.PRO)
        refused = await api.call("GET", path, key=await api.key_of(stranger.caller))
        assert problem_of(refused)["code"] == "not_found"
        assert (await api.call("GET", path, key=None)).status_code == 401
        planned = await api.planned(topic="Sizing heat pumps for a house in winter")
        unwritten = await api.call("GET", f"/articles/{planned['articleId']}/evidence")
        assert problem_of(unwritten)["code"] == "not_found"


@needs_pango
@pytest.mark.parametrize(
    ("query", "accept"), [("?format=pdf", "*/*"), ("", "application/pdf"), ("?format=pdf", "application/json")]
)
async def test_it_comes_as_pdf_with_the_file_attached(query: str, accept: str) -> None:
    async with open_api() as api:
        article = await api.written()
        answer = await api.call("GET", f"/articles/{article['id']}/evidence{query}", headers={"Accept": accept})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
        assert answer.headers["content-disposition"] == f'attachment; filename="evidence-{article["id"]}.pdf"'
        [attached] = PdfReader(io.BytesIO(answer.content)).attachments["evidence.json"]
        found = Ed25519Signer().verified(attached, await keys_of(api))
        assert found.document["article"]["id"] == article["id"]


@pytest.mark.parametrize(
    ("query", "accept"),
    [("", "*/*"), ("", "application/pdf;q=0.5, application/json"), ("?format=json", "application/pdf")],
)
async def test_it_comes_as_json_else(query: str, accept: str) -> None:
    async with open_api() as api:
        article = await api.written()
        answer = await api.call("GET", f"/articles/{article['id']}/evidence{query}", headers={"Accept": accept})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        assert answer.headers["vary"] == "Accept"
        assert faults_of(await api.call("GET", f"/articles/{article['id']}/evidence?format=xml")).keys() == {"format"}
