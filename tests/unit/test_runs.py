"""Runs of agents from end to end: what they write about, what they spend, who may start them."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import product

import pytest
from attrs import evolve

from contentgen_core.errors import (
    AgentSwitchedOff,
    IdempotencyKeyReused,
    IllegalTransition,
    InvalidInput,
    NicheNotActivated,
    NotFound,
    NotPermitted,
    QuotaExceeded,
    RunUnderWay,
)
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.execution import TRANSITIONS, RunFault, Trigger
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import JobKind
from contentgen_core.model.tenant import PlanName, Quota, Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.picking import KnownTopics
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from tests.support.house import AGENT, NICHE, open_house
from tests.support.runs import (
    CARRIED,
    Dreamer,
    Kind,
    S,
    articles,
    compute_topics,
    consume,
    ended,
    event_kinds,
    execute,
    run_of,
    runs,
    worked,
)
from tests.support.subjects import Subjects

# ------------------------------------------------------------------------------------------------- the model's rules


@pytest.mark.parametrize(("before", "after"), list(product(S, S)))
def test_every_pair_of_states_either_moves_or_is_refused(before: S, after: S) -> None:
    execution = builders.execution(status=before)
    move = {
        S.QUEUED: lambda: execution,  # nothing leads back there
        S.RUNNING: lambda: execution.running(MOMENT),
        S.COMPLETED: lambda: execution.completed(MOMENT),
        S.FAILED: lambda: execution.failed(MOMENT),
    }[after]
    if after is S.QUEUED:
        assert after not in TRANSITIONS[before]
    elif after in TRANSITIONS[before]:
        assert move().status is after
    else:
        with pytest.raises(IllegalTransition):
            move()


def test_a_run_is_filled_by_its_articles_or_by_what_stops_it() -> None:
    run = builders.execution(requested=2).running(MOMENT)
    assert (run.missing, run.filled) == (2, False)
    run = run.with_article(ArticleId("a"), "Heat")
    assert (run.missing, run.filled) == (1, False)
    assert (run.with_article(ArticleId("b"), "Wind").missing, run.failed(MOMENT).missing) == (0, 0)


@pytest.mark.parametrize(
    ("written", "topic", "held"),
    [
        ("Heat pump noise", "The noise of heat pumps", True),
        ("Heat pump noise", "HEAT  PUMP noise", True),
        ("The complete guide to heat pumps in 2026", "Heat pumps", True),
        ("Heat pump noise limits in terraced houses", "Terraced houses, heat pumps, noise and neighbours", True),
        ("Heat pump noise", "Heat pump", False),
        ("Heat pump noise", "Solar panels", False),
    ],
)
def test_a_topic_that_says_the_same_in_other_words_is_known(written: str, topic: str, held: bool) -> None:
    from contentgen_adapters.text.analysis import IcuTextAnalysis

    known = KnownTopics(IcuTextAnalysis())
    known.add(written, Language.EN)
    assert known.has_topic(topic, Language.EN) is held


# ------------------------------------------------------------------------------------------------ from end to end


async def test_a_run_writes_what_was_asked_for_and_says_so() -> None:
    async with open_house() as house:
        id = await execute(house, 3)
        assert (await run_of(house, id)).status is S.QUEUED
        run = await ended(house, id)
        assert (run.status, run.trigger, run.errors) == (S.COMPLETED, Trigger.MANUAL, ())
        assert run.started_at == MOMENT
        assert (run.completed_at or MOMENT) > MOMENT
        written = {article.id: article for article in await articles(house)}
        assert [article.article_id for article in run.articles] == sorted(written)
        for article in run.articles:
            assert written[article.article_id].brief.topic == article.topic
            assert written[article.article_id].status is ArticleStatus.GENERATED
            assert written[article.article_id].agent_key == AgentKey(NICHE, "GB")
            assert written[article.article_id].created_by == house.caller.user_id
        assert {article.topic for article in run.articles} <= CARRIED
        assert await house.articles_used() == 3
        assert await event_kinds(house) == [Kind.EXECUTION_STARTED, Kind.EXECUTION_COMPLETED]


async def test_events_name_the_run_and_its_articles() -> None:
    async with open_house() as house:
        run = await ended(house, await execute(house, 2))
        async with house.services.ports.unit_of_work() as tx:
            *_, started, completed = await tx[AgentEvents].after(house.caller.tenant_id, 0, 100)
        assert (started.execution_id, started.article_ids, started.enabled) == (run.id, (), True)
        assert completed.article_ids == tuple(article.article_id for article in run.articles)
        assert (str(completed.agent_key), completed.at, completed.error) == (AGENT, run.completed_at, None)


async def test_covered_topics_without_an_article_come_first_hottest_first() -> None:
    async with open_house() as house:
        await compute_topics(house)
        coverage = await house.services.knowledge.topic_coverages.read(house.caller, None, NICHE)
        hottest = [topic.name for topic in coverage.topics if topic.covered]
        asked = house.model.calls["suggest_topics"]
        run = await ended(house, await execute(house, 2))
        assert [article.topic for article in run.articles] == hottest[:2]
        assert house.model.calls["suggest_topics"] == asked, "nobody is asked for what is there"
        run = await ended(house, await execute(house, 2))
        assert [article.topic for article in run.articles] == hottest[2:4]


async def test_what_exists_is_not_written_again_not_even_in_other_words() -> None:
    async with open_house() as house:
        for topic in ("The size of heat pumps", "Costs of heating in winter", "A failed one on heat pump efficiency"):
            status = ArticleStatus.FAILED if "failed" in topic else ArticleStatus.PUBLISHED
            async with house.services.ports.unit_of_work() as tx:
                await tx[Articles].add(builders.article(topic, tenant_id=house.caller.tenant_id, status=status))
        run = await ended(house, await execute(house, 10))
        topics = {article.topic for article in run.articles}
        assert not topics & {"Sizing heat pumps", "Winter heating costs"}
        assert "Heat pump efficiency" in topics, "a failed article is none"
        assert topics <= CARRIED


@pytest.mark.parametrize("fails", [False, True])
async def test_what_exists_in_another_language_is_not_written_again(fails: bool) -> None:
    embedder = Subjects({"size": ("richtig", "sizing"), "noise": ("noise",)})
    async with open_house(embedder=embedder) as house:
        embedder.fails = fails
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(
                builders.article("Die richtige Größe", tenant_id=house.caller.tenant_id, status=ArticleStatus.PUBLISHED)
            )
        run = await ended(house, await execute(house, 10))
        assert ("Sizing heat pumps" in {article.topic for article in run.articles}) is fails


async def test_a_run_that_finds_fewer_topics_writes_those_and_says_what_is_missing() -> None:
    async with open_house() as house:
        run = await ended(house, await execute(house, 10))
        assert run.status is S.COMPLETED
        assert 0 < len(run.articles) < 10
        [error] = run.errors
        assert error.code is RunFault.NO_TOPIC
        assert f"{len(run.articles)} of 10" in error.reason
        again = await ended(house, await execute(house, 1))
        assert (again.status, again.articles) == (S.FAILED, ())
        assert [error.code for error in again.errors] == [RunFault.NO_TOPIC]
        assert (await event_kinds(house))[-2:] == [Kind.EXECUTION_STARTED, Kind.EXECUTION_FAILED]


async def test_only_what_the_knowledge_base_carries_is_written_on_any_plan() -> None:
    dreams = ("Medieval falconry", "Electric vehicles", "", "<script>alert(1)</script>", "Tide tables", "x" * 501)
    async with open_house(PlanName.BUSINESS, Dreamer((*dreams, "Sizing heat pumps"))) as house:
        run = await ended(house, await execute(house, 10))
        assert [article.topic for article in run.articles] == ["Sizing heat pumps"]


async def test_agents_of_a_niche_that_run_at_once_share_its_topics_out() -> None:
    async with open_house() as house:
        command = ActivateNicheCommand(house.caller, NICHE, ("professional",), ("en",), ("FR",))
        await house.services.agents.niches.activate(command)
        await execute(house, 2)
        await execute(house, 2, agent="home-energy-FR")
        jobs = await house.claim()
        await asyncio.gather(*(house.services.jobs.execute_agent(job) for job in jobs))
        await worked(house)
        topics = [article.brief.topic for article in await articles(house)]
        assert len(topics) == len(set(topics)) == 4
        for agent in (AGENT, "home-energy-FR"):
            [run] = await runs(house, agent)
            assert (run.status, len(run.articles), run.errors) == (S.COMPLETED, 2, ())


async def test_a_system_agent_runs_for_each_tenant_by_itself() -> None:
    async with open_house() as house:
        other = await house.other_tenant()
        async with house.services.ports.unit_of_work() as tx:
            await tx[Agents].add(builders.agent(key=AgentKey(NICHE, "DE")))
        await execute(house, 1, agent="home-energy-DE")
        await execute(house, 1, agent="home-energy-DE", caller=other)
        await worked(house)
        assert [run.status for run in await runs(house, "home-energy-DE")] == [S.COMPLETED]
        [theirs] = await runs(house, "home-energy-DE", other)
        assert (theirs.status, theirs.articles) == (S.FAILED, ()), "their knowledge base is empty"


# --------------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize("articles", [0, -1, 11])
async def test_a_run_writes_one_to_ten(articles: int) -> None:
    async with open_house() as house:
        with pytest.raises(InvalidInput):
            await execute(house, articles)


async def test_without_a_number_it_is_that_of_the_schedule_else_one() -> None:
    async with open_house() as house:
        assert (await run_of(house, await execute(house))).requested == 1
        await worked(house)
        change = house.services.agents.article_schedules.change
        await change(house.caller, NICHE, {"articlesPerRun": 4, "autopublish": True})
        run = await run_of(house, await execute(house))
        assert (run.requested, run.autopublish) == (4, False)


async def test_who_may_not_and_what_is_not_there_starts_nothing() -> None:
    async with open_house() as house:
        other = await house.services.people.tenants.create("Third", PlanName.PRO)
        with pytest.raises(NotPermitted):
            await execute(house, caller=evolve(house.caller, role=Role.VIEWER))
        async with house.services.ports.unit_of_work() as tx:
            own = await tx[Agents].get(house.caller.tenant_id, AGENT)
        for agent in ("nope", "home-energy-FR", own.id):
            with pytest.raises(NotFound):
                await execute(house, agent=agent, caller=other.caller)
            with pytest.raises(NotFound):
                await runs(house, agent, other.caller)
        assert await house.claim() == []


async def test_an_agent_that_is_off_or_of_a_niche_not_in_use_does_not_run() -> None:
    async with open_house() as house:
        await house.services.agents.niches.deactivate(house.caller, NICHE)
        with pytest.raises(AgentSwitchedOff):
            await execute(house)
        async with house.services.ports.unit_of_work() as tx:
            await tx[Agents].set_enabled(house.caller.tenant_id, NICHE, True, house.clock.now())
        with pytest.raises(NicheNotActivated):
            await execute(house)


async def test_nothing_is_planned_or_written_for_an_agent_that_is_off() -> None:
    async with open_house() as house:
        writing, agents = house.services.writing, house.services.agents.manage
        plan = PlanArticleCommand(house.caller, AGENT, topic="Heat pumps in older houses")
        write = GenerateArticleCommand(house.caller, NICHE, agent_key=AGENT, topic="Heat pumps in older houses")
        await agents.toggle(house.caller, AGENT, False)
        for start in (writing.plan(plan), writing.generate(write)):
            with pytest.raises(AgentSwitchedOff, match=AGENT):
                await start
        assert (await house.services.people.tenant.quotas(house.caller))[Quota.ARTICLES].used == 0
        await agents.toggle(house.caller, AGENT, True)
        await writing.plan(plan)
        assert (await house.services.people.tenant.quotas(house.caller))[Quota.ARTICLES].used == 1


async def test_an_agent_runs_once_at_a_time_however_many_ask() -> None:
    async with open_house() as house:
        outcomes = await asyncio.gather(*(execute(house) for _ in range(8)), return_exceptions=True)
        assert sum(isinstance(outcome, RunUnderWay) for outcome in outcomes) == 7
        await worked(house)
        assert len(await runs(house)) == 1
        await execute(house)


async def test_without_an_article_left_nothing_starts() -> None:
    async with open_house(PlanName.FREE) as house:
        await consume(house, 3, 3)
        with pytest.raises(QuotaExceeded):
            await execute(house)
        assert await runs(house) == []


async def test_the_same_key_starts_one_run_and_another_request_with_it_none() -> None:
    async with open_house() as house:
        key = IdempotencyKey("k", "this")
        ids = await asyncio.gather(*(execute(house, 1, idempotency=key) for _ in range(4)))
        await worked(house)
        assert {await execute(house, 1, idempotency=key), *ids} == {ids[0]}
        assert len(await runs(house)) == 1
        with pytest.raises(IdempotencyKeyReused):
            await execute(house, 2, idempotency=IdempotencyKey("k", "that"))


# -------------------------------------------------------------------------------------------------- publishing them


async def test_autopublish_publishes_each_article_by_the_way_of_all() -> None:
    async with open_house() as house:
        await ended(house, await execute(house, 2, autopublish=True))
        for article in await articles(house):
            assert article.status is ArticleStatus.PUBLISHED
            assert article.published_at is not None
            assert article.scheduled_for is not None
            assert article.content


async def test_what_a_person_takes_back_is_not_published_again() -> None:
    async with open_house() as house:
        id = await execute(house, 2, autopublish=True)
        await house.work()
        [one, _] = [job for job in await house.claim() if job.kind is JobKind.GENERATE_ARTICLE]
        await house.services.jobs.generate_article(one)
        await house.services.writing.edit(
            EditArticleCommand(house.caller, ArticleId(one.subject_id), status=ArticleStatus.DRAFT)
        )
        house.clock.advance(seconds=31)
        await worked(house, "w2")
        statuses = Counter(article.status for article in await articles(house))
        assert statuses == {ArticleStatus.DRAFT: 1, ArticleStatus.PUBLISHED: 1}
        assert (await run_of(house, id)).status is S.COMPLETED
