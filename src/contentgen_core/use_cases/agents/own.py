"""A tenant's own agents of a niche: the countries of an activation are theirs, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve, frozen

from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.ids import AgentId
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Caller, Quota
from contentgen_core.policies.tenancy.quotas import limit_of, quota_error
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction

MOST = 1_000
"""More than there are countries."""


async def own_agents(tx: Transaction, caller: Caller, niche: Niche) -> dict[str, Agent]:
    """By country, in its order."""
    present, _ = await tx.agents.list(caller.tenant_id, niche.niche_key, None, MOST)
    return {agent.key.country: agent for agent in present if not agent.system}


async def check_room(tx: Transaction, caller: Caller, wanted: int, now: datetime) -> None:
    """Raises QuotaExceeded unless the plan has room for so many more agents. Exact while the tenant is locked."""
    limit = limit_of(caller.plan, Quota.AGENTS)
    used = await tx.agents.count_own(caller.tenant_id)
    if wanted and limit is not None and used + wanted > limit:
        raise quota_error(caller.plan, Quota.AGENTS, used, now)


async def keep_countries(tx: Transaction, caller: Caller, niche: Niche) -> None:
    """Let the activation's countries be those of the own agents there are now; without any the niche is deactivated."""
    if niche.activation is None:
        return
    own = await own_agents(tx, caller, niche)
    countries = followed(niche.activation.countries, own)
    kept = evolve(niche.activation, countries=countries) if countries else None
    await tx.niches.set_activation(caller.tenant_id, niche, kept)


def followed(listed: Sequence[str], own: dict[str, Agent]) -> tuple[str, ...]:
    """The countries of the own agents: first those listed, in their order."""
    return tuple(dict.fromkeys((*(country for country in listed if country in own), *own)))


@frozen
class NewAgents:
    clock: Clock
    ids: Ids

    def make(
        self, caller: Caller, niche: Niche, country: str, name: str | None = None, *, enabled: bool = True
    ) -> Agent:
        """An own agent of the caller's, named after its niche and country unless it is given a name."""
        key = AgentKey(niche.niche_key, country)
        name = name or f"{niche.name} ({country})"
        return Agent(AgentId(self.ids.new()), key, name, self.clock.now(), caller.tenant_id, enabled)
