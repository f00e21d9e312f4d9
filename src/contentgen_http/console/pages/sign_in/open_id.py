"""/console/sign-in/open-id: to the company's own provider, and back from there."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import structlog
from litestar import Controller, Response, get
from litestar.exceptions import NotFoundException

from contentgen_core.errors import ContentgenError, ProviderFailed, TenantSuspended
from contentgen_core.ports.open_id import OpenIdRefused, Refusal
from contentgen_core.use_cases.sign_in.open_id import SignInByOpenId
from contentgen_core.use_cases.sign_in.sessions import NewSession
from contentgen_http.console.cookies import SESSION_SECONDS, private_cookie, session_cookie
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.rendering import show_public, to
from contentgen_http.console.visit import AnyVisit, cookie, local_address, texts_of
from contentgen_http.routes.team import origin
from contentgen_http.services import Services
from contentgen_http.telemetry.context import trace_of

REQUEST: Final = "contentgen_open_id"
PATH: Final = "/console/sign-in/open-id"
CALLBACK: Final = f"{PATH}/callback"
MINUTES: Final = 10

log = structlog.get_logger("contentgen.console")


class OpenIdPages(Controller):
    """A link leads to the provider, not a form: where forms may lead is what the policy of our pages forbids."""

    services: ClassVar[Services]

    @get("/sign-in/open-id")
    async def begin(self, request: AnyVisit) -> Response[Any]:
        requests = self.services.ports.open_id_requests
        begun = requests.begin(local_address(request.query_params.get("next", "")))
        try:
            answer = to(await self._open_id().address(begun, self._redirect(request)))
        except ProviderFailed as error:
            return self._refused(request, error, begun.back)
        answer.set_cookie(private_cookie(request, REQUEST, requests.sign(begun), MINUTES * 60, path=PATH))
        return answer

    @get("/sign-in/open-id/callback")
    async def finish(self, request: AnyVisit) -> Response[Any]:
        """Where the provider leads back to. What the browser kept is used up, whatever comes of it."""
        asked = request.query_params
        kept = self.services.ports.open_id_requests.read(cookie(request.scope, REQUEST))
        back = local_address(kept.back if kept else "")
        try:
            if asked.get("error"):
                raise OpenIdRefused(Refusal.DENIED, asked["error"][:100])
            state, code = asked.get("state", ""), asked.get("code", "")
            found = await self._open_id().finish(kept, state, code, self._redirect(request))
        except (OpenIdRefused, ProviderFailed, TenantSuspended) as error:
            answer: Response[Any] = self._refused(request, error, back)
        else:
            if isinstance(found, NewSession):
                answer = to(back)
                answer.set_cookie(session_cookie(request, found.token, SESSION_SECONDS))
            else:
                answer = show_public(request, "sign_in/teams.html", choices=found)
        answer.delete_cookie(REQUEST, path=PATH)
        return answer

    def _open_id(self) -> SignInByOpenId:
        """Raises NotFoundException where no provider is set up."""
        if self.services.people.open_id is None:
            raise NotFoundException
        return self.services.people.open_id

    def _redirect(self, request: AnyVisit) -> str:
        return f"{self.services.options.public_url or origin(request.scope)}{CALLBACK}"

    def _refused(self, request: AnyVisit, error: ContentgenError, back: str) -> Response[str]:
        texts = texts_of(request)
        match error:
            case OpenIdRefused():
                fault = texts(f"open-id-{error.reason.value}")
            case ProviderFailed():
                fault = texts("sign-in-provider-failed")
            case _:
                fault = sentence(error, texts)
        log.warning("nobody was signed in", reason=error.log_text, requestId=trace_of(request.scope).request_id)
        status = status_of(error)
        return show_public(request, "sign_in/page.html", status=status, back=back, fault=fault, sent="", open_id=True)
