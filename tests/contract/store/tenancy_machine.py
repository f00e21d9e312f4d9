"""A second state machine over two units of work: tenants, their people and keys, niches, agents and their events.

TestMine = tenancy_machine(memory, mine).TestCase
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, invariant, multiple, rule

from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.agent_event import KEPT, AgentEvent, AgentEventKind
from contentgen_core.model.ids import AgentId, ApiKeyId, ArticleId, ExecutionId, NicheId, UserId
from contentgen_core.model.niche import Activation, Niche
from contentgen_core.model.tenant import ApiKey, PlanName, Role, User
from contentgen_core.model.vocabulary import Language, Tone
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.tenants import ApiKeys, Tenants, Users
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.testing import builders
from tests.contract.store.comparing import ComparingMachine, Factory, RolledBack, compared

KEYS: Final = ("bees", "boats", "wind")
COUNTRIES: Final = ("GB", "FR")
DIGESTS: Final = ("0" * 64, "1" * 64)
PAGE: Final = 3

_tenants: Final = st.integers(0, 1)
_keys: Final = st.sampled_from(KEYS)
_countries: Final = st.lists(st.sampled_from(COUNTRIES), min_size=1, unique=True).map(tuple)
_activations: Final = st.builds(
    builders.activation,
    countries=_countries,
    tones=st.sampled_from([(Tone.CASUAL,), (Tone.EXPERT, Tone.FRIENDLY)]),
    languages=st.sampled_from([(Language.EN,), (Language.FR, Language.EN)]),
)


class TenancyMachine(ComparingMachine):
    niches = Bundle("niches")
    users = Bundle("users")
    keys = Bundle("keys")

    # tenants, people, keys

    @rule(tenant=_tenants, plan=st.sampled_from(PlanName), taken_back=st.booleans())
    def change_the_plan(self, tenant: int, plan: PlanName, taken_back: bool) -> None:
        async def do(tx: Transaction) -> None:
            await tx[Tenants].lock(self._tenants[tenant].id)
            await tx[Tenants].set_plan(self._tenants[tenant].id, plan)
            if taken_back:
                raise RolledBack

        self.on_both(do)

    @rule(target=users, tenant=_tenants, role=st.sampled_from(Role), admin=st.booleans())
    def add_a_user(self, tenant: int, role: Role, admin: bool) -> object:
        user = builders.user(
            id=UserId(self._ids.new()),
            tenant_id=self._tenants[tenant].id,
            role=role,
            platform_admin=admin,
            created_at=self._now,
        )

        async def do(tx: Transaction) -> User:
            await tx[Users].add(user)
            return await tx[Users].get(user.tenant_id, user.id)

        added = self.on_both(do)
        return multiple() if added is None else added

    @rule(user=users, mine=st.booleans())
    def read_a_user(self, user: User, mine: bool) -> None:
        tenant_id = user.tenant_id if mine else self._other(user.tenant_id)
        self.on_both(lambda tx: tx[Users].get(tenant_id, user.id))

    @rule(target=keys, user=users, digest=st.sampled_from(DIGESTS), lives=st.none() | st.integers(1, 60))
    def add_a_key(self, user: User, digest: str, lives: int | None) -> object:
        key = builders.api_key(
            id=ApiKeyId(self._ids.new()),
            tenant_id=user.tenant_id,
            user_id=user.id,
            digest=digest,
            created_at=self._now,
            expires_at=None if lives is None else self._now + timedelta(seconds=lives),
        )

        async def do(tx: Transaction) -> ApiKey:
            await tx[ApiKeys].add(key)
            return key

        added = self.on_both(do)
        return multiple() if added is None else added

    @rule(key=keys, mine=st.booleans())
    def revoke_a_key(self, key: ApiKey, mine: bool) -> None:
        tenant_id = key.tenant_id if mine else self._other(key.tenant_id)
        self.on_both(lambda tx: tx[ApiKeys].revoke(tenant_id, key.id, self._now))

    @rule(key=keys)
    def use_a_key(self, key: ApiKey) -> None:
        self.on_both(lambda tx: tx[ApiKeys].touch(key.id, self._now))

    # niches and agents

    @rule(target=niches, owner=st.none() | _tenants, key=_keys)
    def add_a_niche(self, owner: int | None, key: str) -> object:
        niche = builders.niche(
            id=NicheId(self._ids.new()),
            niche_key=key,
            tenant_id=None if owner is None else self._tenants[owner].id,
            created_at=self._now,
        )

        async def do(tx: Transaction) -> Niche:
            await tx[Niches].add(niche)
            return niche

        added = self.on_both(do)
        return multiple() if added is None else added

    @rule(niche=niches, tenant=_tenants, by_key=st.booleans())
    def read_a_niche(self, niche: Niche, tenant: int, by_key: bool) -> None:
        name = niche.niche_key if by_key else niche.id
        self.on_both(lambda tx: tx[Niches].get(self._tenants[tenant].id, name))

    @rule(niche=niches, tenant=_tenants, activation=_activations, left=st.integers(0, 3), taken_back=st.booleans())
    def activate(self, niche: Niche, tenant: int, activation: Activation, left: int, taken_back: bool) -> None:
        """As the use case does: all missing agents or none, with an event for each changed agent."""
        tenant_id = self._tenants[tenant].id
        agents = [
            builders.agent(
                id=AgentId(self._ids.new()),
                tenant_id=tenant_id,
                key=AgentKey(niche.niche_key, country),
                created_at=self._now,
            )
            for country in activation.countries
        ]

        async def do(tx: Transaction) -> list[int]:
            await tx[Tenants].lock(tenant_id)
            found = await tx[Niches].get(tenant_id, niche.id)
            await tx[Niches].set_activation(tenant_id, found, activation)
            missing = [agent for agent in agents if await tx[Agents].find(tenant_id, agent.key) is None]
            if await tx[Agents].count_own(tenant_id) + len(missing) > left + 2:
                raise RolledBack
            await tx[Agents].set_enabled(tenant_id, niche.niche_key, True, self._now)
            positions = []
            for agent in missing:
                await tx[Agents].add(agent)
                placed = await tx[AgentEvents].append(self._event(agent, AgentEventKind.AGENT_CREATED))
                positions.append(placed.position)
            if taken_back:
                raise RolledBack
            return positions

        self.on_both(do)

    @rule(niche=niches, tenant=_tenants)
    def deactivate(self, niche: Niche, tenant: int) -> None:
        tenant_id = self._tenants[tenant].id

        async def do(tx: Transaction) -> None:
            found = await tx[Niches].get(tenant_id, niche.id)
            await tx[Niches].set_activation(tenant_id, found, None)
            await tx[Agents].set_enabled(tenant_id, niche.niche_key, False, self._now)

        self.on_both(do)

    @rule(owner=st.none() | _tenants, key=_keys, country=st.sampled_from(COUNTRIES), enabled=st.booleans())
    def add_an_agent(self, owner: int | None, key: str, country: str, enabled: bool) -> None:
        agent = builders.agent(
            id=AgentId(self._ids.new()),
            tenant_id=None if owner is None else self._tenants[owner].id,
            key=AgentKey(key, country),
            enabled=enabled,
            created_at=self._now,
        )
        self.on_both(lambda tx: tx[Agents].add(agent))

    @rule(
        tenant=_tenants,
        key=st.none() | _keys,
        enabled=st.none() | st.booleans(),
        limit=st.integers(1, 4),
        country=st.sampled_from(COUNTRIES),
    )
    def look_for_agents(self, tenant: int, key: str | None, enabled: bool | None, limit: int, country: str) -> None:
        tenant_id = self._tenants[tenant].id
        self.on_both(lambda tx: tx[Agents].list(tenant_id, key, enabled, limit))
        self.on_both(lambda tx: tx[Agents].find(tenant_id, AgentKey(key or KEYS[0], country)))

    # events

    @rule(tenant=_tenants, kinds=st.lists(st.sampled_from(AgentEventKind), max_size=3), taken_back=st.booleans())
    def things_happen(self, tenant: int, kinds: list[AgentEventKind], taken_back: bool) -> None:
        agent = builders.agent(tenant_id=self._tenants[tenant].id, id=AgentId(self._ids.new()))
        events = [self._event(agent, kind) for kind in kinds]

        async def do(tx: Transaction) -> list[int]:
            positions = [(await tx[AgentEvents].append(event)).position for event in events]
            if taken_back:
                raise RolledBack
            return positions

        self.on_both(do)

    @rule(tenant=_tenants, back=st.integers(0, 6), limit=st.integers(1, PAGE))
    def follow(self, tenant: int, back: int, limit: int) -> None:
        async def do(tx: Transaction) -> object:
            last = await tx[AgentEvents].last_position(self._tenants[tenant].id)
            return last, await tx[AgentEvents].after(self._tenants[tenant].id, max(0, last - back), limit)

        self.on_both(do)

    @rule(weeks=st.floats(0.4, 1.2))
    def most_of_a_week_passes(self, weeks: float) -> None:
        self._now += timedelta(seconds=round(weeks * KEPT.total_seconds()))

    @invariant()
    def both_show_the_same(self) -> None:
        async def state(tx: Transaction) -> object:
            of_tenants = [
                (
                    await tx[Tenants].get(tenant.id),
                    await tx[Users].count(tenant.id),
                    await tx[ApiKeys].list(tenant.id),
                    await tx[Niches].list(tenant.id),
                    await tx[Agents].list(tenant.id, None, None, 100),
                    await tx[Agents].count_own(tenant.id),
                    await tx[AgentEvents].after(tenant.id, 0, 1_000),
                )
                for tenant in self._tenants
            ]
            last = await tx[AgentEvents].last_positions([tenant.id for tenant in self._tenants])
            return (
                of_tenants,
                {tenant_id: position for tenant_id, position in last.items() if position},
                await tx[ApiKeys].identify_all(DIGESTS),
            )

        self.on_both(state)

    def _event(self, agent: Agent, kind: AgentEventKind) -> AgentEvent:
        assert agent.tenant_id is not None
        event = builders.agent_event(tenant_id=agent.tenant_id, agent_id=agent.id, kind=kind, at=self._now)
        if kind in (AgentEventKind.EXECUTION_COMPLETED, AgentEventKind.EXECUTION_FAILED):
            return evolve(event, execution_id=ExecutionId(self._ids.new()), article_ids=(ArticleId(self._ids.new()),))
        return event


def tenancy_machine(reference: Factory, subject: Factory) -> type[TenancyMachine]:
    """The machine that compares `subject` with `reference`. Its `TestCase` is the test to collect."""
    return compared(TenancyMachine, reference, subject)
