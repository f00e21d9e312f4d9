"""The use cases of niches and agents over any unit of work, with a tenant and a few niches."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.errors import ContentgenError
from contentgen_core.model.agent import Agent
from contentgen_core.model.agent_event import AgentEvent
from contentgen_core.model.knowledge import VectorSpace
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Caller, PlanName, Role
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import ManualClock, SequentialIds
from contentgen_core.use_cases.agents.manage_agents import ManageAgents
from contentgen_core.use_cases.agents.system import AdministerSystemAgents
from contentgen_core.use_cases.niches.dashboard import ShowDashboard
from contentgen_core.use_cases.niches.edit import EditNiches
from contentgen_core.use_cases.niches.manage_niches import (
    Activated,
    ActivateNicheCommand,
    CreateNicheCommand,
    ManageNiches,
)
from contentgen_core.use_cases.niches.requests import RequestNiches
from contentgen_core.use_cases.niches.settings import NicheSettings
from tests.contract.store.given import given

COUNTRIES = ("GB", "IE", "FR", "DE", "AT", "CH", "NL", "BE", "ES", "PT", "IT", "US")
SHARED = ("boats", "cars")


@frozen
class Office:
    """A tenant with agents. `own`: a niche of the tenant's own, "bees"."""

    unit_of_work: UnitOfWork
    clock: ManualClock
    caller: Caller
    own: Niche
    niches: ManageNiches
    edits: EditNiches
    settings: NicheSettings
    requests: RequestNiches
    dashboard: ShowDashboard
    agents: ManageAgents
    system: AdministerSystemAgents

    async def activate(
        self, niche: str, *countries: str, audience: str | None = None, caller: Caller | None = None
    ) -> Activated:
        command = ActivateNicheCommand(caller or self.caller, niche, ("casual",), ("en",), countries, audience)
        return await self.niches.activate(command)

    async def own_agents(self) -> list[Agent]:
        async with self.unit_of_work() as tx:
            found, _ = await tx[Agents].list(self.caller.tenant_id, None, None, 1_000)
        return [agent for agent in found if not agent.system]

    async def events(self, after: int = 0) -> list[AgentEvent]:
        async with self.unit_of_work() as tx:
            return await tx[AgentEvents].after(self.caller.tenant_id, after, 10_000)

    async def told(self) -> list[tuple[str, str, bool]]:
        """The events in short: kind, agent, whether it is on."""
        return [(event.kind.value, str(event.agent_key), event.enabled) for event in await self.events()]

    async def followed(self, niche: str) -> tuple[str, ...] | None:
        activation = (await self.niches.get(self.caller, niche)).activation
        return None if activation is None else activation.countries


async def open_office(unit_of_work: UnitOfWork, plan: PlanName = PlanName.PRO) -> Office:
    clock, ids, countries = ManualClock(), SequentialIds(), frozenset(COUNTRIES)
    tenant = builders.tenant(plan=plan)
    await given(unit_of_work, tenant, *(builders.niche(niche_key=key, name=key.capitalize()) for key in SHARED))
    caller = Caller(tenant.id, builders.user().id, plan, Role.EDITOR)
    own = builders.niche(niche_key="bees", name="Bees", tenant_id=tenant.id)
    await given(unit_of_work, own)
    return Office(
        unit_of_work,
        clock,
        caller,
        own,
        ManageNiches(unit_of_work, clock, ids, lambda name: name.lower().replace(" ", "-"), countries),
        EditNiches(unit_of_work),
        NicheSettings(unit_of_work),
        RequestNiches(unit_of_work, clock, ids),
        ShowDashboard(unit_of_work, clock, VectorSpace("none", 1)),
        ManageAgents(unit_of_work, clock, ids, countries),
        AdministerSystemAgents(unit_of_work, clock, ids, countries),
    )


def kinds(outcomes: list[object]) -> list[str]:
    """Return the outcomes of simultaneous calls: the names of the errors in order, `ok` for the others."""
    return sorted(type(o).__name__ if isinstance(o, ContentgenError) else "ok" for o in outcomes)


__all__ = ["COUNTRIES", "SHARED", "CreateNicheCommand", "Office", "kinds", "open_office"]
