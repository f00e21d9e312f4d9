"""Niches: what may be asked of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.errors import (
    Conflict,
    InvalidInput,
    NicheNotActivated,
    NotFound,
    NotPermitted,
    PlanForbids,
)
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.niche import NicheUses
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.testing import builders
from contentgen_core.use_cases.agents.manage_agents import AgentChanges, CreateAgentCommand
from contentgen_core.use_cases.context import context_of_niche
from contentgen_core.use_cases.niches.edit import NicheChanges
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand, CreateNicheCommand
from contentgen_core.use_cases.niches.requests import MAX_REQUESTS
from contentgen_core.use_cases.niches.settings import MAX_SETTINGS, SettingsChanges
from tests.support.house import open_house
from tests.support.offices import SHARED, Office, open_office

NICHES = (*SHARED, "bees")
LIMIT = 10  # agents on the plan Pro


def fields(error: pytest.ExceptionInfo[InvalidInput]) -> list[str]:
    return [fault.field for fault in error.value.errors]


class TestActivation:
    async def test_all_faults_are_named_at_once(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        with pytest.raises(InvalidInput) as refused:
            await office.activate("boats", "GB", "XX", audience="x" * 501)
        assert fields(refused) == ["countries[1]", "targetAudience"]

    async def test_a_niche_of_ones_own_takes_a_plan_with_custom_niches(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        smaller = evolve(office.caller, plan=PlanName.STARTER)
        with pytest.raises(PlanForbids):
            await office.activate("bees", "GB", caller=smaller)
        await office.activate("boats", "GB", caller=smaller)
        await office.activate("bees", "GB")
        with pytest.raises(PlanForbids):
            await office.agents.create(CreateAgentCommand(smaller, "bees", "FR"))

    async def test_the_agent_answered_is_that_of_the_first_country_listed(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        await office.activate("boats", "GB", "FR")
        again = await office.activate("boats", "IE", "FR", "IE")
        assert (await office.agents.get(office.caller, again.agent_id)).key.country == "IE"
        assert again.activation.countries == ("GB", "FR", "IE")

    async def test_activating_switches_on_what_it_lists_and_leaves_the_others(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        await office.activate("boats", "GB", "FR", "IE")
        await office.niches.deactivate(office.caller, "boats")
        activated = await office.activate("boats", "IE")
        assert activated.activation.countries == ("IE", "FR", "GB")  # those of all agents there are
        assert {agent.key.country: agent.enabled for agent in await office.own_agents()} == {
            "GB": False, "FR": False, "IE": True,
        }  # fmt: skip
        assert (await office.told())[3:] == [
            ("agent.updated", "boats-FR", False),
            ("agent.updated", "boats-GB", False),
            ("agent.updated", "boats-IE", False),
            ("agent.updated", "boats-IE", True),
        ]

    async def test_deactivating_twice_tells_once(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        await office.activate("boats", "GB")
        for _ in range(2):
            await office.niches.deactivate(office.caller, "boats")
        assert len(await office.events()) == 2


class TestCreation:
    @pytest.mark.parametrize(
        ("name", "key"), [("List", "list-2"), ("activated", "activated-2"), ("Request", "request-2"), ("🐝", "niche")]
    )
    async def test_a_key_is_never_empty_nor_a_word_of_an_address(self, name: str, key: str) -> None:
        async with open_house() as house:
            made = await house.services.agents.niches.create(CreateNicheCommand(house.caller, name))
            assert made.niche_key == key
            assert await house.services.agents.niches.get(house.caller, key) == made


class TestDeletion:
    async def test_nothing_comes_into_a_niche_that_was_deleted_meanwhile(self) -> None:
        async with open_house() as house:
            services, caller = house.services, house.caller
            niche = await services.agents.niches.create(CreateNicheCommand(caller, "Bees"))
            command = ActivateNicheCommand(caller, "bees", ("casual",), ("en",), ("GB",))
            await services.agents.niches.activate(command)
            async with services.ports.unit_of_work() as tx:
                context = await context_of_niche(tx, caller.tenant_id, niche.id)
            await services.agents.manage.delete(caller, "bees-GB")
            await services.agents.edit_niches.delete(caller, "bees")
            brief = builders.brief(topic="Bees on roofs")
            with pytest.raises(NotFound):
                await services.writing.plan.admission.admit(caller, context, brief, idempotency=None, sources=None)
            assert await house.articles_used() == 0
            source = SourceText("a", "Bees", "Bees live on roofs and in walls.", None, Language.EN)
            with pytest.raises(NotFound):
                await services.knowledge.import_sources(KbScope("bees", caller.tenant_id), [source])


@pytest.mark.parametrize("used", ["agents", "articles", "documents", "passages"])
def test_anything_to_lose_is_a_use_and_a_schedule_alone_is_none(used: str) -> None:
    assert not NicheUses(schedules=1)
    assert NicheUses(**{used: 1, "schedules": 2})
    assert str(NicheUses(**{used: 1, "schedules": 2})) == f"1 {used.removesuffix('s')}, 2 schedules"


class TestEditing:
    async def test_what_is_not_sent_stays_and_none_clears(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        made = await office.niches.create(CreateNicheCommand(office.caller, "Bats", "At night", "🦇"))
        changed = await office.edits.edit(office.caller, made.id, NicheChanges(name=" Fruit bats "))
        assert changed == evolve(made, name="Fruit bats")
        changed = await office.edits.edit(office.caller, "bats", NicheChanges(description=None, icon=None))
        assert (changed.description, changed.icon, changed.niche_key) == (None, None, "bats")
        assert await office.niches.get(office.caller, "bats") == changed

    async def test_a_preconfigured_niche_is_nobodys_to_change(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        with pytest.raises(NotPermitted):
            await office.edits.edit(office.caller, "boats", NicheChanges(name="Mine"))
        with pytest.raises(NotPermitted):
            await office.edits.delete(office.caller, "boats")
        with pytest.raises(NotFound):
            await office.edits.delete(office.caller, "nothing")

    async def test_every_faulty_text_is_named(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        with pytest.raises(InvalidInput) as refused:
            await office.edits.edit(office.caller, "bees", NicheChanges(" ", "x" * 2_001, "\0"))
        assert fields(refused) == ["description", "icon", "name"]

    @pytest.mark.parametrize(
        "call",
        [
            lambda o, who: o.edits.edit(who, "bees", NicheChanges(name="x")),
            lambda o, who: o.edits.delete(who, "bees"),
            lambda o, who: o.settings.change(who, "boats", SettingsChanges()),
            lambda o, who: o.settings.premium_search(who, "boats"),
            lambda o, who: o.requests.ask(who, "Bats"),
            lambda o, who: o.niches.deactivate(who, "boats"),
            lambda o, who: o.agents.create(CreateAgentCommand(who, "boats", "FR")),
            lambda o, who: o.agents.edit(who, "boats-GB", AgentChanges(name="x")),
            lambda o, who: o.agents.toggle(who, "boats-GB"),
            lambda o, who: o.agents.premium_search(who, "boats-GB"),
            lambda o, who: o.agents.delete(who, "boats-GB"),
        ],
    )
    async def test_a_viewer_changes_nothing(self, call: Callable[[Office, Any], Awaitable[Any]]) -> None:
        office = await open_office(MemoryUnitOfWork(), PlanName.BUSINESS)
        await office.activate("boats", "GB")
        before = (await office.niches.list(office.caller), await office.own_agents(), await office.events())
        with pytest.raises(NotPermitted, match="editor"):
            await call(office, evolve(office.caller, role=Role.VIEWER))
        assert (await office.niches.list(office.caller), await office.own_agents(), await office.events()) == before


class TestSettings:
    async def test_known_keys_are_those_of_the_activation(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        await office.activate("boats", "GB", audience="Sailors")
        changes = SettingsChanges(("expert", "casual"), ("fr",), None, others={"note": {"a": None}})
        changed = await office.settings.change(office.caller, "boats", changes)
        assert changed == await office.settings.read(office.caller, "boats")
        activation = (await office.niches.get(office.caller, "boats")).activation
        assert activation is not None
        assert activation == changed.activation
        assert (activation.tones, activation.languages) == (("expert", "casual"), ("fr",))
        assert (activation.target_audience, activation.countries) == (None, ("GB",))
        assert changed.others == {"note": {"a": None}}

    async def test_other_keys_are_replaced_one_by_one_and_taken_away_by_none(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        await office.activate("boats", "GB")
        for sent, kept in (
            ({"a": 1, "b": [2]}, {"a": 1, "b": [2]}),
            ({"b": None, "c": "x"}, {"a": 1, "c": "x"}),
            ({}, {"a": 1, "c": "x"}),
        ):
            settings_ = await office.settings.change(office.caller, "boats", SettingsChanges(others=sent))
            assert settings_.others == kept

    async def test_they_outlive_a_deactivation_and_need_an_activation(self) -> None:
        office = await open_office(MemoryUnitOfWork(), PlanName.BUSINESS)
        await office.activate("boats", "GB")
        await office.settings.change(office.caller, "boats", SettingsChanges(others={"a": 1}))
        assert await office.settings.premium_search(office.caller, "boats") is False
        await office.niches.deactivate(office.caller, "boats")
        with pytest.raises(NicheNotActivated):
            await office.settings.read(office.caller, "boats")
        with pytest.raises(NicheNotActivated):
            await office.settings.change(office.caller, "boats", SettingsChanges())
        await office.activate("boats", "GB")
        assert (await office.settings.read(office.caller, "boats")).others == {"a": 1}
        assert (await office.niches.get(office.caller, "boats")).websearch_premium is False

    @pytest.mark.parametrize(
        ("changes", "named"),
        [
            (SettingsChanges(tones=()), ["tones"]),
            (SettingsChanges(tones=("casual", "rude"), languages=("tlh",)), ["tones[1]", "languages[0]"]),
            (SettingsChanges(target_audience="x" * 501), ["targetAudience"]),
            (
                SettingsChanges(others={"countries": ["FR"], "websearchPremium": True}),
                ["countries", "websearchPremium"],
            ),
            (SettingsChanges(others={"long": "x" * MAX_SETTINGS}), ["body"]),
        ],
    )
    async def test_faults_are_named_and_nothing_is_kept(self, changes: SettingsChanges, named: list[str]) -> None:
        office = await open_office(MemoryUnitOfWork())
        await office.activate("boats", "GB")
        before = await office.settings.read(office.caller, "boats")
        with pytest.raises(InvalidInput) as refused:
            await office.settings.change(office.caller, "boats", evolve(changes, others={"x": 1, **changes.others}))
        assert fields(refused) == named
        assert await office.settings.read(office.caller, "boats") == before

    async def test_what_is_nested_too_deeply_is_refused(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        await office.activate("boats", "GB")
        value: object = 1
        for _ in range(20):
            value = [value]
        await office.settings.change(office.caller, "boats", SettingsChanges(others={"deep": value}))
        with pytest.raises(InvalidInput) as refused:
            await office.settings.change(office.caller, "boats", SettingsChanges(others={"deep": {"er": value}}))
        assert fields(refused) == ["deep"]

    async def test_all_settings_together_are_bounded(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        await office.activate("boats", "GB")
        half = "ü" * (MAX_SETTINGS // 4)  # two bytes each
        await office.settings.change(office.caller, "boats", SettingsChanges(others={"a": half}))
        with pytest.raises(InvalidInput):
            await office.settings.change(office.caller, "boats", SettingsChanges(others={"b": half}))
        await office.settings.change(office.caller, "boats", SettingsChanges(others={"a": None, "b": half}))


class TestRequests:
    async def test_the_same_name_is_the_same_request(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        first = await office.requests.ask(office.caller, " Vet  medicine", "Animals")
        assert await office.requests.ask(office.caller, "VET MEDICINE") == first
        (kept,) = await office.requests.list(10)
        assert (kept.id, kept.name, kept.description) == (first, "Vet medicine", "Animals")

    async def test_a_tenant_asks_for_a_hundred_at_most(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        for n in range(MAX_REQUESTS):
            await office.requests.ask(office.caller, f"Niche {n}")
        with pytest.raises(Conflict):
            await office.requests.ask(office.caller, "One more")
        await office.requests.ask(office.caller, "Niche 7", "Again")

    async def test_a_request_has_a_name(self) -> None:
        office = await open_office(MemoryUnitOfWork())
        with pytest.raises(InvalidInput):
            await office.requests.ask(office.caller, "  ")
