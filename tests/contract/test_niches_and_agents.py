"""Niches and agents over both units of work: exact however many ask at once, and whole or not at all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.postgres.session import Row, Session
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.errors import AlreadyExists, NicheNotActivated, NotFound, QuotaExceeded
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.area import Area
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.niche import NicheInUse
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.agents.manage_agents import CreateAgentCommand
from contentgen_core.use_cases.niches.manage_niches import MAX_CUSTOM, CreateNicheCommand
from contentgen_core.use_cases.niches.settings import SettingsChanges
from tests.contract.store.given import given
from tests.support.offices import COUNTRIES, kinds, open_office


@pytest.fixture(params=["memory", "postgres"])
def unit_of_work(request: pytest.FixtureRequest) -> UnitOfWork:
    if request.param == "memory":
        return MemoryUnitOfWork()
    unit_of_work: UnitOfWork = request.getfixturevalue("postgres_unit_of_work")
    return unit_of_work


async def test_the_last_free_agent_goes_to_one_of_many_activations(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work, PlanName.STARTER)
    await office.activate("boats", "GB", "IE")
    asked = [office.activate("cars", country) for country in COUNTRIES[:6]]
    asked += [office.activate("boats", country) for country in COUNTRIES[2:6]]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert kinds(list(outcomes)) == ["QuotaExceeded"] * 9 + ["ok"]
    assert len(await office.own_agents()) == 3
    assert len(await office.events()) == 3


async def test_an_activation_without_room_for_all_of_its_countries_changes_nothing(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work, PlanName.STARTER)
    await office.activate("boats", "GB", "IE")
    before = (await office.niches.list(office.caller), await office.own_agents(), await office.events())
    with pytest.raises(QuotaExceeded) as refused:
        await office.activate("boats", "FR", "GB", "DE", audience="Sailors")
    assert (refused.value.limit, refused.value.used) == (3, 2)
    assert (await office.niches.list(office.caller), await office.own_agents(), await office.events()) == before


async def test_agents_made_one_by_one_share_the_quota_with_activations(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work, PlanName.STARTER)
    await office.activate("boats", "GB")
    made = [office.agents.create(CreateAgentCommand(office.caller, "boats", country)) for country in COUNTRIES[1:7]]
    outcomes = await asyncio.gather(*made, office.activate("cars", "GB"), return_exceptions=True)
    assert kinds(list(outcomes)) == ["QuotaExceeded"] * 5 + ["ok"] * 2
    assert len(await office.own_agents()) == 3
    async with unit_of_work() as tx:
        assert await tx[Agents].count_own(office.caller.tenant_id) == 3


async def test_the_same_agent_asked_for_at_once_is_made_once(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work)
    await office.activate("boats", "GB")
    command = CreateAgentCommand(office.caller, "boats", "FR")
    outcomes = await asyncio.gather(*(office.agents.create(command) for _ in range(5)), return_exceptions=True)
    assert kinds(list(outcomes)) == ["AlreadyExists"] * 4 + ["ok"]
    assert await office.followed("boats") == ("GB", "FR")


async def test_toggles_at_the_same_time_are_all_counted(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work)
    agent_id = (await office.activate("boats", "GB")).agent_id
    for times, enabled in ((6, True), (7, False)):
        await asyncio.gather(*(office.agents.toggle(office.caller, agent_id) for _ in range(times)))
        assert (await office.agents.get(office.caller, agent_id)).enabled is enabled
    assert len(await office.events()) == 1 + 6 + 7


async def test_deletions_of_all_agents_at_once_leave_no_activation(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work)
    await office.activate("boats", *COUNTRIES[:5])
    await asyncio.gather(*(office.agents.delete(office.caller, f"boats-{country}") for country in COUNTRIES[:5]))
    assert await office.followed("boats") is None
    assert await office.own_agents() == []


async def test_changes_of_settings_at_once_are_all_kept(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work)
    await office.activate("boats", "GB")
    changes = [SettingsChanges(others={f"key{n}": n}) for n in range(8)]
    await asyncio.gather(
        *(office.settings.change(office.caller, "boats", change) for change in changes),
        office.agents.create(CreateAgentCommand(office.caller, "boats", "FR")),
    )
    settings = await office.settings.read(office.caller, "boats")
    assert settings.others == {f"key{n}": n for n in range(8)}
    assert settings.activation.countries == ("GB", "FR")


async def test_of_a_deleted_niche_and_its_activations_one_side_wins(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work)
    asked = [office.activate("bees", country) for country in COUNTRIES[:4]]
    deletion = office.edits.delete(office.caller, "bees")
    *activations, deleted = await asyncio.gather(*asked, deletion, return_exceptions=True)
    agents = await office.own_agents()
    if deleted is None:
        assert kinds(list(activations)) == ["NotFound"] * 4
        assert agents == []
    else:
        assert isinstance(deleted, NicheInUse)
        assert kinds(list(activations)) == ["ok"] * 4
        assert len(agents) == 4


async def test_a_niche_can_be_deleted_once_it_is_emptied(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work)
    tenant_id = office.caller.tenant_id
    await office.activate("bees", "GB")
    article = builders.article(tenant_id=tenant_id, niche_key="bees", agent_key=AgentKey("bees", "GB"))
    document = builders.kb_document(scope=KbScope("bees", tenant_id))
    await given(unit_of_work, article, (document, [builders.passage(document)]))
    with pytest.raises(NicheInUse, match="holds: 1 agent, 1 article, 1 document, 1 passage"):
        await office.edits.delete(office.caller, "bees")
    await office.agents.delete(office.caller, "bees-GB")
    async with unit_of_work() as tx:
        assert (await tx[Articles].get(tenant_id, article.id)).agent_key == AgentKey("bees", "GB")
        await tx[Articles].delete(tenant_id, article.id)
        await tx[Knowledge].remove([document.id])
    await office.edits.delete(office.caller, "bees")
    with pytest.raises(NotFound):
        await office.niches.get(office.caller, "bees")


async def test_niches_of_ones_own_are_bounded_also_at_the_same_time(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work)
    await given(unit_of_work, *(builders.niche(tenant_id=office.caller.tenant_id) for _ in range(MAX_CUSTOM - 1 - 2)))
    made = [office.niches.create(CreateNicheCommand(office.caller, "Same name")) for _ in range(5)]
    outcomes = await asyncio.gather(*made, return_exceptions=True)
    assert kinds(list(outcomes)) == ["Conflict"] * 3 + ["ok"] * 2
    listed = await office.niches.list(office.caller)
    assert len(listed) == MAX_CUSTOM + 2


async def test_the_dashboard_shows_what_there_is_and_nothing_of_others(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work)
    tenant_id, other = office.caller.tenant_id, builders.tenant()
    await given(unit_of_work, other)
    empty = await office.dashboard(office.caller, "boats")
    assert (empty.articles, empty.agents, empty.recent, empty.statistics, empty.coverage) == ({}, (), (), None, None)
    await office.activate("boats", "GB")
    system = await office.system.create("boats", "FR", "France")
    articles = [builders.article(tenant_id=tenant_id, niche_key="boats") for _ in range(11)]
    published = builders.article(tenant_id=tenant_id, niche_key="boats", status=ArticleStatus.PUBLISHED)
    document = builders.kb_document(scope=KbScope("boats", tenant_id, "GB"))
    abroad = builders.kb_document(scope=KbScope("boats", tenant_id, "FR"))
    await given(unit_of_work, *articles, published, (document, [builders.passage(document)]))
    await given(
        unit_of_work, (abroad, [builders.passage(abroad)]), builders.article(tenant_id=other.id, niche_key="boats")
    )
    coverage = builders.topic_coverage(tenant_id=tenant_id, area=Area("boats"))
    async with unit_of_work() as tx:
        await tx[TopicCoverages].add(coverage)
    shown = await office.dashboard(office.caller, "boats")
    assert shown.articles == {ArticleStatus.DRAFT: 11, ArticleStatus.PUBLISHED: 1}
    assert [str(agent.key) for agent in shown.agents] == ["boats-FR", "boats-GB"]
    assert shown.agents[0] == system
    assert [article.id for article in shown.recent] == [a.id for a in (published, *reversed(articles))][:10]
    assert shown.statistics is not None
    assert shown.statistics.figures.passages == 1
    assert shown.coverage is None  # there is one, and it was never computed


async def test_the_dashboard_asks_as_often_whatever_there_is(
    postgres_unit_of_work: PostgresUnitOfWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = await open_office(postgres_unit_of_work, PlanName.BUSINESS)
    tenant_id, asked = office.caller.tenant_id, 0
    read = Session.read

    async def counted(session: Session, query: str, parameters: Any = (), **more: Any) -> list[Row]:
        nonlocal asked
        asked += 1
        return await read(session, query, parameters, **more)

    monkeypatch.setattr(Session, "read", counted)
    numbers = []
    for countries, articles in ((COUNTRIES[:1], 1), (COUNTRIES, 30)):
        await office.activate("boats", *countries)
        made = [builders.article(tenant_id=tenant_id, niche_key="boats") for _ in range(articles)]
        document = builders.kb_document(scope=KbScope("boats", tenant_id))
        await given(postgres_unit_of_work, *made, (document, [builders.passage(document)]))
        asked = 0
        assert len((await office.dashboard(office.caller, "boats")).agents) == len(countries)
        numbers.append(asked)
    assert numbers[0] == numbers[1] <= 9


async def test_what_is_created_in_a_niche_that_is_not_activated_is_refused(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work)
    with pytest.raises(NicheNotActivated):
        await office.agents.create(CreateAgentCommand(office.caller, "boats", "GB"))
    await office.activate("boats", "GB")
    await office.niches.deactivate(office.caller, "boats")
    for switch in (
        office.agents.toggle(office.caller, "boats-GB"),
        office.agents.toggle(office.caller, "boats-GB", True),
    ):
        with pytest.raises(NicheNotActivated):
            await switch
    assert not (await office.agents.toggle(office.caller, "boats-GB", False)).enabled


async def test_a_system_agent_serves_beside_own_agents_and_outside_the_quota(unit_of_work: UnitOfWork) -> None:
    office = await open_office(unit_of_work, PlanName.FREE)
    system = [await office.system.create("boats", country) for country in ("GB", "FR")]
    with pytest.raises(AlreadyExists):
        await office.system.create("boats", "GB")
    activated = await office.activate("boats", "GB")
    own = await office.agents.get(office.caller, "boats-GB")
    assert own.id == activated.agent_id
    assert await office.agents.get(office.caller, "boats-FR") == system[1]
    assert await office.agents.get(office.caller, system[0].id) == system[0]
    await office.agents.delete(office.caller, own.id)
    assert await office.followed("boats") is None
    with pytest.raises(NotFound):
        await office.agents.get(office.caller, "boats-FR")
    await office.system.delete(system[0].id)
    assert await office.system.list() == [evolve(system[1], updated_at=MOMENT)]
