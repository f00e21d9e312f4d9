"""Webhook endpoints and the delivery of events to them, in virtual time."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import InvalidInput, NotFound, NotPermitted
from contentgen_core.model.ids import WebhookEndpointId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Role
from contentgen_core.model.webhook import (
    DISABLED_AFTER,
    MAX_ENDPOINTS,
    MAX_JITTER,
    MAX_TRIES,
    MESSAGES_KEPT,
    RETRY_DELAYS,
    DeliveryAttempt,
    DeliveryState,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEventType,
)
from contentgen_core.ports.mail import Mail
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.webhooks import WebhookDeliveries, WebhookEndpoints
from contentgen_core.ports.sealing import SecretUnreadable
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.jobs import AttemptRunner
from contentgen_core.use_cases.webhooks.deliver import LEASE
from contentgen_core.use_cases.webhooks.manage_webhooks import (
    ChangedWebhook,
    NewWebhook,
    ReplayCommand,
    TooManyWebhooks,
)
from contentgen_core.use_cases.webhooks.notice import SendWebhookNotice
from tests.support.webhooks import Hooks

OTHER = "https://hooks.example.org/b"


async def only(hooks: Hooks, endpoint: WebhookEndpoint) -> WebhookDelivery:
    async with hooks.unit_of_work() as tx:
        [delivery] = await tx[WebhookDeliveries].page(endpoint.tenant_id, endpoint.id, None, None, 9)
    return delivery


async def stored(hooks: Hooks, endpoint: WebhookEndpoint) -> WebhookEndpoint:
    async with hooks.unit_of_work() as tx:
        return await tx[WebhookEndpoints].get(endpoint.tenant_id, endpoint.id)


async def test_an_event_is_sent_and_what_came_of_it_is_kept() -> None:
    hooks = Hooks()
    caller = await hooks.tenant()
    endpoint, secret = await hooks.endpoints.create(NewWebhook(caller, " Our receiver ", "https://hooks.example.org/a"))
    message = await hooks.record(caller.tenant_id)
    assert await hooks.work() == 1
    assert await hooks.work() == 0
    assert hooks.sender.sent == [(endpoint.url, message, (secret,))]
    delivery = await only(hooks, endpoint)
    assert (endpoint.name, delivery.state) == ("Our receiver", DeliveryState.DELIVERED)
    assert delivery.attempts == (DeliveryAttempt(MOMENT, 0, 204),)
    assert secret not in repr(await stored(hooks, endpoint))


async def test_what_fails_is_tried_again_by_the_schedule_of_the_standard() -> None:
    hooks = Hooks()
    hooks.sender.answer = lambda *_: 500
    caller = await hooks.tenant()
    endpoint = await hooks.endpoint(caller)
    message = await hooks.record(caller.tenant_id)
    for delay in RETRY_DELAYS:
        assert await hooks.work() == 1
        delivery = await only(hooks, endpoint)
        assert delay <= delivery.due_at - hooks.clock.now() <= delay * (1 + MAX_JITTER)
        hooks.clock.set(delivery.due_at - timedelta(seconds=1))
        assert await hooks.work() == 0
        hooks.clock.set(delivery.due_at)
    assert await hooks.work() == 1
    delivery = await only(hooks, endpoint)
    assert (delivery.state, delivery.tries, len(hooks.sender.sent)) == (DeliveryState.FAILED, MAX_TRIES, MAX_TRIES)
    assert {sent.id for _, sent, _ in hooks.sender.sent} == {message.id}
    hooks.clock.advance(days=3)
    assert await hooks.work() == 0
    hooks.sender.answer = lambda *_: 204
    assert await hooks.endpoints.replay(ReplayCommand(caller, endpoint.id)) == 1
    assert await hooks.work() == 1
    assert (await only(hooks, endpoint)).state is DeliveryState.DELIVERED


@given(st.floats(0, 10**9), st.integers(1, MAX_TRIES - 1))
def test_a_receiver_may_ask_for_more_time_but_not_for_ever(asked: float, tries: int) -> None:
    hooks = Hooks()

    async def recorded() -> WebhookDelivery:
        caller = await hooks.tenant()
        endpoint = await hooks.endpoint(caller)
        await hooks.record(caller.tenant_id)
        return await only(hooks, endpoint)

    delivery = evolve(asyncio.run(recorded()), tries=tries - 1)
    after = delivery.after(DeliveryAttempt(MOMENT, 1, 429, retry_after=asked), MOMENT)
    wait = after.due_at - MOMENT
    longest = max(RETRY_DELAYS[tries - 1] * (1 + MAX_JITTER), timedelta(days=1))
    assert RETRY_DELAYS[tries - 1] <= wait <= longest
    assert wait >= min(timedelta(seconds=asked), timedelta(days=1))


async def test_a_receiver_that_is_gone_is_left_alone_and_its_owner_told() -> None:
    hooks = Hooks()
    caller = await hooks.tenant()
    endpoint, other = await hooks.endpoint(caller), await hooks.endpoint(caller, OTHER)
    hooks.sender.answer = lambda url, _: 410 if url == endpoint.url else 204
    await hooks.record(caller.tenant_id)
    await hooks.work()
    gone = await stored(hooks, endpoint)
    assert (gone.enabled, (await only(hooks, endpoint)).state) == (False, DeliveryState.FAILED)
    assert "410" in (gone.disabled_because or "")
    await hooks.work()
    url, told, _ = hooks.sender.sent[-1]
    assert (url, told.event.type) == (other.url, WebhookEventType.WEBHOOK_DISABLED)
    assert told.event.data == {"webhookId": endpoint.id, "name": endpoint.name, "reason": gone.disabled_because}
    mails = await notices(hooks)
    assert [(mail.to, endpoint.name in mail.subject) for mail in mails] == [("owner@example.org", True)]
    before = len(hooks.sender.sent)
    await hooks.record(caller.tenant_id, 1)
    await hooks.work()
    assert [url for url, _, _ in hooks.sender.sent[before:]] == [other.url]
    again = await hooks.endpoints.change(ChangedWebhook(caller, endpoint.id, enabled=True))
    assert (again.enabled, again.disabled_because, again.failing_since) == (True, None, None)


async def notices(hooks: Hooks) -> list[Mail]:
    """The mails of the jobs that are due."""
    mails: list[Mail] = []

    class Post:
        delivers = True

        async def send(self, mail: Mail) -> None:
            mails.append(mail)

    send = SendWebhookNotice(AttemptRunner(hooks.unit_of_work, hooks.clock, "The notice"), Post())
    now = hooks.clock.now()
    async with hooks.unit_of_work() as tx:
        jobs: list[Job] = await tx[Jobs].claim("w", frozenset({JobKind.SEND_WEBHOOK_NOTICE}), now, now + LEASE, 9)
    for job in jobs:
        await send(job)
    return mails


async def test_an_endpoint_that_takes_nothing_for_days_is_disabled() -> None:
    hooks = Hooks()
    hooks.sender.answer = lambda *_: "no answer"
    caller = await hooks.tenant()
    endpoint = await hooks.endpoint(caller)
    began = hooks.clock.now()
    while (await stored(hooks, endpoint)).enabled:
        await hooks.record(caller.tenant_id)
        await hooks.work()
        hooks.clock.advance(hours=6)
        assert hooks.clock.now() - began < 2 * DISABLED_AFTER
    assert hooks.clock.now() - began >= DISABLED_AFTER
    assert (await stored(hooks, endpoint)).failing_since == began
    assert len(await notices(hooks)) == 1


async def test_failures_that_lie_far_apart_disable_nothing() -> None:
    hooks = Hooks()
    caller = await hooks.tenant()
    endpoint = await hooks.endpoint(caller)
    for number in range(4):
        hooks.sender.answer = lambda *_: 503
        await hooks.record(caller.tenant_id, number)
        await hooks.work()
        assert (await stored(hooks, endpoint)).failing_since == hooks.clock.now()
        if number % 2:
            hooks.clock.advance(seconds=6)
            hooks.sender.answer = lambda *_: 200
            await hooks.work()
            assert (await stored(hooks, endpoint)).failing_since is None
        hooks.clock.advance(days=4)
    assert (await stored(hooks, endpoint)).enabled


async def test_for_a_day_messages_are_signed_with_both_secrets() -> None:
    hooks = Hooks()
    caller = await hooks.tenant()
    endpoint, former = await hooks.endpoints.create(NewWebhook(caller, "A", OTHER))
    _, present = await hooks.endpoints.rotate_secret(caller, endpoint.id)
    await hooks.endpoints.test(caller, endpoint.id)
    hooks.clock.advance(hours=24)
    await hooks.endpoints.test(caller, endpoint.id)
    assert former != present
    assert [secrets for _, _, secrets in hooks.sender.sent] == [(present, former), (present,)]
    assert {message.event.type for _, message, _ in hooks.sender.sent} == {WebhookEventType.WEBHOOK_TEST}
    assert await hooks.endpoints.deliveries(caller, endpoint.id, None, None, 9) == []


async def test_a_secret_whose_key_is_gone_keeps_messages_from_being_sent() -> None:
    hooks = Hooks()
    caller = await hooks.tenant()
    endpoint = await hooks.endpoint(caller)
    hooks.keys[:] = ["another key of the tests, also of 32 characters"]
    await hooks.record(caller.tenant_id)
    await hooks.work()
    delivery = await only(hooks, endpoint)
    assert (hooks.sender.sent, delivery.state) == ([], DeliveryState.WAITING)
    assert "rotate" in (delivery.attempts[0].error or "")
    await hooks.endpoints.rotate_secret(caller, endpoint.id)
    hooks.clock.advance(days=1)
    await hooks.work()
    assert (await only(hooks, endpoint)).state is DeliveryState.DELIVERED


async def test_secrets_are_sealed_anew_and_others_ones_do_not_open() -> None:
    hooks = Hooks()
    caller, other = await hooks.tenant(), await hooks.tenant()
    endpoint, former = await hooks.endpoints.create(NewWebhook(caller, "A", OTHER))
    endpoint, present = await hooks.endpoints.rotate_secret(caller, endpoint.id)
    assert hooks.secrets.resealed(endpoint) == endpoint
    hooks.keys.insert(0, "a newer key of the tests, of 32 characters")
    resealed = hooks.secrets.resealed(endpoint)
    hooks.keys[:] = hooks.keys[:1]
    assert hooks.secrets.opened(resealed, hooks.clock.now()) == [present, former]
    stolen = evolve(resealed, tenant_id=other.tenant_id)
    with pytest.raises(SecretUnreadable, match="another purpose"):
        hooks.secrets.opened(stolen, hooks.clock.now())


async def test_administrators_alone_see_webhooks_and_others_see_nothing() -> None:
    hooks = Hooks()
    caller, other = await hooks.tenant(), await hooks.tenant()
    endpoint = await hooks.endpoint(caller)
    message = await hooks.record(caller.tenant_id)
    manage = hooks.endpoints
    for who, id, error in (
        (evolve(caller, role=Role.EDITOR), endpoint.id, NotPermitted),
        (other, endpoint.id, NotFound),
        (caller, WebhookEndpointId("nope"), NotFound),
    ):
        for refused in (
            manage.get(who, id),
            manage.change(ChangedWebhook(who, id)),
            manage.delete(who, id),
            manage.rotate_secret(who, id),
            manage.test(who, id),
            manage.deliveries(who, id, None, None, 9),
            manage.delivery(who, id, message.id),
            manage.replay_one(who, id, message.id),
            manage.replay(ReplayCommand(who, id)),
        ):
            with pytest.raises(error):
                await refused
    editor = evolve(caller, role=Role.EDITOR)
    for refused_list in (manage.list(editor), manage.create(NewWebhook(editor, "A", OTHER))):
        with pytest.raises(NotPermitted):
            await refused_list  # type: ignore[misc]
    assert await manage.list(other) == []


async def test_what_is_wrong_or_too_much_is_refused() -> None:
    hooks = Hooks()
    caller = await hooks.tenant()
    for name, url, events in (
        ("", OTHER, None),
        ("A", "ftp://hooks.example.org", None),
        ("A", OTHER, [WebhookEventType.WEBHOOK_TEST]),
    ):
        with pytest.raises(InvalidInput):
            await hooks.endpoints.create(NewWebhook(caller, name, url, events))
    endpoint = await hooks.endpoint(caller)
    for _ in range(MAX_ENDPOINTS - 1):
        await hooks.endpoint(caller)
    with pytest.raises(TooManyWebhooks):
        await hooks.endpoint(caller)
    with pytest.raises(InvalidInput):
        await hooks.endpoints.replay(ReplayCommand(caller, endpoint.id, since=MOMENT, until=MOMENT))


async def test_messages_are_forgotten_after_a_month() -> None:
    hooks = Hooks()
    caller = await hooks.tenant()
    endpoint = await hooks.endpoint(caller)
    await hooks.record(caller.tenant_id)
    hooks.clock.set(MOMENT + MESSAGES_KEPT)
    await hooks.deliver.prune()
    assert await only(hooks, endpoint)
    hooks.clock.advance(seconds=1)
    await hooks.deliver.prune()
    assert await hooks.endpoints.deliveries(caller, endpoint.id, None, None, 9) == []


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("record"), st.integers(0, 1)),
        st.tuples(st.just("work"), st.sampled_from(("lives", "dies"))),
        st.tuples(st.just("pass"), st.integers(1, 4_000)),
        st.tuples(st.just("receiver"), st.integers(0, 2)),
        st.tuples(st.just("replay"), st.integers(0, 2)),
    ),
    max_size=40,
)


@given(STEPS)
def test_whatever_happens_each_event_reaches_each_endpoint_of_its_tenant_and_no_other(
    steps: list[tuple[str, int | str]],
) -> None:
    asyncio.run(_machine(steps))


async def _machine(steps: list[tuple[str, int | str]]) -> None:
    """Workers die after a request and before they store what came of it; receivers fail and recover."""
    hooks, down = Hooks(), set[str]()
    tenants = [await hooks.tenant(), await hooks.tenant()]
    owners = [tenants[0], tenants[0], tenants[1]]
    endpoints = [await hooks.endpoint(owner, f"https://hooks.example.org/{n}") for n, owner in enumerate(owners)]
    hooks.sender.answer = lambda url, _: 503 if url in down else 204
    recorded: list[tuple[str, str]] = []
    for number, (kind, which) in enumerate(steps):
        if kind == "record" and isinstance(which, int):
            message = await hooks.record(tenants[which].tenant_id, number)
            recorded.append((tenants[which].tenant_id, message.id))
        elif kind == "work":
            turn = iter([which == "dies"])
            await hooks.work(f"w{number}", lambda turn=turn: next(turn, False))  # type: ignore[misc]
        elif kind == "pass" and isinstance(which, int):
            hooks.clock.advance(seconds=which)
        elif kind == "receiver" and isinstance(which, int):
            down ^= {endpoints[which].url}
        elif isinstance(which, int):
            command = ReplayCommand(owners[which], endpoints[which].id, failed_only=False)
            hooks.clock.advance(seconds=1)
            await hooks.endpoints.replay(command)
    down.clear()
    for _ in range(MAX_TRIES):
        hooks.clock.advance(hours=27)
        while await hooks.work("last"):
            pass
    took = {(url, message.id) for url, message, _ in hooks.sender.sent}
    wanted = {(e.url, id) for e in endpoints for tenant_id, id in recorded if tenant_id == e.tenant_id}
    assert took == wanted
    for endpoint in endpoints:
        async with hooks.unit_of_work() as tx:
            kept = await tx[WebhookDeliveries].page(endpoint.tenant_id, endpoint.id, None, None, 100)
        assert {delivery.state for delivery in kept} <= {DeliveryState.DELIVERED}
        assert len(kept) == sum(url == endpoint.url for url, _ in wanted)
