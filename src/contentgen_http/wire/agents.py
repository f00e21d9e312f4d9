"""Agents on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import agent as model
from contentgen_http.wire.base import Answer, Query, utc


class Agent(Answer, kw_only=True):
    """A niche in a country."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    agent_key: Annotated[str, Meta(description="`<nicheKey>-<CC>`.", examples=["home-energy-GB"])]
    name: Annotated[str, Meta(description="Its name.", examples=["Home energy (GB)"])]
    niche_key: Annotated[str, Meta(description="Its niche.", examples=["home-energy"])]
    country: Annotated[str, Meta(description="ISO 3166-1 alpha-2 code.", examples=["GB"])]
    enabled: Annotated[bool, Meta(description="Whether it is switched on.")]
    system: Annotated[bool, Meta(description="true: everybody's, outside your quota, changed by nobody.")]
    created_at: Annotated[datetime, Meta(description="When it was created (UTC).")]

    @classmethod
    def from_model(cls, agent: model.Agent) -> Agent:
        return cls(
            id=agent.id,
            agent_key=str(agent.key),
            name=agent.name,
            niche_key=agent.key.niche_key,
            country=agent.key.country,
            enabled=agent.enabled,
            system=agent.system,
            created_at=utc(agent.created_at),
        )


class AgentListQuery(Query, kw_only=True):
    niche_key: Annotated[
        Annotated[str, Meta(max_length=100)] | UnsetType, Meta(description="Only agents of this niche.")
    ] = UNSET
    enabled: Annotated[bool | UnsetType, Meta(description="Only agents that are switched on (or off).")] = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="Agents at most.")] = 50


class AgentList(Answer, kw_only=True):
    """Your agents and the system agents of the niches you activated."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    agents: Annotated[list[Agent], Meta(description="The agents, by key.")]
    total: Annotated[int, Meta(description="How many there are without the limit.")]

    @classmethod
    def from_model(cls, agents: list[model.Agent], total: int) -> AgentList:
        return cls(agents=[Agent.from_model(agent) for agent in agents], total=total)
