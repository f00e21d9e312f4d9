"""The declaration of an operation: its route and its documentation in one place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from inspect import getdoc
from itertools import count
from typing import Any, Final, Literal, Self

from attrs import frozen
from litestar.connection import ASGIConnection
from litestar.handlers import HTTPRouteHandler

from contentgen_core.errors import (
    ContentgenError,
    InvalidInput,
    RateLimited,
    TenantSuspended,
    TooManyAtOnce,
    Unauthenticated,
    Unavailable,
)
from contentgen_http.wire.base import Body, Query

KIB: Final = 1024
MAX_BODY: Final = 64 * KIB
EVENT_STREAM: Final = "text/event-stream"
ON_THE_DEMO: Final = "Works on the demo."

_positions = count()

Method = Literal["GET", "POST", "PATCH", "DELETE"]


@frozen(kw_only=True)
class Operation:
    """`raises`: the errors the caller may meet. `example`: a request body; `example_of`: what it works with.
    `other_media`: further types that the same answer comes in, as text; with the media type EVENT_STREAM, `answer` is
    the data of one event. `accepts`: what is answered with 202 and nothing, if anything. `own_errors`: statuses of
    errors that may also come as `answer`. `slow`: it takes long, and so its turn among its tenant's slow requests; the
    others take theirs among the ordinary ones. `position`: its place in the order of declaration, which the API
    reference keeps."""

    id: str
    position: int
    summary: str
    description: str
    tag: str
    answer: Any
    media: str = "application/json"
    other_media: tuple[str, ...] = ()
    body: type[Body] | None = None
    body_media: str = "application/json"
    optional_body: bool = False
    query: type[Query] | None = None
    raises: tuple[type[ContentgenError], ...] = ()
    public: bool = False
    idempotent: bool = False
    max_body: int = MAX_BODY
    example: Mapping[str, object] | None = None
    example_of: str = ON_THE_DEMO
    accepts: str | None = None
    own_errors: tuple[int, ...] = ()
    slow: bool = False

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Itself: Litestar copies every handler with its options for each application, and this never changes."""
        return self

    @property
    def errors(self) -> tuple[type[ContentgenError], ...]:
        """With those that come from what the operation is: a tenant's, one that reads something."""
        of_tenants = (Unauthenticated, TenantSuspended, RateLimited, Unavailable, TooManyAtOnce)
        own: tuple[type[ContentgenError], ...] = () if self.public else of_tenants
        reads = (InvalidInput,) if self.body or self.query or self.idempotent else ()
        return tuple(dict.fromkeys((*own, *reads, *self.raises)))


class OperationHandler(HTTPRouteHandler):
    """Guards of operations only read what they are given, which Litestar copies for each of them at each request."""

    __slots__ = ()

    async def authorize_connection(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        for guard in self.resolve_guards():
            await guard(connection, self)  # type: ignore[misc]  # asynchronous once it is resolved


def operation(
    method: Method,
    path: str,
    *,
    tag: str,
    answer: Any,
    media: str = "application/json",
    other_media: tuple[str, ...] = (),
    body: type[Body] | None = None,
    body_media: str = "application/json",
    optional_body: bool = False,
    query: type[Query] | None = None,
    raises: tuple[type[ContentgenError], ...] = (),
    public: bool = False,
    idempotent: bool = False,
    max_body: int = MAX_BODY,
    example: Mapping[str, object] | None = None,
    example_of: str = ON_THE_DEMO,
    accepts: str | None = None,
    own_errors: tuple[int, ...] = (),
    slow: bool = False,
) -> Callable[[Callable[..., Awaitable[Any]]], HTTPRouteHandler]:
    """Make a method of a controller an operation. The first line of its docstring is the summary, the rest the
    description. Litestar's own reading of bodies is not used: it converts loosely (`"1"` for 1), without paths."""

    def declare(handler: Callable[..., Awaitable[Any]]) -> HTTPRouteHandler:
        summary, _, description = (getdoc(handler) or "").partition("\n")
        declared = Operation(
            id=_camel(handler.__name__),
            position=next(_positions),
            summary=summary.rstrip("."),
            description=" ".join(description.split()) or summary,
            tag=tag,
            answer=answer,
            media=media,
            other_media=other_media,
            body=body,
            body_media=body_media,
            optional_body=optional_body,
            query=query,
            raises=raises,
            public=public,
            idempotent=idempotent,
            max_body=max_body,
            example=example,
            example_of=example_of,
            accepts=accepts,
            own_errors=own_errors,
            slow=slow,
        )
        return OperationHandler(
            path,
            http_method=method,
            status_code=200,
            media_type=media,
            request_max_body_size=max_body,
            opt={"operation": declared},
        )(handler)

    return declare


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
