"""/console/agents: the niches with their agents; and an agent with its runs."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError, NotFound
from contentgen_core.model.ids import ExecutionId
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.use_cases.agents.execute import ExecuteAgentCommand
from contentgen_core.use_cases.agents.executions import ExecutionsOfAgent
from contentgen_core.use_cases.agents.manage_agents import AgentChanges
from contentgen_core.use_cases.niches.manage_niches import CreateNicheCommand
from contentgen_http.api.requests import path_id
from contentgen_http.console import schedules
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.page import Page
from contentgen_http.console.pages.agents.view import Section, shown_runs
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, texts_of, whole_number

RUNS: Final = 10
"""Of one page."""
MAX_AGENTS: Final = 500


class AgentPages(Page):
    @get("/agents")
    async def agents(self, request: Visit) -> Response[str]:
        return await self._list(request)

    @post("/agents/niches", status_code=200)
    @sent_once
    async def create_niche(self, request: Visit) -> Response[Any]:
        """A niche of the team's own, then its page."""
        form = await self.form(request)
        name, description = form.text("name"), form.text("description")
        command = CreateNicheCommand(request.user.caller, name, description or None)
        try:
            niche = await self.services.agents.niches.create(command)
        except ContentgenError as error:
            return await self._list(request, _faulted(request, error, form), status_of(error))
        return to(f"/console/agents/niches/{niche.niche_key}", "note-niche-made")

    @post("/agents/wish", status_code=200)
    @sent_once
    async def wish(self, request: Visit) -> Response[Any]:
        """A wish for a niche that is everybody's, which the operator reads."""
        form = await self.form(request)
        asked = self.services.agents.niche_requests.ask
        await asked(request.user.caller, form.text("name"), form.text("description") or None)
        return to("/console/agents", "note-niche-wished")

    @get("/agents/{id:str}")
    async def agent(self, request: Visit, id: FromPath[str]) -> Response[str]:
        return await self._agent(request, id)

    @get("/agents/{id:str}/runs")
    async def runs(self, request: Visit, id: FromPath[str]) -> Response[str]:
        """The newest runs alone, which the page asks for again while one of them is under way."""
        agent, found = await self._found(request, id)
        return self.show(request, "agents/runs.html", **_runs(request, agent, found), latest=True)

    @post("/agents/{id:str}/run", status_code=200)
    @sent_once
    async def run(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        command = ExecuteAgentCommand(
            request.user.caller,
            path_id("agent", id),
            whole_number(form.text("articles"), 0),
            form.text("publish") == "yes",
        )
        try:
            await self.services.agents.execute(command)
        except ContentgenError as error:
            status = status_of(error)
            return await self._agent(request, id, _faulted(request, error, form, "run"), status)
        return to(f"/console/agents/{id}", "note-run-started")

    @post("/agents/{id:str}/runs/{run_id:str}/stop", status_code=200)
    async def stop(self, request: Visit, id: FromPath[str], run_id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        run = ExecutionId(path_id("execution", run_id))
        await self.services.agents.stop_execution(request.user.caller, path_id("agent", id), run)
        return to(f"/console/agents/{id}", "note-run-stopped")

    @post("/agents/{id:str}/edit", status_code=200)
    async def edit(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Its name, or (with `switch`) whether it is on."""
        form = await self.form(request)
        caller, agent_id = request.user.caller, path_id("agent", id)
        try:
            if "switch" in form:
                await self.services.agents.manage.toggle(caller, agent_id, form.text("switch") == "on")
            else:
                await self.services.agents.manage.edit(caller, agent_id, AgentChanges(name=form.text("name")))
        except ContentgenError as error:
            status = status_of(error)
            return await self._agent(request, id, _faulted(request, error, form, "edit"), status)
        return to(f"/console/agents/{id}", "note-agent-saved")

    @get("/agents/{id:str}/delete")
    async def ask_delete(self, request: Visit, id: FromPath[str]) -> Response[str]:
        agent = await self.services.agents.manage.get(request.user.caller, path_id("agent", id))
        return self.show(request, "agents/delete.html", agent=agent)

    @post("/agents/{id:str}/delete", status_code=200)
    async def delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.agents.manage.delete(request.user.caller, path_id("agent", id))
        return to("/console/agents", "note-agent-deleted")

    async def _list(self, request: Visit, section: Section | None = None, status: int = 200) -> Response[str]:
        caller, texts = request.user.caller, texts_of(request)
        niches, (agents, total), stored, quotas = await asyncio.gather(
            self.services.agents.niches.list(caller),
            self.services.agents.list(caller, None, None, MAX_AGENTS),
            self.services.agents.article_schedules.all(caller),
            self.services.people.tenant.quotas(caller),
        )
        timings = {id: schedule.timing for id, schedule in stored.items()}
        return self.show(
            request,
            "agents/list.html",
            status=status,
            used=[niche for niche in niches if niche.activation],
            others=[niche for niche in niches if not niche.activation],
            agents={
                niche.niche_key: [agent for agent in agents if agent.key.niche_key == niche.niche_key]
                for niche in niches
                if niche.activation
            },
            total=total,
            when={id: schedules.in_words(timing, texts) for id, timing in timings.items() if timing},
            next={id: schedules.next_in_words(schedule, texts) for id, schedule in stored.items()},
            quota=quotas[Quota.AGENTS],
            may_edit=caller.role.includes(Role.EDITOR),
            custom=PLANS[caller.plan].custom_niches,
            section=section or Section(),
        )

    async def _agent(self, request: Visit, id: str, section: Section | None = None, status: int = 200) -> Response[str]:
        caller = request.user.caller
        agent, found = await self._found(request, id, request.query_params.get("before", ""))
        niche = await self._niche(caller, agent.key.niche_key)
        stored = None
        if niche is not None and niche.activation is not None:
            stored = await self.services.agents.article_schedules.read(caller, niche.niche_key)
        timing = stored and stored.timing
        return self.show(
            request,
            "agents/agent.html",
            status=status,
            niche=niche,
            when=schedules.in_words(timing, texts_of(request)) if timing else "",
            next=schedules.next_in_words(stored, texts_of(request)),
            articles=stored.articles_per_run if stored else 1,
            section=section or Section(),
            latest="before" not in request.query_params,
            **_runs(request, agent, found),
        )

    async def _niche(self, caller: Caller, key: str) -> Any:
        try:
            return await self.services.agents.niches.get(caller, key)
        except NotFound:
            return None

    async def _found(self, request: Visit, id: str, before: str = "") -> tuple[Any, ExecutionsOfAgent]:
        caller, agent_id = request.user.caller, path_id("agent", id)
        last = ExecutionId(path_id("execution", before)) if before else None
        agent = await self.services.agents.manage.get(caller, agent_id)
        return agent, await self.services.agents.executions(caller, agent.id, RUNS + 1, before=last)


def _runs(request: Visit, agent: Any, found: ExecutionsOfAgent) -> dict[str, Any]:
    """What the part of the page with the runs shows."""
    runs = shown_runs(found)
    return {
        "agent": agent,
        "runs": runs[:RUNS],
        "older": runs[RUNS - 1].run.id if len(runs) > RUNS else None,
        "under_way": any(not shown.run.ended for shown in runs),
        "may_edit": request.user.caller.role.includes(Role.EDITOR),
    }


def _faulted(request: Visit, error: ContentgenError, form: Form, name: str = "niche") -> Section:
    return Section(name, sentence(error, texts_of(request)), {key: form.text(key) for key, _ in form.pairs})
