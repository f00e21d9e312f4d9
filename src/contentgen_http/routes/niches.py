"""Niches and agents."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_http.operation import operation
from contentgen_http.requests import TenantRequest, path_id, read_body, read_query
from contentgen_http.services import Services
from contentgen_http.wire import agents, niches
from contentgen_http.wire.base import Done, absent_as_none

TAG: Final = "Niches"


class NicheRoutes(Controller):
    services: Services

    @operation("GET", "/niches", tag=TAG, answer=niches.NicheList)
    async def list_niches(self, request: TenantRequest) -> niches.NicheList:
        """List niches.

        The preconfigured ones and your own, each with how you use it.
        """
        return niches.NicheList.from_model(await self.services.niches.list(request.user))

    @operation(
        "POST",
        "/niches",
        tag=TAG,
        body=niches.NewNiche,
        answer=niches.Niche,
        raises=(errors.NotPermitted, errors.PlanForbids, errors.AlreadyExists),
        example={"name": "Urban beekeeping", "description": "Bees in the city", "icon": "🐝"},
    )
    async def create_niche(self, request: TenantRequest) -> niches.Niche:
        """Create a niche of your own.

        On the Pro and Business plans. Its key is made from its name.
        """
        body = await read_body(request, niches.NewNiche)
        return niches.Niche.from_model(await self.services.niches.create(body.to_command(request.user)))

    @operation("GET", "/niches/{id:str}", tag=TAG, answer=niches.Niche, raises=(errors.NotFound,))
    async def get_niche(self, request: TenantRequest, id: FromPath[str]) -> niches.Niche:
        """Read a niche.

        By its id or its key.
        """
        return niches.Niche.from_model(await self.services.niches.get(request.user, path_id("niche", id)))

    @operation(
        "POST",
        "/niches/{id:str}/activate",
        tag=TAG,
        body=niches.ActivationRequest,
        answer=niches.NicheActivated,
        raises=(errors.NotPermitted, errors.QuotaExceeded, errors.NotFound),
        example={"tones": ["professional"], "languages": ["en"], "countries": ["GB"]},
    )
    async def activate_niche(self, request: TenantRequest, id: FromPath[str]) -> niches.NicheActivated:
        """Use a niche.

        Creates one agent for each country that has none yet; each counts against your agents. Activating again adds
        countries and replaces tones, languages and audience.
        """
        body = await read_body(request, niches.ActivationRequest)
        command = body.to_command(request.user, path_id("niche", id))
        return niches.NicheActivated.from_model(await self.services.niches.activate(command))

    @operation(
        "POST", "/niches/{id:str}/deactivate", tag=TAG, answer=Done, raises=(errors.NotPermitted, errors.NotFound)
    )
    async def deactivate_niche(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Stop using a niche.

        Its agents are switched off; nothing is deleted. Doing it twice is fine.
        """
        await self.services.niches.deactivate(request.user, path_id("niche", id))
        return Done()

    @operation("GET", "/agents", tag="Agents", query=agents.AgentListQuery, answer=agents.AgentList)
    async def list_agents(self, request: TenantRequest) -> agents.AgentList:
        """List agents.

        Your own and the system agents of the niches you activated.
        """
        query = read_query(request, agents.AgentListQuery)
        niche_key = absent_as_none(query.niche_key) or None
        found, total = await self.services.agents(request.user, niche_key, absent_as_none(query.enabled), query.limit)
        return agents.AgentList.from_model(found, total)
