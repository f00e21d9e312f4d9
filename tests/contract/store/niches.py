"""Niches, activations and agents."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.vocabulary import Language, Tone
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

LATER = MOMENT + timedelta(hours=1)


class NichesContract:
    @alien_ids
    async def test_an_alien_niche_id_or_key_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        await given(unit_of_work, builders.niche())
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Niches].get(tenant.id, alien)

    async def test_a_niche_is_found_by_its_id_and_by_its_key(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        own = builders.niche(tenant_id=tenant.id, description="Boats", icon="⛵", keywords=("boat", "sail"))
        preconfigured = builders.niche()
        await given(unit_of_work, own, preconfigured)
        async with unit_of_work() as tx:
            for niche in (own, preconfigured):
                assert await tx[Niches].get(tenant.id, niche.id) == niche
                assert await tx[Niches].get(tenant.id, niche.niche_key) == niche

    async def test_another_tenants_niche_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        theirs = builders.niche(tenant_id=other.id)
        await given(unit_of_work, theirs)
        for name in (theirs.id, theirs.niche_key):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[Niches].get(tenant.id, name)
        async with unit_of_work() as tx:
            assert await tx[Niches].list(tenant.id) == []

    async def test_two_tenants_may_have_niches_of_the_same_key(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        own, theirs = (builders.niche(tenant_id=t.id, niche_key="boats") for t in (tenant, other))
        await given(unit_of_work, own, theirs)
        async with unit_of_work() as tx:
            assert await tx[Niches].get(tenant.id, "boats") == own
            assert await tx[Niches].get(other.id, "boats") == theirs

    async def test_a_key_is_taken_once_within_a_tenant(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await given(unit_of_work, builders.niche(tenant_id=tenant.id, niche_key="boats"))
        with pytest.raises(AlreadyExists):
            await given(unit_of_work, builders.niche(tenant_id=tenant.id, niche_key="boats"))

    async def test_a_key_of_the_platform_is_taken_for_everybody(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await given(unit_of_work, builders.niche(niche_key="boats"))
        with pytest.raises(AlreadyExists):
            await given(unit_of_work, builders.niche(tenant_id=tenant.id, niche_key="boats"))
        with pytest.raises(AlreadyExists):
            await given(unit_of_work, builders.niche(niche_key="boats"))

    async def test_a_key_added_twice_at_once_is_added_once(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        niches = [builders.niche(tenant_id=tenant.id, niche_key="boats") for _ in range(4)]
        outcomes = await asyncio.gather(*(given(unit_of_work, n) for n in niches), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes if outcome is not None] == [AlreadyExists] * 3

    async def test_only_preconfigured_niches_are_found_as_such(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        preconfigured = builders.niche(niche_key="boats")
        await given(unit_of_work, preconfigured, builders.niche(tenant_id=tenant.id, niche_key="cars"))
        async with unit_of_work() as tx:
            await tx[Niches].set_activation(tenant.id, preconfigured, builders.activation())
        async with unit_of_work() as tx:
            assert await tx[Niches].find_preconfigured("boats") == preconfigured
            assert await tx[Niches].find_preconfigured("cars") is None
            assert await tx[Niches].find_preconfigured("nothing") is None

    async def test_own_and_preconfigured_niches_are_listed_by_name(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        cars, boats, trains, planes = (
            builders.niche(name=name, tenant_id=owner)
            for name, owner in (("Cars", None), ("Boats", tenant.id), ("Trains", None), ("Planes", other.id))
        )
        await given(unit_of_work, cars, trains, boats, planes)
        async with unit_of_work() as tx:
            assert await tx[Niches].list(tenant.id) == [boats, cars, trains]
            assert await tx[Niches].activated(tenant.id) == []
        activation = builders.activation()
        async with unit_of_work() as tx:
            for niche, owner in ((trains, tenant), (boats, tenant), (cars, other)):
                await tx[Niches].set_activation(owner.id, niche, activation)
        async with unit_of_work() as tx:
            ours = [evolve(niche, activation=activation) for niche in (boats, trains)]
            assert await tx[Niches].activated(tenant.id) == ours
            assert await tx[Niches].list(tenant.id) == [ours[0], cars, ours[1]]
            assert await tx[Niches].activated(other.id) == [evolve(cars, activation=activation)]

    async def test_at_most_a_thousand_niches_are_listed(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await given(unit_of_work, *(builders.niche(tenant_id=tenant.id) for _ in range(1_001)))
        last = builders.niche(tenant_id=tenant.id, name="~ the last by its name")
        await given(unit_of_work, last)
        async with unit_of_work() as tx:
            await tx[Niches].set_activation(tenant.id, last, builders.activation())
        async with unit_of_work() as tx:
            assert len(await tx[Niches].list(tenant.id)) == 1_000
            assert [niche.id for niche in await tx[Niches].activated(tenant.id)] == [last.id]

    async def test_each_tenant_has_its_own_activation(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        niche = builders.niche()
        await given(unit_of_work, niche)
        activation = builders.activation(
            tones=(Tone.FRIENDLY, Tone.CASUAL),
            languages=(Language.FR, Language.EN),
            countries=("FR", "BE"),
            target_audience="Sailors",
        )
        async with unit_of_work() as tx:
            await tx[Niches].set_activation(tenant.id, niche, activation)
        async with unit_of_work() as tx:
            assert await tx[Niches].get(tenant.id, niche.id) == evolve(niche, activation=activation)
            assert await tx[Niches].list(tenant.id) == [evolve(niche, activation=activation)]
            assert await tx[Niches].get(other.id, niche.id) == niche

    async def test_an_activation_is_replaced_and_taken_away(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        niche = builders.niche(tenant_id=tenant.id)
        await given(unit_of_work, niche)
        for activation in (builders.activation(), builders.activation(countries=("FR",)), None, None):
            async with unit_of_work() as tx:
                await tx[Niches].set_activation(tenant.id, niche, activation)
            async with unit_of_work() as tx:
                assert (await tx[Niches].get(tenant.id, niche.niche_key)).activation == activation


class AgentsContract:
    async def test_an_agent_is_found_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        agent = builders.agent(tenant_id=tenant.id, enabled=False)
        await given(unit_of_work, builders.niche(niche_key=agent.key.niche_key), agent)
        async with unit_of_work() as tx:
            assert await tx[Agents].find(tenant.id, agent.key) == agent
            assert await tx[Agents].find(tenant.id, evolve(agent.key, country="FR")) is None
            assert await tx[Agents].find(other.id, agent.key) is None

    async def test_an_agent_key_is_taken_once_within_a_tenant(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        await given(unit_of_work, builders.niche(niche_key=builders.NICHE_KEY))
        await given(unit_of_work, builders.agent(tenant_id=tenant.id), builders.agent(tenant_id=other.id))
        with pytest.raises(AlreadyExists):
            await given(unit_of_work, builders.agent(tenant_id=tenant.id))

    async def test_a_system_agent_serves_tenants_that_activated_its_niche(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        niche = builders.niche()
        system = builders.agent(key=AgentKey(niche.niche_key, "GB"))
        await given(unit_of_work, niche, system)
        async with unit_of_work() as tx:
            await tx[Niches].set_activation(tenant.id, niche, builders.activation())
        async with unit_of_work() as tx:
            assert await tx[Agents].find(tenant.id, system.key) == system
            assert await tx[Agents].list(tenant.id, None, None, 50) == ([system], 1)
            assert await tx[Agents].find(other.id, system.key) is None
            assert await tx[Agents].list(other.id, None, None, 50) == ([], 0)

    async def test_a_system_agent_is_gone_when_its_niche_is_deactivated(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        niche = builders.niche()
        system = builders.agent(key=AgentKey(niche.niche_key, "GB"))
        await given(unit_of_work, niche, system)
        for activation in (builders.activation(), None):
            async with unit_of_work() as tx:
                await tx[Niches].set_activation(tenant.id, niche, activation)
        async with unit_of_work() as tx:
            assert await tx[Agents].find(tenant.id, system.key) is None
            assert await tx[Agents].list(tenant.id, None, None, 50) == ([], 0)

    async def test_a_tenants_own_agent_comes_before_a_system_agent(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        niche = builders.niche()
        key = AgentKey(niche.niche_key, "GB")
        system, own = builders.agent(key=key), builders.agent(key=key, tenant_id=tenant.id)
        await given(unit_of_work, niche, system, own)
        async with unit_of_work() as tx:
            await tx[Niches].set_activation(tenant.id, niche, builders.activation())
        async with unit_of_work() as tx:
            assert await tx[Agents].find(tenant.id, key) == own

    async def test_agents_are_listed_by_key_with_filters_and_a_limit(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        boats_gb, cars_fr, boats_fr = (
            builders.agent(tenant_id=tenant.id, key=AgentKey(niche_key, country), enabled=enabled)
            for niche_key, country, enabled in (("boats", "GB", True), ("cars", "FR", False), ("boats", "FR", False))
        )
        await given(unit_of_work, builders.niche(niche_key="boats"), builders.niche(niche_key="cars"))
        await given(unit_of_work, boats_gb, cars_fr, boats_fr, builders.agent(tenant_id=other.id))
        async with unit_of_work() as tx:
            assert await tx[Agents].list(tenant.id, None, None, 50) == ([boats_fr, boats_gb, cars_fr], 3)
            assert await tx[Agents].list(tenant.id, None, None, 2) == ([boats_fr, boats_gb], 3)
            assert await tx[Agents].list(tenant.id, "boats", None, 50) == ([boats_fr, boats_gb], 2)
            assert await tx[Agents].list(tenant.id, None, True, 50) == ([boats_gb], 1)
            assert await tx[Agents].list(tenant.id, "boats", False, 50) == ([boats_fr], 1)
            assert await tx[Agents].list(tenant.id, "trains", None, 50) == ([], 0)

    async def test_only_a_tenants_own_agents_are_counted(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        niche = builders.niche()
        await given(unit_of_work, niche, builders.agent(key=AgentKey(niche.niche_key, "GB")))
        async with unit_of_work() as tx:
            await tx[Niches].set_activation(tenant.id, niche, builders.activation())
        for owner, country in ((tenant, "GB"), (tenant, "FR"), (other, "GB")):
            await given(unit_of_work, builders.agent(tenant_id=owner.id, key=AgentKey(niche.niche_key, country)))
        async with unit_of_work() as tx:
            assert await tx[Agents].count_own(tenant.id) == 2

    async def test_all_own_agents_of_a_niche_are_switched_and_no_others(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        niche, second = builders.niche(), builders.niche()
        own = [builders.agent(tenant_id=tenant.id, key=AgentKey(niche.niche_key, cc)) for cc in ("FR", "GB")]
        elsewhere = builders.agent(tenant_id=tenant.id, key=AgentKey(second.niche_key, "GB"))
        theirs = builders.agent(tenant_id=other.id, key=AgentKey(niche.niche_key, "GB"))
        system = builders.agent(key=AgentKey(niche.niche_key, "DE"))
        await given(unit_of_work, niche, second, *own, elsewhere, theirs, system)
        async with unit_of_work() as tx:
            await tx[Niches].set_activation(tenant.id, niche, builders.activation())
            off = [evolve(agent, enabled=False, updated_at=LATER) for agent in own]
            assert list(await tx[Agents].set_enabled(tenant.id, niche.niche_key, False, LATER)) == off
            assert not await tx[Agents].set_enabled(tenant.id, niche.niche_key, False, LATER)
        async with unit_of_work() as tx:
            for agent in off:
                assert await tx[Agents].find(tenant.id, agent.key) == agent
            assert await tx[Agents].find(tenant.id, elsewhere.key) == elsewhere
            assert await tx[Agents].find(tenant.id, system.key) == system
            assert await tx[Agents].find(other.id, theirs.key) == theirs
