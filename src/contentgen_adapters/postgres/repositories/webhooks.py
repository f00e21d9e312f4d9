"""Webhook endpoints, the messages for them, and their deliveries."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.model.ids import TenantId, WebhookEndpointId, WebhookMessageId
from contentgen_core.model.webhook import (
    DeliveryAttempt,
    DeliveryState,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
    WebhookEventType,
    WebhookMessage,
    first_message_id,
)
from contentgen_core.ports.repositories.webhooks import AT_ONCE, WebhookDeliveries, WebhookEndpoints, WebhookMessages

_DATA: Final = dict[str, str | int | bool | None]
_DELIVERY: Final = (
    "d.endpoint_id, d.message_id, d.due_at, d.state, d.tries, d.attempts::text, d.claim_number,"
    " m.tenant_id, m.type, m.at, m.data::text"
)
_JOINED: Final = "webhook_deliveries AS d JOIN webhook_messages AS m ON m.id = d.message_id"
# Locked, so that no endpoint is deleted before its delivery is stored: that would undo the event's own transaction.
_RECORD: Final = """
    WITH subscribed AS MATERIALIZED (SELECT id FROM webhook_endpoints
        WHERE tenant_id = %(tenant)s AND enabled AND (events IS NULL OR %(type)s = ANY (events)) FOR KEY SHARE),
    message AS (
        INSERT INTO webhook_messages (id, tenant_id, type, at, data)
        SELECT %(message)s, %(tenant)s, %(type)s, %(at)s, %(data)s::jsonb WHERE EXISTS (SELECT 1 FROM subscribed)
        ON CONFLICT (id) DO NOTHING)
    INSERT INTO webhook_deliveries
        (endpoint_id, message_id, tenant_id, state, due_at, tries, attempts, claim_number)
    SELECT id, %(message)s, %(tenant)s, 'waiting', %(at)s, 0, '[]', 0 FROM subscribed
    ON CONFLICT (endpoint_id, message_id) DO NOTHING"""
# From one endpoint with waiting deliveries to the next, by index: however many of them wait, one step an endpoint.
_LANES: Final = """
    WITH RECURSIVE lanes (id) AS (
        (SELECT endpoint_id FROM webhook_deliveries WHERE state = 'waiting' ORDER BY endpoint_id LIMIT 1)
        UNION ALL
        SELECT (SELECT endpoint_id FROM webhook_deliveries WHERE state = 'waiting' AND endpoint_id > lanes.id
            ORDER BY endpoint_id LIMIT 1) FROM lanes WHERE lanes.id IS NOT NULL)"""
# Apart (OFFSET 0): the planner does not know how few lanes there are, and would read all endpoints.
_ENDPOINT: Final = "CROSS JOIN LATERAL (SELECT enabled FROM webhook_endpoints WHERE id = lanes.id OFFSET 0) AS e"
_DUE: Final = "state = 'waiting' AND due_at <= %(now)s"
_DUE_LANES: Final = (
    f"{_LANES} SELECT id FROM lanes {_ENDPOINT} WHERE enabled AND EXISTS"
    f" (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = lanes.id AND {_DUE})"
)
# A lane is another claim's while that one counts what is under way: two of them would give out twice as many.
_LOCK_LANES: Final = (
    "SELECT id FROM webhook_endpoints WHERE id = ANY (%(lanes)s) AND enabled FOR NO KEY UPDATE SKIP LOCKED"
)
_CLAIM: Final = f"""
    WITH turns AS MATERIALIZED (
        SELECT e.id, due.message_id, due.due_at,
            held.count + row_number() OVER (PARTITION BY e.id ORDER BY due.due_at, due.message_id) AS turn
        FROM webhook_endpoints AS e
        CROSS JOIN LATERAL (SELECT count(*) AS count FROM webhook_deliveries
            WHERE endpoint_id = e.id AND worker IS NOT NULL AND due_at > %(now)s) AS held
        CROSS JOIN LATERAL (SELECT message_id, due_at FROM webhook_deliveries WHERE endpoint_id = e.id AND {_DUE}
            ORDER BY due_at, message_id
            LIMIT greatest(0, CASE WHEN e.failing_since IS NULL THEN {AT_ONCE} ELSE 1 END - held.count)) AS due
        WHERE e.id = ANY (%(lanes)s)
        ORDER BY turn, due.due_at, due.message_id LIMIT %(limit)s)
    UPDATE webhook_deliveries AS d
    SET due_at = %(leased_until)s, worker = %(worker)s, claim_number = claim_number + 1
    FROM turns JOIN webhook_messages AS m ON m.id = turns.message_id
    WHERE d.endpoint_id = turns.id AND d.message_id = turns.message_id
        AND d.state = 'waiting' AND d.due_at <= %(now)s
    RETURNING turns.turn, turns.due_at, {_DELIVERY}"""
_AGAIN: Final = "UPDATE webhook_deliveries SET state = 'waiting', due_at = %(now)s, tries = 0, worker = NULL"


@repository(WebhookEndpoints)
class PostgresWebhookEndpoints:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "webhook_endpoints", WebhookEndpoint, "webhook")

    async def add(self, endpoint: WebhookEndpoint) -> None:
        await self._records.add(endpoint, _columns(endpoint))

    async def get(self, tenant_id: TenantId, endpoint_id: WebhookEndpointId) -> WebhookEndpoint:
        return await self._records.get(tenant_id, endpoint_id)

    async def list(self, tenant_id: TenantId) -> list[WebhookEndpoint]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM webhook_endpoints WHERE tenant_id = %s ORDER BY id", (findable(tenant_id),)
        )
        return [self._records.read(row) for row in rows]

    async def save(self, endpoint: WebhookEndpoint) -> WebhookEndpoint:
        return await self._records.save(endpoint, _columns(endpoint))

    async def delete(self, tenant_id: TenantId, endpoint_id: WebhookEndpointId) -> None:
        deleted = await self._session.change(
            "DELETE FROM webhook_endpoints WHERE id = %s AND tenant_id = %s",
            (findable(endpoint_id), findable(tenant_id)),
        )
        require(deleted, "webhook", endpoint_id)

    async def after(self, endpoint_id: WebhookEndpointId | None, limit: int) -> Sequence[WebhookEndpoint]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM webhook_endpoints WHERE id > %s ORDER BY id LIMIT %s",
            (findable(endpoint_id or ""), limit),
        )
        return [self._records.read(row) for row in rows]


@repository(WebhookMessages)
class PostgresWebhookMessages:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def record(self, event: WebhookEvent) -> None:
        await self._session.change(_RECORD, _event(WebhookMessage.of(event)))

    async def prune(self, before: datetime, limit: int) -> int:
        return await self._session.change(
            "DELETE FROM webhook_messages WHERE id = ANY (ARRAY"
            " (SELECT id FROM webhook_messages WHERE id < %s ORDER BY id LIMIT %s))",
            (first_message_id(before), limit),
        )


@repository(WebhookDeliveries)
class PostgresWebhookDeliveries:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def claim(self, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[WebhookDelivery]:
        lanes = [id for (id,) in await self._session.read(_DUE_LANES, {"now": now})]
        if not lanes:
            return []
        locked = [id for (id,) in await self._session.write(_LOCK_LANES, {"lanes": lanes})]
        values = {"lanes": locked, "worker": worker, "now": now, "leased_until": leased_until, "limit": limit}
        rows = await self._session.write(_CLAIM, values)
        return [_delivery(row[2:]) for row in sorted(rows, key=lambda row: (row[0], row[1], row[3]))]

    async def settle(self, delivery: WebhookDelivery) -> bool:
        settled = await self._session.change(
            "UPDATE webhook_deliveries SET state = %(state)s, due_at = %(due_at)s, tries = %(tries)s,"
            " attempts = %(attempts)s::jsonb, worker = NULL WHERE endpoint_id = %(endpoint)s"
            " AND message_id = %(message)s AND claim_number = %(claim_number)s AND worker IS NOT NULL",
            {
                "state": delivery.state.value,
                "due_at": delivery.due_at,
                "tries": delivery.tries,
                "attempts": dumps(delivery.attempts, tuple[DeliveryAttempt, ...]),
                "claim_number": delivery.claim_number,
                **_key(delivery.endpoint_id, delivery.message.id),
            },
        )
        return bool(settled)

    async def release(self, worker: str, now: datetime) -> None:
        await self._session.change(
            "UPDATE webhook_deliveries SET due_at = %s, worker = NULL WHERE worker = %s", (now, worker)
        )

    async def get(
        self, tenant_id: TenantId, endpoint_id: WebhookEndpointId, message_id: WebhookMessageId
    ) -> WebhookDelivery:
        rows = await self._session.read(
            f"SELECT {_DELIVERY} FROM {_JOINED}"
            " WHERE d.endpoint_id = %(endpoint)s AND d.message_id = %(message)s AND d.tenant_id = %(tenant)s",
            {**_key(endpoint_id, message_id), "tenant": findable(tenant_id)},
        )
        [row] = require(rows, "delivery", message_id)
        return _delivery(row)

    async def page(
        self,
        tenant_id: TenantId,
        endpoint_id: WebhookEndpointId,
        state: DeliveryState | None,
        before: WebhookMessageId | None,
        limit: int,
    ) -> list[WebhookDelivery]:
        conditions = ["d.endpoint_id = %s", "d.tenant_id = %s"]
        values = [findable(endpoint_id), findable(tenant_id)]
        if state is not None:
            conditions.append("d.state = %s")
            values.append(state.value)
        if before is not None:
            conditions.append("d.message_id < %s")
            values.append(findable(before))
        rows = await self._session.read(
            f"SELECT {_DELIVERY} FROM {_JOINED} WHERE {' AND '.join(conditions)} ORDER BY d.message_id DESC LIMIT %s",
            (*values, limit),
        )
        return [_delivery(row) for row in rows]

    async def replay(
        self,
        tenant_id: TenantId,
        endpoint_id: WebhookEndpointId,
        now: datetime,
        *,
        states: Collection[DeliveryState],
        since: datetime,
        until: datetime,
        limit: int,
    ) -> int:
        return await self._session.change(
            f"{_AGAIN} WHERE endpoint_id = %(endpoint)s AND message_id = ANY (ARRAY"
            " (SELECT message_id FROM webhook_deliveries WHERE endpoint_id = %(endpoint)s AND tenant_id = %(tenant)s"
            " AND state = ANY (%(states)s) AND message_id >= %(first)s AND message_id < %(end)s"
            " ORDER BY message_id LIMIT %(limit)s FOR UPDATE))",
            {
                "now": now,
                "endpoint": findable(endpoint_id),
                "tenant": findable(tenant_id),
                "states": [state.value for state in states],
                "first": first_message_id(since),
                "end": first_message_id(until),
                "limit": limit,
            },
        )

    async def replay_one(
        self, tenant_id: TenantId, endpoint_id: WebhookEndpointId, message_id: WebhookMessageId, now: datetime
    ) -> WebhookDelivery:
        replayed = await self._session.change(
            f"{_AGAIN} WHERE endpoint_id = %(endpoint)s AND message_id = %(message)s AND tenant_id = %(tenant)s",
            {**_key(endpoint_id, message_id), "now": now, "tenant": findable(tenant_id)},
        )
        require(replayed, "delivery", message_id)
        return await self.get(tenant_id, endpoint_id, message_id)

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        rows = await self._session.read(
            f"{_LANES} SELECT coalesce(sum(due.count), 0)::bigint, min(due.oldest)"
            f" FROM lanes {_ENDPOINT}"
            " CROSS JOIN LATERAL (SELECT count(*) AS count, min(due_at) AS oldest FROM webhook_deliveries"
            f" WHERE endpoint_id = lanes.id AND {_DUE}) AS due WHERE enabled",
            {"now": now},
        )
        [(count, oldest)] = rows
        return count, oldest


def _columns(endpoint: WebhookEndpoint) -> dict[str, Any]:
    events = None if endpoint.events is None else [event.value for event in endpoint.events]
    return {"enabled": endpoint.enabled, "events": events, "failing_since": endpoint.failing_since}


def _event(message: WebhookMessage) -> dict[str, Any]:
    event = message.event
    return {
        "message": message.id,
        "tenant": findable(event.tenant_id),
        "type": event.type.value,
        "at": event.at,
        "data": dumps(dict(event.data), _DATA),
    }


def _key(endpoint_id: WebhookEndpointId, message_id: WebhookMessageId) -> dict[str, Any]:
    return {"endpoint": findable(endpoint_id), "message": findable(message_id)}


def _delivery(row: Row) -> WebhookDelivery:
    endpoint_id, message_id, due_at, state, tries, attempts, claim_number, tenant_id, type, at, data = row
    event = WebhookEvent(tenant_id, WebhookEventType(type), at, loads(data, _DATA))
    return WebhookDelivery(
        endpoint_id,
        WebhookMessage(message_id, event),
        due_at,
        DeliveryState(state),
        tries,
        loads(attempts, tuple[DeliveryAttempt, ...]),
        claim_number,
    )
