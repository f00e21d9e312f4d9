"""What is known of a browser's request before a page answers it: person, language, and that it comes from our pages."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from http.cookies import SimpleCookie
from typing import Any, Final, TypeAlias, overload
from urllib.parse import parse_qsl, urlencode, urlsplit

from attrs import field, frozen
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from contentgen_core.errors import InvalidInput, NotPermitted, Unauthenticated
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.ports.runtime import KeyMaker
from contentgen_core.use_cases.sign_in.sessions import ManageWebSessions, SignedInPerson
from contentgen_http.console.multipart import SentFile, is_multipart, read_multipart
from contentgen_http.console.texts import texts_in
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.concurrency_limit import RequestLimits
from contentgen_http.server.rate_limit import Limits
from contentgen_http.telemetry.context import trace_of
from contentgen_http.texts import LANGUAGES, Texts, preferred

SESSION: Final = "contentgen_session"
SECURE_SESSION: Final = f"__Secure-{SESSION}"
"""Its name over HTTPS: browsers take a cookie of this name from HTTPS alone, marked as such."""
LANGUAGE: Final = "contentgen_language"
CSRF: Final = "csrf"
CSRF_HEADER: Final = "x-csrf-token"
SIGN_IN: Final = "/console/sign-in"
MAX_FORM: Final = 2 * 1024 * 1024
MAX_FIELDS: Final = 2_000
MAX_SOURCES: Final = 100
MAX_PAGE: Final = 10_000
PER_MINUTE: Final = 600
SLOW: Final = "slow"
"""The option of routes that take long: as the operations of the API that do the same."""
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})

Visit: TypeAlias = Request[SignedInPerson, None, State]
AnyVisit: TypeAlias = Request[Any, Any, Any]


@frozen
class Form:
    """The fields of a form that a page of ours sent. A name may be there several times. `token`: of that page."""

    pairs: tuple[tuple[str, str], ...]
    files: tuple[SentFile, ...] = ()
    token: str = field(default="", repr=False)

    def text(self, name: str, default: str = "") -> str:
        """The first value of a field, without blanks around it."""
        return next((value.strip() for field, value in self.pairs if field == name), default)

    def texts(self, name: str) -> list[str]:
        """All values of a field."""
        return [value.strip() for field, value in self.pairs if field == name]

    def __contains__(self, name: str) -> bool:
        return any(field == name for field, _ in self.pairs)

    def prose(self) -> str:
        """What was typed into it that is more than one word, field below field. Declared fields, whose names have a dot
        (`credentials.appPassword`), are left out: they may be secret."""
        values = (value.strip() for name, value in self.pairs if "." not in name)
        return "\n\n".join(value for value in values if len(value.split()) > 1)


class SignInNeeded(Unauthenticated):
    """The browser is not signed in, or its session has ended. `kept`: what a form was to change."""

    def __init__(self, message: str, kept: Form | None = None) -> None:
        super().__init__(message)
        self.kept = kept


class ForeignForm(NotPermitted):
    """A form was not sent from a page of ours that this session was shown."""

    code = "foreign_form"


def cookie(scope: Any, name: str) -> str:
    """The value of a cookie; empty without one."""
    named = name.encode()
    for header, value in scope["headers"]:
        if header == b"cookie" and named in value:
            found = SimpleCookie(value.decode("latin-1"))
            if name in found:
                return found[name].value
    return ""


def session_cookie_name(scope: Any) -> str:
    """The name of the cookie that holds the session of a request."""
    return SECURE_SESSION if scope.get("scheme") == "https" else SESSION


def texts_of(request: AnyVisit) -> Texts:
    """In the language that the person chose, or that the browser asks for."""
    return texts_in(language_of(request.scope["headers"]))


def language_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The language that a browser's headers ask for: one of LANGUAGES. `headers`: with names in lower case."""
    sent = list(headers)
    chosen = cookie({"headers": sent}, LANGUAGE)
    wishes = next((value.decode("latin-1") for name, value in sent if name == b"accept-language"), "")
    return chosen if chosen in LANGUAGES else preferred(wishes)


