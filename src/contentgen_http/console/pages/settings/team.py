"""/console/settings/team: members and invitations, their roles, and taking them away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError, NotFound
from contentgen_core.model.team import Invitation, Member
from contentgen_core.model.tenant import Quota, Role
from contentgen_core.policies.tenancy.quotas import limit_of
from contentgen_core.use_cases.team.send import PATH
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.settings.settings_page import NONE_TYPED, NOTHING, SettingsPage
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit
from contentgen_http.routes.team import origin

TEAM: Final = "/console/settings/team"


class TeamPage(SettingsPage):
    @get("/settings/team")
    async def team(self, request: Visit) -> Response[str]:
        """With the link of an invitation that was made just now, this once."""
        return await self.show_once(request, lambda said: self._page(request, new=said))

    @post("/settings/team/invite", status_code=200)
    @sent_once
    async def invite(self, request: Visit) -> Response[Any]:
        """The link of the invitation is not kept: inviting the same address again makes a new one."""
        form = await self.form(request)
        email, role = form.text("email"), _role(form.text("role"))
        try:
            async with self.limits.mail(email):
                invited = await self.services.people.invite(request.user.caller, email, role)
        except ContentgenError as error:
            return await self._page(request, error, form)
        base = self.services.options.public_url or origin(request.scope)
        link = f"{base}{PATH}{invited.token}"
        return self.to_once(request, TEAM, link=link, invited=invited.invitation.email)

    @post("/settings/team/{id:str}/role", status_code=200)
    async def change_role(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        try:
            member = path_id("team member", id)
            await self.services.people.team.change_role(request.user.caller, member, _role(form.text("role")))
        except ContentgenError as error:
            return await self._page(request, error)
        return to(TEAM, "note-role-changed")

    @get("/settings/team/{id:str}/remove")
    async def ask_to_remove(self, request: Visit, id: FromPath[str]) -> Response[str]:
        found = await self._found(request, id)
        if isinstance(found, Invitation):
            return self.ask(request, "settings-cancel-ask", "settings-cancel-invitation", TEAM, name=found.email)
        hint = "settings-remove-hint"
        return self.ask(request, "settings-remove-ask", "settings-remove", TEAM, hint=hint, name=found.user.name)

    @post("/settings/team/{id:str}/remove", status_code=200)
    async def remove(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        try:
            await self.services.people.team.remove(request.user.caller, path_id("team member", id))
        except ContentgenError as error:
            return await self._page(request, error)
        return to(TEAM, "note-removed")

    async def _found(self, request: Visit, id: str) -> Member | Invitation:
        """Raises NotFound."""
        team = await self.services.people.team.list(request.user.caller)
        for member in team.members:
            if member.user.id == id:
                return member
        for invitation in team.invitations:
            if invitation.id == id:
                return invitation
        raise NotFound("team member", id)

    async def _page(
        self,
        request: Visit,
        error: ContentgenError | None = None,
        typed: Form = NONE_TYPED,
        new: Mapping[str, str] = NOTHING,
    ) -> Response[str]:
        caller = request.user.caller
        team = await self.services.people.team.list(caller)
        return self.settings(
            request,
            "team",
            error=error,
            typed=typed,
            team=team,
            most=limit_of(caller.plan, Quota.TEAM_MEMBERS),
            roles=[role for role in reversed(Role) if caller.role.includes(role)],
            link=new.get("link"),
            invited=new.get("invited"),
        )


def _role(text: str) -> Role:
    """That of least permissions for a text that names none."""
    return Role(text) if text in set(Role) else Role.VIEWER
