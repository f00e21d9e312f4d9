"""/webhooks over HTTP."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from contentgen_core.model.tenant import Role
from contentgen_core.model.webhook import WebhookEvent, WebhookEventType
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.repositories.webhooks import WebhookMessages
from tests.support.http import Api, faults_of, open_api, problem_of

NEW = {"name": "Our receiver", "url": "https://hooks.example.org/contentgen?token=abc"}


async def created(api: Api, **changes: Any) -> dict[str, Any]:
    answer = await api.call("POST", "/webhooks", NEW | changes)
    assert answer.status_code == 200, answer.text
    webhook: dict[str, Any] = answer.json()
    return webhook


async def happened(api: Api, **changes: Any) -> None:
    now = api.house.clock.advance(seconds=1)
    event = WebhookEvent(api.house.caller.tenant_id, WebhookEventType.ARTICLE_GENERATED, now, {"articleId": "a"})
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[WebhookMessages].record(evolve(event, **changes))


async def delivered(api: Api) -> int:
    deliver = api.house.services.webhooks.deliver
    claimed = await deliver.claim("w", 100)
    for delivery in claimed:
        await deliver.attempt(delivery)
    return len(claimed)


async def test_a_webhook_is_created_changed_and_deleted() -> None:
    async with open_api() as api:
        webhook = await created(api)
        secret = webhook.pop("secret")
        assert secret.startswith("whsec_")
        assert "events" not in webhook
        path = f"/webhooks/{webhook['id']}"
        assert (await api.call("GET", path)).json() == webhook
        assert (await api.call("GET", "/webhooks")).json() == {"webhooks": [webhook]}
        events = ["sync.failed", "article.generated"]
        changed = (await api.call("PATCH", path, {"events": events, "enabled": False, "name": " Other "})).json()
        assert (changed["events"], changed["enabled"], changed["name"]) == (sorted(events), False, "Other")
        assert "events" not in (await api.call("PATCH", path, {"events": None})).json()
        rotated = (await api.call("POST", f"{path}/rotate-secret")).json()
        assert rotated["secret"] not in ("", secret)
        assert rotated["formerSecretUntil"] == "2026-03-11T12:00:00Z"
        assert (await api.call("DELETE", path)).json() == {"success": True}
        assert (await api.call("GET", path)).status_code == 404


async def test_deliveries_are_shown_and_sent_again() -> None:
    async with open_api() as api:
        webhook = await created(api, events=["article.generated", "webhook.disabled"])
        path = f"/webhooks/{webhook['id']}"
        sender = api.house.webhooks
        sender.answer = lambda *_: 503
        for _ in range(3):
            await happened(api)
        await happened(api, type=WebhookEventType.SYNC_FAILED)
        assert await delivered(api) == 3
        page = (await api.call("GET", f"{path}/deliveries?limit=2")).json()
        rest = (await api.call("GET", f"{path}/deliveries?limit=2&before={page['before']}")).json()
        assert [len(page["deliveries"]), len(rest["deliveries"]), "before" in rest] == [2, 1, False]
        first = rest["deliveries"][0]
        assert (first["state"], first["type"], first["data"]) == ("waiting", "article.generated", {"articleId": "a"})
        [attempt] = first["attempts"]
        assert (attempt["status"], attempt["delivered"], "error" in attempt) == (503, False, False)
        assert first["nextAttemptAt"] > attempt["at"]
        assert (await api.call("GET", f"{path}/deliveries?state=failed")).json() == {"deliveries": []}
        one = f"{path}/deliveries/{first['messageId']}"
        assert (await api.call("GET", one)).json() == first
        sender.answer = lambda *_: 200
        again = (await api.call("POST", f"{one}/replay")).json()
        assert (again["state"], again["nextAttemptAt"]) == ("waiting", "2026-03-10T12:00:04Z")
        assert await delivered(api) == 1
        shown = (await api.call("GET", one)).json()
        assert (shown["state"], len(shown["attempts"]), "nextAttemptAt" in shown) == ("delivered", 2, False)
        assert {message.id for _, message, _ in sender.sent[-1:]} == {first["messageId"]}
        replay = {"since": "2026-03-10T12:00:00Z", "failedOnly": False}
        assert (await api.call("POST", f"{path}/replay", replay)).json() == {"replayed": 1, "more": False}
        assert (await api.call("POST", f"{path}/replay", {})).json() == {"replayed": 0, "more": False}


async def test_a_test_says_what_came_of_it() -> None:
    async with open_api() as api:
        webhook = await created(api, enabled=False)
        sender = api.house.webhooks
        path = f"/webhooks/{webhook['id']}/test"
        taken = (await api.call("POST", path)).json()
        assert (taken["delivered"], taken["status"]) == (True, 204)
        sender.answer = lambda *_: "no answer within 20 s"
        refused = (await api.call("POST", path)).json()
        assert (refused["delivered"], refused["error"], "status" in refused) == (False, "no answer within 20 s", False)
        assert sender.sent[0][1].event.type is WebhookEventType.WEBHOOK_TEST


async def test_what_is_wrong_is_refused_field_by_field() -> None:
    async with open_api() as api:
        bad = {"name": " ", "url": "ftp://example.org"}
        assert set(faults_of(await api.call("POST", "/webhooks", bad))) == set(bad)
        for events in ([], ["article.invented"], ["webhook.test"]):
            assert (await api.call("POST", "/webhooks", NEW | {"events": events})).status_code == 400
        webhook = await created(api)
        path = f"/webhooks/{webhook['id']}"
        for wrong in ("state=gone", "limit=0", "limit=101", "before="):
            assert (await api.call("GET", f"{path}/deliveries?{wrong}")).status_code == 400
        assert faults_of(await api.call("POST", f"{path}/replay", {"until": "2026-01-01T00:00:00Z"})) == {
            "until": "must be later than since"
        }
        assert (await api.call("POST", f"{path}/replay", {"since": "yesterday"})).status_code == 400
        for _ in range(9):
            await created(api)
        assert problem_of(await api.call("POST", "/webhooks", NEW))["code"] == "too_many_webhooks"


async def test_administrators_alone_may_see_and_change_webhooks() -> None:
    async with open_api() as api:
        webhook = await created(api)
        async with api.house.services.ports.unit_of_work() as tx:
            user = await tx[Users].get(api.house.caller.tenant_id, api.house.caller.user_id)
            await tx[Users].save(evolve(user, role=Role.EDITOR))
        key = await api.key_of(api.house.caller)
        for method, path in (("GET", ""), ("GET", f"/{webhook['id']}"), ("POST", f"/{webhook['id']}/test")):
            answer = await api.call(method, f"/webhooks{path}", key=key)
            assert problem_of(answer)["code"] == "not_permitted"
