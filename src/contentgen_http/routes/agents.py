"""Agents."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_query
from contentgen_http.services import Services
from contentgen_http.wire import agents
from contentgen_http.wire.base import Done, Switch, Switched, absent_as_none

TAG: Final = "Agents"


class AgentRoutes(Controller):
    services: Services

    @operation("GET", "/agents", tag=TAG, query=agents.AgentListQuery, answer=agents.AgentList)
    async def list_agents(self, request: TenantRequest) -> agents.AgentList:
        """List agents.

        Your own and the system agents of the niches you activated.
        """
        query = read_query(request, agents.AgentListQuery)
        niche_key = absent_as_none(query.niche_key) or None
        found, total = await self.services.agents.list(
            request.user, niche_key, absent_as_none(query.enabled), query.limit
        )
        return agents.AgentList.of(found, total, request.user.plan)

    @operation(
        "POST",
        "/agents",
        tag=TAG,
        body=agents.NewAgent,
        answer=agents.Agent,
        raises=(
            errors.NotPermitted,
            errors.PlanForbids,
            errors.QuotaExceeded,
            errors.NotFound,
            errors.NicheNotActivated,
            errors.AlreadyExists,
        ),
        example={"nicheKey": "home-energy", "country": "NZ", "name": "New Zealand"},
    )
    async def create_agent(self, request: TenantRequest) -> agents.Agent:
        """Create an agent.

        In a niche that you activated; its country joins those of the activation. It counts against your agents. For
        editors.
        """
        body = await read_body(request, agents.NewAgent)
        return agents.Agent.of(
            await self.services.agents.manage.create(body.to_command(request.user)), request.user.plan
        )

    @operation("GET", "/agents/{id:str}", tag=TAG, answer=agents.Agent, raises=(errors.NotFound,))
    async def get_agent(self, request: TenantRequest, id: FromPath[str]) -> agents.Agent:
        """Read an agent.

        By its id or its key. A key that one of your own agents and a system agent have names your own.
        """
        return agents.Agent.of(
            await self.services.agents.manage.get(request.user, path_id("agent", id)), request.user.plan
        )

    @operation(
        "PATCH",
        "/agents/{id:str}",
        tag=TAG,
        body=agents.AgentPatch,
        answer=agents.Agent,
        raises=(errors.NotPermitted, errors.NotFound, errors.NicheNotActivated),
        example={"name": "Britain"},
    )
    async def edit_agent(self, request: TenantRequest, id: FromPath[str]) -> agents.Agent:
        """Edit an agent.

        Its name, and whether it is switched on, which takes a niche that is activated. A system agent is a 403. For
        editors.
        """
        body = await read_body(request, agents.AgentPatch)
        edit = self.services.agents.manage.edit
        return agents.Agent.of(await edit(request.user, path_id("agent", id), body.to_changes()), request.user.plan)

    @operation("DELETE", "/agents/{id:str}", tag=TAG, answer=Done, raises=(errors.NotPermitted, errors.NotFound))
    async def delete_agent(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Delete an agent.

        Its articles stay. Its country leaves the activation of its niche; with the last of your agents in it a niche is
        deactivated. A system agent is a 403. For editors.
        """
        await self.services.agents.manage.delete(request.user, path_id("agent", id))
        return Done()

    @operation(
        "POST",
        "/agents/{id:str}/toggle",
        tag=TAG,
        body=Switch,
        optional_body=True,
        answer=agents.AgentSwitched,
        raises=(errors.NotPermitted, errors.NotFound, errors.NicheNotActivated),
        example={"enabled": True},
    )
    async def toggle_agent(self, request: TenantRequest, id: FromPath[str]) -> agents.AgentSwitched:
        """Switch an agent on or off.

        Without a body, to the other side. Switching on takes a niche that is activated. A system agent is a 403. For
        editors.
        """
        body = await read_body(request, Switch, optional=True)
        toggle = self.services.agents.manage.toggle
        switched = await toggle(request.user, path_id("agent", id), absent_as_none(body.enabled))
        return agents.AgentSwitched(agent=agents.Agent.of(switched, request.user.plan))

    @operation(
        "POST",
        "/agents/{id:str}/websearch-premium",
        tag=TAG,
        body=Switch,
        optional_body=True,
        answer=Switched,
        raises=(errors.NotPermitted, errors.PlanForbids, errors.NotFound),
        example={"enabled": True},
    )
    async def switch_agent_search(self, request: TenantRequest, id: FromPath[str]) -> Switched:
        """Switch the premium web search of an agent.

        Its enrichments use the premium search while this switch and that of its niche are on, as both are at first;
        else the standard one. On the Business plan. A system agent is a 403. For editors.
        """
        body = await read_body(request, Switch, optional=True)
        switch = self.services.agents.manage.premium_search
        switched = await switch(request.user, path_id("agent", id), absent_as_none(body.enabled))
        return Switched(enabled=switched.websearch_premium)
