"""Niches: read, create, activate, deactivate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import AlreadyExists, Conflict
from contentgen_core.model.agent import Agent
from contentgen_core.model.agent_event import AgentEventKind
from contentgen_core.model.ids import AgentId, NicheId, TenantId
from contentgen_core.model.niche import Activation, Niche, activation
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import check_custom_niches, require_role
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.agents.events import record_agent_events
from contentgen_core.use_cases.agents.tenant_agents import AgentFactory, check_agent_quota, countries_of, own_agents
from contentgen_core.use_cases.niches.texts import check_texts
from contentgen_core.use_cases.use_case import use_case

MAX_KEY: Final = 60
RESERVED: Final = frozenset({"list", "activated", "request"})
"""Path segments of other operations where a niche's key stands."""
UNNAMED: Final = "niche"
"""The key for a name without a letter or digit."""
MAX_CUSTOM: Final = 500
"""Custom niches of a tenant, so that everything it sees fits into one list."""


@frozen
class CreateNicheCommand:
    caller: Caller
    name: str
    description: str | None = None
    icon: str | None = None


@frozen
class ActivateNicheCommand:
    """Unvalidated values of the request."""

    caller: Caller
    niche_id: str
    tones: tuple[str, ...]
    languages: tuple[str, ...]
    countries: tuple[str, ...]
    target_audience: str | None = None


@frozen
class Activated:
    """`agent_id`: that of the agent of the first country listed."""

    niche: Niche
    activation: Activation
    agent_id: AgentId


@use_case
class ManageNiches:
    """`slug`: makes a key of a name; `countries`: the ISO 3166-1 alpha-2 codes."""

    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids
    slug: Callable[[str], str]
    countries: frozenset[str]

    async def list(self, caller: Caller) -> list[Niche]:
        async with self.unit_of_work() as tx:
            return await tx[Niches].list(caller.tenant_id)

    async def activated(self, caller: Caller) -> Sequence[Niche]:
        """The tenant's activated niches, by name."""
        async with self.unit_of_work() as tx:
            return await tx[Niches].activated(caller.tenant_id)

    async def get(self, caller: Caller, id_or_key: str) -> Niche:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx[Niches].get(caller.tenant_id, id_or_key)

    async def create(self, command: CreateNicheCommand) -> Niche:
        """Create a custom niche; the key gets a number if it is taken.

        Raises InvalidInput, NotPermitted, PlanForbids; Conflict beyond 500 of a tenant."""
        check_texts(command.name, command.description, command.icon)
        require_role(command.caller, Role.EDITOR)
        check_custom_niches(command.caller.plan)
        base = self.slug(command.name)[:MAX_KEY].strip("-") or UNNAMED
        for suffix in (*(("",) if base not in RESERVED else ()), *(f"-{n}" for n in range(2, 100))):
            niche = Niche(
                id=NicheId(self.ids.new()),
                niche_key=base + suffix,
                name=command.name.strip(),
                description=command.description,
                icon=command.icon,
                tenant_id=command.caller.tenant_id,
                created_at=self.clock.now(),
            )
            try:
                async with self.unit_of_work() as tx:
                    await self._check_number(tx, command.caller.tenant_id)
                    await tx[Niches].add(niche)
            except AlreadyExists:
                continue
            return niche
        raise AlreadyExists(f"There are too many niches named {command.name!r}.")

    async def _check_number(self, tx: Transaction, tenant_id: TenantId) -> None:
        await tx[Tenants].lock(tenant_id)
        if await tx[Niches].count_custom(tenant_id) >= MAX_CUSTOM:
            raise Conflict(f"There are {MAX_CUSTOM} niches of your own already. Delete one first.")

    async def activate(self, command: ActivateNicheCommand) -> Activated:
        """Activate a niche in some countries: one own agent each, all or none. Activating again adds countries, and
        switches on the agents of those listed. Tones, languages and audience are replaced.

        Raises InvalidInput, NotPermitted, PlanForbids, QuotaExceeded, NotFound."""
        caller = command.caller
        asked = activation(command.tones, command.languages, command.countries, command.target_audience, self.countries)
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # so that concurrent activations cannot exceed the quota of agents
            niche = await tx[Niches].get(caller.tenant_id, command.niche_id)
            if niche.custom:
                check_custom_niches(caller.plan)
            own = await own_agents(tx, caller, niche)
            made = await self._create_agents(
                tx, caller, niche, [country for country in asked.countries if country not in own]
            )
            switched = await self._switch_on(tx, [own[country] for country in asked.countries if country in own])
            own |= {agent.key.country: agent for agent in made}
            merged = niche.activation.with_added(asked) if niche.activation else asked
            merged = evolve(merged, countries=countries_of(merged.countries, own))
            await tx[Niches].set_activation(caller.tenant_id, niche, merged)
            now = self.clock.now()
            await record_agent_events(tx, AgentEventKind.AGENT_CREATED, made, now)
            await record_agent_events(tx, AgentEventKind.AGENT_UPDATED, switched, now)
        return Activated(niche, merged, own[asked.countries[0]].id)

    async def _create_agents(
        self, tx: Transaction, caller: Caller, niche: Niche, countries: Sequence[str]
    ) -> Sequence[Agent]:
        """Create agents for these countries. Raises QuotaExceeded unless the plan allows all of them."""
        await check_agent_quota(tx, caller, len(countries), self.clock.now())
        new = AgentFactory(self.clock, self.ids)
        made = [new.create(caller, niche, country) for country in countries]
        for agent in made:
            await tx[Agents].add(agent)
        return made

    async def _switch_on(self, tx: Transaction, agents: Sequence[Agent]) -> Sequence[Agent]:
        """Switch on those of the agents that are off; returns these."""
        now = self.clock.now()
        switched = [evolve(agent, enabled=True, updated_at=now) for agent in agents if not agent.enabled]
        for agent in switched:
            await tx[Agents].save(agent)
        return switched

    async def deactivate(self, caller: Caller, niche_id: str) -> None:
        """Deactivate a niche: its own agents are switched off, nothing is deleted. Idempotent. Raises NotPermitted,
        NotFound."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)
            niche = await tx[Niches].get(caller.tenant_id, niche_id)
            now = self.clock.now()
            await tx[Niches].set_activation(caller.tenant_id, niche, None)
            switched = await tx[Agents].set_enabled(caller.tenant_id, niche.niche_key, False, now)
            await record_agent_events(tx, AgentEventKind.AGENT_UPDATED, switched, now)
