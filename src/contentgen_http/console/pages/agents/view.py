"""What the page of a niche, and the runs of an agent, show."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from attrs import field, frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.agent import Agent
from contentgen_core.model.approval import ApprovalRules
from contentgen_core.model.article import ArticleStatus, Usage
from contentgen_core.model.article_update import RefreshPolicy
from contentgen_core.model.execution import Execution
from contentgen_core.model.niche import Niche
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.search_demand import SearchDemand
from contentgen_core.model.team import Member
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.articles import ArticleOutcome
from contentgen_core.use_cases.agents.executions import ExecutionsOfAgent
from contentgen_core.use_cases.generation.write_article import DRAFTED, PLANNED, RETRIEVED
from contentgen_http.services import Services

MAX_AGENTS: Final = 500
"""Of a niche: more than an own and a system agent for every country."""
UPCOMING: Final = 3


@frozen
class NicheView:
    """A niche as a team has it. `schedule`, `upcoming`: None and empty while it is not activated; `refresh`: None
    where nobody chose how articles follow their sources; `demand`: None where no queries were imported."""

    niche: Niche
    agents: Sequence[Agent] = ()
    schedule: ArticleSchedule | None = None
    upcoming: Sequence[datetime] = ()
    refresh: RefreshPolicy | None = None
    approval: ApprovalRules = field(factory=ApprovalRules)
    members: Sequence[Member] = ()
    demand: SearchDemand | None = None

    @property
    def approvers(self) -> Sequence[Member]:
        """Members who may approve by name."""
        return [member for member in self.members if member.user.id in self.approval.user_ids]


async def niche_view(services: Services, caller: Caller, niche: Niche) -> NicheView:
    if niche.activation is None:
        return NicheView(niche)
    key = niche.niche_key
    schedules = services.agents.article_schedules
    (agents, _), schedule, refresh, approval, members, demand = await asyncio.gather(
        services.agents.list(caller, key, None, MAX_AGENTS),
        schedules.read(caller, key),
        _refresh(services, caller, key),
        services.writing.approval_policies.get(caller, key),
        services.people.team.members(caller),
        services.knowledge.search_demand.get(caller, key),
    )
    upcoming = schedules.upcoming(schedule, UPCOMING)
    return NicheView(niche, agents, schedule, upcoming, refresh, approval, members, demand.demand)


async def _refresh(services: Services, caller: Caller, niche: str) -> RefreshPolicy | None:
    try:
        return await services.writing.refresh.get(caller, niche)
    except NotFound:
        return None


@frozen
class ShownArticle:
    """An article of a run. `outcome`: None once it was deleted; `stage`: of its writing, while it is written."""

    id: str
    topic: str
    outcome: ArticleOutcome | None
    stage: str | None


@frozen
class ShownRun:
    """A run with its articles. `usage`: of all of them, None before a model was asked."""

    run: Execution
    articles: Sequence[ShownArticle]
    usage: Usage | None = None

    @property
    def stoppable(self) -> bool:
        return not self.run.ended and not self.run.filled


def shown_runs(found: ExecutionsOfAgent) -> list[ShownRun]:
    return [_shown(run, found) for run in found.executions]


def _shown(run: Execution, found: ExecutionsOfAgent) -> ShownRun:
    articles, used = [], None
    for article in run.articles:
        outcome = found.articles.get(article.article_id)
        stage = None if outcome is None else stage_of(outcome)
        articles.append(ShownArticle(article.article_id, article.topic, outcome, stage))
        if outcome is not None and outcome.usage is not None:
            used = used.plus(outcome.usage) if used else outcome.usage
    return ShownRun(run, articles, used)


def stage_of(article: ArticleOutcome) -> str | None:
    """What is being done for an article that is written: looking for sources, planning, writing, or checking."""
    if article.status is not ArticleStatus.GENERATING:
        return None
    ends = ((RETRIEVED, "sources"), (PLANNED, "plan"), (DRAFTED, "sections"))
    return next((stage for end, stage in ends if article.percent_done < end), "check")


@frozen
class Section:
    """What was typed into a form of a page, and what is wrong with it. `name`: that of the form."""

    name: str = ""
    fault: str = ""
    values: dict[str, Any] = field(factory=dict)
