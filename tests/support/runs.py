"""Runs of agents in a house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from contentgen_core.model.agent_event import AgentEventKind
from contentgen_core.model.article import Article
from contentgen_core.model.execution import Execution, ExecutionStatus
from contentgen_core.model.ids import ExecutionId
from contentgen_core.model.tenant import Caller, Quota
from contentgen_core.policies.tenancy.quotas import month_window
from contentgen_core.ports.content_model import Answer, TopicSuggestion
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.agents.execute import ExecuteAgentCommand
from tests.support.house import AGENT, NICHE, House
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
        return await tx[Executions].get(house.caller.tenant_id, id)


async def worked(house: House, worker: str = "w1") -> None:
    """Do all jobs until none is left, whatever has to be waited for."""
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
        return list((await tx[Articles].page(ArticleQuery(house.caller.tenant_id, limit=100))).articles)


async def event_kinds(house: House) -> list[Kind]:
    async with house.services.ports.unit_of_work() as tx:
        events = await tx[AgentEvents].after(house.caller.tenant_id, 0, 100)
    return [event.kind for event in events if event.execution_id is not None]


async def compute_topics(house: House) -> None:
    await house.services.knowledge.topic_coverages.recompute(house.caller, None, NICHE)
    await house.work()


async def consume(house: House, articles: int, limit: int) -> None:
    async with house.services.ports.unit_of_work() as tx:
        for _ in range(articles):
            assert await tx[Quotas].consume(house.caller.tenant_id, Quota.ARTICLES, month_window(MOMENT), limit)


class Dreamer(ScriptedModel):
    """Suggests whatever comes to its mind."""

    def __init__(self, topics: Sequence[str]) -> None:
        super().__init__()
        self.topics = topics

    async def suggest_topics(self, *asked: object, **more: object) -> Answer[tuple[TopicSuggestion, ...]]:
        return Answer(tuple(TopicSuggestion(topic, "It came to mind", 0.5) for topic in self.topics), USAGE)
