"""Agents on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import agent as model
from contentgen_core.model.agent import MAX_AGENT_NAME
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.policies.tenancy.access import has_premium_search
from contentgen_core.use_cases.agents.manage_agents import AgentChanges, CreateAgentCommand
from contentgen_http.wire.base import NOT_BLANK, Answer, Body, Id, Query, absent_as_none, kept

AgentName = Annotated[str, Meta(min_length=1, max_length=MAX_AGENT_NAME, pattern=NOT_BLANK)]


class Agent(Answer, kw_only=True):
    """A niche in a country."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    agent_key: Annotated[str, Meta(description="`<nicheKey>-<CC>`.", examples=["home-energy-GB"])]
    name: Annotated[str, Meta(description="Its name.", examples=["Home energy (GB)"])]
    niche_key: Annotated[str, Meta(description="Its niche.", examples=["home-energy"])]
    country: Annotated[str, Meta(description="ISO 3166-1 alpha-2 code.", examples=["GB"])]
    enabled: Annotated[bool, Meta(description="Whether it is switched on.")]
    system: Annotated[bool, Meta(description="true: everybody's, outside your quota, changed by nobody.")]
    websearch_premium: Annotated[
        bool, Meta(description="Whether its enrichments may use the premium web search: false on plans without it.")
    ]
    created_at: Annotated[datetime, Meta(description="When it was created (UTC).")]
    updated_at: Annotated[datetime, Meta(description="When it was last changed (UTC).")]

    @classmethod
    def of(cls, agent: model.Agent, plan: PlanName) -> Agent:
        return cls.copy_from(
            agent,
            agent_key=str(agent.key),
            niche_key=agent.key.niche_key,
            country=agent.key.country,
            websearch_premium=has_premium_search(plan) and agent.websearch_premium,
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
    def of(cls, agents: list[model.Agent], total: int, plan: PlanName) -> AgentList:
        return cls(agents=[Agent.of(agent, plan) for agent in agents], total=total)


class NewAgent(Body, kw_only=True):
    """An agent of your own."""

    niche_key: Annotated[
        Id, Meta(description="A niche that you activated, by its key or id.", examples=["home-energy"])
    ]
    country: Annotated[
        Annotated[str, Meta(pattern="^[A-Z]{2}$")], Meta(description="ISO 3166-1 alpha-2 code.", examples=["IE"])
    ]
    name: Annotated[
        AgentName | UnsetType, Meta(description="Its name; else that of its niche with the country.", examples=["Erin"])
    ] = UNSET
    enabled: Annotated[bool, Meta(description="Whether it is switched on.")] = True

    def to_command(self, caller: Caller) -> CreateAgentCommand:
        return CreateAgentCommand(caller, self.niche_key, self.country, absent_as_none(self.name), self.enabled)


class AgentPatch(Body, kw_only=True):
    """What to change; what is absent stays."""

    name: Annotated[AgentName | UnsetType, Meta(description="A new name.", examples=["Britain"])] = UNSET
    enabled: Annotated[bool | UnsetType, Meta(description="Switched on or off.")] = UNSET

    def to_changes(self) -> AgentChanges:
        return AgentChanges(kept(self.name), kept(self.enabled))


class AgentSwitched(Answer, kw_only=True):
    """The agent, switched."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    agent: Annotated[Agent, Meta(description="The agent as it is now.")]
