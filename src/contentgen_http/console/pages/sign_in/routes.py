"""/console/sign-in: by a link in a mail, or with an API key."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from litestar import Controller, Response, get, post

from contentgen_core.errors import (
    DailyQuotaExceeded,
    InvalidInput,
    RateLimited,
    TenantSuspended,
    Unauthenticated,
)
from contentgen_core.link_errors import SignInInvalid
from contentgen_core.use_cases.sign_in.sessions import NewSession
from contentgen_http.console.cookies import SESSION_SECONDS, private_cookie, session_cookie
from contentgen_http.console.errors import sentence
from contentgen_http.console.page import Page
from contentgen_http.console.rendering import show_public, to
from contentgen_http.console.visit import (
    LANGUAGE,
    AnyVisit,
    Visit,
    local_address,
    read_public_form,
    texts_of,
)
from contentgen_http.server.rate_limit import SIGN_IN, Limits
from contentgen_http.services import Services
from contentgen_http.texts import LANGUAGES

_YEAR: Final = 365 * 24 * 3600


class SignInPages(Controller):
    """For people who are not signed in."""

    services: ClassVar[Services]
    limits: ClassVar[Limits]

    @get("/sign-in")
    async def sign_in(self, request: AnyVisit) -> Response[str]:
        back = local_address(request.query_params.get("next", ""))
        return self._page(request, back=back, fault="", sent="")

    @post("/sign-in/key", status_code=200)
    async def with_key(self, request: AnyVisit) -> Response[Any]:
        """A session that ends with the key."""
        form = await read_public_form(request)
        back = local_address(form.text("next"))
        try:
            begun = await self.services.people.web_sessions.begin_by_key(form.text("key"))
        except (Unauthenticated, TenantSuspended) as error:
            fault = sentence(error, texts_of(request))
            return self._page(request, status=401, back=back, fault=fault, sent="")
        return self._in(request, begun, back)

    @post("/sign-in/mail", status_code=200)
    async def with_mail(self, request: AnyVisit) -> Response[Any]:
        """Says the same whether the address is a member's or not."""
        form = await read_public_form(request)
        back, email = local_address(form.text("next")), form.text("email")
        try:
            await self.services.people.request_sign_in(email, self._may_mail)
        except InvalidInput:
            fault = texts_of(request)("sign-in-no-address")
            return self._page(request, status=400, back=back, fault=fault, sent="")
        return self._page(request, back=back, fault="", sent=email)

    async def _may_mail(self, email: str) -> bool:
        """Whether a member's address gets one more link; counts it. Where it gets none nobody is told, since who asks
        would learn that it is a member's."""
        try:
            async with self.limits.mail(email, SIGN_IN):
                return True
        except (RateLimited, DailyQuotaExceeded):
            return False

    @get("/sign-in/link")
    async def link(self, request: AnyVisit) -> Response[str]:
        """Where a mailed link leads. Programs that look at mail open links, so only the button uses it up."""
        token = request.query_params.get("token", "")
        try:
            user, tenant = await self.services.people.web_sessions.person_of_link(token)
        except SignInInvalid as error:
            fault = sentence(error, texts_of(request))
            return self._page(request, status=400, back="/console", fault=fault, sent="")
        return show_public(request, "sign_in/link.html", user=user, tenant=tenant, token=token)

    @post("/sign-in/link", status_code=200)
    async def with_link(self, request: AnyVisit) -> Response[Any]:
        form = await read_public_form(request)
        try:
            begun = await self.services.people.web_sessions.begin_by_link(form.text("token"))
        except (SignInInvalid, TenantSuspended) as error:
            fault = sentence(error, texts_of(request))
            return self._page(request, status=400, back="/console", fault=fault, sent="")
        return self._in(request, begun, "/console")

    @post("/language", status_code=200)
    async def language(self, request: AnyVisit) -> Response[Any]:
        """The language that this browser shows from now on."""
        form = await read_public_form(request)
        answer = to(local_address(form.text("back")))
        if (chosen := form.text("language")) in LANGUAGES:
            answer.set_cookie(private_cookie(request, LANGUAGE, chosen, _YEAR))
        return answer

    def _page(self, request: AnyVisit, *, status: int = 200, back: str, fault: str, sent: str) -> Response[str]:
        open_id = self.services.people.open_id is not None
        return show_public(
            request, "sign_in/page.html", status=status, back=back, fault=fault, sent=sent, open_id=open_id
        )

    def _in(self, request: AnyVisit, begun: NewSession, back: str) -> Response[Any]:
        answer = to(back)
        answer.set_cookie(session_cookie(request, begun.token, SESSION_SECONDS))
        return answer


class SignedInPages(Page):
    """What ends a session, and what goes on after one was lost."""

    @post("/sign-out", status_code=200)
    async def sign_out(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        sessions, session = self.services.people.web_sessions, request.user.session
        if form.text("everywhere"):
            await sessions.end_others(session)
        await sessions.end(session)
        answer = to("/console/sign-in")
        answer.set_cookie(session_cookie(request, "", 0))
        return answer

    @post("/resume", status_code=200)
    async def resume(self, request: Visit) -> Response[Any]:
        """A form of a session that was lost, once more: with its fields, for the person to send."""
        form = await read_public_form(request)
        action = local_address(form.text("resume-action"))
        kept = [(name, value) for name, value in form.pairs if name != "resume-action"]
        if request.user is None:
            return show_public(request, "kept.html", status=401, kept=kept, action=action)
        return self.show(request, "sign_in/resume.html", kept=kept, action=action)
