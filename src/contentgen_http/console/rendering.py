"""From a template and what it shows to an answer."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from litestar import Response
from litestar.response import Redirect

from contentgen_core.ports.runtime import Clock, KeyMaker
from contentgen_http.console.assets import assets
from contentgen_http.console.declared import declared, language_of_declared
from contentgen_http.console.faults import language_of_outcome, said_outcome
from contentgen_http.console.texts import texts_in
from contentgen_http.console.visit import AnyVisit, Visit, csrf_token, shown_address, texts_of
from contentgen_http.texts import LANGUAGES

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store", "Vary": "Cookie, Accept-Language"}
NOTE: Final = "note"
"""The query parameter that says what was done: the id of a text that begins with `note-`."""


@cache
def environment() -> Environment:
    """Templates of the layout, and those of each page by the name of its folder: `home/page.html`."""
    loader = ChoiceLoader(
        [PackageLoader("contentgen_http.console", "layout"), PackageLoader("contentgen_http.console", "pages")]
    )
    made = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["asset"] = lambda name: assets()[name].address
    made.globals["languages"] = LANGUAGES
    made.filters["declared"] = declared
    made.filters["declared_in"] = language_of_declared
    made.filters["said"] = said_outcome
    made.filters["said_in"] = language_of_outcome
    return made


def show(
    request: Visit, keys: KeyMaker, clock: Clock, template: str, *, status: int = 200, **context: Any
) -> Response[str]:
    """A page, or a part of one, for the person who is signed in."""
    person, texts = request.user, texts_of(request)
    note = request.query_params.get(NOTE, "")
    text = environment().get_template(template).render(
        t=texts,
        person=person,
        csrf=csrf_token(keys, person),
        path=request.scope["path"],
        here=shown_address(request),
        note=note if note.startswith("note-") and texts.has(note) else "",
        now=clock.now(),
        zone=person.tenant.time_zone or "UTC",
        **context,
    )  # fmt: skip
    return Response(text, status_code=status, media_type="text/html", headers=_HEADERS)


def show_public(request: AnyVisit, template: str, *, status: int = 200, **context: Any) -> Response[str]:
    """A page for somebody who is not signed in."""
    text = environment().get_template(template).render(
        t=texts_of(request), person=None, path=request.scope["path"], note="", **context
    )  # fmt: skip
    return Response(text, status_code=status, media_type="text/html", headers=_HEADERS)


def to(address: str, note: str = "") -> Redirect:
    """On to a page after a change, which is not repeated by loading that page again. `note`: what it says was done."""
    assert not note or texts_in("en").has(note), note
    path, mark, place = address.partition("#")
    joined = f"{path}{'&' if '?' in path else '?'}{NOTE}={note}" if note else path
    return Redirect(f"{joined}{mark}{place}", status_code=303, headers={"Cache-Control": "no-store"})
