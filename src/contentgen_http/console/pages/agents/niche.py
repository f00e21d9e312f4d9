"""/console/agents/niches/{key}: how a team uses a niche."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError, InvalidInput
from contentgen_core.model.article_update import RefreshMode
from contentgen_core.model.ids import UserId
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import PLAN_TONES, Language
from contentgen_core.use_cases.agents.manage_agents import CreateAgentCommand
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from contentgen_core.use_cases.niches.settings import SettingsChanges
from contentgen_http.api.requests import path_id
from contentgen_http.console import schedules
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.faults import said_faults
from contentgen_http.console.page import Page
from contentgen_http.console.pages.agents.view import Section, niche_view
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, texts_of, whole_number

HOURS: Final = (6, 24, 72, 168, 720)
"""How often articles can be compared with their sources, as the form offers it."""
APPROVERS: Final = tuple(Role)
_AREAS: Final = frozenset(
    {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)


class NichePages(Page):
    @get("/agents/niches/{key:str}")
    async def niche(self, request: Visit, key: FromPath[str]) -> Response[str]:
        return await self._page(request, key)

    @post("/agents/niches/{key:str}/activate", status_code=200)
    async def activate(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        """In one country; further ones are added afterwards."""
        form = await self.form(request)
        command = ActivateNicheCommand(
            request.user.caller,
            path_id("niche", key),
            tuple(form.texts("tone")),
            tuple(form.texts("language")),
            tuple(form.texts("country")),
            form.text("audience") or None,
        )
        try:
            await self.services.agents.niches.activate(command)
        except ContentgenError as error:
            return await self._again(request, key, "use", error, _use_typed(form))
        return to(_address(key), "note-niche-activated")

    @post("/agents/niches/{key:str}/deactivate", status_code=200)
    async def deactivate(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.agents.niches.deactivate(request.user.caller, path_id("niche", key))
        return to(_address(key), "note-niche-deactivated")

    @post("/agents/niches/{key:str}/countries", status_code=200)
    @sent_once
    async def add_country(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        """An agent in one more country."""
        form = await self.form(request)
        command = CreateAgentCommand(request.user.caller, path_id("niche", key), form.text("country"))
        try:
            await self.services.agents.manage.create(command)
        except ContentgenError as error:
            return await self._again(request, key, "country", error, {"country": form.text("country")})
        return to(_address(key), "note-agent-made")

    @post("/agents/niches/{key:str}/use", status_code=200)
    async def use(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        """Languages, tones and readers, from the next article on."""
        form = await self.form(request)
        changes = SettingsChanges(
            tones=tuple(form.texts("tone")),
            languages=tuple(form.texts("language")),
            target_audience=form.text("audience") or None,
        )
        try:
            await self.services.agents.niche_settings.change(request.user.caller, path_id("niche", key), changes)
        except ContentgenError as error:
            return await self._again(request, key, "use", error, _use_typed(form))
        return to(_address(key, "use"), "note-niche-saved")

    @post("/agents/niches/{key:str}/schedule", status_code=200)
    async def schedule(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        """Save and switch on; or pause, go on, or delete what is stored."""
        form = await self.form(request)
        changes: dict[str, Any] | None
        match form.text("do"):
            case "pause":
                changes, note = {"enabled": False}, "note-schedule-paused"
            case "resume":
                changes, note = {"enabled": True}, "note-schedule-saved"
            case "delete":
                gone = ("days", "hour", "minute", "timeZone", "articlesPerRun", "autopublish", "processing")
                changes, note = {"enabled": False, **dict.fromkeys(gone)}, "note-schedule-deleted"
            case _:
                changes, note = schedules.changes_of(form), "note-schedule-saved"
        try:
            if changes is None:
                raise InvalidInput.of("days", texts_of(request)("schedule-needs"))
            await self.services.agents.article_schedules.change(request.user.caller, path_id("niche", key), changes)
        except ContentgenError as error:
            return await self._again(request, key, "schedule", error, schedules.typed(form))
        return to(_address(key, "schedule"), note)

    @post("/agents/niches/{key:str}/refresh", status_code=200)
    async def refresh(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        """How articles follow their sources; or a look at them now; or no more looks."""
        form = await self.form(request)
        caller, niche, manage = request.user.caller, path_id("niche", key), self.services.writing.refresh
        match form.text("do"):
            case "run":
                await manage.run(caller, niche)
                note = "note-refresh-begun"
            case "delete":
                await manage.delete(caller, niche)
                note = "note-refresh-deleted"
            case _:
                mode = RefreshMode.AUTO if form.text("mode") == RefreshMode.AUTO else RefreshMode.REVIEW
                hours = whole_number(form.text("every"))
                await manage.set(caller, niche, mode, hours, publish=form.text("publish") == "yes")
                note = "note-refresh-saved"
        return to(_address(key, "refresh"), note)

    @post("/agents/niches/{key:str}/approval", status_code=200)
    async def approval(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        role, people = form.text("role"), tuple(UserId(id) for id in form.texts("user"))
        try:
            await self.services.writing.approval_policies.set(
                request.user.caller,
                path_id("niche", key),
                required=form.text("required") == "yes",
                roles=(Role(role),) if role in set(APPROVERS) else (),
                user_ids=people,
            )
        except InvalidInput as error:
            typed = {"required": form.text("required") == "yes", "role": role, "users": list(people)}
            return await self._again(request, key, "approval", error, typed)
        return to(_address(key, "approval"), "note-approval-saved")

    @get("/agents/niches/{key:str}/delete")
    async def ask_delete(self, request: Visit, key: FromPath[str]) -> Response[str]:
        niche = await self.services.agents.niches.get(request.user.caller, path_id("niche", key))
        return self.show(request, "agents/delete_niche.html", niche=niche, fault="")

    @post("/agents/niches/{key:str}/delete", status_code=200)
    async def delete(self, request: Visit, key: FromPath[str]) -> Response[Any]:
        await self.form(request)
        caller, id = request.user.caller, path_id("niche", key)
        try:
            await self.services.agents.edit_niches.delete(caller, id)
        except ContentgenError as error:
            niche = await self.services.agents.niches.get(caller, id)
            fault, status = sentence(error, texts_of(request)), status_of(error)
            return self.show(request, "agents/delete_niche.html", status=status, niche=niche, fault=fault)
        return to("/console/agents", "note-niche-deleted")

    async def _again(
        self, request: Visit, key: str, name: str, error: ContentgenError, typed: dict[str, Any]
    ) -> Response[str]:
        texts = texts_of(request)
        fault = sentence(error, texts)
        if isinstance(error, InvalidInput):
            fault = "; ".join(said_faults(error, texts))
        return await self._page(request, key, Section(name, fault, typed), status_of(error))

    async def _page(self, request: Visit, key: str, section: Section | None = None, status: int = 200) -> Response[str]:
        caller, texts = request.user.caller, texts_of(request)
        section = section or Section()
        view = await niche_view(
            self.services, caller, await self.services.agents.niches.get(caller, path_id("niche", key))
        )
        zone = request.user.tenant.time_zone or "UTC"
        stored = view.schedule
        timing = stored and stored.timing
        values = schedules.values_of(stored, zone) if stored else {}
        activation = view.niche.activation
        return self.show(
            request,
            "agents/niche.html",
            status=status,
            view=view,
            niche=view.niche,
            section=section,
            when=schedules.in_words(timing, texts) if timing else "",
            upcoming=[schedules.moment_in_words(at, timing, texts) for at in view.upcoming] if timing else [],
            schedule=section.values if section.name == "schedule" else values,
            use=section.values if section.name == "use" else _use_of(activation, texts.language),
            approval=section.values if section.name == "approval" else _approval_of(view.approval),
            tones=sorted(PLAN_TONES),
            tongues=sorted(Language, key=lambda language: texts.language_name(language.value)),
            countries=self._countries(request, {agent.key.country for agent in view.agents if not agent.system}),
            zones=self._zones(values.get("zone", zone)),
            hours=sorted({*HOURS, *((view.refresh.every_hours,) if view.refresh else ())}),
            roles=APPROVERS,
            may_edit=caller.role.includes(Role.EDITOR),
            may_admin=caller.role.includes(Role.ADMIN),
        )

    def _countries(self, request: Visit, taken: set[str]) -> list[tuple[str, str]]:
        """Those without an agent, by their names."""
        texts, codes = texts_of(request), self.services.ports.countries - taken
        return sorted(((code, texts.country(code)) for code in codes), key=lambda country: country[1])

    def _zones(self, present: str) -> list[str]:
        """Those that are named after places, UTC, and the present one."""
        names = self.services.ports.time_zones.names
        return sorted({name for name in names if name.partition("/")[0] in _AREAS and "/" in name} | {"UTC", present})


def _address(key: str, section: str = "") -> str:
    return f"/console/agents/niches/{key}{f'#{section}' if section else ''}"


def _use_typed(form: Form) -> dict[str, Any]:
    return {
        "tones": form.texts("tone"),
        "languages": form.texts("language"),
        "audience": form.text("audience"),
        "country": form.text("country"),
    }


def _use_of(activation: Any, language: str) -> dict[str, Any]:
    """The fields of the form that say how a niche is used; what is usual where it is not yet."""
    if activation is None:
        return {"tones": ["professional"], "languages": [language], "audience": "", "country": ""}
    return {
        "tones": [tone.value for tone in activation.tones],
        "languages": [language.value for language in activation.languages],
        "audience": activation.target_audience or "",
        "country": "",
    }


def _approval_of(rules: Any) -> dict[str, Any]:
    roles = [role for role in APPROVERS if role in rules.roles]
    return {
        "required": rules.required,
        "role": roles[0].value if roles else "",
        "users": list(rules.user_ids),
    }
