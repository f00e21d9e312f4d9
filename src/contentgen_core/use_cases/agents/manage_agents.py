"""Agents: read, create, edit, switch, delete."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen

from contentgen_core.errors import AlreadyExists, Faults, FieldError, InvalidInput, NicheNotActivated, NotPermitted
from contentgen_core.model.agent import MAX_AGENT_NAME, Agent
from contentgen_core.model.agent_event import AgentEventKind
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import check_custom_niches, check_premium_search, require_role
from contentgen_core.policies.text.storable import fits
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.agents.events import record_agent_events
from contentgen_core.use_cases.agents.tenant_agents import AgentFactory, check_agent_quota, own_agents, sync_countries
from contentgen_core.use_cases.use_case import use_case


@frozen
class CreateAgentCommand:
    """`niche_key`: the niche's key or id. `name`: None for one made of niche and country."""

    caller: Caller
    niche_key: str
    country: str
    name: str | None = None
    enabled: bool = True


@frozen
class AgentChanges:
    """UNSET fields are not changed."""

    name: str | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


@use_case
class ManageAgents:
    """Agents, each given by its id or its key. `countries`: the ISO 3166-1 alpha-2 codes."""

    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids
    countries: frozenset[str]

    async def get(self, caller: Caller, id_or_key: str) -> Agent:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx[Agents].get(caller.tenant_id, id_or_key)

    async def create(self, command: CreateAgentCommand) -> Agent:
        """Create an agent in an activated niche; its country is added to those of the activation.

        Raises InvalidInput, NotPermitted, PlanForbids, QuotaExceeded, NotFound, NicheNotActivated, AlreadyExists."""
        caller, faults = command.caller, Faults()
        name = None if command.name is None else faults.checked(checked_name, command.name)
        if command.country not in self.countries:
            faults.add("country", f"unknown value {command.country!r}")
        faults.require_none()
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)
            niche = await tx[Niches].get(caller.tenant_id, command.niche_key)
            if niche.custom:
                check_custom_niches(caller.plan)
            if niche.activation is None:
                raise NicheNotActivated(niche.niche_key)
            if command.country in await own_agents(tx, caller, niche):
                raise AlreadyExists(f"There is an agent {niche.niche_key}-{command.country} already.")
            await check_agent_quota(tx, caller, 1, self.clock.now())
            made = AgentFactory(self.clock, self.ids)
            agent = made.create(caller, niche, command.country, name, enabled=command.enabled)
            await tx[Agents].add(agent)
            await sync_countries(tx, caller, niche)
            await record_agent_events(tx, AgentEventKind.AGENT_CREATED, [agent], agent.created_at)
        return agent

    async def edit(self, caller: Caller, id_or_key: str, changes: AgentChanges) -> Agent:
        """Change name and state. Raises InvalidInput, NotPermitted (also for a system agent), NotFound,
        NicheNotActivated."""
        name = UNSET if changes.name is UNSET else checked_name(changes.name)

        def changed(agent: Agent) -> Agent:
            return evolve(
                agent,
                name=agent.name if name is UNSET else name,
                enabled=agent.enabled if changes.enabled is UNSET else changes.enabled,
            )

        return await self._change(caller, id_or_key, changed)

    async def toggle(self, caller: Caller, id_or_key: str, enabled: bool | None = None) -> Agent:
        """Switch an agent on or off; `enabled` None: the other way. It can be switched on while its niche is activated.
        Raises NotPermitted (also for a system agent), NotFound, NicheNotActivated."""

        def switched(agent: Agent) -> Agent:
            return evolve(agent, enabled=(not agent.enabled) if enabled is None else enabled)

        return await self._change(caller, id_or_key, switched)

    async def premium_search(self, caller: Caller, id_or_key: str, enabled: bool | None = None) -> Agent:
        """Switch the agent's use of the premium web search on or off; `enabled` None: the other way. Raises as
        `toggle`, and PlanForbids."""
        require_role(caller, Role.EDITOR)
        check_premium_search(caller.plan)

        def switched(agent: Agent) -> Agent:
            return evolve(agent, websearch_premium=(not agent.websearch_premium) if enabled is None else enabled)

        return await self._change(caller, id_or_key, switched)

    async def delete(self, caller: Caller, id_or_key: str) -> None:
        """Delete an agent; its articles stay. Its country is removed from the activation of its niche, which is
        deactivated with its last own agent. Raises NotPermitted (also for a system agent), NotFound."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            agent = await self._lock_own_agent(tx, caller, id_or_key)
            niche = await tx[Niches].get(caller.tenant_id, agent.key.niche_key)
            await tx[Agents].delete(caller.tenant_id, agent.id)
            await sync_countries(tx, caller, niche)
            await record_agent_events(tx, AgentEventKind.AGENT_DELETED, [agent], self.clock.now())

    async def _change(self, caller: Caller, id_or_key: str, change: Callable[[Agent], Agent]) -> Agent:
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            agent = await self._lock_own_agent(tx, caller, id_or_key)
            changed = change(agent)
            if changed == agent:
                return agent
            if changed.enabled and not agent.enabled:
                niche = await tx[Niches].get(caller.tenant_id, agent.key.niche_key)
                if niche.activation is None:
                    raise NicheNotActivated(niche.niche_key)
            changed = evolve(changed, updated_at=self.clock.now())
            await tx[Agents].save(changed)
            await record_agent_events(tx, AgentEventKind.AGENT_UPDATED, [changed], changed.updated_at)
        return changed

    async def _lock_own_agent(self, tx: Transaction, caller: Caller, id_or_key: str) -> Agent:
        """Return the tenant's own agent, with the tenant locked so that nobody else changes its agents until the
        transaction ends."""
        await tx[Tenants].lock(caller.tenant_id)
        agent = await tx[Agents].get(caller.tenant_id, id_or_key)
        if agent.system:
            raise NotPermitted(f"{agent.key} is a system agent: everybody can use it, nobody can change it.")
        return agent


def checked_name(name: str) -> str:
    """The name on one line. Raises InvalidInput."""
    text = " ".join(name.split())
    if not fits(text, MAX_AGENT_NAME, min_length=1):
        raise InvalidInput(FieldError("name", f"1 to {MAX_AGENT_NAME} characters, without NUL"))
    return text
