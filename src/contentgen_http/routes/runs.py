"""Runs of agents: by the schedule of their niche, and on request."""

from __future__ import annotations

from typing import Any

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.model.ids import ExecutionId
from contentgen_core.policies.text.json_limits import MAX_BYTES
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, idempotency_key, path_id, read_body, read_object, read_query
from contentgen_http.services import Services
from contentgen_http.wire import runs


class RunRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/niches/{id:str}/article-schedule",
        tag="Niches",
        answer=runs.ArticleSchedule,
        raises=(errors.NotFound, errors.NicheNotActivated),
    )
    async def get_article_schedule(self, request: TenantRequest, id: FromPath[str]) -> dict[str, Any]:
        """Read the article schedule of a niche.

        When its agents write by themselves, what they write, and when next.
        """
        return runs.shown(await self.services.agents.article_schedules.read(request.user, path_id("niche", id)))

    @operation(
        "PATCH",
        "/niches/{id:str}/article-schedule",
        tag="Niches",
        body=runs.ArticleSchedulePatch,
        answer=runs.ArticleSchedule,
        max_body=MAX_BYTES,
        raises=(errors.NotPermitted, errors.NotFound, errors.NicheNotActivated, errors.ConcurrentChange),
        example={"enabled": True, "days": ["mon", "thu"], "hour": 9, "timeZone": "Europe/London", "articlesPerRun": 2},
    )
    async def edit_article_schedule(self, request: TenantRequest, id: FromPath[str]) -> dict[str, Any]:
        """Change the article schedule of a niche.

        At that time each agent of yours that is switched on writes articlesPerRun articles, on topics that its
        knowledge base carries and that have no article yet; each counts against the month's. A run that was missed is
        made up for once. Keys that are not known here are kept for you, 16 KiB in all. For editors.
        """
        body, others = await read_object(request, runs.ArticleSchedulePatch)
        change = self.services.agents.article_schedules.change
        return runs.shown(await change(request.user, path_id("niche", id), body.to_changes(others)))

    @operation(
        "POST",
        "/agents/{id:str}/execute",
        tag="Agents",
        body=runs.ExecuteRequest,
        optional_body=True,
        answer=runs.ExecutionStarted,
        idempotent=True,
        raises=(
            errors.NotPermitted,
            errors.QuotaExceeded,
            errors.NotFound,
            errors.AgentSwitchedOff,
            errors.NicheNotActivated,
            errors.RunUnderWay,
            errors.IdempotencyKeyReused,
        ),
        example={"articles": 1},
    )
    async def execute_agent(self, request: TenantRequest, id: FromPath[str]) -> runs.ExecutionStarted:
        """Have an agent write now.

        It chooses topics that its knowledge base carries and that have no article yet. Each article counts against the
        month's as it is started, and the run stops where none is left. An agent runs once at a time. For editors.
        """
        body = await read_body(request, runs.ExecuteRequest, optional=True)
        agent_id = path_id("agent", id)
        key = idempotency_key(request, f"execute {agent_id}", body)
        started = await self.services.agents.execute(body.to_command(request.user, agent_id, key))
        return runs.ExecutionStarted(execution_id=started)

    @operation(
        "GET",
        "/agents/{id:str}/executions",
        tag="Agents",
        query=runs.ExecutionListQuery,
        answer=runs.ExecutionList,
        raises=(errors.NotFound,),
    )
    async def list_executions(self, request: TenantRequest, id: FromPath[str]) -> runs.ExecutionList:
        """List the runs of an agent.

        Newest first, with their articles and what went wrong.
        """
        query = read_query(request, runs.ExecutionListQuery)
        before = None if query.before is UNSET else ExecutionId(query.before)
        found = await self.services.agents.executions(request.user, path_id("agent", id), query.limit, before=before)
        return runs.ExecutionList.of(found)

    @operation(
        "POST",
        "/agents/{id:str}/executions/{executionId:str}/stop",
        tag="Agents",
        answer=runs.ExecutionStopped,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def stop_execution(
        self, request: TenantRequest, id: FromPath[str], executionId: FromPath[str]
    ) -> runs.ExecutionStopped:
        """Stop a run.

        It starts no further article. Those it began are written, and count; the run ends with them, and says that it
        was stopped. A run that has ended stays as it is. For editors.
        """
        stop = self.services.agents.stop_execution
        run = await stop(request.user, path_id("agent", id), ExecutionId(path_id("execution", executionId)))
        return runs.ExecutionStopped(status=run.status)
