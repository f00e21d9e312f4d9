"""From a template and what it shows to an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import cache, lru_cache, partial
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, nodes
from jinja2.visitor import NodeTransformer
from litestar import Response
from litestar.response import Redirect, Stream
from markupsafe import Markup

from contentgen_core.ports.runtime import Clock, KeyMaker
from contentgen_http.console.assets import assets
from contentgen_http.console.declared import declared, language_of_declared
from contentgen_http.console.faults import language_of_outcome, said_outcome
from contentgen_http.console.texts import texts_in
from contentgen_http.console.visit import AnyVisit, Visit, csrf_token, shown_address, texts_of
from contentgen_http.texts import LANGUAGES, Texts

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store", "Vary": "Cookie, Accept-Language"}
SHARED: Final = 256
"""Parts of pages that are kept."""
PART: Final = 64 * 1024
"""Characters of a long page that are rendered and sent at a time."""
NOTE: Final = "note"
"""The query parameter that says what was done: the id of a text that begins with `note-`."""
NO_JOBS: Final = "no_jobs"
"""In the application's state: whether nobody does jobs for this instance."""


class _Texts(NodeTransformer):
    """Puts the texts that have no values into a template, in one language, when it is compiled, and calls what makes
    the others as filters: looking texts up, and calling what may be anything, takes most of the time of a page."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def visit_Call(self, node: nodes.Call, *args: Any, **kwargs: Any) -> nodes.Node:
        self.generic_visit(node, *args, **kwargs)
        match node:
            case nodes.Call(
                node=nodes.Name(name="t"), args=[nodes.Const(value=str(id))], kwargs=[], dyn_args=None, dyn_kwargs=None
            ):
                return nodes.Const(self._texts(id), lineno=node.lineno)
            case nodes.Call(node=nodes.Name(name="asset"), args=[nodes.Const(value=str(name))]):
                return nodes.Const(assets()[name].address, lineno=node.lineno)
            case nodes.Call(node=nodes.Name(name="t"), args=[id, *more]):
                return _filter("t", _joined(id), more, node)
            case nodes.Call(node=nodes.Getattr(node=nodes.Name(name="t"), attr=name), args=[value, *more]):
                return _filter(f"t.{name}", value, more, node)
        return node


def _joined(id: nodes.Expr) -> nodes.Expr:
    """An id that is put together, without looking for markup in its pieces."""
    if not isinstance(id, nodes.Concat):
        return id
    pieces = nodes.Tuple(id.nodes, "load", lineno=id.lineno)
    return nodes.Mod(nodes.Const("%s" * len(id.nodes), lineno=id.lineno), pieces, lineno=id.lineno)


def _filter(name: str, value: nodes.Expr, more: list[nodes.Expr], call: nodes.Call) -> nodes.Filter:
    return nodes.Filter(value, name, more, call.kwargs, call.dyn_args, call.dyn_kwargs, lineno=call.lineno)


class _Environment(Environment):
    """Of the templates in one language."""

    texts: Texts

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        return super()._generate(_Texts(self.texts).visit(source), *args, **kwargs)


@cache
def environment(language: str) -> Environment:
    """Templates of the layout, and those of each page by the name of its folder: `home/page.html`, in a language."""
    loader = ChoiceLoader(
        [PackageLoader("contentgen_http.console", "layout"), PackageLoader("contentgen_http.console", "pages")]
    )
    made = _Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.texts = texts = texts_in(language)
    made.globals["languages"] = LANGUAGES
    made.globals["shared"] = partial(shared, language)
    made.filters |= {f"t.{name}": getattr(texts, name) for name in dir(texts) if not name.startswith("_")}
    made.filters["t"] = texts
    made.filters["declared"] = declared
    made.filters["declared_in"] = language_of_declared
    made.filters["said"] = said_outcome
    made.filters["said_in"] = language_of_outcome
    return made


@lru_cache(SHARED)
def shared(language: str, template: str, **values: str | bool) -> Markup:
    """A part of pages that is the same for all people who are shown these values."""
    return Markup(environment(language).get_template(template).render(values))  # noqa: S704 - a template escapes


def show(
    request: Visit, keys: KeyMaker, clock: Clock, template: str, *, status: int = 200, **context: Any
) -> Response[str]:
    """A page, or a part of one, for the person who is signed in."""
    shown = _context(request, keys, clock) | context
    text = environment(shown["t"].language).get_template(template).render(shown)
    return Response(text, status_code=status, media_type="text/html", headers=_HEADERS)


async def show_in_parts(
    request: Visit, keys: KeyMaker, clock: Clock, template: str, **context: Any
) -> Response[str] | Stream:
    """A page that may be long, for the person who is signed in. It is rendered in a thread, and sent part by part, so
    that what others ask for meanwhile is answered between two parts."""
    shown = _context(request, keys, clock) | context
    parts = _parts(environment(shown["t"].language).get_template(template).generate(shown))
    first = await asyncio.to_thread(next, parts, "")
    second = await asyncio.to_thread(next, parts, "")
    if not second:
        return Response(first, media_type="text/html", headers=_HEADERS)

    async def all_parts() -> AsyncIterator[str]:
        part = first + second
        while part:
            yield part
            part = await asyncio.to_thread(next, parts, "")

    return Stream(all_parts(), status_code=200, media_type="text/html", headers=_HEADERS)


def _parts(pieces: Iterator[str]) -> Iterator[str]:
    """The pieces of a page in parts of about PART characters, each a few milliseconds' work. CPU-bound."""
    part: list[str] = []
    length = 0
    for piece in pieces:
        part.append(piece)
        length += len(piece)
        if length >= PART:
            yield "".join(part)
            part, length = [], 0
    if part:
        yield "".join(part)


def _context(request: Visit, keys: KeyMaker, clock: Clock) -> dict[str, Any]:
    """What each page shows of the person and the request."""
    person, texts = request.user, texts_of(request)
    note = request.query_params.get(NOTE, "")
    return {
        "t": texts,
        "person": person,
        "csrf": csrf_token(keys, person),
        "path": request.scope["path"],
        "here": shown_address(request),
        "note": note if note.startswith("note-") and texts.has(note) else "",
        "no_jobs": bool(request.app.state.get(NO_JOBS)),
        "now": clock.now(),
        "zone": person.tenant.time_zone or "UTC",
    }


def show_public(request: AnyVisit, template: str, *, status: int = 200, **context: Any) -> Response[str]:
    """A page for somebody who is not signed in."""
    texts = texts_of(request)
    text = environment(texts.language).get_template(template).render(
        t=texts, person=None, path=request.scope["path"], note="", **context
    )  # fmt: skip
    return Response(text, status_code=status, media_type="text/html", headers=_HEADERS)


def to(address: str, note: str = "") -> Redirect:
    """On to a page after a change, which is not repeated by loading that page again. `note`: what it says was done."""
    assert not note or texts_in("en").has(note), note
    path, mark, place = address.partition("#")
    joined = f"{path}{'&' if '?' in path else '?'}{NOTE}={note}" if note else path
    return Redirect(f"{joined}{mark}{place}", status_code=303, headers={"Cache-Control": "no-store"})
