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
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.agents.own import NewAgents, check_room, followed, own_agents
from contentgen_core.use_cases.agents.told import tell
from contentgen_core.use_cases.niches.texts import check_texts

MAX_KEY: Final = 60
RESERVED: Final = frozenset({"list", "activated", "request"})
"""What stands in the place of a niche's key in the addresses of other operations."""
UNNAMED: Final = "niche"
"""The key of a name without a letter or digit."""
MAX_CUSTOM: Final = 500
"""Niches of its own that a tenant may have: so all that it sees fit into one list."""


@frozen
class CreateNicheCommand:
    caller: Caller
    name: str
    description: str | None = None
    icon: str | None = None


@frozen
class ActivateNicheCommand:
    """Raw words of the caller; checked here against the vocabularies."""

    caller: Caller
    niche_id: str
    tones: tuple[str, ...]
    languages: tuple[str, ...]
    countries: tuple[str, ...]
    target_audience: str | None = None


@frozen
class Activated:
    """`agent_id`: the agent of the first country listed."""

    niche: Niche
    activation: Activation
    agent_id: AgentId


@frozen
class ManageNiches:
    """`slug`: makes a key of a name; `countries`: the ISO 3166-1 alpha-2 codes."""

    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids
    slug: Callable[[str], str]
    countries: frozenset[str]

    async def list(self, caller: Caller) -> list[Niche]:
        async with self.unit_of_work() as tx:
            return await tx.niches.list(caller.tenant_id)

    async def activated(self, caller: Caller) -> Sequence[Niche]:
        """Those that the tenant uses, by name."""
        return [niche for niche in await self.list(caller) if niche.activation is not None]

    async def get(self, caller: Caller, id_or_key: str) -> Niche:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx.niches.get(caller.tenant_id, id_or_key)

    async def create(self, command: CreateNicheCommand) -> Niche:
        """A custom niche; a name that is taken gets a numbered key.

        Raises InvalidInput, NotPermitted, PlanForbids; Conflict beyond 500 of a tenant.
        """
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
                    await tx.niches.add(niche)
            except AlreadyExists:
                continue
            return niche
        raise AlreadyExists(f"There are too many niches named {command.name!r}.")

    async def _check_number(self, tx: Transaction, tenant_id: TenantId) -> None:
        await tx.tenants.lock(tenant_id)
        if await tx.niches.count_custom(tenant_id) >= MAX_CUSTOM:
            raise Conflict(f"There are {MAX_CUSTOM} niches of your own already. Delete one first.")

    async def activate(self, command: ActivateNicheCommand) -> Activated:
        """Use a niche in some countries: one own agent each, all or none. Activating again adds countries, and switches
        the agents of those listed on. Tones, languages and audience become those given last.

        Raises InvalidInput, NotPermitted, PlanForbids, QuotaExceeded, NotFound.
        """
        caller = command.caller
        asked = activation(command.tones, command.languages, command.countries, command.target_audience, self.countries)
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            await tx.tenants.lock(caller.tenant_id)  # two activations at once must not both see room for their agents
            niche = await tx.niches.get(caller.tenant_id, command.niche_id)
            if niche.custom:
                check_custom_niches(caller.plan)
            own = await own_agents(tx, caller, niche)
            made = await self._made(tx, caller, niche, [country for country in asked.countries if country not in own])
            switched = await self._switched(tx, [own[country] for country in asked.countries if country in own])
            own |= {agent.key.country: agent for agent in made}
            merged = niche.activation.with_added(asked) if niche.activation else asked
            merged = evolve(merged, countries=followed(merged.countries, own))
            await tx.niches.set_activation(caller.tenant_id, niche, merged)
            now = self.clock.now()
            await tell(tx, AgentEventKind.AGENT_CREATED, made, now)
            await tell(tx, AgentEventKind.AGENT_UPDATED, switched, now)
        return Activated(niche, merged, own[asked.countries[0]].id)

    async def _made(self, tx: Transaction, caller: Caller, niche: Niche, countries: Sequence[str]) -> Sequence[Agent]:
        """New agents of these countries. Raises QuotaExceeded when there is no room for all of them."""
        await check_room(tx, caller, len(countries), self.clock.now())
        new = NewAgents(self.clock, self.ids)
        made = [new.make(caller, niche, country) for country in countries]
        for agent in made:
            await tx.agents.add(agent)
        return made

    async def _switched(self, tx: Transaction, agents: Sequence[Agent]) -> Sequence[Agent]:
        """Those of the agents that were off, now on."""
        now = self.clock.now()
        switched = [evolve(agent, enabled=True, updated_at=now) for agent in agents if not agent.enabled]
        for agent in switched:
            await tx.agents.save(agent)
        return switched

    async def deactivate(self, caller: Caller, niche_id: str) -> None:
        """Its own agents are switched off, nothing is deleted. Idempotent. Raises NotPermitted, NotFound."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            await tx.tenants.lock(caller.tenant_id)
            niche = await tx.niches.get(caller.tenant_id, niche_id)
            now = self.clock.now()
            await tx.niches.set_activation(caller.tenant_id, niche, None)
            switched = await tx.agents.set_enabled(caller.tenant_id, niche.niche_key, False, now)
            await tell(tx, AgentEventKind.AGENT_UPDATED, switched, now)
