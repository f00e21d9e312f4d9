"""Topic coverage from end to end: what it finds, one run at a time, freshness by the plan, failures and crashes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput, NotFound, NotPermitted, ProviderFailed
from contentgen_core.model.area import Area
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.model.tenant import Caller, PlanName, Quota, Role
from contentgen_core.model.topic_coverage import ComputationStatus as Status
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from contentgen_core.use_cases.topic_coverage import compute
from tests.support.house import AGENT, COVERED, NICHE, House, findable, open_house
from tests.support.mortal import died_after


async def read(house: House, caller: Caller | None = None, **named: Any) -> TopicCoverage:
    named = named or {"niche_key": NICHE}
    return await house.services.knowledge.topic_coverages.read(
        caller or house.caller, named.get("agent_key"), named.get("niche_key")
    )


async def recompute(house: House, caller: Caller | None = None, **named: Any) -> TopicCoverage:
    named = named or {"niche_key": NICHE}
    return await house.services.knowledge.topic_coverages.recompute(
        caller or house.caller, named.get("agent_key"), named.get("niche_key")
    )


async def computed(house: House, **named: Any) -> TopicCoverage:
    await recompute(house, **named)
    await house.work()
    coverage = await read(house, **named)
    assert coverage.status is Status.READY, coverage.error
    return coverage


# -------------------------------------------------------------------------------------------------- from end to end


async def test_topics_come_from_keywords_articles_and_the_knowledge_base() -> None:
    async with open_house() as house:
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(builders.article("Underfloor cooling", tenant_id=house.caller.tenant_id))
        names = {topic.name for topic in (await computed(house)).topics}
        assert {"insulation", "Underfloor cooling", "Sizing heat pumps"} <= names


async def test_topics_also_come_from_the_groups_that_entities_form() -> None:
    async with open_house() as house:
        texts = [f"The Zirkon boiler is lit by hand {n} times. The Zirkon boiler burns pellets." for n in range(4)]
        sources = [SourceText(f"z{n}", f"Notes {n}", text) for n, text in enumerate(texts)]
        await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), sources)
        await findable(house.services)
        strongest = (await house.services.knowledge.overview.entities(house.caller, NICHE, 3)).entities[0].name
        assert strongest in {topic.name for topic in (await computed(house)).topics}


async def test_a_topic_is_covered_where_a_check_for_a_standard_article_says_good() -> None:
    async with open_house() as house:
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(builders.article(COVERED, tenant_id=house.caller.tenant_id))
        coverage = await computed(house)
        by_name = {topic.name: topic for topic in coverage.topics}
        assert by_name[COVERED].covered
        assert not by_name["electric vehicle"].covered
        assert by_name[COVERED].heat > by_name["electric vehicle"].heat
        retrieve = house.services.writing.check_coverage.retrieve
        async with house.services.ports.unit_of_work() as tx:
            activation = (await tx[Niches].get(house.caller.tenant_id, NICHE)).activation
        assert activation is not None
        view = KbView(NICHE, house.caller.tenant_id, frozenset(activation.countries))
        for topic in coverage.topics:
            checked = (await retrieve(view, topic.name, 20)).coverage(ArticleLength.STANDARD)
            assert topic.covered == (checked.level in ("good", "excellent"))
        heats = [topic.heat for topic in coverage.topics]
        assert heats == sorted(heats, reverse=True)


async def test_an_agent_sees_its_country_and_the_niche_all_of_them() -> None:
    async with open_house() as house:
        await house.services.agents.niches.activate(
            ActivateNicheCommand(house.caller, NICHE, ("professional",), ("en",), ("FR",))
        )
        only_there = KbScope(NICHE, house.caller.tenant_id, "FR")
        text = "Geothermal drilling permits are issued by the prefecture. Geothermal drilling needs a permit."
        await house.services.knowledge.import_sources(
            only_there, [SourceText("fr", "Geothermal drilling permits", text)]
        )
        await findable(house.services)

        async def names(**named: str) -> set[str]:
            return {topic.name for topic in (await computed(house, **named)).topics}

        assert "Geothermal drilling permits" in await names(niche_key=NICHE)
        assert "Geothermal drilling permits" in await names(agent_key="home-energy-FR")
        assert "Geothermal drilling permits" not in await names(agent_key=AGENT)


async def test_nothing_of_another_tenant_becomes_a_topic() -> None:
    async with open_house() as house:
        other = await house.other_tenant()
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(builders.article("Secret plans", tenant_id=other.tenant_id))
        names = {topic.name for topic in (await computed(house)).topics}
        assert "Secret plans" not in names
        assert (await read(house, other)).topics == ()


async def test_no_quota_is_spent() -> None:
    async with open_house() as house:
        await computed(house)
        quotas = await house.services.people.tenant.quotas(house.caller)
        assert quotas[Quota.COVERAGE_CHECKS].used == 0


# ------------------------------------------------------------------------------------------- refused, and who may


@pytest.mark.parametrize(
    ("named", "error"),
    [
        ({"agent_key": None}, InvalidInput),
        ({"agent_key": "nope"}, InvalidInput),
        ({"agent_key": AGENT, "niche_key": "ecommerce"}, NotFound),
        ({"agent_key": "home-energy-FR"}, NotFound),
        ({"niche_key": "nope"}, NotFound),
        ({"niche_key": "ecommerce"}, NotFound),
    ],
)
async def test_an_area_has_to_be_named_and_in_use(named: dict[str, Any], error: type[Exception]) -> None:
    async with open_house() as house:
        for ask in (read, recompute):
            with pytest.raises(error):
                await ask(house, **named)
        assert await house.work() == 0


async def test_an_agent_of_another_niche_than_named_is_refused() -> None:
    async with open_house() as house:
        await house.services.agents.niches.activate(
            ActivateNicheCommand(house.caller, "ecommerce", ("professional",), ("en",), ("GB",))
        )
        with pytest.raises(InvalidInput):
            await read(house, agent_key=AGENT, niche_key="ecommerce")
        assert (await read(house, agent_key=AGENT, niche_key=NICHE)).area == Area(NICHE, "GB")


async def test_a_viewer_reads_and_so_refreshes_but_does_not_recompute() -> None:
    async with open_house() as house:
        viewer = evolve(house.caller, role=Role.VIEWER)
        with pytest.raises(NotPermitted):
            await recompute(house, viewer)
        assert (await read(house, viewer)).status is Status.IDLE
        await house.work()
        assert (await read(house, viewer)).status is Status.READY


# ---------------------------------------------------------------------------------------------------- one run at a time


async def test_the_first_reading_is_idle_and_starts_the_run_the_next_ones_see() -> None:
    async with open_house() as house:
        first = await read(house)
        assert (first.status, first.started_at, first.topics) == (Status.IDLE, MOMENT, ())
        second = await read(house)
        assert (second.status, second.started_at) == (Status.COMPUTING, MOMENT)
        assert await house.work() == 1
        assert (await read(house)).status is Status.READY
        assert await house.work() == 0


async def test_a_second_start_while_computing_is_the_same_run() -> None:
    async with open_house() as house:
        first = await recompute(house)
        house.clock.advance(minutes=1)
        second = await recompute(house)
        assert (first.status, first.started_at, first.job_id) == (Status.COMPUTING, MOMENT, second.job_id)
        assert second.started_at == MOMENT
        assert await house.work() == 1


async def test_many_starts_and_readings_at_once_make_one_run_an_area() -> None:
    async with open_house() as house:
        asked = [ask(house, **named) for _ in range(6) for ask in (recompute, read)
                 for named in ({"niche_key": NICHE}, {"agent_key": AGENT})]  # fmt: skip
        answers = await asyncio.gather(*asked)
        assert len({answer.id for answer in answers}) == 2
        assert all(answer.started_at == MOMENT for answer in answers)
        assert await house.work() == 2


async def test_a_recompute_sees_what_came_in_since_and_shows_the_former_topics_meanwhile() -> None:
    async with open_house() as house:
        before = await computed(house)
        text = "Ventilation with heat recovery keeps the heat. Ventilation with heat recovery saves energy."
        scope = KbScope(NICHE, house.caller.tenant_id)
        await house.services.knowledge.import_sources(scope, [SourceText("v", "Ventilation with heat recovery", text)])
        await findable(house.services)
        await recompute(house)
        meanwhile = await read(house)
        assert (meanwhile.status, meanwhile.topics) == (Status.COMPUTING, before.topics)
        await house.work()
        after = await read(house)
        assert "Ventilation with heat recovery" in {topic.name for topic in after.topics}


# -------------------------------------------------------------------------------------------------------- freshness


@pytest.mark.parametrize("plan", PlanName)
async def test_a_result_is_refreshed_by_a_reading_once_it_is_as_old_as_the_plan_says(plan: PlanName) -> None:
    async with open_house() as house:
        caller = house.on_plan(plan)
        before = await computed(house)
        freshness = PLANS[plan].topic_coverage_freshness
        house.clock.advance(seconds=freshness.total_seconds() - 1)
        assert (await read(house, caller)).status is Status.READY
        assert await house.work() == 0
        house.clock.advance(seconds=1)
        stale = await read(house, caller)
        assert (stale.status, stale.topics, stale.computed_at) == (Status.COMPUTING, before.topics, MOMENT)
        assert await house.work() == 1
        fresh = await read(house, caller)
        assert (fresh.status, fresh.computed_at) == (Status.READY, house.clock.now())


# ---------------------------------------------------------------------------------------------------------- failures


async def test_a_failure_says_why_keeps_the_former_topics_and_is_tried_again_after_a_while() -> None:
    async with open_house() as house:
        before = await computed(house)

        def refuse(method: str, position: int) -> None:
            raise ProviderFailed("scripted", "no such model", retryable=False)

        house.model.before = refuse
        await recompute(house)
        await house.work()
        failed = await read(house)
        assert (failed.status, failed.topics, failed.computed_at) == (Status.FAILED, before.topics, MOMENT)
        assert "no such model" in (failed.error or "")
        assert await house.work() == 0, "a failure is left alone for a while"
        house.model.before = lambda method, position: None
        house.clock.advance(minutes=15)
        assert (await read(house)).status is Status.COMPUTING
        await house.work()
        assert (await read(house)).status is Status.READY


async def test_what_fails_for_the_moment_is_tried_three_times() -> None:
    async with open_house() as house:

        def away(method: str, position: int) -> None:
            raise ProviderFailed("scripted", "overloaded", retryable=True)

        house.model.before = away
        await recompute(house)
        for attempt in range(3):
            assert await house.work() == 1
            expected = Status.COMPUTING if attempt < 2 else Status.FAILED
            assert (await read(house)).status is expected
            house.clock.advance(seconds=20)


async def test_a_niche_that_is_given_up_meanwhile_ends_the_run() -> None:
    async with open_house() as house:
        await recompute(house)
        await house.services.agents.niches.deactivate(house.caller, NICHE)
        await house.work()
        async with house.services.ports.unit_of_work() as tx:
            coverage = await tx[TopicCoverages].find(house.caller.tenant_id, Area(NICHE))
        assert coverage is not None
        assert coverage.status is Status.FAILED
        assert NICHE in (coverage.error or "")


async def test_a_process_that_dies_at_any_transaction_is_replaced_and_what_was_assessed_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compute, "BATCH", 3)
    kept: set[int] = set()
    expected: TopicCoverage | None = None
    for transactions in range(100):
        async with open_house() as house:
            await recompute(house)
            [job] = await house.claim("w1")
            died = await died_after(house, transactions, job)
            meanwhile = await read(house)
            assert meanwhile.topics == () or not died
            kept.add(len(meanwhile.assessed))
            seeded = meanwhile.candidates is not None or not died
            house.clock.advance(seconds=31)
            before = house.model.calls["suggest_topics"]
            await house.work("w2")
            assert house.model.calls["suggest_topics"] == before + (not seeded)
            coverage = await read(house)
            assert coverage.status is Status.READY
            expected = expected or coverage
            assert coverage.topics == expected.topics
            assert await house.work("w3") == 0
            if not died:
                break
    else:
        pytest.fail("no process lived to the end")
    assert {0, 3, 6} <= kept, "the process died before, between and after batches"


async def test_a_worker_that_lost_the_job_changes_nothing() -> None:
    async with open_house() as house:
        await recompute(house)
        [late] = await house.claim("w1")
        house.clock.advance(seconds=31)
        await house.work("w2")
        ready = await read(house)
        await house.services.jobs.compute_topic_coverage(late)
        assert await read(house) == ready
