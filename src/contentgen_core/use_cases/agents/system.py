"""System agents, as operators administer them: agents of preconfigured niches for every tenant that activated the
niche."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.ids import AgentId
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.agents.manage_agents import checked_name
from contentgen_core.use_cases.use_case import use_case

MAX_LISTED = 1_000


@use_case
class AdministerSystemAgents:
    """`countries`: the ISO 3166-1 alpha-2 codes."""

    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids
    countries: frozenset[str]

    async def create(self, niche_key: str, country: str, name: str | None = None) -> Agent:
        """Raises InvalidInput, NotFound unless the niche is preconfigured, AlreadyExists."""
        if country not in self.countries:
            raise InvalidInput.of("country", f"unknown value {country!r}")
        async with self.unit_of_work() as tx:
            niche = await tx[Niches].find_preconfigured(niche_key)
            if niche is None:
                raise NotFound("preconfigured niche", niche_key)
            named = checked_name(name or f"{niche.name} ({country})")
            agent = Agent(AgentId(self.ids.new()), AgentKey(niche_key, country), named, self.clock.now())
            await tx[Agents].add(agent)
        return agent

    async def list(self) -> Sequence[Agent]:
        async with self.unit_of_work() as tx:
            return await tx[Agents].list_system(MAX_LISTED)

    async def delete(self, agent_id: AgentId) -> None:
        """Delete a system agent; the articles written with it stay. Raises NotFound."""
        async with self.unit_of_work() as tx:
            await tx[Agents].delete(None, agent_id)
