"""Telling a tenant's own programs what happened to its agents."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from contentgen_core.model.agent import Agent
from contentgen_core.model.agent_event import AgentEvent, AgentEventKind
from contentgen_core.ports.unit_of_work import Transaction


async def tell(tx: Transaction, kind: AgentEventKind, agents: Iterable[Agent], now: datetime) -> None:
    """Append an event for each of a tenant's own agents. Late in the transaction that changed them: others of the
    tenant that append wait for its end."""
    for agent in agents:
        assert agent.tenant_id is not None, "nobody is told of a system agent"
        await tx.agent_events.append(
            AgentEvent(agent.tenant_id, kind, now, agent.id, agent.key, agent.name, agent.enabled)
        )
