"""Changes of niches and agents: what is stored, what is refused, and which transaction waits for which."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import Conflict, NotFound
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.area import Area
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.entity import Curation
from contentgen_core.model.ids import AgentId, NicheRequestId, TenantId, UserId
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.niche import Niche, NicheInUse, NichePreferences, NicheRequest, NicheUses
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import NicheRequests, Niches
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

LATER = MOMENT + timedelta(hours=1)


async def given_own_niche(unit_of_work: UnitOfWork) -> Niche:
    tenant = await given_tenant(unit_of_work)
    niche = builders.niche(tenant_id=tenant.id)
    await given(unit_of_work, niche)
    return niche


async def delete(unit_of_work: UnitOfWork, niche: Niche) -> None:
    async with unit_of_work() as tx:
        await tx[Niches].delete(niche)


class NicheChangesContract:
    async def test_name_description_and_icon_of_an_own_niche_are_stored(self, unit_of_work: UnitOfWork) -> None:
        niche = await given_own_niche(unit_of_work)
        assert niche.tenant_id is not None
        changed = evolve(niche, name="Boats", description="On water", icon="⛵")
        for stored in (changed, niche):
            async with unit_of_work() as tx:
                await tx[Niches].save(stored)
            async with unit_of_work() as tx:
                assert await tx[Niches].get(niche.tenant_id, niche.id) == stored

    async def test_another_tenants_niche_and_a_preconfigured_one_are_neither_saved_nor_deleted(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        theirs, everybodys = builders.niche(tenant_id=other.id), builders.niche()
        await given(unit_of_work, theirs, everybodys)
        for foreign in (evolve(theirs, tenant_id=tenant.id), evolve(everybodys, tenant_id=tenant.id)):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[Niches].save(evolve(foreign, name="Mine"))
            with pytest.raises(NotFound):
                await delete(unit_of_work, foreign)
        async with unit_of_work() as tx:
            assert await tx[Niches].get(other.id, theirs.id) == theirs
            assert await tx[Niches].get(other.id, everybodys.id) == everybodys

    async def test_only_a_tenants_own_niches_are_counted(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        owners = (tenant.id, tenant.id, other.id, None)
        await given(unit_of_work, *(builders.niche(tenant_id=owner) for owner in owners))
        async with unit_of_work() as tx:
            assert await tx[Niches].count_custom(tenant.id) == 2

    async def test_an_empty_niche_is_deleted_with_what_belongs_to_it_alone(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        niche = builders.niche(tenant_id=tenant.id, niche_key="boats")
        longer = builders.niche(tenant_id=tenant.id, niche_key="boats-xx")
        await given(unit_of_work, niche, longer)
        areas = [Area("boats"), Area("boats", "GB"), Area("boats-xx"), Area("boats-xx", "GB")]
        async with unit_of_work() as tx:
            for one in (niche, longer):
                await tx[Niches].set_activation(tenant.id, one, builders.activation())
                await tx[Niches].set_preferences(tenant.id, one.niche_key, NichePreferences(False, {"a": 1}))
            for area in areas:
                await tx[TopicCoverages].add(builders.topic_coverage(tenant_id=tenant.id, area=area))
                await tx[Overview].save_curation(Curation(tenant.id, str(area), MOMENT, "state"))
        await delete(unit_of_work, niche)
        with pytest.raises(NotFound):
            await delete(unit_of_work, niche)
        await given(unit_of_work, evolve(builders.niche(tenant_id=tenant.id), niche_key="boats"))
        async with unit_of_work() as tx:
            again = await tx[Niches].get(tenant.id, "boats")
            assert (again.activation, again.websearch_premium) == (None, True)
            assert await tx[Niches].preferences(tenant.id, "boats") == NichePreferences()
            kept = await tx[Niches].get(tenant.id, "boats-xx")
            assert (kept.activation, kept.websearch_premium) == (builders.activation(), False)
            assert [await tx[TopicCoverages].find(tenant.id, area) is None for area in areas] == [True] * 2 + [
                False
            ] * 2
            curations = [await tx[Overview].curation(tenant.id, str(area)) for area in areas]
            assert [curation is None for curation in curations] == [True] * 2 + [False] * 2

    async def test_a_niche_in_use_stays_and_says_what_uses_it(self, unit_of_work: UnitOfWork) -> None:
        niche = await given_own_niche(unit_of_work)
        tenant_id, key = niche.tenant_id, niche.niche_key
        document = builders.kb_document(scope=KbScope(key, tenant_id, "GB"))
        passages = [builders.passage(document, chunk_index=n) for n in range(3)]
        await given(unit_of_work, builders.agent(tenant_id=tenant_id, key=AgentKey(key, "GB")))
        await given(unit_of_work, *(builders.article(tenant_id=tenant_id, niche_key=key) for _ in range(2)))
        await given(unit_of_work, (document, passages))
        with pytest.raises(NicheInUse) as refused:
            await delete(unit_of_work, niche)
        assert refused.value.uses == NicheUses(agents=1, articles=2, documents=1, passages=3)
        async with unit_of_work() as tx:
            assert await tx[Niches].get(TenantId(str(tenant_id)), key) == niche

    async def test_a_schedule_that_is_on_is_counted_and_alone_goes_with_its_niche(
        self, unit_of_work: UnitOfWork
    ) -> None:
        niche = await given_own_niche(unit_of_work)
        tenant_id = niche.tenant_id
        assert tenant_id is not None
        agent = builders.agent(tenant_id=tenant_id, key=AgentKey(niche.niche_key, "GB"))
        await given(unit_of_work, agent)
        schedule = ArticleSchedule(tenant_id, niche.id, UserId(builders.new_id()))
        for next_fire_at, counted in ((None, 0), (LATER, 1)):
            async with unit_of_work() as tx:
                schedule = await tx[ArticleSchedules].save(evolve(schedule, next_fire_at=next_fire_at))
            with pytest.raises(NicheInUse) as refused:
                await delete(unit_of_work, niche)
            assert refused.value.uses == NicheUses(agents=1, schedules=counted)
        async with unit_of_work() as tx:
            await tx[Agents].delete(tenant_id, agent.id)
        await delete(unit_of_work, niche)
        async with unit_of_work() as tx:
            assert await tx[ArticleSchedules].find(tenant_id, niche.id) is None
            assert await tx[ArticleSchedules].due(LATER, LATER, 10) == []

    async def test_what_others_have_under_the_same_key_is_no_use(self, unit_of_work: UnitOfWork) -> None:
        niche = await given_own_niche(unit_of_work)
        other, key = await given_tenant(unit_of_work), niche.niche_key
        document = builders.kb_document(scope=KbScope(key, other.id))
        await given(unit_of_work, builders.agent(tenant_id=other.id, key=AgentKey(key, "GB")))
        await given(unit_of_work, builders.article(tenant_id=other.id, niche_key=key))
        await given(unit_of_work, (document, [builders.passage(document)]))
        await delete(unit_of_work, niche)

    async def test_documents_that_were_removed_are_no_use(self, unit_of_work: UnitOfWork) -> None:
        niche = await given_own_niche(unit_of_work)
        document = builders.kb_document(scope=KbScope(niche.niche_key, niche.tenant_id))
        await given(unit_of_work, (document, [builders.passage(document)]))
        async with unit_of_work() as tx:
            await tx[Knowledge].remove([document.id])
        await delete(unit_of_work, niche)

    async def test_a_deletion_waits_for_transactions_that_locked_the_niche_and_sees_what_they_stored(
        self, unit_of_work: UnitOfWork
    ) -> None:
        niche = await given_own_niche(unit_of_work)
        assert niche.tenant_id is not None
        held = asyncio.Event()

        async def use(tenant_id: TenantId) -> None:
            async with unit_of_work() as tx:
                await tx[Niches].lock(tenant_id, niche.niche_key)
                held.set()
                await asyncio.sleep(0.1)
                await tx[Articles].add(builders.article(tenant_id=tenant_id, niche_key=niche.niche_key))

        using = asyncio.create_task(use(niche.tenant_id))
        await held.wait()
        with pytest.raises(NicheInUse):
            await delete(unit_of_work, niche)
        await using

    async def test_of_a_deletion_and_its_uses_at_the_same_time_one_side_wins(self, unit_of_work: UnitOfWork) -> None:
        niche = await given_own_niche(unit_of_work)
        tenant_id = niche.tenant_id
        assert tenant_id is not None

        async def use() -> None:
            async with unit_of_work() as tx:
                await tx[Niches].lock(tenant_id, niche.niche_key)
                await tx[Articles].add(builders.article(tenant_id=tenant_id, niche_key=niche.niche_key))

        *uses, deletion = await asyncio.gather(*(use() for _ in range(6)), delete(unit_of_work, niche),
                                               return_exceptions=True)  # fmt: skip
        async with unit_of_work() as tx:
            counts = await tx[Articles].count_by_status(tenant_id, niche.niche_key)
        stored = sum(counts.values())
        if deletion is None:
            assert all(isinstance(outcome, NotFound) for outcome in uses)
            assert stored == 0
        else:
            assert isinstance(deletion, NicheInUse)
            assert uses == [None] * 6
            assert stored == 6

    async def test_what_is_not_there_cannot_be_held(self, unit_of_work: UnitOfWork) -> None:
        niche = await given_own_niche(unit_of_work)
        other, everybodys = await given_tenant(unit_of_work), builders.niche()
        await given(unit_of_work, everybodys)
        async with unit_of_work() as tx:
            await tx[Niches].lock(other.id, everybodys.niche_key)
        for key in (niche.niche_key, "nothing", "\0"):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[Niches].lock(other.id, key)

    async def test_preferences_are_kept_for_each_tenant_and_in_their_order(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        niche = builders.niche()
        await given(unit_of_work, niche)
        settings = {"zebra": [1, 2.5, None, True], "a": {"b": "ü", "aa": {}}, "": "x", "large": 2**63, "whole": 1.0}
        async with unit_of_work() as tx:
            await tx[Niches].set_preferences(
                tenant.id, niche.niche_key, NichePreferences(False, settings, ai_mark=True)
            )
        async with unit_of_work() as tx:
            kept = await tx[Niches].preferences(tenant.id, niche.niche_key)
            assert kept == NichePreferences(False, settings, ai_mark=True)
            assert list(kept.settings) == list(settings)
            assert (await tx[Niches].get(tenant.id, niche.id)).websearch_premium is False
            assert [one.websearch_premium for one in await tx[Niches].list(tenant.id)] == [False]
            assert (await tx[Niches].get(other.id, niche.id)).websearch_premium is True
            assert await tx[Niches].preferences(other.id, niche.niche_key) == NichePreferences()
        async with unit_of_work() as tx:
            await tx[Niches].set_preferences(tenant.id, niche.niche_key, NichePreferences())
            assert await tx[Niches].preferences(tenant.id, niche.niche_key) == NichePreferences()

    async def test_articles_of_a_niche_are_counted_by_status(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        for owner, key, status in (
            (tenant, "boats", ArticleStatus.DRAFT),
            (tenant, "boats", ArticleStatus.DRAFT),
            (tenant, "boats", ArticleStatus.PUBLISHED),
            (tenant, "cars", ArticleStatus.FAILED),
            (other, "boats", ArticleStatus.GENERATED),
        ):
            await given(unit_of_work, builders.article(tenant_id=owner.id, niche_key=key, status=status))
        async with unit_of_work() as tx:
            counted = await tx[Articles].count_by_status(tenant.id, "boats")
            assert counted == {ArticleStatus.DRAFT: 2, ArticleStatus.PUBLISHED: 1}
            assert await tx[Articles].count_by_status(tenant.id, "trains") == {}


class NicheRequestsContract:
    def request(self, tenant_id: TenantId, name: str, **more: object) -> NicheRequest:
        fields = {"id": NicheRequestId(builders.new_id()), "tenant_id": tenant_id, "name": name, "created_at": MOMENT}
        return NicheRequest(**{**fields, **more})  # type: ignore[arg-type]

    async def test_requests_of_all_tenants_are_listed_newest_first(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        first = self.request(tenant.id, "Boats", description="On water")
        second, third = self.request(other.id, "Boats"), self.request(tenant.id, "Cars", created_at=LATER)
        for request in (third, first, second):
            async with unit_of_work() as tx:
                assert await tx[NicheRequests].put(request, 10) == request.id
        async with unit_of_work() as tx:
            assert await tx[NicheRequests].list(10) == [third, second, first]
            assert await tx[NicheRequests].list(1) == [third]

    async def test_a_request_of_the_same_name_is_the_same(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        first = self.request(tenant.id, "Café au lait")
        async with unit_of_work() as tx:
            await tx[NicheRequests].put(first, 1)
        for description, kept in ((None, None), ("With milk", "With milk"), (None, "With milk")):
            again = self.request(tenant.id, "CAFE\u0301  au LAIT", description=description, created_at=LATER)
            async with unit_of_work() as tx:
                assert await tx[NicheRequests].put(again, 1) == first.id
            async with unit_of_work() as tx:
                assert await tx[NicheRequests].list(10) == [evolve(first, description=kept)]

    async def test_one_request_too_many_is_refused_also_at_the_same_time(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)

        async def put(n: int) -> None:
            async with unit_of_work() as tx:
                await tx[NicheRequests].put(self.request(tenant.id, f"Niche {n}"), 3)

        outcomes = await asyncio.gather(*(put(n) for n in range(8)), return_exceptions=True)
        assert sum(outcome is None for outcome in outcomes) == 3
        assert all(outcome is None or isinstance(outcome, Conflict) for outcome in outcomes)
        async with unit_of_work() as tx:
            assert len(await tx[NicheRequests].list(10)) == 3

    async def test_a_request_of_an_unknown_tenant_is_refused(self, unit_of_work: UnitOfWork) -> None:
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[NicheRequests].put(self.request(TenantId("nobody"), "Boats"), 3)


class AgentChangesContract:
    @alien_ids
    async def test_an_alien_agent_id_or_key_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        await given(unit_of_work, builders.niche(niche_key=builders.NICHE_KEY), builders.agent(tenant_id=tenant.id))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Agents].get(tenant.id, alien)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Agents].delete(tenant.id, AgentId(alien))

    async def test_an_agent_is_found_by_its_id_and_by_its_key(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        niche = builders.niche()
        key = AgentKey(niche.niche_key, "GB")
        own, system = builders.agent(tenant_id=tenant.id, key=key, websearch_premium=False), builders.agent(key=key)
        await given(unit_of_work, niche, own, system)
        async with unit_of_work() as tx:
            await tx[Niches].set_activation(tenant.id, niche, builders.activation())
        async with unit_of_work() as tx:
            assert await tx[Agents].get(tenant.id, own.id) == own
            assert await tx[Agents].get(tenant.id, str(key)) == own
            assert await tx[Agents].get(tenant.id, system.id) == system
        for named in (own.id, system.id, str(key)):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[Agents].get(other.id, named)

    async def test_a_changed_agent_is_stored_but_for_its_key_and_its_creation(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        agent = builders.agent(tenant_id=tenant.id)
        await given(unit_of_work, builders.niche(niche_key=agent.key.niche_key), agent)
        changed = evolve(agent, name="Erin", enabled=False, websearch_premium=False, updated_at=LATER)
        async with unit_of_work() as tx:
            await tx[Agents].save(evolve(changed, key=AgentKey("boats", "FR"), created_at=LATER))
        async with unit_of_work() as tx:
            assert await tx[Agents].get(tenant.id, agent.id) == changed

    async def test_only_its_owner_saves_or_deletes_an_agent(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        niche = builders.niche()
        key = AgentKey(niche.niche_key, "GB")
        own, system = builders.agent(tenant_id=tenant.id, key=key), builders.agent(key=key)
        await given(unit_of_work, niche, own, system)
        for agent, stranger in ((own, other.id), (own, None), (system, tenant.id)):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[Agents].save(evolve(agent, tenant_id=stranger, name="Mine"))
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[Agents].delete(stranger, agent.id)
        async with unit_of_work() as tx:
            assert await tx[Agents].get(tenant.id, own.id) == own
            assert await tx[Agents].list_system(10) == [system]
            await tx[Agents].delete(tenant.id, own.id)
            await tx[Agents].delete(None, system.id)
        async with unit_of_work() as tx:
            assert await tx[Agents].find(tenant.id, key) is None
            assert await tx[Agents].list_system(10) == []
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Agents].delete(tenant.id, own.id)

    async def test_articles_outlive_their_agent(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        agent = builders.agent(tenant_id=tenant.id)
        article = builders.article(tenant_id=tenant.id, agent_key=agent.key)
        await given(unit_of_work, builders.niche(niche_key=agent.key.niche_key), agent, article)
        async with unit_of_work() as tx:
            await tx[Agents].delete(tenant.id, agent.id)
        async with unit_of_work() as tx:
            assert await tx[Articles].get(tenant.id, article.id) == article

    async def test_system_agents_are_listed_by_key_up_to_a_limit(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        cars, boats_gb, boats_fr = (
            builders.agent(key=AgentKey(*key)) for key in (("cars", "FR"), ("boats", "GB"), ("boats", "FR"))
        )
        await given(unit_of_work, cars, boats_gb, builders.agent(tenant_id=tenant.id), boats_fr)
        async with unit_of_work() as tx:
            assert await tx[Agents].list_system(10) == [boats_fr, boats_gb, cars]
            assert await tx[Agents].list_system(2) == [boats_fr, boats_gb]
