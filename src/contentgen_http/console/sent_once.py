"""Forms that make something and are sent twice, by a double click or from a page that was left and came back: the
second one gets the answer of the first. Each page has a token of its own (`visit.csrf_token`), by which it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException
from litestar.response import Redirect

from contentgen_core.errors import AlreadyExists, Conflict
from contentgen_core.ports.repositories.idempotency import Idempotency, IdempotencyRecord
from contentgen_core.ports.sealing import SecretUnreadable
from contentgen_core.services.ports import Ports
from contentgen_http.console import shown_once
from contentgen_http.console.page import Page
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Form, Visit

WAIT_SECONDS: Final = 15.0
"""For the answer to the first one."""
LOOK_SECONDS: Final = 0.1

_UNDER_WAY: Final[set[asyncio.Task[Response[Any]]]] = set()
"""What nobody may wait for any more: the event loop alone would not keep it."""

P = ParamSpec("P")
S = TypeVar("S", bound=Page)
Handler = Callable[Concatenate[S, P], Awaitable[Response[Any]]]


class FormSentAlready(Conflict):
    """The same form was sent before, and nobody knows yet what became of it."""

    code = "form_sent_already"


class _Answer(msgspec.Struct, frozen=True):
    """Where the first one led to, and what is shown there once, as its cookie holds it."""

    address: str
    once: str
    path: str


def sent_once(handler: Handler[S, P]) -> Handler[S, P]:
    """A route of a page for a form that makes something: of forms that are the same, from one page and with the same
    fields, the first that leads on to another page is carried out, and the others lead there too. Raises
    FormSentAlready after WAIT_SECONDS without an answer to the first."""

    @wraps(handler)
    async def answered(page: S, /, *args: P.args, **kwargs: P.kwargs) -> Response[Any]:
        request = cast(Visit, kwargs["request"])  # the framework names what it passes
        try:
            form = await page.form(request)
        except HTTPException:  # such as one that is too large, of which the route says more
            return await handler(page, *args, **kwargs)
        name = _name(request, page.services.ports, form)
        task = asyncio.create_task(_carried_out(page, request, name, lambda: handler(page, *args, **kwargs)))
        _UNDER_WAY.add(task)
        task.add_done_callback(_UNDER_WAY.discard)
        return await asyncio.shield(task)

    return answered


async def _carried_out(
    page: Page, request: Visit, name: str, make: Callable[[], Awaitable[Response[Any]]]
) -> Response[Any]:
    """Goes on to its end also when the browser leaves, as it does with the first click of a double one."""
    ports = page.services.ports
    if not await _noted(request, ports, f"form {name}", "") and (first := await _first(request, ports, name)):
        return _again(request, first)
    answer = ""
    try:
        made = await make()
        answer = _sealed(ports, made, name)
    finally:
        await _noted(request, ports, f"answer {name}", answer)
    return made


def _name(request: Visit, ports: Ports, form: Form) -> str:
    """What tells a form of a page from all others."""
    fields = msgspec.json.encode([request.user.session.id, request.scope["path"], form.token, form.pairs]).decode()
    return ports.key_maker.digest(f"\0form {fields}")


async def _noted(request: Visit, ports: Ports, key: str, said: str) -> bool:
    """Whether nothing was noted under this key before."""
    record = IdempotencyRecord(request.user.caller.tenant_id, key, "", said, ports.clock.now())
    try:
        async with ports.unit_of_work() as tx:
            await tx[Idempotency].add(record)
    except AlreadyExists:
        return False
    return True


async def _first(request: Visit, ports: Ports, name: str) -> _Answer | None:
    """The answer to the first of these forms; None where it led nowhere. Raises FormSentAlready."""
    tenant_id = request.user.caller.tenant_id
    for _ in range(round(WAIT_SECONDS / LOOK_SECONDS)):
        async with ports.unit_of_work() as tx:
            noted = await tx[Idempotency].find(tenant_id, f"answer {name}", ports.clock.now())
        if noted is not None:
            return _opened(ports, noted.result_id, name)
        await asyncio.sleep(LOOK_SECONDS)
    raise FormSentAlready("This form was sent already. Look whether what it makes is there before you send it again.")


def _sealed(ports: Ports, made: Response[Any], name: str) -> str:
    """The answer as it is noted; "" for one that leads nowhere, such as a page that names faults."""
    if not isinstance(made, Redirect):
        return ""
    once = next((cookie for cookie in made.cookies if cookie.key == shown_once.COOKIE), None)
    answer = _Answer(made.url, (once.value or "") if once else "", once.path if once else "")
    return ports.secret_box.seal(msgspec.json.encode(answer).decode(), f"answer {name}")


def _opened(ports: Ports, noted: str, name: str) -> _Answer | None:
    if not noted:
        return None
    try:
        return msgspec.json.decode(ports.secret_box.open(noted, f"answer {name}"), type=_Answer)
    except SecretUnreadable as error:
        raise FormSentAlready("This form was sent already, and its answer cannot be read any more.") from error


def _again(request: Visit, answer: _Answer) -> Response[Any]:
    made = to(answer.address)
    if answer.once:
        shown_once.keep(request, made, answer.once, answer.path)
    return made
