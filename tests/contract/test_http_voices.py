"""Voices as a client sees them."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.model.tenant import Role
from contentgen_core.model.voice import MAX_VOICES
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.repositories.voices import Voices
from contentgen_core.testing import builders
from tests.contract.test_http_surface import ok
from tests.support.house import AGENT, COVERED, NICHE
from tests.support.http import Api, faults_of, open_api, problem_of

SAMPLE = (
    "We sell heat pumps, and we don't sell dreams. Our fitters measure each room before we name a price. Why? A pump "
    "that is too small labours all winter. We've seen it in our own neighbours' houses. We tell you what it costs, and "
    "we write it down. We honour what we wrote."
)
FRENCH = (
    "Nous vendons des pompes à chaleur et nous ne vendons pas de rêves. Nos installateurs mesurent chaque pièce avant "
    "que nous annoncions un prix. Une pompe trop petite peine tout l'hiver, et nous l'avons vu chez nos voisins."
)
HOUSE = {"name": "House style", "language": "en", "guide": "Plain words.", "use": ["heat pump"], "avoid": ["winter"]}


async def written(api: Api, **more: Any) -> dict[str, Any]:
    body = {"nicheId": NICHE, "topic": COVERED, "language": "en", **more}
    id = (await ok(api, "POST", "/writer/generate", body))["articleId"]
    await api.house.work()
    return await ok(api, "GET", f"/writer/{id}")


async def test_a_voice_is_measured_shown_changed_and_deleted() -> None:
    async with open_api() as api:
        made = await ok(api, "POST", "/voices", {**HOUSE, "samples": [SAMPLE]})
        features = made["features"]
        assert (features["person"], features["formality"], features["spelling"]) == ("we", "informal", "british")
        assert features["questions"] == 0.14
        assert SAMPLE not in str(made)
        assert await ok(api, "GET", f"/voices/{made['id']}") == made
        assert await ok(api, "GET", "/voices") == {"voices": [made]}
        changed = await ok(
            api, "PATCH", f"/voices/{made['id']}", {"avoid": ["dream", " dream ", "hype"], "samples": []}
        )
        assert changed["avoid"] == ["dream", "hype"]
        assert "features" not in changed
        await ok(api, "DELETE", f"/voices/{made['id']}")
        assert await ok(api, "GET", "/voices") == {"voices": []}


async def test_an_article_has_no_avoided_term_and_says_what_deviates() -> None:
    async with open_api() as api:
        plain = await written(api)
        assert "voice" not in plain
        term = next(word for word in plain["content"].split() if word.isalpha() and len(word) > 5)
        body = {**HOUSE, "avoid": [term], "use": ["quicksilver"]}
        voice = await ok(api, "POST", "/voices", body)
        article = await written(api, voiceId=voice["id"], topic=f"{COVERED}: what to know")
        assert (article["voice"]["id"], article["voice"]["name"]) == (voice["id"], "House style")
        assert "term “quicksilver” is not used" in article["voice"]["deviations"]
        assert not any("in sentence" in said for said in article["voice"]["deviations"])
        edited = await ok(api, "PATCH", f"/writer/{article['id']}", {"content": f"Another text: {term}."})
        assert any(f"“{term}”" in said and "in sentence 1" in said for said in edited["voice"]["deviations"])


async def test_the_default_of_a_language_is_taken_where_none_is_named() -> None:
    async with open_api() as api:
        first = await ok(api, "POST", "/voices", {**HOUSE, "isDefault": True})
        second = await ok(api, "POST", "/voices", {**HOUSE, "name": "Second", "isDefault": True})
        assert [v["isDefault"] for v in (await ok(api, "GET", "/voices"))["voices"]] == [False, True]
        article = await written(api)
        assert article["voice"]["id"] == second["id"]
        named = await written(api, voiceId=first["id"], topic=f"{COVERED}: what to know")
        assert named["voice"]["id"] == first["id"]


async def test_a_plan_and_a_run_take_a_voice_and_refuse_one_of_another_language() -> None:
    async with open_api() as api:
        voice = await ok(api, "POST", "/voices", HOUSE)
        plan = {"agentKey": AGENT, "topic": COVERED, "language": "en", "voiceId": voice["id"]}
        planned = await ok(api, "POST", "/writer/generate-plan", plan)
        assert (await ok(api, "GET", f"/writer/{planned['articleId']}"))["voice"]["id"] == voice["id"]
        french = await ok(api, "POST", "/voices", {**HOUSE, "language": "fr"})
        for path, body in (
            ("/writer/generate-plan", plan),
            ("/writer/generate", {"nicheId": NICHE, "topic": COVERED, "language": "en"}),
        ):
            faults = faults_of(await api.call("POST", path, {**body, "voiceId": french["id"]}))
            assert faults == {"voiceId": "this voice is for the language fr, the article is in en"}


@pytest.mark.parametrize(
    ("body", "field", "says"),
    [
        ({"samples": [""]}, "samples[0]", "is empty"),
        ({"samples": ["Too short."]}, "samples", "2 words together; at least 50 tell a voice"),
        ({"samples": [FRENCH]}, "samples[0]", "seems to be in the language fr; the voice is for en"),
        ({"samples": ["a" * 50_001]}, "samples[0]", "50000"),
        ({"samples": ["word " * 9_999] * 5}, "samples", "at most 200000 characters together"),
        ({"avoid": [f"term {n}" for n in range(1_000)]}, "avoid", "200"),
        ({"avoid": [" "]}, "avoid", "between 1 and 100 characters"),
        ({"use": ["Winter"]}, "use", "“Winter” is also to be avoided"),
        ({"guide": "a" * 4_001}, "guide", "4000"),
        ({"guide": "", "use": [], "avoid": []}, "samples", "give samples, a guide, or terms"),
        ({"language": "xx"}, "language", "must be one of fr, en"),
    ],
)
async def test_bad_voices_are_refused_with_the_reason(body: dict[str, Any], field: str, says: str) -> None:
    async with open_api() as api:
        faults = faults_of(await api.call("POST", "/voices", {**HOUSE, **body}))
        assert says in faults[field]
        assert await ok(api, "GET", "/voices") == {"voices": []}


async def test_a_sample_of_ten_megabytes_is_too_large() -> None:
    async with open_api() as api:
        answer = await api.call("POST", "/voices", {**HOUSE, "samples": ["a" * 10_000_000]})
        assert answer.status_code == 413


async def test_only_admins_change_voices_and_all_read_them() -> None:
    async with open_api() as api:
        voice = await ok(api, "POST", "/voices", HOUSE)
        user = builders.user(tenant_id=api.house.caller.tenant_id, role=Role.EDITOR)
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Users].add(user)
        editor = await api.key_of(evolve(api.house.caller, user_id=user.id, role=user.role))
        assert (await ok(api, "GET", "/voices", key=editor))["voices"] == [voice]
        for method, path, body in (
            ("POST", "/voices", HOUSE),
            ("PATCH", f"/voices/{voice['id']}", {"name": "Mine"}),
            ("DELETE", f"/voices/{voice['id']}", None),
        ):
            assert problem_of(await api.call(method, path, body, key=editor))["code"] == "not_permitted"


async def test_a_tenant_has_a_bounded_number_of_voices() -> None:
    async with open_api() as api:
        async with api.house.services.ports.unit_of_work() as tx:
            for _ in range(MAX_VOICES):
                await tx[Voices].add(builders.voice(tenant_id=api.house.caller.tenant_id))
        assert problem_of(await api.call("POST", "/voices", HOUSE))["code"] == "quota_exceeded"


async def test_the_articles_of_a_run_are_in_its_voice() -> None:
    async with open_api() as api:
        voice = await ok(api, "POST", "/voices", HOUSE)
        french = await ok(api, "POST", "/voices", {**HOUSE, "language": "fr"})
        language = (await written(api))["language"]
        own, other = (voice, french) if language == "en" else (french, voice)
        faults = faults_of(await api.call("POST", f"/agents/{AGENT}/execute", {"voiceId": other["id"]}))
        assert list(faults) == ["voiceId"]
        await ok(api, "POST", f"/agents/{AGENT}/execute", {"articles": 1, "voiceId": own["id"]})
        for _ in range(4):
            await api.house.work()
        found = (await ok(api, "GET", "/articles"))["articles"]
        voices = [(await ok(api, "GET", f"/writer/{each['id']}")).get("voice", {}) for each in found]
        assert own["id"] in [shown.get("id") for shown in voices]
