"""What happens to agents, as it happens."""

from __future__ import annotations

import re
from typing import Final

from litestar import Controller

from contentgen_core import errors
from contentgen_core.errors import InvalidInput
from contentgen_http.api.auth import presented_key
from contentgen_http.api.event_streams.answer import EventAnswer
from contentgen_http.api.event_streams.hub import EventHub
from contentgen_http.api.event_streams.keys import KeyWatch
from contentgen_http.api.operation import EVENT_STREAM, operation
from contentgen_http.api.requests import TenantRequest, read_query
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.wire.agent_events import LAST_EVENT_ID, AgentEvent, EventsQuery

_ID: Final = re.compile(LAST_EVENT_ID)


class AgentEventRoutes(Controller):
    hub: EventHub
    keys: KeyWatch
    addresses: ClientAddresses

    @operation(
        "GET",
        "/agents/events",
        tag="Agents",
        query=EventsQuery,
        answer=AgentEvent,
        media=EVENT_STREAM,
        raises=(errors.TooManyStreams,),
    )
    async def follow_agents(self, request: TenantRequest) -> EventAnswer:
        """Follow what happens to agents.

        A stream of server-sent events that stays open: agent.created, agent.updated, agent.deleted, execution.started,
        execution.completed and execution.failed, each with an id that grows. It begins now, or after the Last-Event-ID
        that is sent; events are kept for a week, and `events.lost` says when some in between are gone. A comment comes
        every 15 seconds when nothing happens. The stream ends when its key stops working, when it is read too slowly,
        and when the service is stopped: connect again with the last id, and nothing is missed or sent twice.
        """
        after = _last_event_id(request)
        key = presented_key(request.scope["headers"])
        stream = await self.hub.follow(request.user.tenant_id, after)
        self.keys.add(key, self.addresses.network_of(request.scope), stream)
        return EventAnswer(stream, lambda: self.keys.discard(key, stream))


def _last_event_id(request: TenantRequest) -> int | None:
    """The position to resume from. The header takes precedence over the parameter: a reconnecting browser sends it with
    the original address."""
    sent = request.headers.getall("last-event-id", [])
    if not sent:
        return read_query(request, EventsQuery).position()
    if len(sent) > 1 or _ID.fullmatch(sent[0]) is None:
        raise InvalidInput.of("Last-Event-ID", "the id of an event: a number of at most 18 digits")
    return int(sent[0])
