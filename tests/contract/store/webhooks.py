"""Webhook endpoints, the outbox of events for them, and deliveries that are claimed, settled and replayed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import TenantId, WebhookEndpointId, WebhookMessageId
from contentgen_core.model.webhook import (
    DeliveryAttempt,
    DeliveryState,
    WebhookData,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
    WebhookEventType,
    WebhookMessage,
)
from contentgen_core.ports.repositories.webhooks import AT_ONCE, WebhookDeliveries, WebhookEndpoints, WebhookMessages
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given_tenant, given_tenants

SECOND: Final = timedelta(seconds=1)
LEASE: Final = timedelta(seconds=60)
DONE: Final = DeliveryAttempt(MOMENT, 12, 204, "thanks")
BROKEN: Final = DeliveryAttempt(MOMENT, 20_000, error="no answer in time", retry_after=3.5)


async def _endpoint(unit_of_work: UnitOfWork, tenant_id: TenantId, **changes: Any) -> WebhookEndpoint:
    endpoint = builders.webhook_endpoint(tenant_id=tenant_id, **changes)
    async with unit_of_work() as tx:
        await tx[WebhookEndpoints].add(endpoint)
    return endpoint


def _event(tenant_id: TenantId, number: int = 0, **changes: Any) -> WebhookEvent:
    data: WebhookData = {"articleId": f"a{number}", "words": number, "public": False, "nicheKey": None}
    event = WebhookEvent(tenant_id, WebhookEventType.ARTICLE_GENERATED, MOMENT + number * SECOND, data)
    return evolve(event, **changes)


async def _recorded(unit_of_work: UnitOfWork, *events: WebhookEvent) -> list[WebhookMessage]:
    async with unit_of_work() as tx:
        for event in events:
            await tx[WebhookMessages].record(event)
    return [WebhookMessage.of(event) for event in events]


async def _claimed(
    unit_of_work: UnitOfWork, after: timedelta = LEASE, *, worker: str = "w", limit: int = 100
) -> list[WebhookDelivery]:
    async with unit_of_work() as tx:
        now = MOMENT + after
        return await tx[WebhookDeliveries].claim(worker, now, now + LEASE, limit)


async def _page(unit_of_work: UnitOfWork, endpoint: WebhookEndpoint) -> list[WebhookDelivery]:
    async with unit_of_work() as tx:
        return await tx[WebhookDeliveries].page(endpoint.tenant_id, endpoint.id, None, None, 100)


class WebhookEndpointsContract:
    async def test_an_endpoint_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        first, second = await _endpoint(unit_of_work, tenant.id), await _endpoint(unit_of_work, tenant.id)
        changed = evolve(
            first,
            events=(WebhookEventType.SYNC_FAILED, WebhookEventType.PLAN_CREATED),
            enabled=False,
            former_sealed="older",
            former_until=MOMENT,
            failing_since=MOMENT,
            disabled_because="It said 410.",
        )
        async with unit_of_work() as tx:
            assert await tx[WebhookEndpoints].get(tenant.id, first.id) == first
            saved = await tx[WebhookEndpoints].save(changed)
            assert saved == evolve(changed, revision=2)
        async with unit_of_work() as tx:
            assert await tx[WebhookEndpoints].list(tenant.id) == [saved, second]
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[WebhookEndpoints].save(changed)

    @alien_ids
    async def test_a_tenant_sees_its_own_endpoints_alone(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        for owner, id in ((other.id, endpoint.id), (tenant.id, WebhookEndpointId(alien))):
            async with unit_of_work() as tx:
                assert await tx[WebhookEndpoints].list(other.id) == []
                for refused in (tx[WebhookEndpoints].get(owner, id), tx[WebhookEndpoints].delete(owner, id)):
                    with pytest.raises(NotFound):
                        await refused
        with pytest.raises(NotFound):
            await _endpoint(unit_of_work, TenantId("nope"))

    async def test_those_of_all_tenants_come_by_id(self, unit_of_work: UnitOfWork) -> None:
        one, other = await given_tenants(unit_of_work)
        first, second = await _endpoint(unit_of_work, one.id), await _endpoint(unit_of_work, other.id)
        async with unit_of_work() as tx:
            assert await tx[WebhookEndpoints].after(None, 1) == [first]
            assert await tx[WebhookEndpoints].after(first.id, 9) == [second]

    async def test_an_endpoint_takes_its_deliveries_along(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        gone, stays = await _endpoint(unit_of_work, tenant.id), await _endpoint(unit_of_work, tenant.id)
        [message] = await _recorded(unit_of_work, _event(tenant.id))
        [held] = [each for each in await _claimed(unit_of_work) if each.endpoint_id == gone.id]
        async with unit_of_work() as tx:
            await tx[WebhookEndpoints].delete(tenant.id, gone.id)
        async with unit_of_work() as tx:
            assert not await tx[WebhookDeliveries].settle(held)
            assert (await tx[WebhookDeliveries].get(tenant.id, stays.id, message.id)).message == message
            with pytest.raises(NotFound):
                await tx[WebhookDeliveries].get(tenant.id, gone.id, message.id)


class WebhookMessagesContract:
    async def test_an_event_goes_to_each_endpoint_that_gets_its_type(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        generated = (WebhookEventType.PLAN_CREATED, WebhookEventType.ARTICLE_GENERATED)
        every, chosen = await _endpoint(unit_of_work, tenant.id), await _endpoint(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            chosen = await tx[WebhookEndpoints].save(evolve(chosen, events=generated))
        without = [
            await _endpoint(unit_of_work, tenant.id, events=(WebhookEventType.SYNC_FAILED,)),
            await _endpoint(unit_of_work, tenant.id, events=()),
            await _endpoint(unit_of_work, tenant.id, enabled=False),
            await _endpoint(unit_of_work, other.id),
        ]
        [message] = await _recorded(unit_of_work, _event(tenant.id))
        for endpoint in (every, chosen):
            assert await _page(unit_of_work, endpoint) == [WebhookDelivery(endpoint.id, message, MOMENT)]
        for endpoint in without:
            assert await _page(unit_of_work, endpoint) == []

    async def test_the_same_event_twice_is_one_message(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        event = _event(tenant.id)
        again = evolve(event, data={"articleId": "another"})
        await _recorded(unit_of_work, event, event)
        await _recorded(unit_of_work, event, again)
        assert len({message.id for message in map(WebhookMessage.of, (event, again))}) == 2
        assert len(await _page(unit_of_work, endpoint)) == 2

    async def test_an_event_goes_with_its_transaction(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        with suppress(RuntimeError):
            async with unit_of_work() as tx:
                await tx[WebhookMessages].record(_event(tenant.id))
                raise RuntimeError
        assert await _page(unit_of_work, endpoint) == []
        assert await _claimed(unit_of_work) == []

    async def test_old_messages_are_pruned_with_their_deliveries(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        await _recorded(unit_of_work, *(_event(tenant.id, number) for number in range(5)))
        before = MOMENT + 3 * SECOND
        for limit, pruned in ((2, 2), (2, 1), (2, 0)):
            async with unit_of_work() as tx:
                assert await tx[WebhookMessages].prune(before, limit) == pruned
        kept = await _page(unit_of_work, endpoint)
        assert [delivery.message.event.data["articleId"] for delivery in kept] == ["a4", "a3"]


class WebhookDeliveriesContract:
    async def test_each_delivery_is_claimed_once_while_its_lease_lasts(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        first, second = await _recorded(unit_of_work, _event(tenant.id), _event(tenant.id, 1))
        assert await _claimed(unit_of_work, -SECOND) == []
        [held] = await _claimed(unit_of_work, SECOND / 2)
        assert held == WebhookDelivery(endpoint.id, first, MOMENT + SECOND / 2 + LEASE, claim_number=1)
        [other] = await _claimed(unit_of_work, 2 * SECOND, worker="v")
        assert (other.message, other.message.event.data) == (second, second.event.data)
        assert await _claimed(unit_of_work, LEASE) == []
        [again] = await _claimed(unit_of_work, SECOND / 2 + LEASE, worker="v")
        assert (again.message, again.claim_number) == (first, 2)
        async with unit_of_work() as tx:
            assert not await tx[WebhookDeliveries].settle(held.after(DONE, MOMENT))
            assert await tx[WebhookDeliveries].settle(again.after(DONE, MOMENT))
            assert not await tx[WebhookDeliveries].settle(again.after(DONE, MOMENT))

    async def test_what_became_of_a_delivery_is_kept(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        [message] = await _recorded(unit_of_work, _event(tenant.id))
        [held] = await _claimed(unit_of_work)
        waiting = held.after(BROKEN, MOMENT + LEASE)
        async with unit_of_work() as tx:
            assert await tx[WebhookDeliveries].settle(waiting)
        async with unit_of_work() as tx:
            assert await tx[WebhookDeliveries].get(tenant.id, endpoint.id, message.id) == waiting
        assert await _claimed(unit_of_work, waiting.due_at - MOMENT - SECOND) == []
        [again] = await _claimed(unit_of_work, waiting.due_at - MOMENT)
        delivered = again.after(DONE, MOMENT)
        assert (delivered.state, delivered.attempts) == (DeliveryState.DELIVERED, (BROKEN, DONE))
        async with unit_of_work() as tx:
            assert await tx[WebhookDeliveries].settle(delivered)
        assert await _page(unit_of_work, endpoint) == [delivered]
        assert await _claimed(unit_of_work, timedelta(days=9)) == []

    async def test_a_worker_gives_back_what_it_holds(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await _endpoint(unit_of_work, tenant.id)
        await _recorded(unit_of_work, _event(tenant.id), _event(tenant.id, 1))
        [mine] = await _claimed(unit_of_work, limit=1)
        [other] = await _claimed(unit_of_work, worker="v")
        async with unit_of_work() as tx:
            await tx[WebhookDeliveries].release("w", MOMENT + LEASE)
        async with unit_of_work() as tx:
            assert not await tx[WebhookDeliveries].settle(mine)
            assert await tx[WebhookDeliveries].settle(other.after(DONE, MOMENT))
        assert [delivery.message for delivery in await _claimed(unit_of_work)] == [mine.message]

    async def test_no_endpoint_has_too_many_at_once(self, unit_of_work: UnitOfWork) -> None:
        one, other = await given_tenants(unit_of_work)
        busy, failing = await _endpoint(unit_of_work, one.id), await _endpoint(unit_of_work, one.id)
        quiet, off = await _endpoint(unit_of_work, other.id), await _endpoint(unit_of_work, other.id)
        await _recorded(unit_of_work, *(_event(one.id, number) for number in range(AT_ONCE + 3)))
        await _recorded(unit_of_work, _event(other.id))
        async with unit_of_work() as tx:
            await tx[WebhookEndpoints].save(evolve(failing, failing_since=MOMENT))
            await tx[WebhookEndpoints].save(evolve(off, enabled=False))
        held = await _claimed(unit_of_work, limit=3)
        assert {delivery.endpoint_id for delivery in held} == {busy.id, failing.id, quiet.id}
        rest = await _claimed(unit_of_work, worker="v")
        assert [delivery.endpoint_id for delivery in rest] == [busy.id] * (AT_ONCE - 1)
        assert await _claimed(unit_of_work, worker="v") == []
        async with unit_of_work() as tx:
            assert await tx[WebhookDeliveries].settle(rest[0].after(DONE, MOMENT))
        [next_one] = await _claimed(unit_of_work)
        assert next_one.endpoint_id == busy.id

    async def test_of_many_workers_each_delivery_has_one(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await _endpoint(unit_of_work, tenant.id)
        await _recorded(unit_of_work, *(_event(tenant.id, number) for number in range(3 * AT_ONCE)))
        claims = await asyncio.gather(*(_claimed(unit_of_work, worker=f"w{n}") for n in range(6)))
        held = [delivery.message.id for claim in claims for delivery in claim]
        assert len(set(held)) == len(held) == AT_ONCE

    async def test_pages_go_back_from_the_newest(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        messages = await _recorded(unit_of_work, *(_event(tenant.id, number) for number in range(3)))
        [held] = await _claimed(unit_of_work, limit=1)
        async with unit_of_work() as tx:
            deliveries = tx[WebhookDeliveries]
            assert await deliveries.settle(held.after(DONE, MOMENT))

            async def ids(state: DeliveryState | None, before: str | None, limit: int) -> list[str]:
                last = None if before is None else WebhookMessageId(before)
                page = await deliveries.page(tenant.id, endpoint.id, state, last, limit)
                return [delivery.message.id for delivery in page]

            newest = [message.id for message in reversed(messages)]
            assert await ids(None, None, 9) == newest
            assert await ids(None, newest[0], 1) == newest[1:2]
            assert await ids(DeliveryState.WAITING, None, 9) == newest[:2]
            assert await ids(DeliveryState.DELIVERED, None, 9) == newest[2:]
            assert await deliveries.page(other.id, endpoint.id, None, None, 9) == []

    async def test_what_ended_starts_anew_on_request(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        messages = await _recorded(unit_of_work, *(_event(tenant.id, number) for number in range(4)))
        ended = {DeliveryState.DELIVERED, DeliveryState.FAILED}
        held = await _claimed(unit_of_work)
        async with unit_of_work() as tx:
            for delivery in held[:3]:
                assert await tx[WebhookDeliveries].settle(
                    delivery.after(evolve(DONE, status=410) if delivery is held[0] else DONE, MOMENT)
                )

        async def replayed(**asked: Any) -> int:
            window: dict[str, Any] = {
                "states": ended,
                "since": MOMENT,
                "until": MOMENT + 99 * SECOND,
                "limit": 9,
            } | asked
            async with unit_of_work() as tx:
                return await tx[WebhookDeliveries].replay(tenant.id, endpoint.id, MOMENT + LEASE, **window)

        assert await replayed(since=MOMENT + SECOND, states={DeliveryState.FAILED}) == 0
        assert await replayed(until=MOMENT) == 0
        assert await replayed(states={DeliveryState.FAILED}) == 1
        assert await replayed(limit=1) == 1
        assert await replayed() == 1
        async with unit_of_work() as tx:
            assert await tx[WebhookDeliveries].replay(other.id, endpoint.id, MOMENT, states=ended, since=MOMENT,
                                                      until=MOMENT + LEASE, limit=9) == 0  # fmt: skip
        again = await _claimed(unit_of_work)
        assert [(one.message, one.tries, len(one.attempts)) for one in again] == [(m, 0, 1) for m in messages[:3]]

    @alien_ids
    async def test_one_starts_anew_even_while_it_is_under_way(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        [message] = await _recorded(unit_of_work, _event(tenant.id))
        [held] = await _claimed(unit_of_work)
        async with unit_of_work() as tx:
            deliveries, now = tx[WebhookDeliveries], MOMENT + LEASE
            again = await deliveries.replay_one(tenant.id, endpoint.id, message.id, now)
            assert again == held.again(now)
            assert not await deliveries.settle(held.after(DONE, MOMENT))
            for owner, id, of in (
                (other.id, endpoint.id, message.id),
                (tenant.id, WebhookEndpointId(alien), message.id),
                (tenant.id, endpoint.id, WebhookMessageId(alien)),
            ):
                with pytest.raises(NotFound):
                    await deliveries.get(owner, id, of)
                with pytest.raises(NotFound):
                    await deliveries.replay_one(owner, id, of, now)

    async def test_the_backlog_is_what_is_due(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[WebhookDeliveries].backlog(MOMENT) == (0, None)
        endpoint = await _endpoint(unit_of_work, tenant.id)
        await _recorded(unit_of_work, *(_event(tenant.id, number) for number in range(3)))
        async with unit_of_work() as tx:
            assert await tx[WebhookDeliveries].backlog(MOMENT + SECOND) == (2, MOMENT)
        await _claimed(unit_of_work, limit=1)
        async with unit_of_work() as tx:
            assert await tx[WebhookDeliveries].backlog(MOMENT + LEASE) == (2, MOMENT + SECOND)
            await tx[WebhookEndpoints].save(evolve(endpoint, enabled=False))
        async with unit_of_work() as tx:
            assert await tx[WebhookDeliveries].backlog(MOMENT + LEASE) == (0, None)
