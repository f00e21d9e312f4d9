"""Rules of niches that hold after any calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.errors import (
    ContentgenError,
)
from contentgen_core.model.agent_event import AgentEventKind
from contentgen_core.model.changes import UNSET
from contentgen_core.model.tenant import PlanName
from contentgen_core.use_cases.agents.manage_agents import AgentChanges, CreateAgentCommand
from contentgen_core.use_cases.niches.edit import NicheChanges
from contentgen_core.use_cases.niches.settings import SettingsChanges
from contentgen_http.wire.niches import NicheList
from tests.support.offices import COUNTRIES, Office, open_office
from tests.unit.test_niches import LIMIT, NICHES

Step = Callable[[Office], Awaitable[Any]]

_niches = st.sampled_from(NICHES)
_countries = st.sampled_from(COUNTRIES)


def _activate(niche: str, countries: list[str]) -> Step:
    return lambda office: office.activate(niche, *countries)


def _create(niche: str, country: str, enabled: bool) -> Step:
    return lambda office: office.agents.create(CreateAgentCommand(office.caller, niche, country, enabled=enabled))


def _toggle(niche: str, country: str, enabled: bool | None) -> Step:
    return lambda office: office.agents.toggle(office.caller, f"{niche}-{country}", enabled)


def _edit(niche: str, country: str, enabled: bool) -> Step:
    changes = AgentChanges(name="Renamed", enabled=enabled)
    return lambda office: office.agents.edit(office.caller, f"{niche}-{country}", changes)


def _remove(niche: str, country: str) -> Step:
    return lambda office: office.agents.delete(office.caller, f"{niche}-{country}")


def _deactivate(niche: str) -> Step:
    return lambda office: office.niches.deactivate(office.caller, niche)


def _delete(niche: str) -> Step:
    return lambda office: office.edits.delete(office.caller, niche)


steps = st.one_of(
    st.builds(_activate, _niches, st.lists(_countries, min_size=1, max_size=6)),
    st.builds(_create, _niches, _countries, st.booleans()),
    st.builds(_toggle, _niches, _countries, st.none() | st.booleans()),
    st.builds(_edit, _niches, _countries, st.booleans()),
    st.builds(_remove, _niches, _countries),
    st.builds(_deactivate, _niches),
    st.builds(_delete, st.just("bees")),
)


async def _state(office: Office) -> tuple[Any, ...]:
    return await office.niches.list(office.caller), await office.own_agents(), await office.events()


async def _check_rules(office: Office) -> None:
    niches, agents, events = await _state(office)
    listed = NicheList.of(niches, office.caller.plan)
    assert listed.total == listed.breakdown.preconfigured + listed.breakdown.custom == len(niches)
    assert listed.breakdown.activated == len(await office.niches.activated(office.caller)) <= listed.total
    assert len(agents) <= LIMIT
    for niche in niches:
        own = {agent.key.country: agent for agent in agents if agent.key.niche_key == niche.niche_key}
        if niche.activation is None:
            assert not any(agent.enabled for agent in own.values())
        else:
            assert sorted(niche.activation.countries) == sorted(own)
    assert {agent.key.niche_key for agent in agents} <= {niche.niche_key for niche in niches}
    followed: dict[str, tuple[str, bool]] = {}
    for event in events:
        if event.kind is AgentEventKind.AGENT_DELETED:
            del followed[event.agent_id]
        else:
            assert (event.agent_id in followed) == (event.kind is AgentEventKind.AGENT_UPDATED)
            followed[event.agent_id] = event.agent_name, event.enabled
    assert followed == {agent.id: (agent.name, agent.enabled) for agent in agents}


@settings(max_examples=60, deadline=None)
@given(st.lists(steps, max_size=14))
def test_after_any_calls_countries_are_those_of_agents_and_refused_calls_changed_nothing(taken: list[Step]) -> None:
    """And: the quota holds, the breakdown adds up, and who follows the events knows the agents."""

    async def run() -> None:
        office = await open_office(MemoryUnitOfWork())
        for step in taken:
            before = await _state(office)
            try:
                await step(office)
            except ContentgenError:
                assert await _state(office) == before
            await _check_rules(office)

    asyncio.run(run())


@given(st.booleans(), st.booleans())
def test_switching_twice_is_as_if_nothing_had_been_switched(enabled: bool, premium: bool) -> None:
    async def run() -> None:
        office = await open_office(MemoryUnitOfWork(), PlanName.BUSINESS)
        await office.activate("boats", "GB")
        await office.agents.toggle(office.caller, "boats-GB", enabled)
        await office.agents.premium_search(office.caller, "boats-GB", premium)
        await office.settings.premium_search(office.caller, "boats", premium)
        agent = await office.agents.get(office.caller, "boats-GB")
        assert (agent.enabled, agent.websearch_premium) == (enabled, premium)
        for _ in range(2):
            await office.agents.toggle(office.caller, "boats-GB")
            await office.agents.premium_search(office.caller, "boats-GB")
            await office.settings.premium_search(office.caller, "boats")
        assert await office.agents.get(office.caller, "boats-GB") == agent
        assert (await office.niches.get(office.caller, "boats")).websearch_premium is premium

    asyncio.run(run())


@given(st.dictionaries(st.text(max_size=4), st.none() | st.integers() | st.text(max_size=5)), st.data())
def test_settings_are_merged_key_by_key(first: dict[str, Any], data: st.DataObject) -> None:
    second = data.draw(
        st.dictionaries(st.sampled_from(sorted(first)) if first else st.text(max_size=2), st.none() | st.integers())
    )

    async def run() -> None:
        office = await open_office(MemoryUnitOfWork())
        await office.activate("boats", "GB")
        for change in (first, second):
            await office.settings.change(office.caller, "boats", SettingsChanges(others=change))
        merged = {key: value for key, value in {**first, **second}.items() if value is not None}
        settings_ = await office.settings.read(office.caller, "boats")
        assert (settings_.others, settings_.activation.target_audience) == (merged, None)

    asyncio.run(run())


def test_what_is_not_sent_is_unset() -> None:
    assert (NicheChanges().name, AgentChanges().enabled, SettingsChanges().tones) == (UNSET, UNSET, UNSET)
