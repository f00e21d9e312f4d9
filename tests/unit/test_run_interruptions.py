"""Runs of agents that are stopped on the way, wait, or lose their process."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound, NotPermitted, ProviderFailed
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.execution import RunFault
from contentgen_core.model.job import MAX_ATTEMPTS, Job, JobKind
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.use_cases.agents.manage_agents import CreateAgentCommand
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from tests.support.house import AGENT, NICHE, House, open_house
from tests.support.mortal import died_after
from tests.support.runs import (
    Kind,
    S,
    articles,
    compute_topics,
    consume,
    ended,
    event_kinds,
    execute,
    run_of,
    worked,
)

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
        statuses = {id: article.status for id, article in found.articles.items()}
        assert statuses == {second: ArticleStatus.DRAFT, third: ArticleStatus.GENERATED}


async def test_a_run_that_is_stopped_ends_with_the_articles_it_began() -> None:
    async with open_house() as house:
        id = await execute(house, 2)
        await house.work()
        stop = house.services.agents.stop_execution
        begun = (await stop(house.caller, AGENT, id)).articles
        assert begun
        run = await ended(house, id)
        assert (run.status, run.articles) == (S.COMPLETED, begun)
        assert await stop(house.caller, AGENT, id) == run, "what has ended stays"


async def test_a_run_that_is_stopped_while_it_waits_or_chooses_starts_nothing() -> None:
    async with open_house() as house:
        stop = house.services.agents.stop_execution
        waiting = await execute(house, 2)
        await stop(house.caller, AGENT, waiting)
        run = await ended(house, waiting)
        assert (run.status, run.articles, [e.code for e in run.errors]) == (S.FAILED, (), [RunFault.STOPPED])
        choosing = await execute(house, 2)

        async def stopped() -> None:
            await stop(house.caller, AGENT, choosing)

        house.model.wait = stopped  # its first call is the one for topics
        run = await ended(house, choosing)
        assert (run.status, run.articles, [e.code for e in run.errors]) == (S.FAILED, (), [RunFault.STOPPED])


async def test_who_stops_a_run_is_an_editor_and_names_the_agent() -> None:
    async with open_house() as house:
        id = await execute(house)
        stop = house.services.agents.stop_execution
        with pytest.raises(NotPermitted):
            await stop(evolve(house.caller, role=Role.VIEWER), AGENT, id)
        await house.services.agents.manage.create(CreateAgentCommand(house.caller, NICHE, "NZ"))
        with pytest.raises(NotFound):
            await stop(house.caller, f"{NICHE}-NZ", id)


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
        return await tx[Jobs].claim("w1", frozenset({JobKind.EXECUTE_AGENT}), now, now + timedelta(seconds=30), 10)


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
