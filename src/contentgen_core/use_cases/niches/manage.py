"""Niches: read, create, activate, deactivate."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from contentgen_core.errors import AlreadyExists, FieldError, InvalidInput
from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.ids import AgentId, NicheId
from contentgen_core.model.niche import Activation, Niche, activation
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.access import check_custom_niches, require_role
from contentgen_core.policies.plans import Quota
from contentgen_core.policies.quotas import limit_of, quota_error
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork

MAX_NAME = 100
MAX_DESCRIPTION = 2_000
MAX_ICON = 200
MAX_KEY = 60


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

    async def get(self, caller: Caller, id_or_key: str) -> Niche:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx.niches.get(caller.tenant_id, id_or_key)

    async def create(self, command: CreateNicheCommand) -> Niche:
        """A custom niche; a name that is taken gets a numbered key. Raises InvalidInput, NotPermitted, PlanForbids."""
        _check(command)
        require_role(command.caller, Role.EDITOR)
        check_custom_niches(command.caller.plan)
        base = self.slug(command.name)[:MAX_KEY].strip("-")
        for suffix in ("", *(f"-{n}" for n in range(2, 100))):
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
                    await tx.niches.add(niche)
            except AlreadyExists:
                continue
            return niche
        raise AlreadyExists(f"There are too many niches named {command.name!r}.")

    async def activate(self, command: ActivateNicheCommand) -> Activated:
        """Use a niche in some countries: one agent each, all or none. Activating again adds countries.

        Raises InvalidInput, NotPermitted, QuotaExceeded, NotFound.
        """
        caller = command.caller
        asked = activation(command.tones, command.languages, command.countries, command.target_audience, self.countries)
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            await tx.tenants.lock(caller.tenant_id)  # two activations at once must not both see room for their agents
            niche = await tx.niches.get(caller.tenant_id, command.niche_id)
            agents = await self._agents(tx, caller, niche, asked)
            merged = niche.activation.with_added(asked) if niche.activation else asked
            await tx.niches.set_activation(caller.tenant_id, niche, merged)
            await tx.agents.set_enabled(caller.tenant_id, niche.niche_key, True)
        return Activated(niche, merged, agents[0].id)

    async def _agents(self, tx: Transaction, caller: Caller, niche: Niche, asked: Activation) -> Sequence[Agent]:
        """The own agents of the asked countries, the missing ones added. Raises QuotaExceeded."""
        present, _ = await tx.agents.list(caller.tenant_id, niche.niche_key, None, 1_000)
        own = {agent.key.country: agent for agent in present if not agent.system}
        missing = [country for country in asked.countries if country not in own]
        limit = limit_of(caller.plan, Quota.AGENTS)
        used = await tx.agents.count_own(caller.tenant_id)
        if limit is not None and used + len(missing) > limit:
            raise quota_error(caller.plan, Quota.AGENTS, used, self.clock.now())
        for country in missing:
            key = AgentKey(niche.niche_key, country)
            agent = Agent(AgentId(self.ids.new()), key, f"{niche.name} ({country})", self.clock.now(), caller.tenant_id)
            await tx.agents.add(agent)
            own[country] = agent
        return [own[country] for country in asked.countries]

    async def deactivate(self, caller: Caller, niche_id: str) -> None:
        """Its agents are switched off, nothing is deleted. Idempotent. Raises NotPermitted, NotFound."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            niche = await tx.niches.get(caller.tenant_id, niche_id)
            await tx.niches.set_activation(caller.tenant_id, niche, None)
            await tx.agents.set_enabled(caller.tenant_id, niche.niche_key, False)


def _check(command: CreateNicheCommand) -> None:
    faults = []
    texts = (
        ("name", command.name, MAX_NAME),
        ("description", command.description or "", MAX_DESCRIPTION),
        ("icon", command.icon or "", MAX_ICON),
    )
    for field, value, most in texts:
        if len(value) > most or "\0" in value:
            faults.append(FieldError(field, f"at most {most} characters, without NUL"))
    if not command.name.strip():
        faults.append(FieldError("name", "must not be empty"))
    if faults:
        raise InvalidInput(*faults)
