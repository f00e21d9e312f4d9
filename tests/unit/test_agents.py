"""Agents: own ones are made, edited, switched and deleted; system agents only used."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.web_search.catalog import SETTINGS
from contentgen_core.errors import InvalidInput, NotFound, NotPermitted, PlanForbids
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.web_search import ConfiguredWebSearches
from contentgen_core.use_cases.agents.manage_agents import AgentChanges, CreateAgentCommand
from contentgen_core.use_cases.context import context_of_agent
from contentgen_core.use_cases.enrichment.start import EnrichCommand, Started, search_for
from tests.support.changed import changed
from tests.support.house import AGENT, NICHE, open_house
from tests.support.offices import Office, open_office
from tests.support.scripted_web import ScriptedWeb

TOPIC = "Noise limits for a heat pump in terraced houses"


async def office_with_boats(plan: PlanName = PlanName.PRO) -> Office:
    office = await open_office(MemoryUnitOfWork(), plan)
    await office.activate("boats", "GB")
    return office


async def test_an_agent_that_is_made_adds_its_country_and_is_told() -> None:
    office = await office_with_boats()
    named = await office.agents.create(CreateAgentCommand(office.caller, "boats", "FR", " La  Manche ", enabled=False))
    unnamed = await office.agents.create(CreateAgentCommand(office.caller, "boats", "IE"))
    assert (named.name, named.enabled, unnamed.name, unnamed.enabled) == ("La Manche", False, "Boats (IE)", True)
    assert await office.followed("boats") == ("GB", "FR", "IE")
    assert (await office.told())[1:] == [("agent.created", "boats-FR", False), ("agent.created", "boats-IE", True)]


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"country": "XX"}, "country"), ({"name": "x" * 101}, "name"), ({"name": "  "}, "name"), ({"name": "\0"}, "name")],
)
async def test_what_no_agent_can_have_is_refused(changes: dict[str, Any], named: str) -> None:
    office = await office_with_boats()
    with pytest.raises(InvalidInput) as refused:
        await office.agents.create(evolve(CreateAgentCommand(office.caller, "boats", "FR"), **changes))
    assert [fault.field for fault in refused.value.errors] == [named]


async def test_an_edit_changes_what_it_names_and_says_when() -> None:
    office = await office_with_boats()
    agent = await office.agents.get(office.caller, "boats-GB")
    assert agent.updated_at == agent.created_at
    later = office.clock.advance(hours=1)
    renamed = await office.agents.edit(office.caller, agent.id, AgentChanges(name="Britain"))
    assert renamed == evolve(agent, name="Britain", updated_at=later)
    off = await office.agents.edit(office.caller, "boats-GB", AgentChanges(enabled=False))
    assert off == evolve(renamed, enabled=False)
    assert await office.agents.get(office.caller, agent.id) == off


async def test_what_changes_nothing_is_not_told() -> None:
    office = await office_with_boats(PlanName.BUSINESS)
    office.clock.advance(hours=1)
    agent = await office.agents.get(office.caller, "boats-GB")
    await office.agents.edit(office.caller, agent.id, AgentChanges(name=agent.name, enabled=True))
    await office.agents.toggle(office.caller, agent.id, True)
    await office.agents.premium_search(office.caller, agent.id, True)
    assert await office.agents.get(office.caller, agent.id) == agent
    assert len(await office.events()) == 1


async def test_the_last_agent_takes_the_activation_with_it() -> None:
    office = await office_with_boats()
    await office.activate("boats", "FR")
    await office.agents.delete(office.caller, "boats-GB")
    assert await office.followed("boats") == ("FR",)
    await office.agents.delete(office.caller, "boats-FR")
    assert await office.followed("boats") is None
    assert (await office.told())[2:] == [("agent.deleted", "boats-GB", True), ("agent.deleted", "boats-FR", True)]
    with pytest.raises(NotFound):
        await office.agents.delete(office.caller, "boats-FR")


async def test_a_system_agent_is_used_and_never_changed() -> None:
    office = await open_office(MemoryUnitOfWork(), PlanName.BUSINESS)
    system = await office.system.create("boats", "FR", "France")
    with pytest.raises(NotFound):
        await office.agents.get(office.caller, system.id)
    await office.activate("boats", "GB")
    assert await office.agents.get(office.caller, "boats-FR") == system
    for change in (
        office.agents.edit(office.caller, system.id, AgentChanges(name="Mine")),
        office.agents.toggle(office.caller, "boats-FR"),
        office.agents.premium_search(office.caller, system.id),
        office.agents.delete(office.caller, "boats-FR"),
    ):
        with pytest.raises(NotPermitted, match="system agent"):
            await change
    assert await office.system.list() == [system]
    assert await office.told() == [("agent.created", "boats-GB", True)]


async def test_system_agents_are_of_preconfigured_niches_and_of_countries() -> None:
    office = await open_office(MemoryUnitOfWork())
    with pytest.raises(NotFound):
        await office.system.create("bees", "GB")
    with pytest.raises(InvalidInput):
        await office.system.create("boats", "XX")
    assert (await office.system.create("boats", "GB")).name == "Boats (GB)"


async def test_the_premium_search_is_for_plans_that_include_it() -> None:
    office = await office_with_boats(PlanName.PRO)
    with pytest.raises(PlanForbids):
        await office.agents.premium_search(office.caller, "nothing")
    with pytest.raises(PlanForbids):
        await office.settings.premium_search(office.caller, "nothing")


@pytest.mark.parametrize("plan", [PlanName.PRO, PlanName.BUSINESS])
@pytest.mark.parametrize("niche", [True, False])
@pytest.mark.parametrize("agent", [True, False])
async def test_the_premium_search_takes_the_plan_the_niche_and_the_agent(
    plan: PlanName, niche: bool, agent: bool
) -> None:
    async with open_house(PlanName.BUSINESS) as house:
        services, tenant_id = house.services, house.caller.tenant_id
        assert await services.agents.niche_settings.premium_search(house.caller, NICHE, niche) is niche
        await services.agents.manage.premium_search(house.caller, AGENT, agent)
        searches = ConfiguredWebSearches(house.web, ScriptedWeb(house.clock), SETTINGS)
        async with services.ports.unit_of_work() as tx:
            context = await context_of_agent(tx, tenant_id, AgentKey.parse(AGENT))
        premium = plan is PlanName.BUSINESS and niche and agent
        assert search_for(searches, plan, context) is (searches.premium if premium else searches.standard)


async def test_a_switch_that_is_turned_before_the_search_counts_and_the_status_says_so() -> None:
    async with open_house(PlanName.BUSINESS) as house:
        premium = ScriptedWeb(house.clock)
        premium.provider = "premium"
        searches = ConfiguredWebSearches(house.web, premium, SETTINGS)
        start = evolve(house.services.knowledge.enrich, searches=searches)
        run = evolve(house.services.jobs.enrich_topic, searches=searches)
        services = changed(house.services, knowledge={"enrich": start}, jobs={"enrich_topic": run})
        object.__setattr__(house, "services", services)
        outcome = await start(EnrichCommand(house.caller, AGENT, TOPIC))
        assert isinstance(outcome, Started)
        assert outcome.enrichment.provider == "premium"
        await services.agents.manage.premium_search(house.caller, AGENT)
        await house.work()
        enrichment = await services.knowledge.enrichments.get(house.caller, outcome.enrichment.id)
        assert (enrichment.provider, len(premium.queries), len(house.web.queries)) == ("scripted", 0, 1)
