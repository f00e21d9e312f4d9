"""The team: members and invitations."""

from __future__ import annotations

import re
from typing import Any, Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.use_cases.team.send import PATH
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body
from contentgen_http.server.rate_limit import Limits
from contentgen_http.services import Services
from contentgen_http.wire import team as wire
from contentgen_http.wire.base import Done

TAG: Final = "Team"

_HOST: Final = re.compile(r"[A-Za-z0-9.\-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")


class TeamRoutes(Controller):
    services: Services
    limits: Limits

    @operation("GET", "/team", tag=TAG, answer=wire.TeamList)
    async def list_team(self, request: TenantRequest) -> wire.TeamList:
        """List the team.

        Its members, and the invitations that are open.
        """
        return wire.TeamList.of(await self.services.people.team.list(request.user))

    @operation(
        "POST",
        "/team/invite",
        tag=TAG,
        body=wire.NewInvitation,
        answer=wire.InvitedMember,
        raises=(errors.NotPermitted, errors.QuotaExceeded, errors.DailyQuotaExceeded, errors.AlreadyExists),
        example={"email": "ada@example.org", "role": "editor"},
    )
    async def invite_member(self, request: TenantRequest) -> wire.InvitedMember:
        """Invite somebody into the team.

        For admins and owners. The person gets a mail with a link that works once, for 7 days; inviteUrl is the same
        link. Inviting the same address again renews the invitation and ends its former link; a member's address is a
        409. An invitation takes a place of the quota teamMembers. At most 5 mails a minute and 20 a day go to
        one address.
        """
        body = await read_body(request, wire.NewInvitation)
        async with self.limits.mail(body.email):
            invited = await self.services.people.invite(request.user, body.email, body.role)
        base = self.services.options.public_url or origin(request.scope)
        return wire.InvitedMember.with_url(invited.invitation, f"{base}{PATH}{invited.token}")

    @operation(
        "PATCH",
        "/team/{id:str}",
        tag=TAG,
        body=wire.RolePatch,
        answer=wire.TeamMember,
        raises=(errors.NotPermitted, errors.NotFound, errors.LastOwner),
        example={"role": "viewer"},
    )
    async def change_role(self, request: TenantRequest, id: FromPath[str]) -> wire.TeamMember:
        """Change a role.

        A member's, within a second everywhere, or an open invitation's. For admins and owners; nobody can give a role
        above their own, nor change somebody above them. The last owner stays one (409).
        """
        body = await read_body(request, wire.RolePatch)
        changed = await self.services.people.team.change_role(request.user, path_id("team member", id), body.role)
        return wire.TeamMember.of(changed)

    @operation(
        "DELETE",
        "/team/{id:str}",
        tag=TAG,
        answer=Done,
        raises=(errors.NotPermitted, errors.NotFound, errors.LastOwner),
    )
    async def remove_member(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Remove a member, or cancel an invitation.

        A member's keys stop working everywhere within a second, and the invitations that the member made are cancelled.
        What the member wrote stays. For admins and owners; admins cannot remove owners, nobody the last owner (409).
        """
        await self.services.people.team.remove(request.user, path_id("team member", id))
        return Done()


def origin(scope: Any) -> str:
    """The address by which the caller reached the service (`https://host:port`), from the Host header."""
    host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
    return f"{scope['scheme']}://{host if _HOST.fullmatch(host) else 'localhost'}"
