"""Article schedules from end to end: setting them, and firing each run once whatever happens."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput, NicheNotActivated, NotFound, NotPermitted
from contentgen_core.model.agent_event import AgentEventKind
from contentgen_core.model.execution import Execution, ExecutionStatus, RunFault, Trigger
from contentgen_core.model.governance import Criterion
from contentgen_core.model.ids import NicheId
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.tenant import Caller, PlanName, Quota, Role
from contentgen_core.policies.tenancy.quotas import month_window
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from tests.support.house import NICHE, House, open_house

# MOMENT is a Tuesday at noon.
DAILY: dict[str, Any] = {
    "enabled": True, "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "hour": 9, "timeZone": "UTC",
}  # fmt: skip
NEXT = datetime(2026, 3, 11, 9, tzinfo=UTC)
DAY = timedelta(days=1)


async def change(house: House, changes: dict[str, Any], caller: Caller | None = None) -> ArticleSchedule:
    return await house.services.agents.article_schedules.change(caller or house.caller, NICHE, changes)


async def read(house: House) -> ArticleSchedule:
    return await house.services.agents.article_schedules.read(house.caller, NICHE)


async def fire(house: House) -> None:
    await house.services.upkeep.fire_schedules.fire_due()


async def runs(house: House, agent: str = "home-energy-GB", caller: Caller | None = None) -> list[Execution]:
    """Oldest first."""
    found = await house.services.agents.executions(caller or house.caller, agent, 100)
    return list(reversed(found.executions))


async def moments(house: House) -> list[datetime | None]:
    return [run.fire_at for run in await runs(house)]


async def at_work(house: House) -> int:
    """How many runs wait for a worker; each is ended, so that the agent is free for the next one."""
    jobs = await house.claim()
    for job in jobs:
        async with house.services.ports.unit_of_work() as tx:
            [run] = [run for run in await runs(house) if run.id == job.subject_id] or [None]
            if run is not None:
                await tx[Executions].save(run.running(house.clock.now()).completed(house.clock.now()))
            await tx[Jobs].finish(job)
    return len(jobs)


# ---------------------------------------------------------------------------------------------------------- setting


async def test_a_niche_begins_without_a_schedule_and_keeps_what_is_set() -> None:
    async with open_house() as house:
        assert (await read(house)).settings == {}
        assert (await read(house)).next_fire_at is None
        schedule = await change(house, {**DAILY, "note": "mine"})
        assert schedule.next_fire_at == NEXT
        assert await read(house) == schedule
        assert (await change(house, {"note": None})).settings == DAILY


async def test_the_next_run_moves_with_days_time_and_zone_alone() -> None:
    async with open_house() as house:
        await change(house, DAILY)
        house.clock.set(NEXT)
        assert (await change(house, {"articlesPerRun": 3, "autopublish": True})).next_fire_at == NEXT
        assert (await change(house, {"hour": 15})).next_fire_at == NEXT.replace(hour=15)
        assert (await change(house, {"timeZone": "Europe/Paris"})).next_fire_at == NEXT.replace(hour=14)
        assert (await change(house, {"enabled": False})).next_fire_at is None
        assert (await change(house, {"enabled": True})).next_fire_at == NEXT.replace(hour=14)


async def test_a_schedule_is_refused_for_its_faults_the_role_and_the_niche() -> None:
    async with open_house() as house:
        viewer = evolve(house.caller, role=Role.VIEWER)
        with pytest.raises(InvalidInput):
            await change(house, {"enabled": "yes"}, viewer)
        with pytest.raises(NotPermitted):
            await change(house, DAILY, viewer)
        for niche, error in (("ecommerce", NicheNotActivated), ("nope", NotFound)):
            with pytest.raises(error):
                await house.services.agents.article_schedules.change(house.caller, niche, DAILY)
            with pytest.raises(error):
                await house.services.agents.article_schedules.read(viewer, niche)
        assert (await read(house)).settings == {}


async def test_each_tenant_has_its_own() -> None:
    async with open_house() as house:
        other = await house.other_tenant()
        await change(house, DAILY)
        assert (await house.services.agents.article_schedules.read(other, NICHE)).settings == {}


async def test_changes_at_the_same_time_are_all_made() -> None:
    async with open_house() as house:
        await asyncio.gather(*(change(house, {f"key{n}": n}) for n in range(4)))
        assert (await read(house)).settings == {f"key{n}": n for n in range(4)}


# ---------------------------------------------------------------------------------------------------------- firing


async def test_a_run_begins_when_its_time_has_come_and_not_before() -> None:
    async with open_house() as house:
        await change(house, {**DAILY, "articlesPerRun": 3, "autopublish": True})
        house.clock.set(NEXT - timedelta(seconds=1))
        await fire(house)
        assert await runs(house) == []
        house.clock.set(NEXT)
        await fire(house)
        [run] = await runs(house)
        assert (run.status, run.trigger, run.fire_at) == (ExecutionStatus.QUEUED, Trigger.SCHEDULE, NEXT)
        assert (run.requested, run.autopublish, run.created_by) == (3, True, house.caller.user_id)
        assert (await read(house)).next_fire_at == NEXT + DAY
        assert await at_work(house) == 1


async def test_eight_that_fire_at_once_start_one_run_each_day() -> None:
    async with open_house() as house:
        await change(house, DAILY)
        for day in range(3):
            house.clock.set(NEXT + day * DAY)
            await asyncio.gather(*(fire(house) for _ in range(8)))
            assert await at_work(house) == 1
        assert await moments(house) == [NEXT, NEXT + DAY, NEXT + 2 * DAY]


async def test_every_own_agent_that_is_on_runs_and_no_other() -> None:
    async with open_house() as house:
        countries = ("FR", "DE")
        command = ActivateNicheCommand(house.caller, NICHE, ("professional",), ("en",), countries)
        await house.services.agents.niches.activate(command)
        other = await house.other_tenant()
        await change(house, DAILY)
        house.clock.set(NEXT)
        await fire(house)
        for agent in ("home-energy-GB", "home-energy-FR", "home-energy-DE"):
            assert len(await runs(house, agent)) == 1
        assert await runs(house, caller=other) == []


@pytest.mark.parametrize("hours", [25, 24 * 10, 24 * 400])
async def test_after_an_outage_the_latest_missed_run_is_made_up_for(hours: int) -> None:
    async with open_house() as house:
        await change(house, DAILY)
        house.clock.set(NEXT + timedelta(hours=hours))
        await fire(house)
        await fire(house)
        latest = NEXT + timedelta(days=hours // 24)
        assert await moments(house) == [latest]
        assert await at_work(house) == 1
        house.clock.set(latest + DAY)
        await fire(house)
        assert await moments(house) == [latest, latest + DAY]


async def test_a_clock_that_goes_back_fires_nothing_again() -> None:
    async with open_house() as house:
        await change(house, DAILY)
        house.clock.set(NEXT)
        await fire(house)
        await at_work(house)
        house.clock.set(NEXT - timedelta(hours=2))
        for _ in range(4):
            await fire(house)
            house.clock.advance(hours=1)
        assert await moments(house) == [NEXT]
        house.clock.set(NEXT - timedelta(hours=2))
        assert (await change(house, {"minute": 1})).next_fire_at == NEXT + timedelta(minutes=1)
        assert (await change(house, {"minute": 0})).next_fire_at == NEXT, "set anew by the clock that went back"
        house.clock.set(NEXT)
        await fire(house)
        assert await moments(house) == [NEXT]


async def test_a_clock_that_jumps_ahead_fires_once_and_a_schedule_that_it_lost_comes_back() -> None:
    async with open_house() as house:
        await change(house, DAILY)
        house.clock.set(NEXT + 365 * DAY)
        for _ in range(3):
            await fire(house)
        assert await moments(house) == [NEXT + 365 * DAY]
        await at_work(house)
        house.clock.set(MOMENT)
        await fire(house)
        assert (await read(house)).next_fire_at == NEXT
        house.clock.set(NEXT)
        await fire(house)
        assert set(await moments(house)) == {NEXT, NEXT + 365 * DAY}


async def test_nothing_fires_in_a_niche_that_is_not_used_or_for_agents_that_are_off() -> None:
    async with open_house() as house:
        await change(house, DAILY)
        house.clock.set(NEXT)
        await house.services.agents.niches.deactivate(house.caller, NICHE)
        await fire(house)
        await house.activate(house.caller)
        await fire(house)
        assert await runs(house) == [], "the moment has passed"
        assert (await read(house)).next_fire_at == NEXT + DAY
        async with house.services.ports.unit_of_work() as tx:
            await tx[Agents].set_enabled(house.caller.tenant_id, NICHE, False, house.clock.now())
        house.clock.set(NEXT + DAY)
        await fire(house)
        assert await runs(house) == []


async def test_a_tenant_without_an_article_left_is_told_so() -> None:
    async with open_house(PlanName.FREE) as house:
        await change(house, DAILY)
        house.clock.set(NEXT)
        async with house.services.ports.unit_of_work() as tx:
            for _ in range(3):
                await tx[Quotas].consume(house.caller.tenant_id, Quota.ARTICLES, month_window(NEXT), 3)
        await fire(house)
        [run] = await runs(house)
        assert (run.status, run.articles, run.completed_at) == (ExecutionStatus.FAILED, (), NEXT)
        assert [error.code for error in run.errors] == [RunFault.QUOTA_EXCEEDED]
        assert "3 articles a month" in run.errors[0].reason
        assert await house.claim() == []
        async with house.services.ports.unit_of_work() as tx:
            *_, event = await tx[AgentEvents].after(house.caller.tenant_id, 0, 10)
        assert (event.kind, event.execution_id) == (AgentEventKind.EXECUTION_FAILED, run.id)
        assert "3 articles a month" in (event.error or "")


async def test_an_agent_whose_last_run_goes_on_is_not_started_again() -> None:
    async with open_house() as house:
        await change(house, DAILY)
        for day in range(2):
            house.clock.set(NEXT + day * DAY)
            await fire(house)
        first, second = await runs(house)
        assert first.status is ExecutionStatus.QUEUED
        assert second.status is ExecutionStatus.FAILED
        assert [error.code for error in second.errors] == [RunFault.RUN_UNDER_WAY]
        assert len(await house.claim()) == 1


async def test_a_schedule_that_cannot_be_fired_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:
        await change(house, DAILY)
        other = await house.other_tenant()
        await change(house, {**DAILY, "timeZone": "Europe/Kyiv", "hour": 11}, other)
        house.clock.set(NEXT)
        firing = house.services.upkeep.fire_schedules

        class Torn:
            names = firing.time_zones.names

            def zone(self, name: str) -> Any:
                if name == "UTC":
                    raise LookupError(name)
                return firing.time_zones.zone(name)

        with pytest.raises(LookupError):
            await evolve(firing, time_zones=Torn()).fire_due()
        assert await runs(house) == []
        assert len(await runs(house, caller=other)) == 1
        await fire(house)
        assert len(await runs(house)) == 1


async def test_more_schedules_than_are_looked_at_together_are_all_fired() -> None:
    async with open_house() as house:
        others = [await house.other_tenant() for _ in range(60)]
        for caller in others:
            await change(house, DAILY, caller)
        house.clock.set(NEXT)
        await fire(house)
        for caller in others:
            assert len(await runs(house, caller=caller)) == 1


async def test_a_schedule_of_a_niche_that_is_gone_is_nobodys() -> None:
    async with open_house() as house:
        await change(house, DAILY)
        async with house.services.ports.unit_of_work() as tx:
            niche = await tx[Niches].get(house.caller.tenant_id, NICHE)
            assert await tx[ArticleSchedules].find(house.caller.tenant_id, niche.id) is not None
            assert await tx[ArticleSchedules].find(house.caller.tenant_id, NicheId("another")) is None


# ------------------------------------------------------------------------------------------------------- governance


async def test_the_pace_of_a_niche_is_measured_against_its_schedule() -> None:
    async with open_house() as house:

        async def aim(key: str = NICHE, plan: PlanName = PlanName.BUSINESS) -> float:
            evaluation = await house.services.knowledge.evaluate_governance(house.on_plan(plan), key)
            [cadence] = [f for f in evaluation.findings if f.criterion is Criterion.CADENCE]
            return float(cadence.figures["aimPerMonth"])

        assert await aim() == 12
        await change(house, {**DAILY, "days": ["mon", "thu"], "articlesPerRun": 2})
        assert await aim() == await aim("home-energy-GB") == pytest.approx(17.1)
        command = ActivateNicheCommand(house.caller, NICHE, ("professional",), ("en",), ("FR",))
        await house.services.agents.niches.activate(command)
        assert await aim() == pytest.approx(34.3)
        assert await aim("home-energy-GB") == pytest.approx(17.1)
        assert await aim(plan=PlanName.FREE) == 3, "no more than the plan includes"
        await change(house, {"enabled": False})
        assert await aim() == 12
