"""Niches."""

from __future__ import annotations

from typing import Any, Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.niche import NicheInUse
from contentgen_core.use_cases.niches.settings import MAX_SETTINGS
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_object
from contentgen_http.services import Services
from contentgen_http.wire import niche_settings, niches
from contentgen_http.wire.base import Done, Switch, Switched, absent_as_none
from contentgen_http.wire.niche_dashboard import NicheDashboard

TAG: Final = "Niches"


class NicheRoutes(Controller):
    services: Services

    @operation("GET", "/niches", tag=TAG, answer=niches.NicheList)
    async def list_niches(self, request: TenantRequest) -> niches.NicheList:
        """List niches.

        The preconfigured ones and your own, each with how you use it.
        """
        return niches.NicheList.of(await self.services.agents.niches.list(request.user), request.user.plan)

    @operation(
        "POST",
        "/niches",
        tag=TAG,
        body=niches.NewNiche,
        answer=niches.Niche,
        raises=(errors.NotPermitted, errors.PlanForbids, errors.Conflict, errors.AlreadyExists),
        example={"name": "Urban beekeeping", "description": "Bees in the city", "icon": "🐝"},
    )
    async def create_niche(self, request: TenantRequest) -> niches.Niche:
        """Create a niche of your own.

        On the Pro and Business plans. Its key is made from its name. 500 at most. For editors.
        """
        body = await read_body(request, niches.NewNiche)
        return niches.Niche.of(
            await self.services.agents.niches.create(body.to_command(request.user)), request.user.plan
        )

    @operation("GET", "/niches/list", tag=TAG, answer=niches.NicheChoices)
    async def list_niche_choices(self, request: TenantRequest) -> niches.NicheChoices:
        """List niches to choose from.

        The same niches with what a dropdown shows of them.
        """
        return niches.NicheChoices.of(await self.services.agents.niches.list(request.user))

    @operation("GET", "/niches/activated", tag=TAG, answer=niches.ActivatedNiches)
    async def list_activated_niches(self, request: TenantRequest) -> niches.ActivatedNiches:
        """List the niches you use.

        Each with its tones, languages and countries.
        """
        return niches.ActivatedNiches.of(await self.services.agents.niches.activated(request.user), request.user.plan)

    @operation(
        "POST",
        "/niches/request",
        tag=TAG,
        body=niches.NicheWish,
        answer=niches.NicheRequested,
        raises=(errors.NotPermitted, errors.Conflict),
        example={"name": "Veterinary medicine", "description": "Keeping small animals healthy"},
    )
    async def request_niche(self, request: TenantRequest) -> niches.NicheRequested:
        """Ask for a niche.

        A wish for a preconfigured niche, which the operator reads. Asking again by the same name is the same request,
        with the new description. 100 at most. For editors.
        """
        body = await read_body(request, niches.NicheWish)
        ask = self.services.agents.niche_requests.ask
        return niches.NicheRequested(id=await ask(request.user, body.name, absent_as_none(body.description)))

    @operation("GET", "/niches/{id:str}", tag=TAG, answer=niches.Niche, raises=(errors.NotFound,))
    async def get_niche(self, request: TenantRequest, id: FromPath[str]) -> niches.Niche:
        """Read a niche.

        By its id or its key.
        """
        return niches.Niche.of(
            await self.services.agents.niches.get(request.user, path_id("niche", id)), request.user.plan
        )

    @operation(
        "PATCH",
        "/niches/{id:str}",
        tag=TAG,
        body=niches.NichePatch,
        answer=niches.Niche,
        raises=(errors.NotPermitted, errors.NotFound),
        example={"description": "Bees on roofs"},
    )
    async def edit_niche(self, request: TenantRequest, id: FromPath[str]) -> niches.Niche:
        """Edit a niche of your own.

        Its name, description and icon; its key stays. A preconfigured one is a 403. For editors.
        """
        body = await read_body(request, niches.NichePatch)
        edit = self.services.agents.edit_niches.edit
        return niches.Niche.of(await edit(request.user, path_id("niche", id), body.to_changes()), request.user.plan)

    @operation(
        "DELETE",
        "/niches/{id:str}",
        tag=TAG,
        answer=Done,
        raises=(errors.NotPermitted, errors.NotFound, NicheInUse),
    )
    async def delete_niche(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Delete a niche of your own.

        With its activation and settings, once nothing else is in it: as long as there are agents, articles or documents
        it is a 409 whose `uses` counts them. A preconfigured one is a 403. For editors.
        """
        await self.services.agents.edit_niches.delete(request.user, path_id("niche", id))
        return Done()

    @operation(
        "POST",
        "/niches/{id:str}/activate",
        tag=TAG,
        body=niches.ActivationRequest,
        answer=niches.NicheActivated,
        raises=(errors.NotPermitted, errors.PlanForbids, errors.QuotaExceeded, errors.NotFound),
        example={"tones": ["professional"], "languages": ["en"], "countries": ["GB"]},
    )
    async def activate_niche(self, request: TenantRequest, id: FromPath[str]) -> niches.NicheActivated:
        """Use a niche.

        Creates one agent of your own for each country that has none yet, all or none; each counts against your agents.
        Activating again adds countries, switches the agents of those listed on, and replaces tones, languages and
        audience. A niche of your own takes a plan that includes custom niches. For editors.
        """
        body = await read_body(request, niches.ActivationRequest)
        command = body.to_command(request.user, path_id("niche", id))
        return niches.NicheActivated.of(await self.services.agents.niches.activate(command))

    @operation(
        "POST", "/niches/{id:str}/deactivate", tag=TAG, answer=Done, raises=(errors.NotPermitted, errors.NotFound)
    )
    async def deactivate_niche(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Stop using a niche.

        Your agents in it are switched off; nothing is deleted. Doing it twice is fine. For editors.
        """
        await self.services.agents.niches.deactivate(request.user, path_id("niche", id))
        return Done()

    @operation("GET", "/niches/{id:str}/dashboard", tag=TAG, answer=NicheDashboard, raises=(errors.NotFound,))
    async def get_niche_dashboard(self, request: TenantRequest, id: FromPath[str]) -> NicheDashboard:
        """Look at a niche.

        Its articles by status and the newest of them, its agents, what its knowledge base holds, and its topic coverage
        as last computed.
        """
        return NicheDashboard.of(
            await self.services.agents.niche_dashboard(request.user, path_id("niche", id)), request.user.plan
        )

    @operation(
        "GET",
        "/niches/{id:str}/settings",
        tag=TAG,
        answer=niche_settings.NicheSettings,
        raises=(errors.NotFound, errors.NicheNotActivated),
    )
    async def get_niche_settings(self, request: TenantRequest, id: FromPath[str]) -> dict[str, Any]:
        """Read how you use a niche.

        The tones, languages, countries and audience of its activation, and what you keep here beside them.
        """
        return niche_settings.shown(await self.services.agents.niche_settings.read(request.user, path_id("niche", id)))

    @operation(
        "PATCH",
        "/niches/{id:str}/settings",
        tag=TAG,
        body=niche_settings.NicheSettingsPatch,
        answer=niche_settings.NicheSettings,
        raises=(errors.NotPermitted, errors.NotFound, errors.NicheNotActivated),
        max_body=MAX_SETTINGS,
        example={"tones": ["casual"], "editorialNote": "British spelling"},
    )
    async def edit_niche_settings(self, request: TenantRequest, id: FromPath[str]) -> dict[str, Any]:
        """Change how you use a niche.

        Tones, languages and audience are those of its activation; countries are changed by activating it, and by
        deleting agents. Any other key is kept for you, also while the niche is not activated: 16 KiB in all. For
        editors.
        """
        body, others = await read_object(request, niche_settings.NicheSettingsPatch)
        change = self.services.agents.niche_settings.change
        return niche_settings.shown(await change(request.user, path_id("niche", id), body.to_changes(others)))

    @operation(
        "POST",
        "/niches/{id:str}/websearch-premium",
        tag=TAG,
        body=Switch,
        optional_body=True,
        answer=Switched,
        raises=(errors.NotPermitted, errors.PlanForbids, errors.NotFound),
        example={"enabled": True},
    )
    async def switch_niche_search(self, request: TenantRequest, id: FromPath[str]) -> Switched:
        """Switch the premium web search of a niche.

        Without a body, to the other side. Enrichments use the premium search while this switch and that of the agent
        are on, as both are at first; else the standard one. On the Business plan. For editors.
        """
        body = await read_body(request, Switch, optional=True)
        switch = self.services.agents.niche_settings.premium_search
        return Switched(enabled=await switch(request.user, path_id("niche", id), absent_as_none(body.enabled)))
