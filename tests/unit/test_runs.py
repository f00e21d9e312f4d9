"""Runs of agents from end to end: what they write about, what they spend, how they end, and crashes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from itertools import product
from typing import Any

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
    ProviderFailed,
    QuotaExceeded,
    RunUnderWay,
)
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.agent_event import AgentEventKind
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.execution import TRANSITIONS, Execution, ExecutionStatus, RunFault, Trigger
from contentgen_core.model.ids import ArticleId, ExecutionId
from contentgen_core.model.job import MAX_ATTEMPTS, Job, JobKind
from contentgen_core.model.tenant import Caller, PlanName, Quota, Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.tenancy.quotas import month_window
from contentgen_core.policies.topics.picking import KnownTopics
from contentgen_core.ports.content_model import Answer, TopicSuggestion
from contentgen_core.ports.repositories.articles import ArticleQuery
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.agents.execute import ExecuteAgentCommand
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_core.use_cases.niches.manage import ActivateNicheCommand
from tests.support.house import AGENT, NICHE, House, open_house
from tests.support.mortal import died_after
from tests.support.scripted_model import USAGE, ScriptedModel

S = ExecutionStatus
Kind = AgentEventKind
# The house's sources carry five topics: those of their titles but of the last, and the keyword "heat pump".
CARRIED = {"Sizing heat pumps", "Heat pump efficiency", "Winter heating costs", "Heat pumps in winter", "heat pump",
           "solar panels", "Solar panels"}  # fmt: skip


async def execute(house: House, articles: int | None = None, caller: Caller | None = None, **more: Any) -> ExecutionId:
    agent = more.pop("agent", AGENT)
    return await house.services.agents.execute(ExecuteAgentCommand(caller or house.caller, agent, articles, **more))


async def runs(house: House, agent: str = AGENT, caller: Caller | None = None) -> list[Execution]:
    """Newest first."""
    return list((await house.services.agents.executions(caller or house.caller, agent, 100)).executions)


async def run_of(house: House, id: ExecutionId) -> Execution:
    async with house.services.ports.unit_of_work() as tx:
        return await tx.executions.get(house.caller.tenant_id, id)


async def worked(house: House, worker: str = "w1") -> None:
    """Until nothing is left to do, whatever has to be waited for."""
    idle = 0
    while idle < 4:
        idle = 0 if await house.work(worker) else idle + 1
        house.clock.advance(seconds=16)


async def ended(house: House, id: ExecutionId) -> Execution:
    await worked(house)
    run = await run_of(house, id)
    assert run.ended
    return run


async def articles(house: House) -> list[Article]:
    async with house.services.ports.unit_of_work() as tx:
        return list((await tx.articles.page(ArticleQuery(house.caller.tenant_id, limit=100))).articles)


async def event_kinds(house: House) -> list[Kind]:
    async with house.services.ports.unit_of_work() as tx:
        events = await tx.agent_events.after(house.caller.tenant_id, 0, 100)
    return [event.kind for event in events if event.execution_id is not None]


async def compute_topics(house: House) -> None:
    await house.services.knowledge.topic_coverages.recompute(house.caller, None, NICHE)
    await house.work()


async def consume(house: House, articles: int, limit: int) -> None:
    async with house.services.ports.unit_of_work() as tx:
        for _ in range(articles):
            assert await tx.quotas.consume(house.caller.tenant_id, Quota.ARTICLES, month_window(MOMENT), limit)


class Dreamer(ScriptedModel):
    """Suggests whatever comes to its mind."""

    def __init__(self, topics: Sequence[str]) -> None:
        super().__init__()
        self.topics = topics

    async def suggest_topics(self, *asked: object, **more: object) -> Answer[tuple[TopicSuggestion, ...]]:
        return Answer(tuple(TopicSuggestion(topic, "It came to mind", 0.5) for topic in self.topics), USAGE)


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
            *_, started, completed = await tx.agent_events.after(house.caller.tenant_id, 0, 100)
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
                await tx.articles.add(builders.article(topic, tenant_id=house.caller.tenant_id, status=status))
        run = await ended(house, await execute(house, 10))
        topics = {article.topic for article in run.articles}
        assert not topics & {"Sizing heat pumps", "Winter heating costs"}
        assert "Heat pump efficiency" in topics, "a failed article is none"
        assert topics <= CARRIED


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
            await tx.agents.add(builders.agent(key=AgentKey(NICHE, "DE")))
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
            own = await tx.agents.get(house.caller.tenant_id, AGENT)
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
            await tx.agents.set_enabled(house.caller.tenant_id, NICHE, True, house.clock.now())
        with pytest.raises(NicheNotActivated):
            await execute(house)


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


# ----------------------------------------------------------------------------------------------- stopped on the way


async def test_a_run_stops_where_the_quota_ends_and_keeps_what_it_started() -> None:
    async with open_house(PlanName.FREE) as house:
        await consume(house, 1, 3)
        run = await ended(house, await execute(house, 5))
        assert (run.status, len(run.articles)) == (S.COMPLETED, 2)
        [error] = run.errors
        assert error.code is RunFault.QUOTA_EXCEEDED
        assert await house.articles_used() == 3


async def test_articles_that_fail_are_named_and_a_run_of_nothing_else_fails() -> None:
    async with open_house() as house:

        def refuse(method: str, position: int) -> None:
            if method == "plan" and (every or house.model.calls["plan"] == 1):
                raise ProviderFailed("scripted", "no such model", retryable=False)

        house.model.before, every = refuse, False
        run = await ended(house, await execute(house, 2))
        assert (run.status, len(run.articles), len(run.errors)) == (S.COMPLETED, 2, 1)
        assert (run.errors[0].code, run.errors[0].topic) == (RunFault.GENERATION_FAILED, run.articles[0].topic)
        assert "no such model" in run.errors[0].reason
        every = True
        run = await ended(house, await execute(house, 1))
        assert run.status is S.FAILED
        assert await house.articles_used() == 1, "what failed is given back"


async def test_a_model_that_names_no_topics_fails_the_run_after_three_attempts() -> None:
    async with open_house() as house:

        def away(method: str, position: int) -> None:
            if method == "suggest_topics":
                raise ProviderFailed("scripted", "overloaded", retryable=True)

        house.model.before = away
        run = await ended(house, await execute(house, 2))
        assert (run.status, house.model.calls["suggest_topics"]) == (S.FAILED, MAX_ATTEMPTS)
        assert [error.code for error in run.errors] == [RunFault.RUN_FAILED]
        assert "overloaded" in run.errors[0].reason
        assert await event_kinds(house) == [Kind.EXECUTION_STARTED, Kind.EXECUTION_FAILED]


async def test_a_model_that_is_away_does_not_keep_covered_topics_from_being_written() -> None:
    async with open_house() as house:
        await compute_topics(house)

        def away(method: str, position: int) -> None:
            if method == "suggest_topics":
                raise ProviderFailed("scripted", "overloaded", retryable=True)

        house.model.before = away
        run = await ended(house, await execute(house, 10))
        assert run.status is S.COMPLETED
        assert len(run.articles) > 2
        assert [error.code for error in run.errors] == [RunFault.TOPICS_FAILED]


async def test_an_agent_that_is_switched_off_before_its_run_begins_writes_nothing() -> None:
    async with open_house() as house:
        id = await execute(house)
        await house.services.agents.niches.deactivate(house.caller, NICHE)
        await worked(house)
        run = await run_of(house, id)
        assert (run.status, run.articles) == (S.FAILED, ())
        assert "switched off" in run.errors[0].reason


async def test_a_person_may_delete_or_take_over_an_article_under_way() -> None:
    async with open_house() as house:
        id = await execute(house, 3)
        await house.work()
        first, second, third = (article.article_id for article in (await run_of(house, id)).articles)
        await house.services.writing.delete(house.caller, first)
        await house.services.writing.edit(EditArticleCommand(house.caller, second, title="Mine"))
        run = await ended(house, id)
        assert run.status is S.COMPLETED
        assert [error.code for error in run.errors] == [RunFault.ARTICLE_DELETED]
        found = await house.services.agents.executions(house.caller, AGENT)
        assert found.statuses == {second: ArticleStatus.DRAFT, third: ArticleStatus.GENERATED}


async def test_a_run_outlives_its_agent() -> None:
    async with open_house() as house:
        id = await execute(house, 2)
        await house.work()
        await house.services.agents.manage.delete(house.caller, AGENT)
        run = await ended(house, id)
        assert (run.status, len(run.articles)) == (S.COMPLETED, 2)
        assert await event_kinds(house) == [Kind.EXECUTION_STARTED, Kind.EXECUTION_COMPLETED]


# --------------------------------------------------------------------------------------------------------- waiting


async def test_a_run_waits_without_a_worker_looking_ever_less_often() -> None:
    async with open_house() as house:
        id = await execute(house, 1)
        [job] = await house.claim()
        waits: list[timedelta] = []
        for _ in range(20):
            before = house.clock.now()
            await house.services.jobs.execute_agent(job)
            assert (await run_of(house, id)).status is S.RUNNING
            while not (jobs := [j for j in await _claimed(house) if j.kind is JobKind.EXECUTE_AGENT]):
                house.clock.advance(seconds=0.25)
            [job] = jobs
            assert job.attempts == 1, "waiting is no attempt"
            waits.append(house.clock.now() - before)
        assert waits == sorted(waits)
        assert waits[0] == timedelta(seconds=2)
        assert waits[-1] == timedelta(seconds=15)


async def _claimed(house: House) -> list[Job]:
    """Runs that are due; articles stay where they are."""
    now = house.clock.now()
    async with house.services.ports.unit_of_work() as tx:
        return await tx.jobs.claim("w1", frozenset({JobKind.EXECUTE_AGENT}), now, now + timedelta(seconds=30), 10)


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


# --------------------------------------------------------------------------------------------------------- crashes


async def test_a_process_that_dies_at_any_transaction_starts_no_article_twice() -> None:
    started: set[int] = set()
    for transactions in range(200):
        async with open_house() as house:
            id = await execute(house, 3, autopublish=True)
            [job] = await house.claim("w1")
            died = await died_after(house, transactions, job)
            started.add(len((await run_of(house, id)).articles))
            house.clock.advance(seconds=31)
            await worked(house, "w2")
            run = await run_of(house, id)
            assert (run.status, len(run.articles), run.errors) == (S.COMPLETED, 3, ())
            written = await articles(house)
            assert {article.article_id for article in run.articles} == {article.id for article in written}
            assert {article.status for article in written} == {ArticleStatus.PUBLISHED}
            assert len({article.brief.topic for article in written}) == 3
            assert await house.articles_used() == 3
            assert await event_kinds(house) == [Kind.EXECUTION_STARTED, Kind.EXECUTION_COMPLETED]
            assert await house.claim("w3") == []
            if not died:
                break
    else:
        pytest.fail("no process lived to the end")
    assert started == {0, 1, 2, 3}, "it died before, between and after the articles"


async def test_a_process_that_dies_while_a_run_ends_tells_of_it_once() -> None:
    for transactions in range(20):
        async with open_house() as house:
            id = await execute(house, 1, autopublish=True)
            await house.work()
            await house.work()
            house.clock.advance(seconds=2)
            jobs = [job for job in await house.claim("w1") if job.kind is JobKind.EXECUTE_AGENT]
            died = bool(jobs) and await died_after(house, transactions, jobs[0])
            house.clock.advance(seconds=31)
            await worked(house, "w2")
            assert (await run_of(house, id)).status is S.COMPLETED
            assert await event_kinds(house) == [Kind.EXECUTION_STARTED, Kind.EXECUTION_COMPLETED]
            assert [article.status for article in await articles(house)] == [ArticleStatus.PUBLISHED]
            if not died:
                break
    else:
        pytest.fail("no process lived to the end")
    assert transactions > 0


async def test_a_run_that_kills_its_worker_three_times_fails() -> None:
    async with open_house() as house:
        id = await execute(house, 2)
        for _ in range(MAX_ATTEMPTS):
            await house.claim()
            house.clock.advance(seconds=31)
        await worked(house)
        run = await run_of(house, id)
        assert (run.status, run.articles) == (S.FAILED, ())
        assert "interrupted 3 times" in run.errors[0].reason
        await execute(house)


async def test_a_worker_that_lost_the_run_changes_nothing() -> None:
    async with open_house() as house:
        id = await execute(house, 2)
        [late] = await house.claim("w1")
        house.clock.advance(seconds=31)
        await worked(house, "w2")
        before, written = await run_of(house, id), await articles(house)
        await house.services.jobs.execute_agent(late)
        assert (await run_of(house, id), await articles(house)) == (before, written)
