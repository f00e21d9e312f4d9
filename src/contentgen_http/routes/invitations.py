"""Accepting an invitation, which needs no key: the link has a token."""

from __future__ import annotations

from typing import Any, Final

from litestar import Controller, Request, Response

from contentgen_core import errors
from contentgen_core.link_errors import InvitationInvalid, InvitationNotMailed
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import read_body, read_query
from contentgen_http.public.invitation_page import PAGE, POLICY
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.rate_limit import Limits, count_visit
from contentgen_http.services import Services
from contentgen_http.wire import team as wire

TAG: Final = "Team"
PER_MINUTE: Final = 60

AnyRequest = Request[Any, Any, Any]


class InvitationRoutes(Controller):
    services: Services
    limits: Limits
    addresses: ClientAddresses

    @operation(
        "GET",
        "/team/accept",
        tag=TAG,
        answer=None,
        media="text/html",
        query=wire.AcceptQuery,
        public=True,
        raises=(errors.RateLimited,),
    )
    async def get_acceptance_page(self, request: AnyRequest) -> Response[str]:
        """Open an invitation.

        A page for people, where an invitation's link leads: it asks for a name, accepts, and shows the first API key.
        Opening it accepts nothing yet.
        """
        await self._count(request)
        read_query(request, wire.AcceptQuery)  # only checked here: the page's script uses it
        headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
        return Response(PAGE, media_type="text/html", headers=headers)

    @operation(
        "POST",
        "/team/accept",
        tag=TAG,
        body=wire.Acceptance,
        answer=wire.Accepted,
        public=True,
        raises=(
            errors.RateLimited,
            InvitationInvalid,
            InvitationNotMailed,
            errors.QuotaExceeded,
            errors.Unavailable,
        ),
        example={"token": "the token of the link", "name": "Ada"},
    )
    async def accept_invitation(self, request: AnyRequest) -> wire.Accepted:
        """Accept an invitation.

        Needs no key: it answers with the first one, which is shown this once. A token works once; one that was used,
        cancelled, renewed or has expired is a 400 with the code invitation_invalid. Where the service sends mail, only
        the link in the mail joins: another is a 400 with the code invitation_not_mailed. At most 60 requests a minute
        from one address.
        """
        await self._count(request)
        body = await read_body(request, wire.Acceptance)
        return wire.Accepted.of(await self.services.people.accept_invitation(body.token, body.name))

    async def _count(self, request: AnyRequest) -> None:
        await count_visit(request.scope, self.limits, self.addresses, "accept", PER_MINUTE)
