"""A tenant's own agents of a niche, whose countries are those of the niche's activation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve, frozen

from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.ids import AgentId
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Caller, Quota
from contentgen_core.policies.tenancy.quotas import limit_of, quota_error
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction

MAX_AGENTS = 1_000
"""More than there are countries."""


async def own_agents(tx: Transaction, caller: Caller, niche: Niche) -> dict[str, Agent]:
    """The tenant's own agents of the niche by country."""
    present, _ = await tx[Agents].list(caller.tenant_id, niche.niche_key, None, MAX_AGENTS)
    return {agent.key.country: agent for agent in present if not agent.system}


async def check_agent_quota(tx: Transaction, caller: Caller, wanted: int, now: datetime) -> None:
    """Raises QuotaExceeded unless the plan allows `wanted` more agents. Exact while the tenant is locked."""
    limit = limit_of(caller.plan, Quota.AGENTS)
    used = await tx[Agents].count_own(caller.tenant_id)
    if wanted and limit is not None and used + wanted > limit:
        raise quota_error(caller.plan, Quota.AGENTS, used, now)


async def sync_countries(tx: Transaction, caller: Caller, niche: Niche) -> None:
    """Set the activation's countries to those of the own agents; without any, deactivate the niche."""
    if niche.activation is None:
        return
    own = await own_agents(tx, caller, niche)
    countries = countries_of(niche.activation.countries, own)
    kept = evolve(niche.activation, countries=countries) if countries else None
    await tx[Niches].set_activation(caller.tenant_id, niche, kept)


def countries_of(listed: Sequence[str], own: dict[str, Agent]) -> tuple[str, ...]:
    """The countries of the own agents: first those in `listed`, in their order."""
    return tuple(dict.fromkeys((*(country for country in listed if country in own), *own)))


@frozen
class AgentFactory:
    """Makes agents of a tenant, without storing them."""

    clock: Clock
    ids: Ids

    def create(
        self, caller: Caller, niche: Niche, country: str, name: str | None = None, *, enabled: bool = True
    ) -> Agent:
        """An agent of the caller's tenant. `name`: None for one made of niche and country."""
        key = AgentKey(niche.niche_key, country)
        name = name or f"{niche.name} ({country})"
        return Agent(AgentId(self.ids.new()), key, name, self.clock.now(), caller.tenant_id, enabled)