def gate(sessions: ManageWebSessions, limits: Limits, requests: RequestLimits) -> Guard:
    """The guard of all pages for members: a session, its limit, that what changes something is asked by our own pages,
    and the request's turn among its tenant's. Pages that take long are declared with `slow=True`."""

    async def enter(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        scope: Any = connection.scope
        check_origin(scope)
        try:
            person = await sessions.identify(cookie(scope, session_cookie_name(scope)))
        except Unauthenticated as exc:
            if scope["method"] in _SAFE:
                raise SignInNeeded(str(exc)) from exc
            scope["user"] = None  # `read_form` keeps what was typed
            return
        trace = trace_of(scope)
        trace.tenant_id = person.caller.tenant_id
        allowance = await limits.count_public("console", person.session.id, PER_MINUTE)
        if not allowance.allowed:
            raise limits.refusal(allowance)
        await requests.enter(trace, person.caller.tenant_id, slow=bool(handler.opt.get(SLOW)))
        scope["user"] = person

    return enter


def public_gate(limits: Limits, addresses: ClientAddresses, per_minute: int) -> Guard:
    """The guard of the pages on which people sign in."""

    async def enter(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        scope = connection.scope
        check_origin(scope)
        allowance = await limits.count_public("console", addresses.network_of(scope), per_minute)
        if not allowance.allowed:
            raise limits.refusal(allowance)

    return enter


def check_origin(scope: Any) -> None:
    """Raises ForeignForm where the browser says that another site asks for a change."""
    if scope["method"] in _SAFE:
        return
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    site, origin, host = headers.get(b"sec-fetch-site"), headers.get(b"origin"), headers.get(b"host", "")
    if site is not None and site not in ("same-origin", "none"):
        raise ForeignForm("This form was sent by another site.")
    if origin == "null":  # of a sandboxed frame, a file, or another site by a redirect: no page of ours has it
        raise ForeignForm("This form was sent by a page without an address.")
    if origin is not None and urlsplit(origin).netloc != host and site is None:
        raise ForeignForm("This form was sent by another site.")


def csrf_token(keys: KeyMaker, person: SignedInPerson) -> str:
    """What the forms of a page carry: a keyed hash that no other session's pages show, under a mask of this page's own,
    since the length of a packed page tells what it repeats."""
    proof = _proof(keys, person)
    mask = secrets.token_bytes(len(proof))
    return (mask + _masked(proof, mask)).hex()


def _proves(token: str, keys: KeyMaker, person: SignedInPerson) -> bool:
    """Whether a page of this session carried the token."""
    proof = _proof(keys, person)
    try:
        sent = bytes.fromhex(token)
    except ValueError:
        return False
    mask, masked = sent[: len(proof)], sent[len(proof) :]
    return len(sent) == 2 * len(proof) and hmac.compare_digest(_masked(masked, mask), proof)


def _proof(keys: KeyMaker, person: SignedInPerson) -> bytes:
    return hashlib.sha256(keys.digest(f"\0csrf {person.session.digest}").encode()).digest()


def _masked(text: bytes, mask: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(text, mask, strict=True))


async def read_form(request: Visit, keys: KeyMaker) -> Form:
    """The form of a page that this session was shown; what changes something reads it before anything else. A page of
    an error shows what was typed. Raises SignInNeeded, ForeignForm, InvalidInput."""
    form = request.state.form = await read_public_form(request)
    if request.user is None:
        raise SignInNeeded("Sign in again: your session has ended.", form)
    sent = request.headers.get(CSRF_HEADER) or form.text(CSRF)
    if not _proves(sent, keys, request.user):
        raise ForeignForm("This page is from before you signed in. Load it again; what you typed is still there.")
    return Form(tuple((name, value) for name, value in form.pairs if name != CSRF), form.files, sent)


async def read_public_form(request: AnyVisit) -> Form:
    """The fields of a request, urlencoded or multipart. Raises InvalidInput, and the framework's 413."""
    if is_multipart(request):
        pairs, files = await read_multipart(request)
    else:
        pairs, files = _pairs(await request.body()), []
    cleaned = tuple((name, value.replace("\0", "").replace("\r\n", "\n")) for name, value in pairs)
    return Form(cleaned, tuple(files))


def _pairs(raw: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            raw.decode("utf-8", "replace"), keep_blank_values=True, errors="replace", max_num_fields=MAX_FIELDS
        )
    except ValueError as exc:
        raise InvalidInput.of("form", f"at most {MAX_FIELDS} fields") from exc


@overload
def whole_number(text: str) -> int | None: ...
@overload
def whole_number(text: str, otherwise: int) -> int: ...
def whole_number(text: str, otherwise: int | None = None) -> int | None:
    """A whole number of up to seven digits that an address or a form says; `otherwise` for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else otherwise


def page_number(request: AnyVisit, most: int = MAX_PAGE, name: str = "page") -> int:
    """A number from 1 to `most` that the address names, such as the page of a list; 1 where it names none."""
    return min(max(whole_number(request.query_params.get(name, ""), 1), 1), most)


def source_refs(form: Form, field: str) -> tuple[SourceRef, ...]:
    """The passages that a field of a form names, MAX_SOURCES at most; what cannot be one is left out."""
    found = []
    for text in form.texts(field)[:MAX_SOURCES]:
        try:
            found.append(SourceRef.parse(text))
        except ValueError:
            continue
    return tuple(dict.fromkeys(found))


def local_address(text: str, otherwise: str = "/console") -> str:
    """An address of the console itself, for a redirect; `otherwise` for any other."""
    try:
        parts = urlsplit(text)
    except ValueError:  # a host that cannot be one
        return otherwise
    own = not parts.scheme and not parts.netloc and (parts.path == "/console" or parts.path.startswith("/console/"))
    printable = text.isascii() and text.isprintable() and "\\" not in text
    return text if own and printable and len(text) <= 2_000 else otherwise


def shown_address(request: AnyVisit) -> str:
    """Where the page can be loaded again: that of the form where it is the answer to one."""
    if request.scope["method"] in _SAFE:
        return local_address(request.scope["path"])
    _, _, after_scheme = request.headers.get("referer", "").partition("://")
    path = after_scheme.partition("?")[0].partition("/")[2]
    return local_address(f"/{path}")


def sign_in_address(request: AnyVisit) -> str:
    """Where a person signs in, to come back afterwards."""
    path, query = request.scope["path"], request.scope["query_string"].decode("latin-1")
    back = local_address(f"{path}?{query}" if query else path)
    return SIGN_IN if back == "/console" else f"{SIGN_IN}?{urlencode({'next': back})}"
