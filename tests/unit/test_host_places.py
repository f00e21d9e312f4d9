"""Calls of one host at a time, posts and messages that give their place to other hosts, and pauses that are kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN, MemoryTarget
from contentgen_adapters.memory.webhook_sender import MemoryWebhookSender
from contentgen_core.model.ids import TenantId
from contentgen_core.model.integration import Integration
from contentgen_core.model.job import Job
from contentgen_core.model.publication import PostRequest, Publication, PublicationStatus
from contentgen_core.model.publishing_target import FieldType, SettingField
from contentgen_core.model.webhook import DeliveryAttempt, DeliveryState, WebhookEndpoint, WebhookMessage
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.ports.repositories.webhooks import WebhookDeliveries
from contentgen_core.testing.runtime import ManualClock
from contentgen_core.use_cases.host_places import (
    LONGEST_PAUSE,
    SHORTEST_PAUSE,
    HostBusy,
    HostPlaces,
    host_of_integration,
    host_of_url,
)
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_core.use_cases.webhooks.manage_webhooks import NewWebhook
from tests.support.house import House, open_house
from tests.support.webhooks import Hooks

TENANT, OTHER = TenantId("t"), TenantId("u")
SLOW, QUICK = "slow.example.org", "quick.example.org"


class Calls:
    """Calls of hosts that end when they are released."""

    def __init__(self, per_host: int) -> None:
        self.clock = ManualClock()
        self.places = HostPlaces(self.clock, per_host)
        self.under_way: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.released = asyncio.Event()

    async def call(self, host: str, tenant: TenantId = TENANT) -> bool:
        """Return whether the call was made."""
        try:
            async with self.places.place(tenant, host, "r"):
                self.under_way[host] = self.under_way.get(host, 0) + 1
                self.most[host] = max(self.most.get(host, 0), self.under_way[host])
                await self.released.wait()
                self.under_way[host] -= 1
        except HostBusy:
            return False
        return True


async def test_a_host_has_so_many_calls_and_as_many_wait() -> None:
    calls = Calls(per_host=3)
    asked = [asyncio.create_task(calls.call(SLOW)) for _ in range(10)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [task.done() for task in asked].count(True) == 4
    others = [asyncio.create_task(calls.call(QUICK)), asyncio.create_task(calls.call(SLOW, OTHER))]
    await asyncio.sleep(0)
    assert calls.under_way == {SLOW: 4, QUICK: 1}
    calls.released.set()
    assert sorted(await asyncio.gather(*asked)) == [False] * 4 + [True] * 6
    assert await asyncio.gather(*others) == [True, True]
    assert calls.most == {SLOW: 4, QUICK: 1}
    assert await calls.call(SLOW)


async def test_a_call_that_is_ended_while_it_waits_leaves_its_place() -> None:
    calls = Calls(per_host=1)
    first, waiting = (asyncio.create_task(calls.call(SLOW)) for _ in range(2))
    await asyncio.sleep(0)
    assert not await calls.call(SLOW)
    waiting.cancel()
    await asyncio.wait([waiting])
    third = asyncio.create_task(calls.call(SLOW))
    calls.released.set()
    assert await asyncio.gather(first, third) == [True, True]


async def test_who_is_sent_away_comes_back_one_after_another() -> None:
    clock = ManualClock()
    places = HostPlaces(clock, per_host=2)
    async with places.place(TENANT, SLOW, "r"), places.place(TENANT, SLOW, "r"):
        waiting = [asyncio.create_task(_held(places)) for _ in range(2)]
        await asyncio.sleep(0)
        pauses = [await _pause(places) for _ in range(2_000)]
    for task in waiting:
        task.cancel()
    await asyncio.wait(waiting)
    assert pauses[:4] == [SHORTEST_PAUSE] * 4
    assert pauses[4:6] == [timedelta(seconds=1.25), timedelta(seconds=1.5)]
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE


async def _held(places: HostPlaces) -> None:
    async with places.place(TENANT, SLOW, "r"):
        await asyncio.Event().wait()


async def _pause(places: HostPlaces, asked_at: datetime | None = None) -> timedelta | None:
    try:
        async with places.place(TENANT, SLOW, "r", asked_at):
            return None
    except HostBusy as busy:
        return busy.pause


async def test_a_pause_is_kept_but_for_what_is_asked_for_after_it() -> None:
    clock = ManualClock()
    places = HostPlaces(clock)
    before = clock.now() - timedelta(seconds=1)
    places.pause("r", None)
    assert await _pause(places, before) is None
    places.pause("r", 60)
    clock.advance(seconds=20)
    assert await _pause(places) == await _pause(places, before) == timedelta(seconds=40)
    assert await _pause(places, clock.now()) is None
    async with places.place(TENANT, SLOW, "another receiver there"):
        pass
    clock.advance(seconds=40)
    assert await _pause(places, before) is None
    places.pause("r", 1e9)
    assert await _pause(places) == timedelta(hours=1)


@pytest.mark.parametrize(
    ("url", "host"),
    [("https://Blog.example.org:8443/x", "blog.example.org"), ("nothing", ""), ("http://[", ""), (None, "")],
)
def test_the_host_of_an_address(url: object, host: str) -> None:
    assert host_of_url(url) == host


@pytest.fixture
async def house() -> AsyncIterator[House]:
    target = MemoryTarget()
    fields = (*target.info.credential_fields, SettingField("site", "Site", FieldType.URL))
    target.info = evolve(target.info, credential_fields=fields)
    async with open_house(target=target) as opened:
        yield opened


async def connected(house: House, host: str) -> Integration:
    credentials = {"token": TOKEN, "site": f"https://{host}/"}
    made = await house.services.publishing.integrations.create(
        NewIntegration(house.caller, "memory", host, True, credentials, {})
    )
    assert host_of_integration(made, house.target.info) == host
    return made


async def asked(house: House, integration: Integration, count: int) -> list[Publication]:
    request = PostRequest(title="A title", content="A text.")
    ask = house.services.publishing.publish.request_publication
    async with house.services.ports.unit_of_work() as tx:
        return [await ask(tx, integration, None, request) for _ in range(count)]


async def statuses(house: House, publications: Sequence[Publication]) -> list[PublicationStatus]:
    get = house.services.publishing.publications.get
    return [(await get(house.caller, one.id)).status for one in publications]


async def test_posts_of_a_slow_target_leave_the_places_of_jobs_to_other_targets(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = await connected(house, SLOW), await connected(house, QUICK)
    to_slow, to_quick = await asked(house, slow, 50), await asked(house, quick, 5)
    released, at_slow, most = asyncio.Event(), 0, 0
    deliver = house.services.jobs.publish
    send = type(deliver)._send

    async def slowly(self: object, job: Job, sending: object) -> None:
        nonlocal at_slow, most
        if getattr(sending, "host", None) == SLOW:
            at_slow += 1
            most = max(most, at_slow)
            await released.wait()
            at_slow -= 1
        await send(deliver, job, sending)  # type: ignore[arg-type]

    monkeypatch.setattr(type(deliver), "_send", slowly)
    jobs = [asyncio.create_task(deliver(job)) for job in await house.claim()]
    while sum(task.done() for task in jobs) < 50 - 32 + 5:
        await asyncio.sleep(0.01)
    assert await statuses(house, to_quick) == [PublicationStatus.PUBLISHED] * 5
    assert (at_slow, sum(not task.done() for task in jobs)) == (16, 32)
    released.set()
    await asyncio.gather(*jobs)
    assert most == 16
    while await house.work():
        house.clock.advance(seconds=2)
    house.clock.advance(minutes=5)
    await house.work()
    seen = [await house.services.publishing.publications.get(house.caller, one.id) for one in to_slow]
    assert {(one.status, one.retries) for one in seen} == {(PublicationStatus.PUBLISHED, 0)}
    assert len(house.target.posts) == 55


async def test_a_target_that_asks_to_wait_is_called_once_and_no_post_holds_a_place(house: House) -> None:
    integration = await connected(house, SLOW)
    publications = await asked(house, integration, 5)
    house.clock.advance(seconds=1)
    left = ["busy"]

    def busy_once(name: str) -> None:
        if name == "create" and left:
            left.clear()
            raise PublishFailed("memory", "HTTP 429", Refusal.LIMITED, retry_after=600)

    house.target.before = busy_once
    assert await house.work() == 5
    assert house.target.calls.count("create") == 1
    assert await house.claim() == []
    house.clock.advance(seconds=599)
    assert await house.claim() == []
    house.clock.advance(seconds=2)
    assert await house.work() == 5
    assert await statuses(house, publications) == [PublicationStatus.PUBLISHED] * 5
    assert house.target.calls.count("create") == 6


async def test_messages_of_a_slow_host_give_their_place_to_others_and_count_no_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hooks = Hooks()
    hooks.places = HostPlaces(hooks.clock, per_host=2)
    caller = await hooks.tenant()
    slow = [await hooks.endpoint(caller, f"https://{SLOW}/{n}") for n in range(3)]
    quick = await hooks.endpoint(caller, f"https://{QUICK}/")
    for number in range(4):
        await hooks.record(caller.tenant_id, number)
    released, under_way, most = asyncio.Event(), 0, 0

    async def send(
        _: object, url: str, message: WebhookMessage, secrets: Sequence[str], at: datetime
    ) -> DeliveryAttempt:
        nonlocal under_way, most
        if SLOW in url:
            under_way += 1
            most = max(most, under_way)
            await released.wait()
            under_way -= 1
        return DeliveryAttempt(at, 0, 204)

    monkeypatch.setattr(MemoryWebhookSender, "send", send)
    claimed = await hooks.deliver.claim("w", 100)
    assert len(claimed) == 16
    deliver = hooks.deliver
    tasks = [asyncio.create_task(deliver.attempt(delivery)) for delivery in claimed]
    while sum(task.done() for task in tasks) < 12:
        await asyncio.sleep(0.01)
    assert (under_way, await _states(hooks, quick)) == (2, [(DeliveryState.DELIVERED, 1)] * 4)
    released.set()
    await asyncio.gather(*tasks)
    for _ in range(20):
        hooks.clock.advance(seconds=5)
        await hooks.work()
    assert most == 2
    for endpoint in slow:
        assert await _states(hooks, endpoint) == [(DeliveryState.DELIVERED, 1)] * 4


async def test_a_receiver_that_asks_to_wait_gets_no_other_message_until_then(monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = Hooks()
    caller = await hooks.tenant()
    made, _ = await hooks.endpoints.create(NewWebhook(caller, "Ours", f"https://{SLOW}/"))
    for number in range(3):
        await hooks.record(caller.tenant_id, number)
    sent = 0

    async def send(
        _: object, url: str, message: WebhookMessage, secrets: Sequence[str], at: datetime
    ) -> DeliveryAttempt:
        nonlocal sent
        sent += 1
        return DeliveryAttempt(at, 0, 429, retry_after=900) if sent == 1 else DeliveryAttempt(at, 0, 204)

    monkeypatch.setattr(MemoryWebhookSender, "send", send)
    for _ in range(14):
        await hooks.work()
        hooks.clock.advance(minutes=1)
    assert sent == 1
    for _ in range(30):
        await hooks.work()
        hooks.clock.advance(minutes=1)
    assert sent == 4
    assert sorted(await _states(hooks, made)) == [(DeliveryState.DELIVERED, 1)] * 2 + [(DeliveryState.DELIVERED, 2)]


async def _states(hooks: Hooks, endpoint: WebhookEndpoint) -> list[tuple[DeliveryState, int]]:
    async with hooks.unit_of_work() as tx:
        found = await tx[WebhookDeliveries].page(endpoint.tenant_id, endpoint.id, None, None, 100)
    return [(delivery.state, delivery.tries) for delivery in found]
