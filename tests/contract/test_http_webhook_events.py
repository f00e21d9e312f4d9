"""What happens in the service is told to webhooks: each kind of event, by the operation that causes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.conflict import Decision
from contentgen_core.model.freshness import SentenceState
from contentgen_core.model.ids import WebhookEndpointId
from contentgen_core.ports.repositories.webhooks import WebhookDeliveries, WebhookMessages
from tests.support.changing_sources import GRANT, changed, written
from tests.support.http import NICHE, Api, open_api
from tests.unit import test_conflict_searches as conflicts


@define
class Told:
    api: Api
    webhook: WebhookEndpointId

    async def __call__(self) -> list[tuple[str, Mapping[str, Any]]]:
        """What was recorded since the last time, in order."""
        async with self.api.house.services.ports.unit_of_work() as tx:
            page = await tx[WebhookDeliveries].page(self.api.house.caller.tenant_id, self.webhook, None, None, 100)
            await tx[WebhookMessages].prune(self.api.house.clock.advance(seconds=1), 100)
        events = [delivery.message.event for delivery in reversed(page)]
        return [(event.type.value, event.data) for event in sorted(events, key=lambda event: event.at)]

    async def types(self) -> list[str]:
        return [type for type, _ in await self()]


async def told(api: Api) -> Told:
    webhook = {"name": "All", "url": "https://hooks.example.org/all"}
    return Told(api, WebhookEndpointId((await api.call("POST", "/webhooks", webhook)).json()["id"]))


async def test_the_life_of_an_article() -> None:
    async with open_api() as api:
        events = await told(api)
        article = (await api.planned())["articleId"]
        created = {"articleId": article, "nicheKey": NICHE, "language": "en", "status": "draft"}
        assert await events() == [("plan.created", created)]
        await api.call("POST", "/writer/generate-from-plan", {"articleId": article})
        assert await events() == [("plan.approved", created | {"status": "generating"})]
        await api.house.work()
        assert await events() == [("article.generated", created | {"status": "generated"})]
        assert (await api.call("PATCH", f"/writer/{article}", {"title": "Other"})).status_code == 200
        assert await events.types() == ["article.updated"]
        soon = api.house.clock.now().replace(year=2027).isoformat()
        await api.call("PATCH", f"/writer/{article}", {"status": "scheduled", "scheduledFor": soon})
        assert (await events())[0][1]["status"] == "scheduled"
        api.house.clock.advance(days=400)
        await api.house.work()
        assert await events() == [("article.updated", created | {"status": "published"})]
        assert (await api.call("DELETE", f"/writer/{article}")).status_code == 200
        assert await events() == [("article.deleted", created | {"status": "published"})]
        assert (await api.call("DELETE", f"/writer/{article}")).status_code == 404
        assert await events() == []


async def test_an_article_that_cannot_be_written() -> None:
    async with open_api() as api:
        events = await told(api)
        article = (await api.planned(autoValidate=True))["articleId"]

        async def refuse(*_: object) -> None:
            raise ProviderFailed("The model", "it refuses", retryable=False)

        api.house.model.write_section = refuse  # type: ignore[assignment,method-assign]
        await api.house.work()
        assert [(type, data["articleId"], data["status"]) for type, data in await events()] == [
            ("article.failed", article, "failed")
        ]


async def test_updates_of_articles() -> None:
    async with open_api() as api:
        article = await written(api.house)
        events = await told(api)
        for decision, type in (("reject", "update.rejected"), ("accept", "update.accepted")):
            await changed(api.house, 1, GRANT.replace("4,000", "2,500" if decision == "reject" else "2,400"))
            update = (await api.call("POST", "/article-updates", {"articleId": article.id})).json()["update"]
            [(proposed, data)] = await events()
            assert (proposed, data["updateId"], data["articleId"]) == ("update.proposed", update["id"], article.id)
            body = {} if decision == "accept" else None
            assert (await api.call("POST", f"/article-updates/{update['id']}/{decision}", body)).status_code == 200
            assert type in await events.types()


async def test_publications() -> None:
    async with open_api() as api:
        article = await api.written()
        events = await told(api)
        memory = {"provider": "memory", "name": "Blog", "credentials": {"token": TOKEN, "blog": "heat"}}
        integration = (await api.call("POST", "/integrations", memory)).json()["integration"]["id"]
        request = {"articleId": article["id"], "tags": []}
        publication = (await api.call("POST", f"/integrations/{integration}/publish", request)).json()["publication"]
        assert await events() == []
        await api.house.work()
        [(type, data)] = [event for event in await events() if event[0].startswith("publication.")]
        assert (type, data["publicationId"], data["status"]) == (
            "publication.published",
            publication["id"],
            "published",
        )
        assert data["url"].startswith("https://")
        assert (await api.call("POST", f"/publications/{publication['id']}/unpublish")).status_code == 200
        assert await events.types() == ["publication.withdrawn"]
        await api.call("POST", f"/publications/{publication['id']}/retry", {"anew": True})
        assert (await api.call("POST", f"/publications/{publication['id']}/cancel")).status_code == 200
        assert await events.types() == ["publication.failed"]


async def test_syncs() -> None:
    async with open_api() as api:
        events = await told(api)
        source = {"kind": "pages", "name": "Rules", "place": "https://web.example.org/noise", "nicheKey": NICHE}
        made = (await api.call("POST", "/sources", source)).json()["id"]
        await api.house.work()
        [(type, data)] = await events()
        assert (type, data["sourceId"], data["outcome"], data["added"]) == ("sync.finished", made, "done", 1)


async def test_a_sync_that_fails() -> None:
    async with open_api() as api:
        niche = (await api.call("POST", "/niches", {"name": "Boats"})).json()
        events = await told(api)
        source = {"kind": "pages", "name": "Rules", "place": "https://web.example.org/noise", "nicheKey": "boats"}
        await api.call("POST", "/sources", source)
        assert (await api.call("DELETE", f"/niches/{niche['id']}")).status_code == 200
        await api.house.work()
        assert [(type, data["outcome"]) for type, data in await events()] == [("sync.failed", "failed")]


async def test_conflicts() -> None:
    async with open_api() as api:
        events = await told(api)
        await conflicts.told(api.house, "old", conflicts.OLD)
        await conflicts.told(api.house, "new", conflicts.NEW)
        found = conflicts.of(await conflicts.searched(api.house))
        assert await events() == [("conflict.found", {"nicheKey": NICHE, "found": 1, "outdated": 0})]
        await conflicts.searched(api.house)
        assert await events() == []
        await conflicts.decide(api.house, found.id, Decision.DISMISS)
        [(type, data)] = await events()
        assert (type, data["conflictId"], data["decision"]) == ("conflict.decided", found.id, "dismiss")


async def test_approvals() -> None:
    async with open_api() as api:
        article = await api.written()
        events = await told(api)
        for path, body, type in (
            ("submit", None, "approval.requested"),
            ("approve", {}, "approval.approved"),
            ("send-back", {"reason": "It is too long."}, "approval.sent_back"),
        ):
            answer = await api.call("POST", f"/articles/{article['id']}/{path}", body)
            assert answer.status_code == 200, answer.text
            [(told_type, data)] = await events()
            assert (told_type, data["articleId"], data["userId"]) == (type, article["id"], api.house.caller.user_id)


async def test_nothing_that_is_told_is_a_text() -> None:
    """By their length: ids, keys, states and addresses are short."""
    async with open_api() as api:
        events = await told(api)
        await api.written()
        for _, data in await events():
            assert all(not isinstance(value, str) or len(value) <= 100 for value in data.values())


async def test_a_patch_that_renews_what_a_sentence_rests_on_updates_no_article() -> None:
    async with open_api() as api:
        article = await written(api.house)
        before = await api.house.article(article.id)
        await changed(api.house, 1, GRANT.replace("In winter 2024 the grant", "The grant in winter 2024"))
        [stale] = (await api.house.services.writing.freshness(api.house.caller, article.id)).stale
        assert (stale.state, stale.proposal) == (SentenceState.REWORDED, stale.text)
        events = await told(api)
        answer = await api.call("POST", f"/articles/{article.id}/patch", {"sentences": [{"position": stale.position}]})
        assert answer.status_code == 200, answer.text
        after = await api.house.article(article.id)
        assert (after.text_hash, after.revision) == (before.text_hash, before.revision + 1)
        assert await events.types() == []
        assert (await api.house.services.writing.freshness(api.house.caller, article.id)).stale == ()

        await changed(api.house, 1, GRANT.replace("4,000", "2,500"))
        [stale] = (await api.house.services.writing.freshness(api.house.caller, article.id)).stale
        await api.call("POST", f"/articles/{article.id}/patch", {"sentences": [{"position": stale.position}]})
        assert await events.types() == ["article.updated"]


async def test_a_sentence_that_another_source_says_now_updates_the_list_of_sources() -> None:
    async with open_api() as api:
        article = await written(api.house)
        await changed(api.house, 7, f"Boats float on water, and so do ducks. {GRANT}")
        await changed(api.house, 1, "Nothing of this stands here any longer, since the page was written anew.")
        [stale] = (await api.house.services.writing.freshness(api.house.caller, article.id)).stale
        assert stale.state is SentenceState.REWORDED
        events = await told(api)
        await api.call("POST", f"/articles/{article.id}/patch", {"sentences": [{"position": stale.position}]})
        assert await events.types() == ["article.updated"]


async def test_an_accepted_update_that_changes_no_text_is_accepted_and_updates_no_article() -> None:
    async with open_api() as api:
        article = await written(api.house)
        await changed(api.house, 1, GRANT.replace("In winter 2024 the grant", "The grant in winter 2024"))
        events = await told(api)
        proposed = await api.house.services.writing.propose_update(api.house.caller, article.id)
        assert proposed is not None
        accepted = await api.call("POST", f"/article-updates/{proposed.id}/accept", {})
        assert accepted.status_code == 200, accepted.text
        assert sorted(await events.types()) == ["update.accepted", "update.proposed"]
